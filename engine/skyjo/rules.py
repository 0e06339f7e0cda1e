"""The rules of Skyjo: flipping, drawing, taking, columns, closing, scoring.

Rulings: see the sentences beside each function; they settle what the printed rules leave open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, Final

from engine.chance import shuffle
from engine.core import Event, Length, NotLegalError, Outcome, Reason, RoundEnded, Step
from engine.grid import Blank, Cell, grid_text
from engine.match import Sheet
from engine.skyjo.model import (
    ALL_CELLS,
    CELLS,
    DECK,
    FIRST_FLIPS,
    ROWS,
    WIDTH,
    Draw,
    Drop,
    Flip,
    Grid,
    Keep,
    Move,
    SkyjoReason,
    State,
    Take,
)
from engine.skyjo.views import Closed, ColumnGone, Drew, Dropped, Flipped, Phase, Placed, Started, View

FLIPS: Final = tuple(Flip(cell) for cell in range(CELLS))
TAKES: Final = tuple(Take(cell) for cell in range(CELLS))
KEEPS: Final = tuple(Keep(cell) for cell in range(CELLS))
DROPS: Final = tuple(Drop(cell) for cell in range(CELLS))
DRAW: Final = Draw()

COLUMNS: Final = tuple(tuple(range(column, CELLS, WIDTH)) for column in range(WIDTH))
_COLUMN_BITS: Final = tuple(sum(1 << cell for cell in cells) for cells in COLUMNS)
_FIRST_UP: Final = CELLS - FIRST_FLIPS
_TURNS_A_ROUND: Final = 1 << 20
"""More turns than a round can have in practice: keeps epochs of different rounds apart."""


def deal(seats: int, seed: bytes, length: Length) -> State:
    """See `Rules.deal`."""
    return _deal(seed, Sheet(seats, length), 0)


def _deal(seed: bytes, sheet: Sheet, seat: int) -> State:
    """Seat s gets cards 12s to 12s+11; the next card starts the discard pile; the rest is the draw pile."""
    cards = shuffle(DECK, seed, f"skyjo deck {len(sheet.rounds) + 1}")
    dealt = sheet.seats * CELLS
    return State(
        seed=seed,
        sheet=sheet,
        turn=1,
        phase=Phase.FLIP,
        seat=seat,
        hand=None,
        closer=None,
        grids=tuple(Grid(cards[start : start + CELLS], ALL_CELLS, 0) for start in range(0, dealt, CELLS)),
        discards=(cards[dealt],),
        pile=cards[dealt + 1 :],
        reshuffles=0,
    )


def actors(state: State) -> tuple[int, ...]:
    """See `Rules.actors`."""
    match state.phase:
        case Phase.FLIP:
            return tuple([seat for seat, grid in enumerate(state.grids) if grid.down.bit_count() > _FIRST_UP])
        case Phase.TURN | Phase.DRAWN:
            return (state.seat,)
        case Phase.OVER:
            return ()


def _may_move(state: State, seat: int) -> bool:
    match state.phase:
        case Phase.TURN | Phase.DRAWN:
            return seat == state.seat
        case Phase.FLIP:
            return 0 <= seat < len(state.grids) and state.grids[seat].down.bit_count() > _FIRST_UP
        case Phase.OVER:
            return False


def _among(moves: tuple[Move, ...]) -> Callable[[int], tuple[Move, ...]]:
    """A function that gives, of a move for every cell, those over the cells of a bit mask."""

    @cache
    def among(cells: int) -> tuple[Move, ...]:
        return tuple(move for cell, move in enumerate(moves) if cells >> cell & 1)

    return among


_flips, _takes, _keeps, _drops = _among(FLIPS), _among(TAKES), _among(KEEPS), _among(DROPS)


def legal_moves(state: State, seat: int) -> tuple[Move, ...]:
    """See `Rules.legal_moves`: draw first, then cells in reading order, keeping before dropping."""
    if not _may_move(state, seat):
        return ()
    grid = state.grids[seat]
    match state.phase:
        case Phase.TURN:
            takes = _takes(ALL_CELLS & ~grid.gone)
            return (DRAW, *takes) if _can_draw(state) else takes
        case Phase.DRAWN:
            return _keeps(ALL_CELLS & ~grid.gone) + _drops(grid.down)
        case Phase.FLIP:
            return _flips(grid.down)
        case Phase.OVER:
            return ()


def _can_draw(state: State) -> bool:
    return bool(state.pile) or len(state.discards) > 1


def apply(state: State, seat: int, move: Move) -> Step[State]:
    """See `Rules.apply`."""
    if state.phase is not _PHASES[type(move)] or not _may_move(state, seat):
        raise NotLegalError(_refusal(state, seat))
    match move:
        case Take(cell):
            _check_card(state.grids[seat], cell)
            return _place(state, cell, state.discards[-1], state.discards[:-1], taken=True)
        case Draw():
            if not _can_draw(state):
                raise NotLegalError(SkyjoReason.NOTHING_TO_DRAW)
            return _draw(state)
        case Keep(cell):
            _check_card(state.grids[seat], cell)
            assert state.hand is not None, "the phase is drawn"
            return _place(state, cell, state.hand, state.discards, taken=False)
        case Drop(cell):
            _check_down(state.grids[seat], cell)
            return _drop(state, cell)
        case Flip(cell):
            _check_down(state.grids[seat], cell)
            return _flip(state, seat, cell)


_PHASES: Final = {Flip: Phase.FLIP, Take: Phase.TURN, Draw: Phase.TURN, Keep: Phase.DRAWN, Drop: Phase.DRAWN}


def _refusal(state: State, seat: int) -> Reason:
    """Why `seat` may not play a move of this kind now: the first reason that holds."""
    if state.phase is Phase.OVER:
        return Reason.OVER
    if not 0 <= seat < len(state.grids):
        return Reason.NO_SUCH_SEAT
    if not _may_move(state, seat):
        return Reason.ALREADY_CHOSEN if state.phase is Phase.FLIP else Reason.NOT_YOUR_TURN
    return Reason.WRONG_PHASE


def _check_card(grid: Grid, cell: int) -> None:
    if not 0 <= cell < CELLS or grid.gone >> cell & 1:
        raise NotLegalError(SkyjoReason.NO_CARD_THERE)


def _check_down(grid: Grid, cell: int) -> None:
    if not 0 <= cell < CELLS or not grid.down >> cell & 1:
        raise NotLegalError(SkyjoReason.NOT_FACE_DOWN)


def _with_grid(state: State, seat: int, grid: Grid) -> tuple[Grid, ...]:
    return (*state.grids[:seat], grid, *state.grids[seat + 1 :])


def _flip(state: State, seat: int, cell: int) -> Step[State]:
    grid = state.grids[seat]
    grids = _with_grid(state, seat, Grid(grid.cards, grid.down & ~(1 << cell), 0))
    event = Flipped(seat, cell, grid.cards[cell])
    if any(grid.down.bit_count() > _FIRST_UP for grid in grids):
        return Step(replace(state, grids=grids), (event,))
    starter = _starter(state, grids)
    return Step(replace(state, grids=grids, phase=Phase.TURN, seat=starter), (event, Started(starter)))


def _starter(state: State, grids: tuple[Grid, ...]) -> int:
    """Round 1: highest sum of the two cards, then the highest single card, then a shuffle of the tied seats.

    Later rounds: the seat that closed the round before.
    """
    if state.sheet.rounds:
        return state.seat
    seen = [[card for cell, card in enumerate(grid.cards) if not grid.down >> cell & 1] for grid in grids]
    keys = [(sum(cards), max(cards)) for cards in seen]
    best = max(keys)
    tied = tuple(seat for seat, key in enumerate(keys) if key == best)
    return tied[0] if len(tied) == 1 else shuffle(tied, state.seed, f"skyjo start {state.round}")[0]


def _draw(state: State) -> Step[State]:
    """When the pile is empty, all discards but the top one, sorted ascending, are shuffled and become the pile."""
    pile, discards, reshuffles = state.pile, state.discards, state.reshuffles
    if not pile:
        reshuffles += 1
        label = f"skyjo reshuffle {state.round} {reshuffles}"
        pile, discards = shuffle(sorted(discards[:-1]), state.seed, label), discards[-1:]
    # Spelled out, as in `_end_turn`: `replace` takes twice as long, and this is done at every move.
    drawn = State(
        seed=state.seed,
        sheet=state.sheet,
        turn=state.turn,
        phase=Phase.DRAWN,
        seat=state.seat,
        hand=pile[0],
        closer=state.closer,
        grids=state.grids,
        discards=discards,
        pile=pile[1:],
        reshuffles=reshuffles,
    )
    return Step(drawn, (Drew(state.seat, reshuffles > state.reshuffles),))


def _place(state: State, cell: int, value: int, discards: tuple[int, ...], *, taken: bool) -> Step[State]:
    """The card goes face up in place of any own card; the replaced card goes face up on the discard pile."""
    grid = state.grids[state.seat]
    replaced = grid.cards[cell]
    cards = (*grid.cards[:cell], value, *grid.cards[cell + 1 :])
    event = Placed(state.seat, cell, value, replaced, taken)
    return _end_turn(state, Grid(cards, grid.down & ~(1 << cell), grid.gone), cell, (*discards, replaced), event)


def _drop(state: State, cell: int) -> Step[State]:
    grid = state.grids[state.seat]
    assert state.hand is not None, "the phase is drawn"
    event = Dropped(state.seat, state.hand, cell, grid.cards[cell])
    turned = Grid(grid.cards, grid.down & ~(1 << cell), grid.gone)
    return _end_turn(state, turned, cell, (*state.discards, state.hand), event)


def _end_turn(state: State, grid: Grid, cell: int, discards: tuple[int, ...], event: Placed | Dropped) -> Step[State]:
    """Take a full column away, see whether the seat closes, and pass the turn on.

    A column goes on top of the card that the same move discarded.
    """
    seat, closer = state.seat, state.closer
    events: tuple[Event, ...] = (event,)
    column = cell % WIDTH
    if _is_full(grid, column):
        value = grid.cards[column]
        grid = Grid(grid.cards, grid.down, grid.gone | _COLUMN_BITS[column])
        discards = (*discards, *(value,) * ROWS)
        events = (event, ColumnGone(seat, column, value))
    grids = _with_grid(state, seat, grid)
    if closer is None and not grid.down:
        closer = seat
        events = (*events, Closed(seat))
    following = (seat + 1) % len(grids)
    if following == closer:
        return _score(state, closer, grids, discards, events)
    after = State(
        seed=state.seed,
        sheet=state.sheet,
        turn=state.turn + 1,
        phase=Phase.TURN,
        seat=following,
        hand=None,
        closer=closer,
        grids=grids,
        discards=discards,
        pile=state.pile,
        reshuffles=state.reshuffles,
    )
    return Step(after, events)


def _is_full(grid: Grid, column: int) -> bool:
    """Whether the column's three cards are there, face up and equal."""
    if (grid.down | grid.gone) & _COLUMN_BITS[column]:
        return False
    top, middle, bottom = COLUMNS[column]
    cards = grid.cards
    return cards[top] == cards[middle] == cards[bottom]


