"""The recorded matches of `tests/golden/records-*.txt`, read back into records and whole traces."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parents[1] / "golden"
_COLUMNS = 4
_CELLS = {"dekal": 16, "skyjo": 12}
"""Of a seat's grid, in the games that have grids."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A match: its record as a JSON text, and the lines that a trace of it must have."""

    name: str
    record: str
    trace: tuple[dict[str, Any], ...]


def recorded() -> Iterator[Recorded]:
    """Every recorded match; the name tells game, seats, length and its number in the file."""
    for path in sorted(GOLDEN.glob("records-*.txt")):
        _, *blocks = path.read_text(encoding="utf-8").rstrip("\n").split("\n\n")
        yield from (read_back(block, number) for number, block in enumerate(blocks))


def read_back(block: str, number: int = 0) -> Recorded:
    """One match as it stands in such a file."""
    head, *lines = block.split("\n")
    record = json.loads(head)
    moves = [line.partition(":")[0] for line in lines[1:]]
    name = f"{record['game']}-{record['seats']}-{record['match']}-{number:02}"
    return Recorded(name, json.dumps(record | {"moves": moves}), tuple(_unfold(record, lines)))


def _unfold(record: dict[str, Any], lines: list[str]) -> Iterator[dict[str, Any]]:
    facts: dict[str, Any] = {"game": record["game"]}
    grids: list[list[str]] = []
    for line in lines:
        for change in line.partition(":")[2].split():
            key, _, text = change.partition("=")
            if change == "dealt":
                grids = [["?"] * _CELLS[record["game"]] for _ in range(record["seats"])]
            elif key[0].isdigit():
                cell = "abcd".index(key[1]) + _COLUMNS * (int(key[2]) - 1)
                grids[int(key[0])][cell] = text
            else:
                facts[key] = text if key == "phase" else json.loads(text)
        yield facts | ({"grids": [" ".join(grid) for grid in grids]} if grids else {})
