"""Writes matches of random moves as golden ones are written: `python -m tests.engine.write_record belote`.

One match for every number of seats, and one to 100 for the fewest. What comes out is what the engine does; it becomes
golden when somebody has read it, line by line, against the rules.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

from engine.core import Length
from engine.grid import cell_text
from engine.record import Record, trace
from tests.engine.play import RULES


def written(record: Record) -> str:
    """A match as `tests/golden/records-*.txt` has it."""
    fields = json.loads(str(record))
    moves = fields.pop("moves")
    lines = [json.dumps(fields)]
    before: dict[str, Any] = {}
    for move, line in zip(["deal", *moves], trace(record, RULES), strict=True):
        changed = [key for key in sorted(line) if before.get(key, ...) != line[key]]
        changes = [text for key in changed for text in _change(key, line, before)]
        lines.append(" ".join([f"{move}:", *changes]))
        before = line
    return "\n".join(lines)


def _change(key: str, line: dict[str, Any], before: dict[str, Any]) -> Iterator[str]:
    match key:
        case "game":
            return
        case "phase":
            yield f"phase={line[key]}"
        case "grids":
            grids = [grid.split(" ") for grid in line["grids"]]
            if all(cell == "?" for grid in grids for cell in grid):
                yield "dealt"
                return
            for seat, (grid, old) in enumerate(zip(grids, before["grids"], strict=True)):
                for index, (cell, was) in enumerate(zip(grid, old.split(" "), strict=True)):
                    if cell != was:
                        yield f"{seat}{cell_text(index)}={cell}"
        case _:
            yield f"{key}={json.dumps(line[key], separators=(',', ':'))}"


def random_match(key: str, seats: int, length: Length, random: Random) -> Record:
    """A whole match of random legal moves."""
    rules, seed = RULES[key], random.randbytes(32)
    state, moves = rules.start(seats, seed, length), []
    while actors := rules.actors(state):
        seat = random.choice(actors)
        move = random.choice(rules.legal_moves(state, seat))
        state = rules.apply(state, seat, move).state
        moves.append((seat, rules.move_text(move)))
    return Record(key, seats, seed, length, tuple(moves))


def main(key: str) -> None:
    """Write the matches of a game to standard output."""
    rules, random = RULES[key], Random()
    tables = [(seats, Length.SINGLE) for seats in range(rules.min_seats, rules.max_seats + 1)]
    for seats, length in (*tables, (rules.min_seats, Length.HUNDRED)):
        sys.stdout.write(f"\n{written(random_match(key, seats, length, random))}\n")


if __name__ == "__main__":
    main(sys.argv[1])
