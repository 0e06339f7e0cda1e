"""`python -m engine trace` and `python -m engine verify`: read one record from standard input.

`trace` writes one JSON object a line: the position after the deal, then after every move. `verify` checks a deal that
comes with its proof. Exit status: 0, or 2 with one line on standard error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from engine.core import EngineError
from engine.record import parse, trace, verify

USAGE = "usage: python -m engine trace|verify  < record.json"
FAILED = 2


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status."""
    match arguments:
        case ["trace"]:
            command = _trace
        case ["verify"]:
            command = _verify
        case _:
            print(USAGE, file=sys.stderr)
            return FAILED
    try:
        command(sys.stdin.buffer.read().decode("utf-8"))
    except (EngineError, UnicodeDecodeError) as error:
        sys.stdout.flush()
        print(" ".join(str(error).split()), file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        # The reader has seen enough; keep Python from complaining at exit.
        sys.stderr.close()
    return 0


def _trace(text: str) -> None:
    for line in trace(parse(text)):
        print(json.dumps(line, separators=(",", ":")))


def _verify(text: str) -> None:
    record = verify(text)
    print(f"fair: {record.game}, {record.seats} seats, {len(record.moves)} moves: hash, seed and every move hold")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
