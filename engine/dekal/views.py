"""What a viewer may know of a Dékal round, and what everyone saw happen. No secret can stand here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.core import Event, Length, Outcome
from engine.grid import Cell
from engine.match import ranks


class Phase(Enum):
    """Where a turn stands; the value is its spelling in a trace and in a stored position."""

    REVEAL = "reveal"
    PICK = "pick"
    OVER = "over"


class Side(Enum):
    """Where a card comes in from; the value is its spelling in a move."""

    LEFT = "L"
    RIGHT = "R"
    TOP = "T"
    BOTTOM = "B"


@dataclass(frozen=True, slots=True)
class View:
    """The table as one viewer sees it.

    `grids` has a tuple of 16 cells a seat, row by row. `centre` is ascending. `reserve` counts cards. `chosen` lists
    the seats that have made their secret choice; `choice` is the viewer's own (a cell's index), if made. `rounds` has
    the scores of finished rounds and `totals` their sums. When the phase is over, `scores` has this round's points
    and `removed` the indices of the cells that matched and do not count, a seat; before, both are empty.
    """

    round: int
    turn: int
    phase: Phase
    first: int | None
    to_move: tuple[int, ...]
    grids: tuple[tuple[Cell, ...], ...]
    centre: tuple[int, ...]
    reserve: int
    chosen: tuple[int, ...]
    choice: int | None
    length: Length
    rounds: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    scores: tuple[int, ...]
    removed: tuple[tuple[int, ...], ...]
    outcome: Outcome | None

    @property
    def places(self) -> tuple[int, ...]:
        """The place a seat by the totals: the lowest is the best."""
        return ranks(self.totals)


@dataclass(frozen=True, slots=True)
class Chosen(Event):
    """A seat has chosen; what, nobody knows yet."""

    seat: int


@dataclass(frozen=True, slots=True)
class Revealed(Event):
    """All choices went face up to the centre: `cells` and `values`, a seat each."""

    cells: tuple[int, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TieDrawn(Event):
    """Seats tied for the lowest card drew from the reserve; with no cards to draw, `values` is empty."""

    seats: tuple[int, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Inserted(Event):
    """A seat took a card from the centre and pushed it in from a side."""

    seat: int
    value: int
    side: Side
