"""A Dékal position and the moves that change it.

A grid is 16 numbers, row by row: a card's value when it is face up, minus its value when it is face down, 0 for the
hole. A negative number is a secret; only `engine.dekal.rules.view` may look at one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from engine.dekal.views import Phase, Side
from engine.match import Sheet

WIDTH: Final = 4
CELLS: Final = 16
TURNS: Final = 16
COPIES: Final = 10
VALUES: Final = range(1, 11)
DECK: Final = tuple(value for value in VALUES for _ in range(COPIES))
MIN_SEATS: Final = 2
MAX_SEATS: Final = 6
HOLE: Final = 0

Grid: TypeAlias = tuple[int, ...]


class DekalReason(StrEnum):
    """Why a move is refused in this game alone."""

    NOT_FACE_DOWN = "not-face-down"
    NOT_IN_CENTRE = "not-in-centre"
    NO_WAY_IN = "no-way-in"


@dataclass(frozen=True, slots=True)
class Reveal:
    """Choose the own face-down card at a cell, in secret."""

    cell: int


@dataclass(frozen=True, slots=True)
class Pick:
    """Take a card of a value from the centre and push it in from a side."""

    value: int
    side: Side


Move: TypeAlias = Reveal | Pick


@dataclass(frozen=True, slots=True)
class State:
    """Everything there is to know of a match at one moment.

    `opener` is the seat that is first in turn 1 of this round and `first` the one that is first in this turn, None
    until the first reveal of the match decides it. `choices` has the chosen cell a seat, None before. `picks` counts
    the picks made in this turn. `centre` is ascending; `reserve` is drawn from its front, and what ties have drawn lies
    `aside`.
    """

    seed: bytes
    sheet: Sheet
    turn: int
    phase: Phase
    opener: int | None
    first: int | None
    picks: int
    grids: tuple[Grid, ...]
    choices: tuple[int | None, ...]
    centre: tuple[int, ...]
    reserve: tuple[int, ...]
    aside: tuple[int, ...]

    @property
    def round(self) -> int:
        """The number of the round that `grids` show, counted from 1."""
        played = len(self.sheet.rounds)
        return played if self.phase is Phase.OVER else played + 1
