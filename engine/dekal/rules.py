"""The rules of Dékal: dealing, choosing in secret, inserting, scoring.

Rulings: see the sentences beside each function; they settle what the printed rules leave open.
"""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter
from typing import Any, Final

from engine.chance import shuffle
from engine.core import Event, Length, NotLegalError, Outcome, Reason, RoundEnded, Step
from engine.dekal.model import (
    CELLS,
    DECK,
    HOLE,
    TURNS,
    VALUES,
    WIDTH,
    DekalReason,
    Grid,
    Move,
    Pick,
    Reveal,
    State,
)
from engine.dekal.views import Chosen, Inserted, Phase, Revealed, Side, TieDrawn, View
from engine.grid import Blank, Cell, grid_text
from engine.match import Sheet, ranks

REVEALS: Final = tuple(Reveal(cell) for cell in range(CELLS))
PICKS: Final = {value: {side: Pick(value, side) for side in Side} for value in VALUES}
_NO_CARDS: Final[tuple[int, ...]] = ()
_NEW: Final = CELLS
"""Index of the incoming card when it is written behind the 16 cells of a grid."""


def _path(hole: int, side: Side) -> tuple[int, ...]:
    """The cells that a card from `side` passes through, from the edge to the hole."""
    row, column = divmod(hole, WIDTH)
    match side:
        case Side.LEFT:
            return tuple(row * WIDTH + c for c in range(column + 1))
        case Side.RIGHT:
            return tuple(row * WIDTH + c for c in range(WIDTH - 1, column - 1, -1))
        case Side.TOP:
            return tuple(r * WIDTH + column for r in range(row + 1))
        case Side.BOTTOM:
            return tuple(r * WIDTH + column for r in range(WIDTH - 1, row - 1, -1))


def _push(path: tuple[int, ...]) -> itemgetter[tuple[int, ...]]:
    """What moves every card of `path` one cell towards the hole, the incoming card to the edge."""
    source = list(range(CELLS))
    for to, came_from in zip(path, (_NEW, *path), strict=False):
        source[to] = came_from
    return itemgetter(*source)


# A card never goes straight into the hole, so a path has at least two cells.
PUSHES: Final = tuple(
    {side: _push(path) for side in Side if len(path := _path(hole, side)) > 1} for hole in range(CELLS)
)
_WAYS_IN: Final = tuple({value: tuple(PICKS[value][side] for side in pushes) for value in VALUES} for pushes in PUSHES)
_NEIGHBOURS: Final = (
    *((cell, cell + 1) for cell in range(CELLS) if cell % WIDTH < WIDTH - 1),
    *((cell, cell + WIDTH) for cell in range(CELLS - WIDTH)),
)
"""Every pair of cells that touch along an edge."""


def deal(seats: int, seed: bytes, length: Length) -> State:
    """See `Rules.deal`."""
    return _deal(seed, Sheet(seats, length), opener=None)


def _deal(seed: bytes, sheet: Sheet, opener: int | None) -> State:
    """Seat s gets cards 16s to 16s+15, face down, row by row; the rest is the reserve."""
    cards = shuffle(DECK, seed, f"dekal deck {len(sheet.rounds) + 1}")
    dealt = sheet.seats * CELLS
    return State(
        seed=seed,
        sheet=sheet,
        turn=1,
        phase=Phase.REVEAL,
        opener=opener,
        first=opener,
        picks=0,
        grids=tuple(tuple(-card for card in cards[start : start + CELLS]) for start in range(0, dealt, CELLS)),
        choices=(None,) * sheet.seats,
        centre=(),
        reserve=cards[dealt:],
        aside=(),
    )


def actors(state: State) -> tuple[int, ...]:
    """See `Rules.actors`."""
    match state.phase:
        case Phase.REVEAL:
            return tuple([seat for seat, choice in enumerate(state.choices) if choice is None])
        case Phase.PICK:
            return (picker(state),)
        case Phase.OVER:
            return ()


def _may_move(state: State, seat: int) -> bool:
    match state.phase:
        case Phase.REVEAL:
            return 0 <= seat < len(state.choices) and state.choices[seat] is None
        case Phase.PICK:
            return seat == picker(state)
        case Phase.OVER:
            return False


def picker(state: State) -> int:
    """The seat whose pick it is: from the first player, clockwise."""
    assert state.first is not None, "the first reveal decides who is first"
    return (state.first + state.picks) % state.sheet.seats


