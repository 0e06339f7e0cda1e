"""A Skyjo position and the moves that change it.

Card values of a grid whose bit in `down` is set are secret, and so are the draw pile and `hand`; only
`engine.skyjo.rules.view` may look at them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from engine.match import Sheet
from engine.skyjo.views import Phase

WIDTH: Final = 4
ROWS: Final = 3
CELLS: Final = 12
FIRST_FLIPS: Final = 2
MIN_SEATS: Final = 2
MAX_SEATS: Final = 8
COPIES: Final = {-2: 5, -1: 10, 0: 15} | dict.fromkeys(range(1, 13), 10)
DECK: Final = tuple(value for value, copies in COPIES.items() for _ in range(copies))
ALL_CELLS: Final = (1 << CELLS) - 1


class SkyjoReason(StrEnum):
    """Why a move is refused in this game alone."""

    NOT_FACE_DOWN = "not-face-down"
    NO_CARD_THERE = "no-card-there"
    NOTHING_TO_DRAW = "nothing-to-draw"


@dataclass(frozen=True, slots=True)
class Grid:
    """Twelve cells, row by row: the card values, and bit masks (bit 0 is a1) of cells face down and cells emptied.

    Emptied cells keep the value that left them, so that an end can be shown.
    """

    cards: tuple[int, ...]
    down: int
    gone: int


@dataclass(frozen=True, slots=True)
class Flip:
    """Turn up one of the first two cards."""

    cell: int


@dataclass(frozen=True, slots=True)
class Take:
    """Put the top discard in place of the card at a cell."""

    cell: int


@dataclass(frozen=True, slots=True)
class Draw:
    """Look at the next card of the draw pile."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Put the drawn card in place of the card at a cell."""

    cell: int


@dataclass(frozen=True, slots=True)
class Drop:
    """Discard the drawn card and turn up the face-down card at a cell."""

    cell: int


Move: TypeAlias = Flip | Take | Draw | Keep | Drop


@dataclass(frozen=True, slots=True)
class State:
    """Everything there is to know of a match at one moment.

    `turn` counts the turns of the round from 1; `seat` is whose turn it is (in `flip`, nobody's: the closer of the
    round before, or 0). `hand` is the drawn card. `discards` has the top last; `pile` is drawn from its front;
    `reshuffles` counts how often the discards became the pile. `closer` closed this round.
    """

    seed: bytes
    sheet: Sheet
    turn: int
    phase: Phase
    seat: int
    hand: int | None
    closer: int | None
    grids: tuple[Grid, ...]
    discards: tuple[int, ...]
    pile: tuple[int, ...]
    reshuffles: int

    @property
    def round(self) -> int:
        """The number of the round that `grids` show, counted from 1."""
        played = len(self.sheet.rounds)
        return played if self.phase is Phase.OVER else played + 1
