from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Any

import pytest

from engine.core import Event, Length, NotLegalError, Reason, RoundEnded
from engine.skyjo.game import SKYJO
from engine.skyjo.model import Grid, SkyjoReason, State
from engine.skyjo.rules import view
from engine.skyjo.views import Closed, ColumnGone, Drew, Dropped, Phase, Placed, Started
from tests.engine.oracle_skyjo import mix
from tests.engine.positions import SEED, skyjo_grid, skyjo_position

OPEN = "1 2 3 4 / 5 6 7 8 / 9 10 11 (12)"
"""One card is left to turn up; 78 points."""


def play(state: State, *moves: str) -> tuple[State, tuple[Event, ...]]:
    """Play moves written `seat move`; the last state and all events."""
    events: tuple[Event, ...] = ()
    for move in moves:
        seat, _, text = move.partition(" ")
        step = SKYJO.apply(state, int(seat), SKYJO.parse_move(text))
        state, events = step.state, events + step.events
    return state, events


def refusal(state: State, move: str) -> StrEnum:
    """Why the move is refused."""
    with pytest.raises(NotLegalError) as caught:
        play(state, move)
    return caught.value.reason


def dealt(*pairs: tuple[int, int], seat: int = 0, **fields: Any) -> State:
    """Before the flips: every seat has its pair of cards at a1 and b1."""
    others = (card for card in (9, 8, 6, 0, 11) for _ in range(10))
    grids = [" ".join(f"({card})" for card in [*pair, *(next(others) for _ in range(10))]) for pair in pairs]
    return skyjo_position(grids, discards=[4], phase=Phase.FLIP, seat=seat, turn=1, **fields)


def flips(state: State) -> tuple[State, tuple[Event, ...]]:
    """Every seat turns up its pair."""
    seats = range(len(state.grids))
    return play(state, *(f"{seat} flip {cell}" for cell in ("b1", "a1") for seat in seats))


@pytest.mark.parametrize(
    ("pairs", "starter"),
    [
        ([(3, 4), (1, 2), (2, 4)], 0),
        ([(-2, 1), (-1, -2), (1, -1)], 2),
        ([(7, 5), (2, 10), (5, 7)], 1),
        ([(12, -2), (3, 7), (7, 3)], 0),
    ],
)
def test_the_highest_sum_starts_then_the_highest_card(pairs: list[tuple[int, int]], starter: int) -> None:
    """Sums first; of equal sums the one with the highest single card."""
    state, events = flips(dealt(*pairs))
    assert (state.phase, state.seat, SKYJO.actors(state)) == (Phase.TURN, starter, (starter,))
    assert events[-1] == Started(starter)


def test_seats_with_the_same_two_cards_are_shuffled() -> None:
    """Only those still tied, ascending, by the seed."""
    state, _ = flips(dealt((12, 3), (2, 1), (3, 12), (10, 5), (12, 3)))
    assert state.seat == mix([0, 2, 4], SEED, "skyjo start 1")[0]


def test_in_later_rounds_the_closer_starts() -> None:
    """Whatever the flips show."""
    state, events = flips(dealt((12, 10), (1, 3), (2, 2), seat=1, length=Length.HUNDRED, rounds=((9, 5, 50),)))
    assert state.seat == 1
    assert events[-1] == Started(1)


def test_seats_flip_two_cards_each_in_any_order() -> None:
    """Flips of other seats do not end anyone's turn; a third flip is refused."""
    state = dealt((1, 2), (3, 4))
    state, _ = play(state, "1 flip a1", "1 flip b1")
    assert SKYJO.actors(state) == (0,)
    assert SKYJO.epoch(state) == SKYJO.epoch(dealt((1, 2), (3, 4)))
    assert refusal(state, "1 flip c1") is Reason.ALREADY_CHOSEN
    assert refusal(state, "0 draw") is Reason.WRONG_PHASE


TURN = ["(1) 2 3 4 / 5 6 7 8 / 9 10 11 (12)", OPEN]


@pytest.mark.parametrize(("cell", "replaced"), [("a1", 1), ("b1", 2)])
def test_a_taken_card_takes_the_place_of_any_own_card(cell: str, replaced: int) -> None:
    """Face down or up; the replaced card becomes the top discard."""
    state = skyjo_position(TURN, discards=[3, 0])
    after, events = play(state, f"0 take {cell}")
    index = "ab".index(cell[0])
    assert after.grids[0].cards[index] == 0
    assert not after.grids[0].down >> index & 1
    assert (after.discards, after.pile) == ((3, replaced), state.pile)
    assert (after.seat, after.turn, after.hand) == (1, 10, None)
    assert events == (Placed(0, index, 0, replaced, taken=True),)


