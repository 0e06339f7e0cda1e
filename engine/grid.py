"""Names of cells: a column letter from the left and a row number from the top; `a1` is top left."""

from __future__ import annotations

from engine.core import NotUnderstoodError

COLUMNS = 4
_LETTERS = "abcd"


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
