from __future__ import annotations

from enum import StrEnum
from typing import Any

import pytest

from engine.core import Event, Length, NotLegalError, Reason, RoundEnded
from engine.dekal.game import DEKAL
from engine.dekal.model import CELLS, DekalReason, State
from engine.dekal.rules import removed, score
from engine.dekal.views import Chosen, Inserted, Phase, Revealed, Side, TieDrawn
from engine.grid import cell_text
from tests.engine.oracle_dekal import deal_out
from tests.engine.positions import SEED, dekal_grid, dekal_position

LATIN = "1 2 3 4 / 2 3 4 1 / 3 4 1 2 / 4 1 2 3"
OTHER_LATIN = "5 6 7 8 / 6 7 8 5 / 7 8 5 6 / 8 5 6 7"


def play(state: State, *moves: str) -> tuple[State, tuple[Event, ...]]:
    """Play moves written `seat move`; the last state and all events."""
    events: tuple[Event, ...] = ()
    for move in moves:
        seat, text = move.split()
        step = DEKAL.apply(state, int(seat), DEKAL.parse_move(text))
        state, events = step.state, events + step.events
    return state, events


@pytest.mark.parametrize(
    ("grid", "points", "cards"),
    [
        ("5 8 8 5 / 3 10 1 1 / 10 10 1 4 / 10 4 4 7", 24, 5),
        ("7 7 7 7 / 7 7 7 7 / 7 7 7 7 / 7 7 7 7", 0, 0),
        (LATIN, 40, 16),
        ("5 5 5 1 / 9 2 5 1 / 9 2 3 4 / 8 7 6 10", 38, 6),
    ],
)
def test_cards_with_an_equal_neighbour_do_not_count(grid: str, points: int, cards: int) -> None:
    """The worked scores: groups of any size go at once, diagonals do not count."""
    assert score(dekal_grid(grid)) == points
    assert CELLS - len(removed(dekal_grid(grid))) == cards


WAYS_IN = [
    *("RB", "LRB", "LRB", "LB"),
    *("RTB", "LRTB", "LRTB", "LTB"),
    *("RTB", "LRTB", "LRTB", "LTB"),
    *("RT", "LRT", "LRT", "LT"),
]


@pytest.mark.parametrize("hole", range(CELLS), ids=cell_text)
def test_a_card_never_goes_straight_into_the_hole(hole: int) -> None:
    """A corner hole has two ways in, an edge hole three, an inner hole four; the others are refused."""
    cells = LATIN.replace("/", "").split()
    cells[hole] = "."
    state = dekal_position([" ".join(cells), OTHER_LATIN], phase=Phase.PICK, opener=0, first=1, picks=1, centre=[10])
    assert {DEKAL.move_text(move) for move in DEKAL.legal_moves(state, 0)} == {f"10{side}" for side in WAYS_IN[hole]}
    for side in set("LRTB") - set(WAYS_IN[hole]):
        with pytest.raises(NotLegalError) as caught:
            DEKAL.apply(state, 0, DEKAL.moves[f"10{side}"])
        assert caught.value.reason is DekalReason.NO_WAY_IN


@pytest.mark.parametrize(
    ("move", "after"),
    [
        ("10L", "1 2 3 4 / 10 (2) (3) 1 / 3 (4) 1 2 / 4 1 (2) 3"),
        ("10R", "1 2 3 4 / (2) (3) 1 10 / 3 (4) 1 2 / 4 1 (2) 3"),
        ("10T", "1 2 10 4 / (2) (3) 3 1 / 3 (4) 1 2 / 4 1 (2) 3"),
        ("10B", "1 2 3 4 / (2) (3) 1 1 / 3 (4) (2) 2 / 4 1 10 3"),
    ],
)
def test_an_inserted_card_pushes_the_row_or_column_towards_the_hole(move: str, after: str) -> None:
    """The pushed cards keep their faces; cards beyond the hole stay."""
    grid = "1 2 3 4 / (2) (3) . 1 / 3 (4) 1 2 / 4 1 (2) 3"
    other = "(5) (6) (7) (8) / 6 7 8 5 / 7 8 5 6 / 8 5 6 7"
    state = dekal_position([grid, other], phase=Phase.PICK, opener=0, first=1, picks=1, centre=[10])
    played, events = play(state, f"0 {move}")
    assert played.grids[0] == dekal_grid(after)
    assert events == (Inserted(0, 10, Side(move[-1])),)


def dealt(corners: list[int], reserve: list[int], *, short: bool = False) -> State:
    """The first reveal, before anyone has chosen: seat s has corners[s] at a1; other cells take what is left."""
    pool = sorted(value for value in range(1, 11) for _ in range(10))
    for value in [*corners, *reserve]:
        pool.remove(value)
    grids = []
    for corner in corners:
        others, pool = pool[-15:], pool[:-15]
        grids.append(" ".join(f"({value})" for value in [corner, *others]))
    return dekal_position(grids, reserve=reserve, short=short)