def test_a_drawn_card_may_be_kept_in_place_of_any_own_card() -> None:
    """The discard under it stays."""
    state = skyjo_position(TURN, discards=[3, 0], pile=[-2, 5])
    drawn, events = play(state, "0 draw")
    assert (drawn.hand, drawn.pile, drawn.phase, drawn.seat) == (-2, state.pile[1:], Phase.DRAWN, 0)
    assert events == (Drew(0, reshuffled=False),)
    after, events = play(drawn, "0 keep a1")
    assert (after.discards, after.hand, after.seat) == ((3, 0, 1), None, 1)
    assert events == (Placed(0, 0, -2, 1, taken=False),)
    after, _ = play(drawn, "0 keep d2")
    assert after.discards == (3, 0, 8)


def test_a_dropped_card_turns_up_a_face_down_card() -> None:
    """It goes on the discards; an open card cannot be turned up."""
    drawn, _ = play(skyjo_position(TURN, discards=[3, 0], pile=[12]), "0 draw")
    after, events = play(drawn, "0 drop a1")
    assert after.discards == (3, 0, 12)
    assert after.grids[0] == skyjo_grid("1 2 3 4 / 5 6 7 8 / 9 10 11 (12)")
    assert events == (Dropped(0, 12, 0, 1),)
    assert refusal(drawn, "0 drop b1") is SkyjoReason.NOT_FACE_DOWN
    assert refusal(drawn, "0 draw") is Reason.WRONG_PHASE
    assert refusal(drawn, "1 keep a1") is Reason.NOT_YOUR_TURN


COLUMN = "(7) 2 3 4 / 7 6 5 8 / 7 10 11 (12)"


@pytest.mark.parametrize(
    ("moves", "discards"),
    [
        (["0 take a1"], (3, 7, 7, 7, 7)),
        (["0 draw", "0 keep a1"], (3, 7, 7, 7, 7, 7)),
        (["0 draw", "0 drop a1"], (3, 7, 7, 7, 7, 7)),
    ],
)
def test_a_full_column_goes_on_top_of_the_card_that_the_move_discarded(
    moves: list[str], discards: tuple[int, ...]
) -> None:
    """By taking, keeping and dropping."""
    after, events = play(skyjo_position([COLUMN, OPEN], discards=[3, 7], pile=[7]), *moves)
    assert after.discards == discards
    assert events[-1] == ColumnGone(0, 0, 7)
    assert after.grids[0] == skyjo_grid(". 2 3 4 / . 6 5 8 / . 10 11 (12)", {0: 7})


def test_the_card_below_a_column_is_the_replaced_one() -> None:
    """The column lies on top, so its value may be taken next, not the replaced card's."""
    grid = "(9) 2 3 4 / 7 6 5 8 / 7 10 11 (12)"
    after, _ = play(skyjo_position([grid, OPEN], discards=[3, 7]), "0 take a1")
    assert after.discards == (3, 9, 7, 7, 7)


def test_a_column_with_a_face_down_card_stays() -> None:
    """Three equal cards must all be seen."""
    grid = "(7) 2 3 4 / (7) 6 5 8 / 7 10 11 (12)"
    after, events = play(skyjo_position([grid, OPEN], discards=[3, 7]), "0 take a1")
    assert after.discards == (3, 7)
    assert len(events) == 1


def test_a_negative_column_goes_too() -> None:
    """It is not optional."""
    grid = "-2 2 3 4 / (5) 6 5 8 / -2 10 11 (12)"
    after, events = play(skyjo_position([grid, OPEN], discards=[3, -2]), "0 take a2")
    assert after.discards == (3, 5, -2, -2, -2)
    assert events[-1] == ColumnGone(0, 0, -2)


def test_an_emptied_place_takes_no_card() -> None:
    """It is gone for the round."""
    grid = skyjo_grid(". 2 3 4 / . 6 5 8 / . 10 11 (12)", {0: 7})
    state = skyjo_position([grid, OPEN], discards=[3], pile=[1])
    drawn, _ = play(state, "0 draw")
    assert refusal(state, "0 take a1") is SkyjoReason.NO_CARD_THERE
    assert refusal(drawn, "0 keep a2") is SkyjoReason.NO_CARD_THERE
    assert refusal(drawn, "0 drop a3") is SkyjoReason.NOT_FACE_DOWN
    assert not {"take a1", "take a2", "take a3"} & {SKYJO.move_text(move) for move in SKYJO.legal_moves(state, 0)}


