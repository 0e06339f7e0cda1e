"""Skyjo once more, plain and mutable, written from the rules alone: what the engine is compared with.

Nothing of the engine is used here and nothing is fast. `happened` notes the rare cases a game went through.
"""

from __future__ import annotations

import struct
from collections import Counter
from hashlib import sha256
from typing import Any

NAMES = [column + row for row in "123" for column in "abcd"]
DECK = [-2] * 5 + [-1] * 10 + [0] * 15 + [value for value in range(1, 13) for _ in range(10)]


def mix(cards: list[int], seed: bytes, label: str) -> list[int]:
    """The documented shuffle, from a stream of bytes long enough for any deck."""
    stream = b"".join(sha256(seed + label.encode("ascii") + struct.pack(">I", i)).digest() for i in range(32))
    position, mixed = 0, cards[:]
    i = len(mixed) - 1
    while i >= 1:
        (word,) = struct.unpack_from(">I", stream, position)
        position += 4
        if word >= 2**32 - 2**32 % (i + 1):
            continue
        j = word % (i + 1)
        mixed[i], mixed[j] = mixed[j], mixed[i]
        i -= 1
    return mixed


class Table:
    """A match of Skyjo in the making. `cards[seat]` maps names of cells to values; a name that is missing is empty."""

    def __init__(self, seats: int, seed: bytes, match: str) -> None:
        self.seats, self.seed, self.match = seats, seed, match
        self.rounds: list[list[int]] = []
        self.happened: Counter[str] = Counter()
        self.starter: int | None = None
        self._deal()

    def _deal(self) -> None:
        self.round = len(self.rounds) + 1
        deck = mix(DECK, self.seed, f"skyjo deck {self.round}")
        self.cards = [dict(zip(NAMES, deck[12 * seat :], strict=False)) for seat in range(self.seats)]
        self.face_up: list[set[str]] = [set() for _ in range(self.seats)]
        self.discards = [deck[12 * self.seats]]
        self.pile = deck[12 * self.seats + 1 :]
        self.phase, self.turn = "flip", 1
        self.current = -1
        self.hand: int | None = None
        self.closer: int | None = None
        self.shuffled = 0

    def to_move(self) -> list[int]:
        """The seats that may act."""
        if self.phase == "flip":
            return [seat for seat in range(self.seats) if len(self.face_up[seat]) < 2]
        return [] if self.phase == "over" else [self.current]

    def moves(self, seat: int) -> set[str]:
        """What a seat may play."""
        if seat not in self.to_move():
            return set()
        there = set(self.cards[seat])
        hidden = there - self.face_up[seat]
        if self.phase == "flip":
            return {f"flip {name}" for name in hidden}
        if self.phase == "drawn":
            return {f"keep {name}" for name in there} | {f"drop {name}" for name in hidden}
        can_draw = {"draw"} if self.pile or self.discards[1:] else set()
        return can_draw | {f"take {name}" for name in there}

    def play(self, seat: int, move: str) -> None:
        """Play a legal move."""
        verb, _, name = move.partition(" ")
        if verb == "flip":
            self.face_up[seat].add(name)
            if not self.to_move():
                self._begin()
            return
        if verb == "draw":
            if not self.pile:
                self.shuffled += 1
                self.happened[f"reshuffle {min(self.shuffled, 2)}"] += 1
                top = self.discards.pop()
                self.pile = mix(sorted(self.discards), self.seed, f"skyjo reshuffle {self.round} {self.shuffled}")
                self.discards = [top]
            self.hand, self.phase = self.pile.pop(0), "drawn"
            return
        if verb == "drop":
            assert self.hand is not None
            self.discards.append(self.hand)
        else:
            new = self.discards.pop() if verb == "take" else self.hand
            assert new is not None
            self.discards.append(self.cards[seat][name])
            self.cards[seat][name] = new
        self.face_up[seat].add(name)
        self.hand = None
        self._remove_columns(seat, "column in play")
        self._pass_on(seat)

    def _begin(self) -> None:
        self.phase = "turn"
        if self.starter is not None:
            self.current = self.starter
            return
        pairs = [[self.cards[seat][name] for name in self.face_up[seat]] for seat in range(self.seats)]
        tied = [seat for seat in range(self.seats) if sum(pairs[seat]) == max(map(sum, pairs))]
        self.happened["starter by highest card"] += len(tied) > 1
        top = max(max(pairs[seat]) for seat in tied)
        tied = [seat for seat in tied if max(pairs[seat]) == top]
        self.happened["starter by shuffle"] += len(tied) > 1
        self.current = tied[0] if len(tied) == 1 else mix(tied, self.seed, f"skyjo start {self.round}")[0]

    def _remove_columns(self, seat: int, label: str) -> None:
        for letter in "abcd":
            column = [letter + row for row in "123"]
            if not all(name in self.face_up[seat] and name in self.cards[seat] for name in column):
                continue
            values = [self.cards[seat][name] for name in column]
            if len(set(values)) == 1:
                self.discards.extend(values)
                self.happened[f"{'negative ' * (values[0] < 0)}{label}"] += 1
                for name in column:
                    del self.cards[seat][name]

    def _pass_on(self, seat: int) -> None:
        if self.closer is None and all(name in self.face_up[seat] for name in self.cards[seat]):
            self.closer = seat
            self.happened["closed with no card left"] += not self.cards[seat]
        self.turn += 1
        self.current = (seat + 1) % self.seats
        self.phase = "turn"
        if self.current == self.closer:
            self._finish(self.closer)

    def _finish(self, closer: int) -> None:
        for seat in range(self.seats):
            self.face_up[seat] = set(NAMES)
            self._remove_columns(seat, "column at the end")
        scores = [sum(cards.values()) for cards in self.cards]
        others = [scores[seat] for seat in range(self.seats) if seat != closer]
        beaten = min(others) <= scores[closer]
        self.happened["doubled by a tie"] += scores[closer] == min(others) and scores[closer] > 0
        self.happened["not positive, not doubled"] += beaten and scores[closer] <= 0
        if beaten and scores[closer] > 0:
            scores[closer] *= 2
            self.happened["doubled"] += 1
        self.rounds.append(scores)
        if self.match == "100" and max(self.totals()) < 100:
            self.starter = closer
            self.happened["round after round"] += 1
            self._deal()
        else:
            self.phase = "over"
            self.happened["shared win"] += len(self.winners()) > 1

    def totals(self) -> list[int]:
        """The points of the finished rounds."""
        return [sum(scores[seat] for scores in self.rounds) for seat in range(self.seats)]

    def winners(self) -> list[int]:
        """The seats with the lowest total, once the match is over."""
        totals = self.totals()
        return [seat for seat in range(self.seats) if self.phase == "over" and totals[seat] == min(totals)]

    def line(self) -> dict[str, Any]:
        """What a trace says of this moment."""
        grids = [
            " ".join("." if n not in cards else str(cards[n]) if n in seen else "?" for n in NAMES)
            for cards, seen in zip(self.cards, self.face_up, strict=True)
        ]
        return {
            "game": "skyjo",
            "round": self.round,
            "turn": self.turn,
            "phase": self.phase,
            "to_move": self.to_move(),
            "closer": self.closer,
            "grids": grids,
            "discard": self.discards[-1],
            "pile": len(self.pile),
            "hand": self.hand,
            "totals": self.totals(),
            "rounds": [list(scores) for scores in self.rounds],
            "over": self.phase == "over",
            "winners": self.winners(),
        }
