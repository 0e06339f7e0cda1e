"""Skyjo written down: moves (`flip b2`, `take b2`, `draw`, `keep b2`, `drop b2`) and positions.

A position has, behind seed and sheet, the fields: turn, phase, seat, hand, closer, grids (12 cells a seat, `/`
between; behind `=` the values of columns that have gone, from the left), discards (top last), draw pile, reshuffles.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.codec import Layout, by_seat, check_end, parse_word, parts, read, write
from engine.core import CorruptError
from engine.grid import cell_text
from engine.match import Sheet
from engine.notation import (
    NOTHING,
    cards_text,
    check_deck,
    down,
    number_text,
    parse_cards,
    parse_count,
    parse_number,
    up,
    value,
)
from engine.skyjo.model import (
    CELLS,
    DECK,
    FIRST_FLIPS,
    MAX_SEATS,
    MIN_SEATS,
    ROWS,
    WIDTH,
    Draw,
    Drop,
    Flip,
    Grid,
    Keep,
    Move,
    State,
    Take,
)
from engine.skyjo.rules import COLUMNS, DRAW, DROPS, FLIPS, KEEPS, TAKES
from engine.skyjo.views import Phase

_LAYOUT = Layout(fields=9, by_seat=5, seats=range(MIN_SEATS, MAX_SEATS + 1))
_EVER = range(1 << 20)
"""Counts that only grow have no bound in the rules; this one keeps nonsense out."""


def _move_text(move: Move) -> str:
    match move:
        case Flip(cell):
            return f"flip {cell_text(cell)}"
        case Take(cell):
            return f"take {cell_text(cell)}"
        case Draw():
            return "draw"
        case Keep(cell):
            return f"keep {cell_text(cell)}"
        case Drop(cell):
            return f"drop {cell_text(cell)}"


_ALL: tuple[Move, ...] = (*FLIPS, *TAKES, DRAW, *KEEPS, *DROPS)
MOVES = {_move_text(move): move for move in _ALL}
"""Every move by its text; the order is persisted in stored moves and never changes."""


def encode(state: State) -> str:
    """See `Rules.encode`."""
    return write(
        state,
        str(state.turn),
        state.phase.value,
        str(state.seat),
        NOTHING if state.hand is None else up(state.hand),
        number_text(state.closer),
        by_seat(map(_grid_text, state.grids)),
        cards_text(state.discards),
        cards_text(state.pile),
        str(state.reshuffles),
    )


def _grid_text(grid: Grid) -> str:
    cells = [
        "." if grid.gone >> cell & 1 else down(card) if grid.down >> cell & 1 else up(card)
        for cell, card in enumerate(grid.cards)
    ]
    columns = [up(grid.cards[column]) for column in range(WIDTH) if grid.gone >> column & 1]
    return "".join([*cells, "=", *columns] if columns else cells)


def decode(text: str) -> State:
    """See `Rules.decode`."""
    return read(text, _LAYOUT, _parse, encode)


def _parse(seed: bytes, sheet: Sheet, fields: Sequence[str]) -> State:
    turn, phase, seat, hand, closer, grids, discards, pile, reshuffles = fields
    seats = range(sheet.seats)
    state = State(
        seed=seed,
        sheet=sheet,
        turn=parse_count(turn, _EVER),
        phase=parse_word(phase, Phase),
        seat=parse_count(seat, seats),
        hand=None if hand == NOTHING else value(hand),
        closer=parse_number(closer, seats),
        grids=tuple(map(_parse_grid, parts(grids))),
        discards=parse_cards(discards),
        pile=parse_cards(pile),
        reshuffles=parse_count(reshuffles, _EVER),
    )
    _check(state)
    return state


def _parse_grid(text: str) -> Grid:
    cells, _, columns = text.partition("=")
    if len(cells) != CELLS:
        raise CorruptError(f"a grid has {CELLS} cells: {text!r}")
    cards, down_mask, gone_mask = [0] * CELLS, 0, 0
    for cell, letter in enumerate(cells):
        if letter == ".":
            gone_mask |= 1 << cell
            continue
        cards[cell] = value(letter)
        down_mask |= letter.islower() << cell
    emptied = [column for column in range(WIDTH) if gone_mask >> column & 1]
    if len(emptied) != len(columns):
        raise CorruptError(f"a value for every column that has gone: {text!r}")
    for column, letter in zip(emptied, columns, strict=True):
        for cell in COLUMNS[column]:
            cards[cell] = value(letter)
            if not gone_mask >> cell & 1:
                raise CorruptError(f"a column goes as a whole: {text!r}")
    if gone_mask.bit_count() != ROWS * len(emptied):
        raise CorruptError(f"a column goes as a whole: {text!r}")
    return Grid(tuple(cards), down_mask, gone_mask)


def _check(state: State) -> None:
    """Raise `CorruptError` for what no play can reach."""
    held = () if state.hand is None else (state.hand,)
    dealt = [card for grid in state.grids for cell, card in enumerate(grid.cards) if not grid.gone >> cell & 1]
    check_deck([*dealt, *held, *state.discards, *state.pile], DECK)
    if not state.discards:
        raise CorruptError("the discard pile is never empty")
    if (state.hand is None) == (state.phase is Phase.DRAWN):
        raise CorruptError("a card is in hand between drawing and placing, and only then")
    check_end(state, over=state.phase is Phase.OVER)
    _check_cells(state)


def _check_cells(state: State) -> None:
    down = [grid.down.bit_count() for grid in state.grids]
    closed = None if state.closer is None else down[state.closer] == 0
    match state.phase:
        case Phase.FLIP:
            first_up = CELLS - FIRST_FLIPS
            possible = closed is None and min(down) >= first_up and max(down) > first_up
        case Phase.TURN | Phase.DRAWN:
            # Before anybody has closed, every seat has a face-down card; the closer has no other turn.
            possible = min(down) > 0 if closed is None else closed and state.seat != state.closer
        case Phase.OVER:
            possible = closed is not None and max(down) == 0
    if not possible:
        raise CorruptError("the phase and the grids disagree")
