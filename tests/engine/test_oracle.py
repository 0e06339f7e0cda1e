"""Whole random matches, move by move, against plain re-implementations of both games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

import pytest

from engine.core import Length
from engine.record import Record, trace
from engine.registry import GAMES
from tests.engine import oracle_dekal, oracle_skyjo

Table: TypeAlias = oracle_dekal.Table | oracle_skyjo.Table
Policy: TypeAlias = Callable[[Any, int, Random], str]
"""Chooses a legal move for a seat; it may look at every card, the better to reach rare cases."""

TABLES: dict[str, type[Table]] = {"dekal": oracle_dekal.Table, "skyjo": oracle_skyjo.Table}
MOST_MOVES = 6000
PATIENCE = 300
"""Turns after which a round of Skyjo that could go on for ever is brought to its end."""


def at_random(table: Table, seat: int, random: Random) -> str:
    """Any legal move."""
    return random.choice(sorted(table.moves(seat)))


def lowest_first(table: oracle_dekal.Table, seat: int, random: Random) -> str:
    """Dékal: reveal the lowest card more often than not, so that many seats tie; take cards at random."""
    if table.phase == "pick" or random.random() < 0.3:
        return at_random(table, seat, random)

    def value(name: str) -> int:
        card = table.grids[seat][int(name[1]) - 1]["abcd".index(name[0])]
        assert card is not None
        return card.value

    return min(sorted(table.moves(seat)), key=value)


def for_ever(table: oracle_skyjo.Table, seat: int, random: Random) -> str:
    """Skyjo: draw and keep on cards that lie open already, so that the piles run out."""
    if table.phase == "flip" or table.turn > PATIENCE:
        return at_random(table, seat, random)
    if table.phase == "turn":
        return "draw"
    return f"keep {random.choice(sorted(table.face_up[seat] & set(table.cards[seat])))}"


def in_columns(table: oracle_skyjo.Table, seat: int, random: Random) -> str:
    """Skyjo: put a card where its column has the most equal cards, face down or not."""
    if table.phase == "flip":
        return at_random(table, seat, random)
    card = table.discards[-1] if table.phase == "turn" else table.hand

    def worth(name: str) -> int:
        column = [table.cards[seat].get(name[0] + row) for row in "123"]
        return column.count(card) - 3 * (table.cards[seat][name] == card)

    best = max(sorted(table.cards[seat]), key=worth)
    if table.phase == "turn":
        return f"take {best}" if worth(best) > 0 else "draw"
    if worth(best) > 0 or random.random() < 0.2:
        return f"keep {best}"
    return random.choice(sorted(table.moves(seat)))


ALL_LENGTHS = ("single",) * 5 + ("100",)
POLICIES: dict[str, dict[Policy, tuple[str, ...]]] = {
    "dekal": {at_random: ALL_LENGTHS, lowest_first: ("single",) * 30},
    "skyjo": {at_random: ALL_LENGTHS, in_columns: ALL_LENGTHS, for_ever: ("single",)},
}
"""Policies, each with the matches that every table size plays by it."""
RARE = {
    "dekal": (
        "tie of 1 draws",
        "tie of 2 draws",
        "short reserve after 0 draws",
        "short reserve after 1 draws",
        "fewer cards decide",
        "shared win",
        "round after round",
    ),
    "skyjo": (
        "reshuffle 1",
        "reshuffle 2",
        "starter by highest card",
        "starter by shuffle",
        "column in play",
        "negative column in play",
        "column at the end",
        "negative column at the end",
        "closed with no card left",
        "doubled",
        "doubled by a tie",
        "not positive, not doubled",
        "shared win",
        "round after round",
    ),
}
"""What the oracles must have seen happen over all games, lest the comparison be about ordinary play only."""


def compare(game: str, seats: int, match: str, policy: Policy, random: Random) -> Counter[str]:
    """Play one match on both sides; every legal move and every line of the trace must agree."""
    rules, seed = GAMES[game], random.randbytes(32)
    table, state = TABLES[game](seats, seed, match), rules.start(seats, seed, Length(match))
    moves: list[tuple[int, str]] = []
    lines = [table.line()]
    while acting := table.to_move():
        assert len(moves) < MOST_MOVES
        for seat in range(-1, seats + 1):
            legal = [rules.move_text(move) for move in rules.legal_moves(state, seat)]
            assert len(legal) == len(set(legal))
            assert set(legal) == table.moves(seat), (moves, seat)
        seat = random.choice(acting)
        text = policy(table, seat, random)
        state = rules.apply(state, seat, rules.moves[text]).state
        table.play(seat, text)
        moves.append((seat, text))
        lines.append(table.line())
    traced = list(trace(Record(game, seats, seed, Length(match), tuple(moves))))
    for number, (actual, expected) in enumerate(zip(traced, lines, strict=True)):
        assert actual == expected, (seed.hex(), number, moves[:number])
    return table.happened


@pytest.mark.parametrize("game", GAMES)
def test_the_engine_and_the_oracle_tell_the_same_of_every_match(game: str) -> None:
    """Every policy, table size and match length: same legal moves, same traces, and every rare case comes up."""
    random, happened = Random(game), Counter[str]()
    rules = GAMES[game]
    for policy, matches in POLICIES[game].items():
        for seats in range(rules.min_seats, rules.max_seats + 1):
            for match in matches:
                happened += compare(game, seats, match, policy, random)
    assert [rare for rare in RARE[game] if not happened[rare]] == []