def legal_moves(state: State, seat: int) -> tuple[Move, ...]:
    """See `Rules.legal_moves`: cells in reading order; values ascending, each with its sides."""
    if not _may_move(state, seat):
        return ()
    grid = state.grids[seat]
    if state.phase is Phase.REVEAL:
        return tuple([move for move, card in zip(REVEALS, grid, strict=True) if card < 0])
    ways = _WAYS_IN[grid.index(HOLE)]
    # Equal cards in the centre are the same move.
    return tuple([move for value in dict.fromkeys(state.centre) for move in ways[value]])


def apply(state: State, seat: int, move: Move) -> Step[State]:
    """See `Rules.apply`."""
    if state.phase is Phase.OVER:
        raise NotLegalError(Reason.OVER)
    if not 0 <= seat < state.sheet.seats:
        raise NotLegalError(Reason.NO_SUCH_SEAT)
    match move:
        case Reveal():
            return _choose(state, seat, move.cell)
        case Pick():
            return _insert(state, seat, move)


def _choose(state: State, seat: int, cell: int) -> Step[State]:
    if state.phase is not Phase.REVEAL:
        raise NotLegalError(Reason.WRONG_PHASE)
    if state.choices[seat] is not None:
        raise NotLegalError(Reason.ALREADY_CHOSEN)
    if not 0 <= cell < CELLS or state.grids[seat][cell] >= 0:
        raise NotLegalError(DekalReason.NOT_FACE_DOWN)
    choices = (*state.choices[:seat], cell, *state.choices[seat + 1 :])
    if None in choices:
        return Step(_with_choices(state, choices), (Chosen(seat),))
    return _reveal(state, seat, tuple([choice for choice in choices if choice is not None]))


def _with_choices(state: State, choices: tuple[int | None, ...]) -> State:
    return State(
        seed=state.seed,
        sheet=state.sheet,
        turn=state.turn,
        phase=state.phase,
        opener=state.opener,
        first=state.first,
        picks=state.picks,
        grids=state.grids,
        choices=choices,
        centre=state.centre,
        reserve=state.reserve,
        aside=state.aside,
    )


def _reveal(state: State, last: int, cells: tuple[int, ...]) -> Step[State]:
    """All chosen cards go to the centre together and leave a hole in their grids."""
    values = tuple([-grid[cell] for grid, cell in zip(state.grids, cells, strict=True)])
    events: list[Event] = [Chosen(last), Revealed(cells, values)]
    first, ties = state.first, _NO_CARDS
    if first is None:
        first, ties = _first_player(state, values, events)
    opener = first if state.opener is None else state.opener
    grids = tuple([(*grid[:cell], HOLE, *grid[cell + 1 :]) for grid, cell in zip(state.grids, cells, strict=True)])
    picking = replace(
        state,
        phase=Phase.PICK,
        opener=opener,
        first=first,
        picks=0,
        grids=grids,
        choices=(None,) * len(cells),
        centre=tuple(sorted(values)),
        reserve=state.reserve[len(ties) :],
        aside=state.aside + ties,
    )
    return Step(picking, tuple(events))


def _first_player(state: State, values: tuple[int, ...], events: list[Event]) -> tuple[int, tuple[int, ...]]:
    """The seat that revealed the lowest value, and the cards that were drawn to break ties.

    Tied seats draw one card each, in seat order; lowest goes first; seats still tied draw again. With fewer cards than
    tied seats, the first of a shuffle of the tied seats.
    """
    lowest = min(values)
    tied = tuple(seat for seat, value in enumerate(values) if value == lowest)
    ties = _NO_CARDS
    while len(tied) > 1:
        drawn = state.reserve[len(ties) : len(ties) + len(tied)]
        if len(drawn) < len(tied):
            events.append(TieDrawn(tied, ()))
            return shuffle(tied, state.seed, f"dekal tie {state.round}")[0], ties
        events.append(TieDrawn(tied, drawn))
        ties += drawn
        lowest = min(drawn)
        tied = tuple(seat for seat, value in zip(tied, drawn, strict=True) if value == lowest)
    return tied[0], ties


def _insert(state: State, seat: int, move: Pick) -> Step[State]:
    if state.phase is not Phase.PICK:
        raise NotLegalError(Reason.WRONG_PHASE)
    if seat != picker(state):
        raise NotLegalError(Reason.NOT_YOUR_TURN)
    centre = state.centre
    if move.value not in centre:
        raise NotLegalError(DekalReason.NOT_IN_CENTRE)
    grid = state.grids[seat]
    push = PUSHES[grid.index(HOLE)].get(move.side)
    if push is None:
        raise NotLegalError(DekalReason.NO_WAY_IN)
    taken = centre.index(move.value)
    grids = (*state.grids[:seat], push((*grid, move.value)), *state.grids[seat + 1 :])
    event = Inserted(seat, move.value, move.side)
    turn, phase, first, picks = state.turn, Phase.PICK, state.first, state.picks + 1
    if picks == state.sheet.seats:
        if turn == TURNS:
            return _score(state, grids, event)
        # After each turn the first-player token goes to the next seat clockwise.
        assert first is not None, "somebody has picked"
        turn, phase, first, picks = turn + 1, Phase.REVEAL, (first + 1) % state.sheet.seats, 0
    # Spelled out, as in `_with_choices`: `replace` takes twice as long, and this is done at every move.
    after = State(
        seed=state.seed,
        sheet=state.sheet,
        turn=turn,
        phase=phase,
        opener=state.opener,
        first=first,
        picks=picks,
        grids=grids,
        choices=state.choices,
        centre=(*centre[:taken], *centre[taken + 1 :]),
        reserve=state.reserve,
        aside=state.aside,
    )
    return Step(after, (event,))


