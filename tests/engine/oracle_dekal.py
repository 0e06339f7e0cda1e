"""Dékal once more, plain and mutable, written from the rules alone: what the engine is compared with.

Nothing of the engine is used here and nothing is fast. `happened` notes the rare cases a game went through.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any


class Card:
    """A card in a grid."""

    def __init__(self, value: int) -> None:
        self.value = value
        self.face_up = False


def deal_out(cards: list[int], seed: bytes, label: str) -> list[int]:
    """The documented shuffle, word by word."""
    mixed, words, block = list(cards), list[int](), 0
    for last in reversed(range(1, len(mixed))):
        while True:
            if not words:
                digest = hashlib.sha256(seed + label.encode() + block.to_bytes(4, "big")).digest()
                words = [int.from_bytes(digest[k : k + 4], "big") for k in range(0, 32, 4)]
                block += 1
            word = words.pop(0)
            if word < 2**32 - 2**32 % (last + 1):
                break
        swap = word % (last + 1)
        mixed[last], mixed[swap] = mixed[swap], mixed[last]
    return mixed


class Table:
    """A match of Dékal in the making. `grids[seat][row][column]` is a card or None for the hole."""

    def __init__(self, seats: int, seed: bytes, match: str) -> None:
        self.seats, self.seed, self.match = seats, seed, match
        self.rounds: list[list[int]] = []
        self.winners: list[int] = []
        self.round_opener: int | None = None
        self.happened: Counter[str] = Counter()
        self._deal()

    def _deal(self) -> None:
        self.round = len(self.rounds) + 1
        deck = deal_out(sorted(list(range(1, 11)) * 10), self.seed, f"dekal deck {self.round}")
        self.grids: list[list[list[Card | None]]] = [
            [[Card(deck.pop(0)) for _ in range(4)] for _ in range(4)] for _ in range(self.seats)
        ]
        self.reserve = deck
        self.turn, self.phase = 1, "reveal"
        self.first = self.round_opener
        self.secret: dict[int, str] = {}
        self.centre: list[int] = []
        self.waiting: list[int] = []

    def to_move(self) -> list[int]:
        """The seats that may act."""
        if self.phase == "reveal":
            return [seat for seat in range(self.seats) if seat not in self.secret]
        return self.waiting[:1]

    def moves(self, seat: int) -> set[str]:
        """What a seat may play."""
        if seat not in self.to_move():
            return set()
        if self.phase == "reveal":
            return {
                "abcd"[x] + str(y + 1)
                for y, row in enumerate(self.grids[seat])
                for x, card in enumerate(row)
                if card is not None and not card.face_up
            }
        x, y = self._hole(seat)
        sides = "L" * (x > 0) + "R" * (x < 3) + "T" * (y > 0) + "B" * (y < 3)
        return {f"{value}{side}" for value in self.centre for side in sides}

    def _hole(self, seat: int) -> tuple[int, int]:
        return next((x, y) for y in range(4) for x in range(4) if self.grids[seat][y][x] is None)

    def play(self, seat: int, move: str) -> None:
        """Play a legal move."""
        if self.phase == "reveal":
            self.secret[seat] = move
            if len(self.secret) == self.seats:
                self._reveal()
            return
        value, side = int(move[:-1]), move[-1]
        self.centre.remove(value)
        self._push(seat, value, side)
        self.waiting.remove(seat)
        if not self.waiting:
            self._end_turn()

    def _reveal(self) -> None:
        shown = []
        for seat in range(self.seats):
            x, y = ord(self.secret[seat][0]) - ord("a"), int(self.secret[seat][1]) - 1
            card = self.grids[seat][y][x]
            assert card is not None
            shown.append(card.value)
            self.grids[seat][y][x] = None
        if self.first is None:
            self.first = self._lowest(shown)
            self.round_opener = self.first
        self.centre, self.secret, self.phase = shown, {}, "pick"
        self.waiting = [(self.first + step) % self.seats for step in range(self.seats)]

    def _lowest(self, shown: list[int]) -> int:
        tied = [seat for seat in range(self.seats) if shown[seat] == min(shown)]
        draws = 0
        while len(tied) > 1:
            if len(self.reserve) < len(tied):
                self.happened[f"short reserve after {min(draws, 1)} draws"] += 1
                return deal_out(tied, self.seed, f"dekal tie {self.round}")[0]
            drawn = {seat: self.reserve.pop(0) for seat in tied}
            tied = [seat for seat in tied if drawn[seat] == min(drawn.values())]
            draws += 1
        self.happened[f"tie of {min(draws, 2)} draws"] += 1
        return tied[0]

    def _push(self, seat: int, value: int, side: str) -> None:
        x, y = self._hole(seat)
        grid = self.grids[seat]
        new = Card(value)
        new.face_up = True
        line = [row[x] for row in grid] if side in "TB" else grid[y]
        hole = y if side in "TB" else x
        others = [*line[:hole], *line[hole + 1 :]]
        line = [new, *others] if side in "TL" else [*others, new]
        for step, card in enumerate(line):
            if side in "TB":
                grid[step][x] = card
            else:
                grid[y][step] = card

    def _end_turn(self) -> None:
        assert self.first is not None
        if self.turn < 16:
            self.turn, self.phase, self.first = self.turn + 1, "reveal", (self.first + 1) % self.seats
            return
        left = [self._left(seat) for seat in range(self.seats)]
        self.rounds.append([sum(cards) for cards in left])
        totals = self.totals()
        if self.match == "100" and max(totals) < 100:
            assert self.round_opener is not None
            self.round_opener = (self.round_opener + 1) % self.seats
            self.happened["round after round"] += 1
            self._deal()
            return
        self.phase = "over"
        if self.match == "100":
            self.winners = [seat for seat in range(self.seats) if totals[seat] == min(totals)]
        else:
            best = min((sum(cards), len(cards)) for cards in left)
            self.winners = [seat for seat, cards in enumerate(left) if (sum(cards), len(cards)) == best]
            self.happened["fewer cards decide"] += totals.count(min(totals)) > len(self.winners)
        self.happened["shared win"] += len(self.winners) > 1

    def _left(self, seat: int) -> list[int]:
        board = {
            (x, y): card.value
            for y, row in enumerate(self.grids[seat])
            for x, card in enumerate(row)
            if card is not None
        }
        return [
            value
            for (x, y), value in board.items()
            if value not in [board.get(near) for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))]
        ]

    def totals(self) -> list[int]:
        """The points of the finished rounds."""
        return [sum(scores[seat] for scores in self.rounds) for seat in range(self.seats)]

    def line(self) -> dict[str, Any]:
        """What a trace says of this moment."""
        cells = [
            " ".join("." if card is None else str(card.value) if card.face_up else "?" for row in grid for card in row)
            for grid in self.grids
        ]
        return {
            "game": "dekal",
            "round": self.round,
            "turn": self.turn,
            "phase": self.phase,
            "first": self.first,
            "to_move": self.to_move(),
            "grids": cells,
            "centre": sorted(self.centre),
            "totals": self.totals(),
            "rounds": [list(scores) for scores in self.rounds],
            "over": self.phase == "over",
            "winners": self.winners,
        }