def reveal(state: State) -> tuple[State, tuple[Event, ...]]:
    """Everyone chooses a1, the last seat first."""
    return play(state, *(f"{seat} a1" for seat in reversed(range(len(state.grids)))))


def test_the_lowest_card_goes_first() -> None:
    """No tie, no draw; all cards are shown together when the last seat has chosen."""
    state = dealt([4, 2, 9], [1, 1])
    shown, events = reveal(state)
    assert (shown.phase, shown.first, shown.opener, shown.centre) == (Phase.PICK, 1, 1, (2, 4, 9))
    assert shown.reserve == state.reserve
    assert events == (Chosen(2), Chosen(1), Chosen(0), Revealed((0, 0, 0), (4, 2, 9)))
    assert [grid[0] for grid in shown.grids] == [0, 0, 0]


def test_tied_seats_draw_a_card_each_in_seat_order() -> None:
    """The lowest drawn card goes first; the drawn cards leave the reserve."""
    state = dealt([2, 5, 2, 2], [8, 6, 7, 1])
    shown, events = reveal(state)
    assert shown.first == 2
    assert events[-1] == TieDrawn((0, 2, 3), (8, 6, 7))
    assert (shown.reserve, shown.aside) == (state.reserve[3:], (8, 6, 7))


def test_seats_that_still_tie_draw_again() -> None:
    """Only those with the lowest drawn card."""
    state = dealt([2, 2, 2], [6, 8, 6, 9, 3, 1])
    shown, events = reveal(state)
    assert shown.first == 2
    assert events[-2:] == (TieDrawn((0, 1, 2), (6, 8, 6)), TieDrawn((0, 2), (9, 3)))
    assert shown.aside == (6, 8, 6, 9, 3)


def test_a_reserve_shorter_than_the_tie_is_left_alone_and_the_seed_decides() -> None:
    """Six seats leave four cards; five tied seats are shuffled."""
    state = dealt([1, 1, 10, 1, 1, 1], [4, 3, 2, 1])
    assert len(state.reserve) == 4
    shown, events = reveal(state)
    assert shown.first == deal_out([0, 1, 3, 4, 5], SEED, "dekal tie 1")[0]
    assert events[-1] == TieDrawn((0, 1, 3, 4, 5), ())
    assert (shown.reserve, shown.aside) == (state.reserve, ())


def test_seats_still_tied_are_shuffled_when_the_reserve_runs_short() -> None:
    """Three draw, two of them tie again with one card left: those two are shuffled."""
    state = dealt([1, 10, 1, 9, 8, 1], [3, 7, 3, 5])
    shown, events = reveal(state)
    assert shown.first == deal_out([0, 5], SEED, "dekal tie 1")[0]
    assert events[-2:] == (TieDrawn((0, 2, 5), (3, 7, 3)), TieDrawn((0, 5), ()))
    assert (shown.reserve, shown.aside) == ((5,), (3, 7, 3))


def test_exactly_as_many_cards_as_tied_seats_are_enough() -> None:
    """Four tied seats draw the last four cards."""
    state = dealt([1, 1, 10, 9, 1, 1], [4, 3, 2, 8])
    shown, events = reveal(state)
    assert (shown.first, shown.reserve) == (4, ())
    assert events[-1] == TieDrawn((0, 1, 4, 5), (4, 3, 2, 8))


def test_seats_pick_clockwise_from_the_first_player_and_the_token_passes_on() -> None:
    """After the turn the next seat is first; the last seat takes the card that is left."""
    shown, _ = reveal(dealt([4, 9, 2], []))
    assert DEKAL.actors(shown) == (2,)
    one, _ = play(shown, "2 9R")
    assert DEKAL.actors(one) == (0,)
    two, _ = play(one, "0 2B")
    assert DEKAL.actors(two) == (1,)
    assert {DEKAL.move_text(move) for move in DEKAL.legal_moves(two, 1)} == {"4R", "4B"}
    three, _ = play(two, "1 4R")
    assert (three.turn, three.phase, three.first, three.opener) == (2, Phase.REVEAL, 0, 2)
    assert DEKAL.actors(three) == (0, 1, 2)


def test_ties_for_the_lowest_matter_in_the_first_turn_of_the_match_only() -> None:
    """From turn 2 on the token says who is first, and in later rounds from turn 1 on."""
    low = "(1) (2) (3) (4) (2) (3) (4) (1) (3) (4) (1) (2) (4) (1) (2) (3)"
    later = dekal_position([low[:-3] + "3", low[:-3] + "3"], opener=0, first=1)
    assert later.turn == 2
    shown, events = reveal(later)
    assert (shown.first, shown.aside) == (1, ())
    assert isinstance(events[-1], Revealed)
    next_round = dekal_position([low, low], opener=1, first=1, length=Length.HUNDRED, rounds=((40, 30),))
    shown, events = reveal(next_round)
    assert (shown.first, shown.opener, shown.round) == (1, 1, 2)
    assert isinstance(events[-1], Revealed)


