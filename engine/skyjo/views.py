"""What a viewer may know of a Skyjo round, and what everyone saw happen. No secret can stand here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.core import Event, Length, Outcome
from engine.grid import Cell
from engine.match import ranks


class Phase(Enum):
    """Where a turn stands; the value is its spelling in a trace and in a stored position."""

    FLIP = "flip"
    TURN = "turn"
    DRAWN = "drawn"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class View:
    """The table as one viewer sees it.

    `grids` has a tuple of 12 cells a seat, row by row (3 rows of 4). `discard` is the top card; `pile` counts the draw
    pile. `hand` is the drawn card, for the drawer's eyes only. `closer` is the seat that closed the round. `gone` has,
    a seat, (column 0-3, value) of every column that has left the grid, at the end of the round too. `doubled` tells
    whether the closer's score was doubled. When the phase is over, `scores` has this round's points; before, it is
    empty. `rounds` has the scores of finished rounds and `totals` their sums.
    """

    round: int
    turn: int
    phase: Phase
    to_move: tuple[int, ...]
    closer: int | None
    grids: tuple[tuple[Cell, ...], ...]
    gone: tuple[tuple[tuple[int, int], ...], ...]
    discard: int
    pile: int
    hand: int | None
    length: Length
    rounds: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    scores: tuple[int, ...]
    doubled: bool
    outcome: Outcome | None

    @property
    def places(self) -> tuple[int, ...]:
        """The place a seat by the totals: the lowest is the best."""
        return ranks(self.totals)


@dataclass(frozen=True, slots=True)
class Flipped(Event):
    """A seat turned up one of its first two cards."""

    seat: int
    cell: int
    value: int


@dataclass(frozen=True, slots=True)
class Started(Event):
    """All seats have flipped; `seat` plays first."""

    seat: int


@dataclass(frozen=True, slots=True)
class Drew(Event):
    """A seat drew a card that only it has seen; `reshuffled` when the discards became the draw pile first."""

    seat: int
    reshuffled: bool


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """A seat put `value` face up at `cell` and discarded `replaced`; `taken` when it came from the discard pile."""

    seat: int
    cell: int
    value: int
    replaced: int
    taken: bool


@dataclass(frozen=True, slots=True)
class Dropped(Event):
    """A seat discarded the drawn card `value` and turned up `turned` at `cell`."""

    seat: int
    value: int
    cell: int
    turned: int


@dataclass(frozen=True, slots=True)
class ColumnGone(Event):
    """Three equal cards in a column left a seat's grid."""

    seat: int
    column: int
    value: int


@dataclass(frozen=True, slots=True)
class Closed(Event):
    """A seat has no face-down card left: everyone else has one more turn."""

    seat: int
