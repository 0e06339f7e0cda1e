"""`python3 -m engine trace` and `python3 -m engine verify`: read one record from standard input.

`trace` writes one JSON object a line: the position after the deal, then after every move. `verify` checks a whole match
that comes with the proof of its deal; with `--commitment` it compares what the table has shown. Exit status: 0, or 2
with one line on standard error.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, TextIO

from engine.core import EngineError, NotUnderstoodError, Outcome, quoted
from engine.record import OVER, STOPPED, Proof, UnfairError, parse, trace, verify

USAGE: Final = "usage: python3 -m engine trace | verify [--commitment HEX]  < record.json"
FAILED: Final = 2
COMMITMENT: Final = "--commitment"
WHOLE: Final = 64
SHORTEST: Final = 12
"""Hex digits of a commitment, and as many of its first ones as are worth comparing."""


class UnfinishedError(EngineError):
    """A record keeps its promises as far as it goes, but the match has no end in it."""


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status."""
    command = _command(arguments)
    if command is None:
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


def _command(arguments: Sequence[str]) -> Callable[[str], None] | None:
    """What to do with a record's text, or None where nobody has asked for anything that there is."""
    match arguments:
        case ["trace"]:
            return _trace
        case ["verify"]:
            return partial(_verify, shown=None)
        case ["verify", option, shown] if option == COMMITMENT:
            return partial(_verify, shown=shown)
        case ["verify", option] if option.startswith(f"{COMMITMENT}="):
            return partial(_verify, shown=option.partition("=")[2])
        case _:
            return None


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


def _verify(text: str, *, shown: str | None) -> None:
    """Verify a record; `shown` is the commitment that the table has shown, None where nobody has said."""
    digits = None if shown is None else _digits(shown)
    proof = verify(text)
    if digits is not None and not proof.commitment.startswith(digits):
        raise UnfairError(f"not what the table has shown: the record's commitment is {proof.commitment}")
    record = proof.record
    print(f"match: {record.game}, {record.seats} seats, {len(record.moves)} moves")
    print(f"commitment: {proof.commitment}")
    print(f"players: {', '.join(map(str, proof.players))}")
    print(f"cuts: {', '.join(str(cut or 'none') for cut in proof.cuts) if any(proof.cuts) else 'none'}")
    print("holds: hash, seed and every move follow from these and from the secret")
    if proof.outcome is None:
        raise UnfinishedError(_no_end(proof))
    print(f"finished: {_result(proof.outcome)}")
    print(_judgement(digits))


def _digits(shown: str) -> str:
    """The hex digits of a commitment as somebody has copied it, all or the first ones."""
    digits = shown.strip().rstrip("….").lower()
    if not SHORTEST <= len(digits) <= WHOLE or set(digits) - set("0123456789abcdef"):
        raise NotUnderstoodError(
            f"{COMMITMENT} takes the {WHOLE} hex digits that the table has shown, or at least the first {SHORTEST}, "
            f"not {quoted(shown)}"
        )
    return digits


def _no_end(proof: Proof) -> str:
    number = len(proof.record.moves)
    if proof.ended == OVER:
        return f"cut short: the record says that the match came to its end, but it goes on after move {number}"
    if proof.ended == STOPPED:
        return f"unfinished: the match was stopped after move {number}"
    return f"unfinished: the match goes on after move {number}"


def _result(outcome: Outcome) -> str:
    seats = " and ".join(map(str, outcome.winners))
    who = f"seat {seats} wins" if len(outcome.winners) == 1 else f"seats {seats} win"
    return f"{who}; points by seat: {', '.join(map(str, outcome.totals))}"


def _judgement(digits: str | None) -> str:
    """What may be said of the deal; fair is only what has been compared."""
    if digits is None:
        return f"not compared: did the table show this commitment before anybody cut? Say so with {COMMITMENT} HEX"
    told = "if the table has shown these players and cuts"
    if len(digits) < WHOLE:
        return f"fair, {told}, as far as {len(digits)} of the commitment's {WHOLE} digits tell"
    return f"fair, {told}: the commitment is the one given"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
