"""Random play for the tests: whole matches at every table, the same ones every time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from engine.core import AnyRules, Length
from engine.registry import GAMES
from tests.toy.rules import SHED

RULES: dict[str, AnyRules] = {**GAMES, SHED.key: SHED}
"""The games there are, and a toy of another kind: what every game must keep must not be what ours have in common."""

REPEATABLE = settings(derandomize=True, deadline=None, database=None, max_examples=400)
"""For Hypothesis: the same examples every time, and no clock."""

TABLES = [(key, seats) for key, rules in RULES.items() for seats in range(rules.min_seats, rules.max_seats + 1)]
at_every_table = pytest.mark.parametrize(("key", "seats"), TABLES, ids=[f"{key}-{seats}" for key, seats in TABLES])
in_every_game = pytest.mark.parametrize("key", RULES)


@dataclass(frozen=True, slots=True)
class Turn:
    """A move of a match and the positions around it."""

    before: Any
    seat: int
    move: Any
    after: Any


def turns(rules: AnyRules, seats: int, random: Random, length: Length = Length.SINGLE) -> Iterator[Turn]:
    """Play a match with random legal moves to its end."""
    state = rules.start(seats, random.randbytes(32), length)
    while actors := rules.actors(state):
        seat = random.choice(actors)
        move = random.choice(rules.legal_moves(state, seat))
        after = rules.apply(state, seat, move).state
        yield Turn(state, seat, move, after)
        state = after


def positions(key: str, seats: int, length: Length = Length.SINGLE, salt: str = "") -> Iterator[Any]:
    """Every position of a random match, from the deal to the end."""
    rules, random = RULES[key], Random(f"{key} {seats} {length.value} {salt}")
    for number, turn in enumerate(turns(rules, seats, random, length)):
        if number == 0:
            yield turn.before
        yield turn.after
