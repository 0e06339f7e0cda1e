"""Nobody sees what they may not know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import islice
from random import Random

import pytest

from engine.core import Length
from engine.dekal.game import DEKAL
from engine.grid import Blank
from engine.skyjo.game import SKYJO
from engine.skyjo.views import Phase as SkyjoPhase
from tests.engine.hidden import HIDDEN
from tests.engine.play import RULES, TABLES, at_every_table, positions, turns


@at_every_table
@pytest.mark.parametrize("length", Length)
def test_hidden_cards_leave_every_view_equal(key: str, seats: int, length: Length) -> None:
    """Deal anew what a viewer may not know: face-down cards, piles, other seats' secrets, the seed. Nothing changes."""
    rules, hidden, random = RULES[key], HIDDEN[key], Random(seats)
    for state in islice(positions(key, seats, length), 0, None, 3):
        for viewer in (None, *range(seats)):
            other = hidden.other(state, viewer, random)
            assert other != state
            assert hidden.cards(other) == hidden.deck
            assert rules.view(other, viewer) == rules.view(state, viewer)
        other = hidden.other(state, None, random)
        assert rules.epoch(other) == rules.epoch(state)
        assert rules.chosen(other) == rules.chosen(state)
        for seat in range(seats):
            assert rules.legal_moves(hidden.other(state, seat, random), seat) == rules.legal_moves(state, seat)


@pytest.mark.parametrize(("key", "seats"), [(key, seats) for key, seats in TABLES if HIDDEN[key].unseen])
def test_what_all_see_happen_does_not_depend_on_what_stays_hidden(key: str, seats: int) -> None:
    """A choice and a draw make the same events whatever the cards are."""
    rules, hidden, random = RULES[key], HIDDEN[key], Random(seats)
    assert hidden.unseen
    silent = 0
    for turn in turns(rules, seats, random):
        other = hidden.other(turn.before, None, random)
        if hidden.unseen(turn.after) and turn.move in rules.legal_moves(other, turn.seat):
            silent += 1
            events = rules.apply(turn.before, turn.seat, turn.move).events
            assert rules.apply(other, turn.seat, turn.move).events == events
    assert silent


def leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Every plain value in a view, with where it stands."""
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from leaves(getattr(value, field.name), f"{path}.{field.name}")
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from leaves(item, f"{path}[{index}]")
    else:
        yield path, value


@at_every_table
def test_a_view_is_made_of_numbers_and_words_of_the_game_only(key: str, seats: int) -> None:
    """No bytes, no text, no dictionary: no place for a seed or a pile."""
    rules = RULES[key]
    for state in positions(key, seats):
        for viewer in (None, *range(seats)):
            for path, value in leaves(rules.view(state, viewer)):
                assert value is None or isinstance(value, int | Enum), path


def test_a_face_down_card_is_shown_as_such_and_the_piles_as_numbers() -> None:
    """Cell by cell, in both games."""
    for state in positions("dekal", 3):
        view = DEKAL.view(state, None)
        for shown, grid in zip(view.grids, state.grids, strict=True):
            assert shown == tuple(Blank.DOWN if c < 0 else Blank.GONE if c == 0 else c for c in grid)
        assert view.reserve == len(state.reserve)
    for state in positions("skyjo", 3):
        table = SKYJO.view(state, None)
        for shown, grid in zip(table.grids, state.grids, strict=True):
            for cell, card in enumerate(grid.cards):
                blank = Blank.GONE if grid.gone >> cell & 1 else Blank.DOWN if grid.down >> cell & 1 else card
                assert shown[cell] == blank
        assert table.pile == len(state.pile)


def test_a_secret_choice_is_seen_by_its_seat_only() -> None:
    """The others see that a choice was made."""
    state = DEKAL.start(3, bytes(32), Length.SINGLE)
    state = DEKAL.apply(state, 1, DEKAL.moves["c2"]).state
    views = [DEKAL.view(state, viewer) for viewer in (None, 0, 1, 2)]
    assert [view.choice for view in views] == [None, None, 6, None]
    assert [view.chosen for view in views] == [(1,)] * 4
    assert len({view.grids for view in views}) == 1


def test_a_drawn_card_is_seen_by_its_drawer_only() -> None:
    """The trace's `hand` apart."""
    drawn = next(state for state in positions("skyjo", 4) if state.phase is SkyjoPhase.DRAWN)
    for viewer in (None, *range(4)):
        expected = drawn.hand if viewer == drawn.seat else None
        assert SKYJO.view(drawn, viewer).hand == expected
    assert SKYJO.facts(drawn)["hand"] == drawn.hand