def _score(state: State, grids: tuple[Grid, ...], event: Inserted) -> Step[State]:
    sheet = state.sheet.add([score(grid) for grid in grids])
    last = replace(state, sheet=sheet, phase=Phase.OVER, picks=0, grids=grids, centre=())
    ended = RoundEnded(len(sheet.rounds), sheet.rounds[-1], view(last, None))
    if sheet.ending is not None:
        return Step(last, (event, ended))
    # The next round's first player sits after the one who was first in turn 1 of this round.
    assert state.opener is not None, "the first reveal decided it"
    return Step(_deal(state.seed, sheet, (state.opener + 1) % sheet.seats), (event, ended))


def removed(grid: Grid) -> tuple[int, ...]:
    """The cells that go at the end: every card with an orthogonal neighbour of the same value."""
    return tuple(sorted({cell for one, other in _NEIGHBOURS if grid[one] == grid[other] for cell in (one, other)}))


def score(grid: Grid) -> int:
    """The sum of a full grid's cards that stay."""
    return sum(grid) - sum(grid[cell] for cell in removed(grid))


def chosen(state: State) -> tuple[int, ...]:
    """See `Rules.chosen`."""
    return tuple([seat for seat, choice in enumerate(state.choices) if choice is not None])


def retract(state: State, seat: int) -> State:
    """See `Rules.retract`: a choice may be changed until the last seat has chosen."""
    if state.phase is not Phase.REVEAL or not 0 <= seat < state.sheet.seats or state.choices[seat] is None:
        raise NotLegalError(Reason.NOTHING_TO_RETRACT)
    return _with_choices(state, (*state.choices[:seat], None, *state.choices[seat + 1 :]))


def epoch(state: State) -> int:
    """See `Rules.epoch`: one for each reveal phase, one for each pick, one for the end."""
    turns_before = (state.round - 1) * TURNS + state.turn - 1
    steps = {Phase.REVEAL: 0, Phase.PICK: 1 + state.picks, Phase.OVER: 1 + state.sheet.seats}
    return turns_before * (state.sheet.seats + 1) + steps[state.phase]


def outcome(state: State) -> Outcome | None:
    """See `Rules.outcome`: one round is won by score, then by fewer cards left; a match by totals alone."""
    outcome = state.sheet.outcome()
    if outcome is None or state.sheet.length is not Length.SINGLE:
        return outcome
    left = [CELLS - len(removed(grid)) for grid in state.grids]
    return replace(outcome, ranks=ranks(list(zip(outcome.totals, left, strict=True))))


def view(state: State, viewer: int | None) -> View:
    """See `Rules.view`: face-down values, the reserve's order and other seats' choices stay hidden."""
    over = state.phase is Phase.OVER
    return View(
        round=state.round,
        turn=state.turn,
        phase=state.phase,
        first=state.first,
        to_move=actors(state),
        grids=_cells(state),
        centre=state.centre,
        reserve=len(state.reserve),
        chosen=chosen(state),
        choice=None if viewer is None else state.choices[viewer],
        length=state.sheet.length,
        rounds=state.sheet.rounds,
        totals=state.sheet.totals,
        scores=state.sheet.rounds[-1] if over else (),
        removed=tuple(removed(grid) for grid in state.grids) if over else (),
        outcome=outcome(state),
    )


def _cells(state: State) -> tuple[tuple[Cell, ...], ...]:
    return tuple(tuple(_cell(card) for card in grid) for grid in state.grids)


def _cell(card: int) -> Cell:
    if card == HOLE:
        return Blank.GONE
    return card if card > 0 else Blank.DOWN


def facts(state: State) -> dict[str, Any]:
    """See `Rules.facts`."""
    return {
        "turn": state.turn,
        "phase": state.phase.value,
        "grids": [grid_text(grid) for grid in _cells(state)],
        "first": state.first,
        "centre": list(state.centre),
    }
