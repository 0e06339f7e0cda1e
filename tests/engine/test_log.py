"""The moves of a match in a character or two each."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import CorruptError, Length
from engine.log import log_move, pending_size, read_log, without_choice
from tests.engine.play import REPEATABLE, RULES, at_every_table, in_every_game, turns

SEED = bytes(range(32))


@cache
def logged(key: str, seats: int, length: Length = Length.SINGLE) -> tuple[Any, str, list[tuple[int, str]], Any]:
    """A random match: its first position, its log, its moves and its last position."""
    rules = RULES[key]
    log, moves, first, last = "", [], None, None
    for turn in turns(rules, seats, Random(f"{key} {seats}"), length):
        first = turn.before if first is None else first
        log += log_move(rules, turn.before, turn.seat, turn.move)
        moves.append((turn.seat, rules.move_text(turn.move)))
        last = turn.after
    return first, log, moves, last


@at_every_table
@pytest.mark.parametrize("length", Length)
def test_a_log_is_read_back_as_it_was_played(key: str, seats: int, length: Length) -> None:
    """Seats, moves and positions; at most two printable ASCII characters a move."""
    first, log, moves, last = logged(key, seats, length)
    steps = list(read_log(RULES[key], first, log))
    assert [(seat, text) for seat, text, _, _ in steps] == moves
    assert steps[-1][2] == last
    assert len(log) <= 2 * len(moves)
    assert log.isascii()
    assert log.isprintable()


@at_every_table
def test_events_come_with_the_moves(key: str, seats: int) -> None:
    """The same that `apply` gave."""
    rules = RULES[key]
    first, log, _, _ = logged(key, seats)
    state = first
    for seat, text, after, events in read_log(rules, first, log):
        step = rules.apply(state, seat, rules.parse_move(text))
        assert (step.state, step.events) == (after, events)
        state = step.state


@at_every_table
def test_a_choice_that_was_changed_leaves_the_log(key: str, seats: int) -> None:
    """The log reads as if the last choice had been the only one, whoever has chosen in between."""
    rules, random = RULES[key], Random(seats)
    first = state = rules.start(seats, SEED, Length.SINGLE)
    log = ""
    while actors := rules.actors(state):
        for seat in rules.chosen(state):
            if random.random() < 0.5:
                log, state = without_choice(rules, state, log, seat), rules.retract(state, seat)
                move = random.choice(rules.legal_moves(state, seat))
                log += log_move(rules, state, seat, move)
                state = rules.apply(state, seat, move).state
        assert pending_size(rules, state) == 2 * len(rules.chosen(state))
        seat = random.choice(actors)
        move = random.choice(rules.legal_moves(state, seat))
        log += log_move(rules, state, seat, move)
        state = rules.apply(state, seat, move).state
        if random.random() < 0.1 or not rules.actors(state):
            *_, (_, _, read, _) = read_log(rules, first, log)
            assert read == state


@in_every_game
@pytest.mark.parametrize("damage", ["~", " ", "0", "9;", "²;", "٣;", "é", "\n", "0\x00"])
def test_what_is_no_move_is_corrupt(key: str, damage: str) -> None:
    """At the start, where several seats may act, and behind everything."""
    rules = RULES[key]
    first, log, _, _ = logged(key, 2)
    for text in (damage, log + damage):
        with pytest.raises(CorruptError):
            list(read_log(rules, first, text))


@in_every_game
@REPEATABLE
@given(data=st.data())
def test_a_damaged_log_is_corrupt_or_another_match(key: str, data: st.DataObject) -> None:
    """Never any other error; what is read is legal, and written again is the same text."""
    rules = RULES[key]
    first, log, _, _ = logged(key, 3)
    place = data.draw(st.integers(0, len(log) - 1))
    instead = data.draw(st.text(st.characters(max_codepoint=0x7F) | st.sampled_from("²٣é"), max_size=2))
    damaged = log[:place] + instead + log[place + 1 :]
    state, again = first, ""
    try:
        for seat, text, after, _ in read_log(rules, first, damaged):
            again += log_move(rules, state, seat, rules.moves[text])
            state = after
    except CorruptError:
        assert damaged.startswith(again)
    else:
        assert again == damaged