def last_pick(other: str, **fields: Any) -> State:
    """Seat 1 has picked in turn 16; when seat 0 pushes the last card in by 5L, it will have 28 points on ten cards."""
    grids = ["1 2 3 4 / 2 3 4 1 / 3 4 1 2 / 4 1 2 .", other]
    return dekal_position(grids, phase=Phase.PICK, opener=0, first=1, picks=1, centre=[5], **fields)


def test_a_single_round_is_decided_by_fewer_cards_when_scores_are_equal() -> None:
    """28 points on ten cards lose against 28 points on four."""
    other = "10 6 10 2 / 9 9 9 9 / 9 9 9 9 / 8 8 8 8"
    state, events = play(last_pick(other), "0 5L")
    assert state.phase is Phase.OVER
    assert state.sheet.rounds == ((28, 28),)
    outcome = DEKAL.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.ranks) == ((1,), (2, 1))
    ended = events[-1]
    assert isinstance(ended, RoundEnded)
    assert (ended.number, ended.scores, ended.view) == (1, (28, 28), DEKAL.view(state, None))


def test_equal_scores_on_equally_many_cards_share_the_win() -> None:
    """Both seats are first."""
    state, _ = play(last_pick("1 2 3 4 / 2 3 4 1 / 3 10 10 10 / 5 10 10 10"), "0 5L")
    outcome = DEKAL.outcome(state)
    assert outcome is not None
    assert (outcome.totals, outcome.winners, outcome.ranks) == ((28, 28), (0, 1), (1, 1))


def test_in_a_match_to_100_equal_totals_share_whatever_the_cards() -> None:
    """Fewer cards left do not matter there."""
    state, _ = play(
        last_pick("10 6 10 2 / 9 9 9 9 / 9 9 9 9 / 8 8 8 8", length=Length.HUNDRED, rounds=((80, 80),)), "0 5L"
    )
    outcome = DEKAL.outcome(state)
    assert outcome is not None
    assert (outcome.totals, outcome.winners) == ((108, 108), (0, 1))


def test_a_match_goes_on_below_100_with_the_seat_after_the_opener_first() -> None:
    """Seat 0 opened the round before, so seat 1 opens, though the token comes from seat 1."""
    nothing = "9 9 9 9 / 9 9 9 9 / 8 8 8 8 / 8 8 8 8"
    before = last_pick(nothing, length=Length.HUNDRED, rounds=((0, 0),))
    state, events = play(before, "0 5L")
    assert DEKAL.outcome(state) is None
    assert (state.round, state.turn, state.phase, state.opener, state.first) == (3, 1, Phase.REVEAL, 1, 1)
    ended = events[-1]
    assert isinstance(ended, RoundEnded)
    assert (ended.number, ended.view.round, ended.view.phase) == (2, 2, Phase.OVER)
    assert state.aside == ()
    deck = deal_out(sorted(list(range(1, 11)) * 10), SEED, "dekal deck 3")
    assert [-card for card in state.grids[1]] == deck[16:32]


def test_a_total_of_exactly_100_ends_the_match() -> None:
    """100 or more, not more than 100."""
    for before, over in ((59, False), (60, True)):
        state, _ = play(last_pick(LATIN, length=Length.HUNDRED, rounds=((0, before),)), "0 5L")
        assert (DEKAL.outcome(state) is not None) == over


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("2 a1", Reason.NO_SUCH_SEAT),
        ("0 a1", Reason.ALREADY_CHOSEN),
        ("1 7L", Reason.WRONG_PHASE),
        ("1 b1", DekalReason.NOT_FACE_DOWN),
    ],
)
def test_a_refused_choice_names_its_reason(move: str, reason: StrEnum) -> None:
    """In the reveal phase."""
    grid = "(1) 5 (3) (4) (2) (3) (4) (1) (3) (4) (1) (2) (4) (1) (2) (3)"
    state, _ = play(dekal_position([grid, grid], opener=0, first=1), "0 a1")
    with pytest.raises(NotLegalError) as caught:
        play(state, move)
    assert caught.value.reason is reason


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("0 a1", Reason.WRONG_PHASE),
        ("1 5L", Reason.NOT_YOUR_TURN),
        ("0 9L", DekalReason.NOT_IN_CENTRE),
        ("0 5R", DekalReason.NO_WAY_IN),
    ],
)
def test_a_refused_pick_names_its_reason(move: str, reason: StrEnum) -> None:
    """In the pick phase; the hole is d4."""
    with pytest.raises(NotLegalError) as caught:
        play(last_pick(OTHER_LATIN), move)
    assert caught.value.reason is reason