def _score(
    state: State, closer: int, grids: tuple[Grid, ...], discards: tuple[int, ...], events: tuple[Event, ...]
) -> Step[State]:
    """Turn all cards up, take the columns of three equal cards away for everyone, and count."""
    open_grids = []
    for seat, grid in enumerate(grids):
        opened = Grid(grid.cards, 0, grid.gone)
        for column in range(WIDTH):
            if _is_full(opened, column):
                opened = Grid(opened.cards, 0, opened.gone | _COLUMN_BITS[column])
                discards = (*discards, *(opened.cards[column],) * ROWS)
                events = (*events, ColumnGone(seat, column, opened.cards[column]))
        open_grids.append(opened)
    points = [points_left(grid) for grid in open_grids]
    if is_doubled(points, closer):
        points[closer] *= 2
    sheet = state.sheet.add(points)
    last = replace(
        state,
        sheet=sheet,
        turn=state.turn + 1,
        phase=Phase.OVER,
        hand=None,
        closer=closer,
        grids=tuple(open_grids),
        discards=discards,
    )
    ended = RoundEnded(len(sheet.rounds), sheet.rounds[-1], view(last, None))
    if sheet.ending is not None:
        return Step(last, (*events, ended))
    return Step(_deal(state.seed, sheet, closer), (*events, ended))


