from __future__ import annotations

import json
from itertools import zip_longest
from typing import Any

import pytest

from engine.core import Length
from engine.record import BadMoveError, Record, parse, replay, trace
from engine.registry import GAMES
from tests.engine.recorded import Recorded, recorded

RECORDED = {match.name: match for match in recorded()}


def first_difference(actual: list[dict[str, Any]], expected: tuple[dict[str, Any], ...], moves: list[str]) -> str:
    """The first line that differs, with its move and the keys that disagree; empty where none does."""
    for number, (mine, wanted) in enumerate(zip_longest(actual, expected, fillvalue={"missing": True})):
        if mine != wanted:
            move = moves[number - 1] if number else "the deal"
            keys = [key for key in mine.keys() | wanted.keys() if mine.get(key) != wanted.get(key)]
            details = [f"{key}: {mine.get(key)!r}, expected {wanted.get(key)!r}" for key in sorted(keys)]
            return "\n".join([f"line {number}, after {move}", *details])
    return ""


@pytest.mark.parametrize("match", RECORDED.values(), ids=RECORDED)
def test_a_recorded_match_is_traced_as_it_was(match: Recorded) -> None:
    """Every line of every recorded match comes out equal."""
    actual = list(trace(parse(match.record)))
    assert first_difference(actual, match.trace, json.loads(match.record)["moves"]) == ""


def test_the_recorded_matches_cover_every_table() -> None:
    """Every number of seats of both games, and both lengths, have a recorded match."""
    seen = {(record.game, record.seats) for record in map(parse_recorded, RECORDED.values())}
    sizes = {(key, n) for key, rules in GAMES.items() for n in range(rules.min_seats, rules.max_seats + 1)}
    assert seen == sizes
    assert {record.length for record in map(parse_recorded, RECORDED.values())} == set(Length)


def parse_recorded(match: Recorded) -> Record:
    """The record of a recorded match."""
    return parse(match.record)


@pytest.mark.parametrize("match", RECORDED.values(), ids=RECORDED)
def test_a_record_is_written_as_it_is_read(match: Recorded) -> None:
    """`str` and `parse` are inverses, and keys that are no part of a record do no harm."""
    record = parse(match.record)
    assert parse(str(record)) == record
    assert json.loads(str(record)) == json.loads(match.record)
    assert parse(json.dumps(json.loads(match.record) | {"table": 7})) == record


@pytest.mark.parametrize("name", ["dekal-3-100-05", "skyjo-3-100-07"])
def test_rounds_has_the_rounds_that_are_finished_at_that_line(name: str) -> None:
    """None at first, one more with the move that ends a round, and always those that the totals count."""
    lines = list(trace(parse(RECORDED[name].record)))
    counts = [len(line["rounds"]) for line in lines]
    assert counts == sorted(counts)
    assert set(counts) == set(range(counts[-1] + 1))
    assert all(len(line["rounds"]) == line["round"] - (not line["over"]) for line in lines)
    for line in lines:
        assert line["totals"] == [sum(scores) for scores in zip([0] * 3, *line["rounds"], strict=True)]


def test_a_replay_ends_at_the_bad_move_with_its_number() -> None:
    """Moves are counted from 1, and the states before the bad one are given."""
    record = Record("skyjo", 2, bytes(32), Length.SINGLE, ((0, "flip a1"), (0, "draw"), (1, "flip a1")))
    steps = replay(record)
    assert [len(state.grids) for state, _ in (next(steps), next(steps))] == [2, 2]
    with pytest.raises(BadMoveError, match=r"move 2 \('0 draw'\): wrong phase") as caught:
        next(steps)
    assert caught.value.number == 2
