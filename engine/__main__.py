"""`python3 -m engine trace` and `python3 -m engine verify`: read one record from standard input.

`trace` writes one JSON object a line: the position after the deal, then after every move. `verify` checks a deal that
comes with its proof, and tells whether the match is finished. Exit status: 0, or 2 with one line on standard error.
"""

from __future__ import annotations

import json
import os
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TextIO

from engine.core import EngineError
from engine.record import parse, replay, trace, verify
from engine.registry import GAMES

USAGE = "usage: python3 -m engine trace|verify  < record.json"
FAILED = 2


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status."""
    match arguments:
        case ["trace"]:
            command = _trace
        case ["verify"]:
            command = _verify
        case _:
            return _fail(USAGE)
    # Python has none of these where the shell has closed it.
    source, sink = sys.stdin, sys.stdout
    if source is None:
        return _fail("standard input is closed: a record is read from there")
    if sink is None:
        return _fail("standard output is closed: there is nowhere to write to")
    try:
        text = source.buffer.read().decode("utf-8")
    except UnicodeDecodeError:
        return _fail("a record is UTF-8 text")
    except OSError as error:
        return _fail(f"standard input cannot be read: {error.strerror}")
    try:
        why = _run(command, text)
        sink.flush()
    except BrokenPipeError:
        # The reader has seen enough.
        _give_up(sink)
        return 0
    except OSError as error:
        _give_up(sink)
        return _fail(f"standard output cannot be written: {error.strerror}")
    return 0 if why is None else _fail(why)


def _run(command: Callable[[str], None], text: str) -> str | None:
    """Why the command failed, or None."""
    try:
        command(text)
    except EngineError as error:
        return str(error)
    return None


def _fail(why: str) -> int:
    if sys.stderr is not None:
        with suppress(OSError):
            print("\\n".join(why.splitlines()), file=sys.stderr)
    return FAILED


def _give_up(sink: TextIO) -> None:
    """Let what is still to be written go nowhere, or Python would complain at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sink.fileno())
    os.close(nowhere)


def _trace(text: str) -> None:
    for line in trace(parse(text)):
        print(json.dumps(line, separators=(",", ":")))


def _verify(text: str) -> None:
    record = verify(text)
    print(f"fair: {record.game}, {record.seats} seats, {len(record.moves)} moves: hash, seed and every move hold")
    (last,) = deque(replay(record), maxlen=1)
    outcome = GAMES[record.game].outcome(last[0])
    if outcome is None:
        print(f"unfinished after {len(record.moves)} moves")
        return
    seats = " and ".join(map(str, outcome.winners))
    who = f"seat {seats} wins" if len(outcome.winners) == 1 else f"seats {seats} win"
    print(f"finished: {who}; points by seat: {', '.join(map(str, outcome.totals))}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
