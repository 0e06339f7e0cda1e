"""Dékal written down: moves (`b3`, `7L`) and positions.

A position has, behind seed and sheet, the fields: turn, phase, opener, first, picks, grids (rows of 16 a seat, `/`
between), choices (a cell a seat, `/` between), centre, reserve, aside.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.codec import Layout, by_seat, check_end, parse_word, parts, read, write
from engine.core import CorruptError
from engine.dekal.model import (
    CELLS,
    DECK,
    HOLE,
    MAX_SEATS,
    MIN_SEATS,
    TURNS,
    VALUES,
    WIDTH,
    Grid,
    Move,
    Pick,
    Reveal,
    State,
)
from engine.dekal.rules import PICKS, REVEALS
from engine.dekal.views import Phase, Side
from engine.grid import cell_text, parse_cell
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

_LAYOUT = Layout(fields=10, by_seat=5, seats=range(MIN_SEATS, MAX_SEATS + 1))


def _move_text(move: Move) -> str:
    match move:
        case Reveal(cell):
            return cell_text(cell)
        case Pick(card, side):
            return f"{card}{side.value}"


_ALL: tuple[Move, ...] = (*REVEALS, *(PICKS[card][side] for card in VALUES for side in Side))
MOVES = {_move_text(move): move for move in _ALL}
"""Every move by its text; the order is persisted in stored moves and never changes."""


def encode(state: State) -> str:
    """See `Rules.encode`."""
    return write(
        state,
        str(state.turn),
        state.phase.value,
        number_text(state.opener),
        number_text(state.first),
        str(state.picks),
        by_seat(map(_grid_text, state.grids)),
        by_seat(NOTHING if choice is None else cell_text(choice) for choice in state.choices),
        cards_text(state.centre),
        cards_text(state.reserve),
        cards_text(state.aside),
    )


def _grid_text(grid: Grid) -> str:
    return "".join(["." if card == HOLE else up(card) if card > 0 else down(-card) for card in grid])


def decode(text: str) -> State:
    """See `Rules.decode`."""
    return read(text, _LAYOUT, _parse, encode)


def _parse(seed: bytes, sheet: Sheet, fields: Sequence[str]) -> State:
    turn, phase, opener, first, picks, grids, choices, centre, reserve, aside = fields
    seats = range(sheet.seats)
    state = State(
        seed=seed,
        sheet=sheet,
        turn=parse_count(turn, range(1, TURNS + 1)),
        phase=parse_word(phase, Phase),
        opener=parse_number(opener, seats),
        first=parse_number(first, seats),
        picks=parse_count(picks, seats),
        grids=tuple(map(_parse_grid, parts(grids))),
        choices=tuple(None if choice == NOTHING else parse_cell(choice, WIDTH) for choice in parts(choices)),
        centre=parse_cards(centre),
        reserve=parse_cards(reserve),
        aside=parse_cards(aside),
    )
    _check(state)
    return state


def _parse_grid(text: str) -> Grid:
    if len(text) != CELLS:
        raise CorruptError(f"a grid has {CELLS} cells: {text!r}")
    return tuple([HOLE if c == "." else value(c) if c.isupper() else -value(c) for c in text])


def _check(state: State) -> None:
    """Raise `CorruptError` for what no play can reach."""
    if len(state.choices) != len(state.grids):
        raise CorruptError("a choice a seat")
    check_deck([*_dealt(state.grids), *state.centre, *state.reserve, *state.aside], DECK)
    check_end(state, over=state.phase is Phase.OVER)
    if state.opener is None:
        wrong = state.first is not None or state.phase is not Phase.REVEAL or state.turn > 1 or bool(state.sheet.rounds)
    else:
        wrong = state.first != (state.opener + state.turn - 1) % state.sheet.seats
    if wrong:
        raise CorruptError("the wrong seat is first, or none")
    _check_cells(state)


def _check_cells(state: State) -> None:
    revealing, picking = state.phase is Phase.REVEAL, state.phase is Phase.PICK
    first = state.first or 0
    waiting = [(first + pick) % state.sheet.seats for pick in range(state.picks, state.sheet.seats)] if picking else []
    if [grid.count(HOLE) for grid in state.grids] != [seat in waiting for seat in range(state.sheet.seats)]:
        raise CorruptError("a hole waits for every pick, and only there")
    if len(state.centre) != len(waiting) or list(state.centre) != sorted(state.centre):
        raise CorruptError("the centre has a card for every pick, ascending")
    # Every turn turns up one card a seat.
    face_down = TURNS - state.turn + revealing
    if any(sum(card < 0 for card in grid) != face_down for grid in state.grids) or (state.picks and not picking):
        raise CorruptError("the turn and the grids disagree")
    for grid, choice in zip(state.grids, state.choices, strict=True):
        if choice is not None and (not revealing or grid[choice] >= 0):
            raise CorruptError("a choice is a face-down card's cell")
    if revealing and None not in state.choices:
        raise CorruptError("all have chosen and nothing was revealed")


def _dealt(grids: Sequence[Grid]) -> list[int]:
    return [abs(card) for grid in grids for card in grid if card != HOLE]