def points_left(grid: Grid) -> int:
    """The sum of the cards that have not left a grid, face down or up."""
    return sum(card for cell, card in enumerate(grid.cards) if not grid.gone >> cell & 1)


def is_doubled(points: list[int], closer: int) -> bool:
    """Whether the closer pays: `points` before doubling, positive and not strictly lower than every other seat's."""
    others = min(score for seat, score in enumerate(points) if seat != closer)
    return points[closer] > 0 and points[closer] >= others


def epoch(state: State) -> int:
    """See `Rules.epoch`: one for the flips, two for each turn, one for the end."""
    steps = 0 if state.phase is Phase.FLIP else 2 * state.turn + (state.phase is Phase.DRAWN)
    return state.round * _TURNS_A_ROUND + steps


def outcome(state: State) -> Outcome | None:
    """See `Rules.outcome`: the lowest total wins, ties share."""
    return state.sheet.outcome()


def view(state: State, viewer: int | None) -> View:
    """See `Rules.view`: face-down values, the piles' order and another seat's drawn card stay hidden."""
    over = state.phase is Phase.OVER
    return View(
        round=state.round,
        turn=state.turn,
        phase=state.phase,
        to_move=actors(state),
        closer=state.closer,
        grids=tuple(_cells(grid) for grid in state.grids),
        gone=tuple(_gone(grid) for grid in state.grids),
        discard=state.discards[-1],
        pile=len(state.pile),
        hand=state.hand if viewer == state.seat else None,
        length=state.sheet.length,
        rounds=state.sheet.rounds,
        totals=state.sheet.totals,
        scores=state.sheet.rounds[-1] if over else (),
        doubled=over and state.closer is not None and is_doubled([*map(points_left, state.grids)], state.closer),
        outcome=outcome(state),
    )


def _cells(grid: Grid) -> tuple[Cell, ...]:
    return tuple(
        Blank.GONE if grid.gone >> cell & 1 else Blank.DOWN if grid.down >> cell & 1 else card
        for cell, card in enumerate(grid.cards)
    )


def _gone(grid: Grid) -> tuple[tuple[int, int], ...]:
    return tuple((column, grid.cards[column]) for column in range(WIDTH) if grid.gone >> column & 1)


def facts(state: State) -> dict[str, Any]:
    """See `Rules.facts`: `hand` is the drawer's secret; a trace's reader has the whole record anyway."""
    return {
        "turn": state.turn,
        "phase": state.phase.value,
        "grids": [grid_text(_cells(grid)) for grid in state.grids],
        "closer": state.closer,
        "discard": state.discards[-1],
        "pile": len(state.pile),
        "hand": state.hand,
    }