def test_an_empty_pile_is_made_of_the_discards_under_the_top() -> None:
    """Sorted ascending and shuffled with the round's count of reshuffles."""
    state = skyjo_position(TURN, discards=[3, 0], used_up=True, reshuffles=1)
    under = list(state.discards[:-1])
    assert under != sorted(under)
    drawn, events = play(state, "0 draw")
    pile = mix(sorted(under), SEED, "skyjo reshuffle 1 2")
    assert (drawn.hand, list(drawn.pile), drawn.discards, drawn.reshuffles) == (pile[0], pile[1:], (0,), 2)
    assert events == (Drew(0, reshuffled=True),)


def test_the_reshuffle_names_the_round() -> None:
    """In round 2 the first reshuffle is `2 1`."""
    state = skyjo_position(TURN, discards=[3, 0], used_up=True, length=Length.HUNDRED, rounds=((1, 2),))
    drawn, _ = play(state, "0 draw")
    assert drawn.hand == mix(sorted(state.discards[:-1]), SEED, "skyjo reshuffle 2 1")[0]


def test_the_last_card_of_the_pile_is_drawn_without_a_reshuffle() -> None:
    """Only somebody who finds the pile empty shuffles."""
    state = skyjo_position(TURN, discards=[0], pile=[3], used_up=True)
    drawn, events = play(state, "0 draw")
    assert (drawn.hand, drawn.pile, drawn.reshuffles) == (3, (), 0)
    assert events == (Drew(0, reshuffled=False),)


def test_with_nothing_to_shuffle_there_is_no_draw() -> None:
    """No full deck gets there, so the position is made by force: one discard, no pile."""
    state = replace(skyjo_position(TURN, discards=[0]), pile=())
    assert refusal(state, "0 draw") is SkyjoReason.NOTHING_TO_DRAW
    assert SKYJO.legal_moves(state, 0)[0] == SKYJO.moves["take a1"]
    assert len(SKYJO.legal_moves(state, 0)) == 12


def test_after_closing_every_other_seat_has_exactly_one_more_turn() -> None:
    """Seat 1 of three closes; 2 and 0 play; then the round is over, whatever lies face down."""
    state = skyjo_position([OPEN, OPEN, OPEN], discards=[0], pile=[1, 2, 3], seat=1)
    closed, events = play(state, "1 take d3")
    assert (closed.closer, closed.seat, closed.phase) == (1, 2, Phase.TURN)
    assert events[-1] == Closed(1)
    two, _ = play(closed, "2 take a1")
    assert (two.seat, two.closer) == (0, 1)
    over, events = play(two, "0 draw", "0 keep a1")
    assert (over.phase, over.closer) == (Phase.OVER, 1)
    assert isinstance(events[-1], RoundEnded)
    # 0: 1 for 1, with the 12 turned up: 78. 1: 0 for 12: 66. 2: takes the 12 for the 1: 89.
    assert over.sheet.rounds == ((78, 66, 89),)
    assert [grid.down for grid in over.grids] == [0, 0, 0]


def test_a_second_seat_without_face_down_cards_does_not_close_again() -> None:
    """The first closer stays the closer."""
    state = skyjo_position([OPEN, OPEN, OPEN], discards=[0], seat=2)
    state, events = play(state, "2 take d3", "0 take d3", "1 take d3")
    assert state.closer == 2
    assert [event for event in events if isinstance(event, Closed)] == [Closed(2)]
    assert state.phase is Phase.OVER


def test_a_seat_whose_last_column_goes_closes_with_nothing_left() -> None:
    """No card is no face-down card; it scores zero."""
    grid = skyjo_grid(". . 3 . / . . 3 . / . . (3) .", {0: 7, 1: 8, 3: 9})
    state, events = play(skyjo_position([OPEN, grid], discards=[5, 3], seat=1), "1 take c3")
    assert events[-2:] == (ColumnGone(1, 2, 3), Closed(1))
    over, _ = play(state, "0 draw", "0 drop d3")
    assert over.sheet.rounds == ((78, 0),)


def test_all_columns_of_equal_cards_go_at_the_end() -> None:
    """Also those that were face down, for every seat; their places are shown empty."""
    other = "(6) (2) 3 4 / (6) (2) 7 8 / (6) (2) 11 (12)"
    state = skyjo_position([OPEN, other], discards=[0], seat=0)
    over, events = play(state, "0 take d3", "1 take d3")
    assert [event for event in events if isinstance(event, ColumnGone)] == [ColumnGone(1, 0, 6), ColumnGone(1, 1, 2)]
    assert over.sheet.rounds == ((66 * 2, 45),)
    assert view(over, None).gone == ((), ((0, 6), (1, 2)))


