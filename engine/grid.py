"""Grids of cards, for the games that have them, and the names of their cells.

A name is a column letter from the left and a row number from the top; `a1` is top left.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TypeAlias

from engine.core import NotUnderstoodError

COLUMNS = 4
_LETTERS = "abcd"


class Blank(Enum):
    """A cell of a grid whose card nobody may read; the value is its spelling in a trace."""

    DOWN = "?"
    GONE = "."


Cell: TypeAlias = int | Blank


def cell_text(cell: int) -> str:
    """The name of the cell with index `cell`, counted row by row in a grid four columns wide."""
    row, column = divmod(cell, COLUMNS)
    return f"{_LETTERS[column]}{row + 1}"


def parse_cell(text: str, rows: int) -> int:
    """The inverse of `cell_text` in a grid of `rows` rows. Raises `NotUnderstoodError`."""
    for cell in range(rows * COLUMNS):
        if cell_text(cell) == text:
            return cell
    raise NotUnderstoodError(f"no cell: {text!r}")


def grid_text(grid: Sequence[Cell]) -> str:
    """A grid as a trace has it: its cells in reading order, with blanks between."""
    return " ".join([cell.value if isinstance(cell, Blank) else str(cell) for cell in grid])
