from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import Ending, Length, NotUnderstoodError, Outcome
from engine.match import Sheet, parse_sheet, ranks
from tests.engine.play import REPEATABLE

SCORES = st.integers(-24, 300)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ((10, 20, 30), (1, 2, 3)),
        ((30, 10, 20), (3, 1, 2)),
        ((5, 5, 9), (1, 1, 3)),
        ((9, 5, 9, 5), (3, 1, 3, 1)),
        ((0, -3, 0, 7), (2, 1, 2, 4)),
        ((4, 4, 4), (1, 1, 1)),
    ],
)
def test_equal_keys_share_a_place_and_the_places_behind_stay_empty(
    keys: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    """The lowest is first."""
    assert ranks(keys) == expected


def test_the_highest_may_be_first() -> None:
    """Equal keys share a place all the same."""
    assert ranks((5, 9, 5, 12), highest=True) == (3, 2, 3, 1)


def test_pairs_are_ranked_by_their_first_number_first() -> None:
    """Dékal's fewer cards decide between equal scores."""
    assert ranks([(12, 5), (12, 4), (3, 9)]) == (3, 2, 1)


def test_the_lowest_total_wins_unless_the_game_says_the_highest() -> None:
    """And nobody has won while the match goes on."""
    over = Sheet(3, Length.HUNDRED, ((60, 1, 30), (50, 1, 72)))
    assert over.outcome() == Outcome((110, 2, 102), (3, 1, 2), Ending.HUNDRED_REACHED)
    assert over.outcome(highest=True) == Outcome((110, 2, 102), (1, 3, 2), Ending.HUNDRED_REACHED)
    assert Sheet(2, Length.HUNDRED, ((60, 1),)).outcome() is None


def test_all_first_places_win() -> None:
    """In seat order."""
    assert Outcome((9, 2, 2), (3, 1, 1), Ending.ONE_ROUND).winners == (1, 2)


@REPEATABLE
@given(seats=st.integers(2, 8), length=st.sampled_from(Length), data=st.data())
def test_a_sheet_is_written_and_read_back(seats: int, length: Length, data: st.DataObject) -> None:
    """With any rounds; totals are sums."""
    line = st.tuples(*[SCORES] * seats)
    rounds = tuple(data.draw(st.lists(line, max_size=5)))
    sheet = Sheet(seats, length, rounds)
    assert parse_sheet(str(sheet), seats) == sheet
    assert sheet.totals == tuple(sum(scores[seat] for scores in rounds) for seat in range(seats))
    with pytest.raises(NotUnderstoodError):
        parse_sheet(f"{sheet}/{','.join('1' * (seats + 1))}", seats)


@pytest.mark.parametrize(
    "text", ["", "single", "100", "200:", "single:1", "single:1,x", "single:01,2", "100:1,2/", ":"]
)
def test_what_is_no_sheet_is_not_understood(text: str) -> None:
    """For a table of two."""
    with pytest.raises(NotUnderstoodError):
        parse_sheet(text, 2)


@pytest.mark.parametrize(
    ("length", "rounds", "ending"),
    [
        (Length.SINGLE, (), None),
        (Length.SINGLE, ((0, 0),), Ending.ONE_ROUND),
        (Length.HUNDRED, (), None),
        (Length.HUNDRED, ((99, 0),), None),
        (Length.HUNDRED, ((99, 0), (-1, 99)), None),
        (Length.HUNDRED, ((60, 0), (40, 3)), Ending.HUNDRED_REACHED),
        (Length.HUNDRED, ((0, 133),), Ending.HUNDRED_REACHED),
    ],
)
def test_a_match_ends_after_its_round_or_at_100(
    length: Length, rounds: tuple[tuple[int, ...], ...], ending: Ending | None
) -> None:
    """100 exactly is enough."""
    assert Sheet(2, length, rounds).ending is ending