def test_the_last_columns_go_to_the_discards_by_seat_then_by_column() -> None:
    """On top of the card that the last move discarded; the closer's seat has no place of its own in that order."""
    first = "(5) (8) 3 4 / 5 8 7 4 / 5 8 11 (4)"
    last = "10 (6) -1 2 / 9 (6) (-1) 2 / 9 (6) -1 (12)"
    closer = "1 2 3 12 / 10 7 3 1 / 0 11 0 2"
    state = skyjo_position([first, last, closer], discards=[11], phase=Phase.DRAWN, seat=1, hand=12, closer=2)
    over, _ = play(state, "1 drop d3")
    assert over.phase is Phase.OVER
    assert over.discards == (11, 12, 5, 5, 5, 8, 8, 8, 4, 4, 4, 6, 6, 6, -1, -1, -1)
    assert view(over, None).discard == -1


CLOSING = {
    "lower than all": ((5, 6, 7), 5),
    "tied": ((5, 5, 7), 10),
    "not lowest": ((6, 5, 7), 12),
    "zero": ((0, -1, 7), 0),
    "zero and tied": ((0, 0, 7), 0),
    "negative": ((-1, -2, 7), -1),
    "negative and tied": ((-1, -1, 7), -1),
    "one and zero": ((1, 0, 7), 2),
}


def worth(points: int, *, hidden: bool = False) -> Grid:
    """A grid of one column that is worth `points`; its top card lies face down where `hidden`."""
    top = f"({points})" if hidden else str(points)
    return skyjo_grid(f"{top} . . . / 0 . . . / 0 . . .", {1: 3, 2: 4, 3: 9})


def last_turn(points: tuple[int, int, int], **fields: Any) -> tuple[State, tuple[Event, ...]]:
    """Seat 0 closed, seat 2 has the last turn and ends it; the seats' cards are worth `points`."""
    closer, second, third = points
    grids = [worth(closer), worth(second), worth(third, hidden=True)]
    state = skyjo_position(grids, discards=[11], phase=Phase.DRAWN, seat=2, hand=12, closer=0, **fields)
    return play(state, "2 drop a1")


@pytest.mark.parametrize(("points", "counted"), CLOSING.values(), ids=CLOSING)
def test_the_closer_pays_double_unless_strictly_lowest_or_not_positive(
    points: tuple[int, int, int], counted: int
) -> None:
    """A tie doubles; zero and negative scores never do."""
    over, events = last_turn(points)
    assert over.sheet.rounds == ((counted, *points[1:]),)
    seen = view(over, None)
    assert (seen.scores, seen.doubled) == ((counted, *points[1:]), counted > points[0])
    ended = events[-1]
    assert isinstance(ended, RoundEnded)
    assert ended.view == seen


@pytest.mark.parametrize(
    ("points", "totals", "ranks"),
    [((4, 8, 7), (4, 8, 7), (1, 3, 2)), ((4, 3, 3), (8, 3, 3), (3, 1, 1)), ((2, 2, 4), (4, 2, 4), (2, 1, 2))],
)
def test_the_lowest_score_wins_and_ties_share(
    points: tuple[int, int, int], totals: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    """After doubling; places behind a tie stay empty."""
    outcome = SKYJO.outcome(last_turn(points)[0])
    assert outcome is not None
    assert (outcome.totals, outcome.ranks) == (totals, ranks)
    assert outcome.winners == tuple(seat for seat, rank in enumerate(ranks) if rank == 1)


def test_below_100_the_next_round_is_dealt_and_the_closer_will_start() -> None:
    """Turns and reshuffles count anew; the event shows the end of the round before."""
    state, events = last_turn((4, 8, 7), reshuffles=3, length=Length.HUNDRED, rounds=((10, 20, 92), (0, 0, 0)))
    assert SKYJO.outcome(state) is None
    assert (state.round, state.turn, state.phase, state.seat, state.closer) == (4, 1, Phase.FLIP, 0, None)
    assert (state.hand, state.reshuffles, state.sheet.totals) == (None, 0, (14, 28, 99))
    ended = events[-1]
    assert isinstance(ended, RoundEnded)
    assert (ended.number, ended.view.round, ended.view.phase) == (3, 3, Phase.OVER)
    assert SKYJO.actors(state) == (0, 1, 2)


def test_a_total_of_exactly_100_ends_the_match_and_the_lowest_total_wins() -> None:
    """Not the last round's winner."""
    outcome = SKYJO.outcome(last_turn((4, 8, 7), length=Length.HUNDRED, rounds=((60, 20, 93),))[0])
    assert outcome is not None
    assert (outcome.totals, outcome.winners) == ((64, 28, 100), (1,))
