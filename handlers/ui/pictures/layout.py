"""Where things stand, in pixels: a header across the top, then two panels a row, each with a player's grid."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from handlers.ui.pictures.canvas import Rect

WIDTH = 960
# Telegram scales photos to 1280 pixels, and makes tall ones narrower than a phone.
TALLEST = 1280
MARGIN = 20
BETWEEN = 16
HEADER = 116
PADDING = 12
BAR = 52
LABEL = 25
GAP = 7
PER_ROW = 2
# A card is never taller than this many times its width.
SLIMMEST = 1.36


@dataclass(frozen=True, slots=True)
class Grid:
    """A player's cards: the top left corner of the first, and what repeats from there."""

    x: int
    y: int
    columns: int
    rows: int
    width: int
    height: int

    def cell(self, index: int) -> Rect:
        """The place of a cell, counted row by row."""
        row, column = divmod(index, self.columns)
        return Rect(self.x + column * (self.width + GAP), self.y + row * (self.height + GAP), self.width, self.height)

    @property
    def area(self) -> Rect:
        """All cells."""
        last = self.cell(self.columns * self.rows - 1)
        return Rect(self.x, self.y, last.right - self.x, last.bottom - self.y)


@dataclass(frozen=True, slots=True)
class Place:
    """A player's panel: the whole, the bar with the name, and the grid."""

    panel: Rect
    bar: Rect
    grid: Grid


@dataclass(frozen=True, slots=True)
class Sheet:
    """The whole picture."""

    width: int
    height: int
    header: Rect
    places: tuple[Place, ...]


@lru_cache(maxsize=32)
def sheet(seats: int, columns: int, rows: int, *, edges: bool) -> Sheet:
    """The sheet of a table; with `edges`, grids keep room on their right and below as well as for the labels."""
    lines = -(-seats // PER_ROW)
    beyond = LABEL if edges else PADDING
    panel_width = (WIDTH - 2 * MARGIN - BETWEEN) // PER_ROW
    around = BAR + LABEL + beyond
    width = (panel_width - LABEL - PADDING // 2 - beyond - (columns - 1) * GAP) // columns
    top = MARGIN + HEADER + BETWEEN
    room = (TALLEST - top - MARGIN - (lines - 1) * BETWEEN) // lines - around - (rows - 1) * GAP
    height = min(round(width * SLIMMEST), room // rows)
    panel_height = around + rows * height + (rows - 1) * GAP
    places = []
    for seat in range(seats):
        line, column = divmod(seat, PER_ROW)
        alone = seat == seats - 1 and column == 0
        x = (WIDTH - panel_width) // 2 if alone else MARGIN + column * (panel_width + BETWEEN)
        y = top + line * (panel_height + BETWEEN)
        grid = Grid(x + PADDING // 2 + LABEL, y + BAR + LABEL, columns, rows, width, height)
        places.append(Place(Rect(x, y, panel_width, panel_height), Rect(x, y, panel_width, BAR), grid))
    bottom = places[-1].panel.bottom + MARGIN
    return Sheet(WIDTH, bottom, Rect(MARGIN, MARGIN, WIDTH - 2 * MARGIN, HEADER), tuple(places))
