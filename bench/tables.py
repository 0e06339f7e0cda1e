"""Printing figures under one another."""

from __future__ import annotations

from collections.abc import Sequence


def show(title: str, head: Sequence[str], rows: Sequence[Sequence[object]], *remarks: str) -> None:
    """Print a table with a title: the first column on the left, figures on the right; remarks stand below it."""
    cells = [list(head), *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    print(f"\n{title}")
    for row in cells:
        first, *others = zip(row, widths, strict=True)
        print("  ".join([first[0].ljust(first[1]), *(text.rjust(width) for text, width in others)]).rstrip())
    for remark in remarks:
        print(f"  {remark}")


def _cell(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)
