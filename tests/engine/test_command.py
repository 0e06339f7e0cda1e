"""`python3 -m engine` as its users run it: in a process, by an interpreter without site-packages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.record import commitment, match_seed, trace
from engine.record import parse as parse_record
from tests.engine.recorded import recorded

ROOT = Path(__file__).parents[2]
RECORDED = {match.name: match for match in recorded()}
SECRET = bytes(range(32))
PLAYERS = [4_503_599_627_370_495, 17, 9]
Fields = dict[str, Any]


def run(command: str, text: str | bytes) -> subprocess.CompletedProcess[bytes]:
    """Run a command of the engine with nothing but the standard library in reach."""
    bare = [sys.executable, "-E", "-s", "-S", "-W", "error", "-m", "engine", command]
    given = text.encode() if isinstance(text, str) else text
    return subprocess.run(bare, input=given, capture_output=True, check=False, cwd=ROOT, timeout=60)  # noqa: S603 - ours


def fields(**changes: object) -> Fields:
    """A good record of a Skyjo match's first moves, with its proof."""
    good = {
        "game": "skyjo",
        "seats": 3,
        "seed": match_seed(SECRET, PLAYERS).hex(),
        "match": "single",
        "moves": ["2 flip a1", "0 flip b2", "2 flip d3", "1 flip c1", "0 flip a3", "1 flip c2"],
        "commitment": commitment(SECRET),
        "secret": SECRET.hex(),
        "players": PLAYERS,
    }
    return good | changes


def without(key: str) -> str:
    """The good record as text, without one of its keys."""
    return json.dumps({name: value for name, value in fields().items() if name != key})


@pytest.mark.parametrize("name", ["dekal-3-100-05", "skyjo-3-100-07"])
def test_trace_writes_one_json_object_a_line(name: str) -> None:
    """The command's lines are the recorded trace; nothing stands on standard error."""
    done = run("trace", RECORDED[name].record)
    assert (done.returncode, done.stderr) == (0, b"")
    assert tuple(map(json.loads, done.stdout.splitlines())) == RECORDED[name].trace


BAD_MOVES: dict[str, tuple[object, str]] = {
    "not legal": ("0 draw", "wrong phase"),
    "another's turn": ("2 flip a2", "already chosen"),
    "no such seat": ("3 flip a2", "no such seat"),
    "no such move": ("0 jump a2", "no move of skyjo"),
    "no such cell": ("0 flip e9", "no move of skyjo"),
    "blanks": ("0  flip a2", "no move of skyjo"),
    "no seat": ("flip a2", "a move is"),
    "leading zero": ("00 flip a2", "a move is"),
    "negative seat": ("-1 flip a2", "a move is"),
    "other digits": ("٣ flip a2", "a move is"),
    "huge seat": ("9" * 5000 + " flip a2", "a move is"),
    "empty": ("", "a move is"),
    "two lines": ("0 flip\na2", "a move is"),
    "half a character": ("0 flip \ud800", "no move of skyjo"),
    "a number": (7, "a move is"),
    "nothing": (None, "a move is"),
    "a list": (["0", "flip a2"], "a move is"),
}


@pytest.mark.parametrize(("move", "why"), BAD_MOVES.values(), ids=BAD_MOVES)
def test_a_bad_move_is_named_and_the_lines_before_it_are_written(move: object, why: str) -> None:
    """Status 2, one line on standard error with the move's number and the reason."""
    good = fields()["moves"][:4]
    done = run("trace", json.dumps(fields(moves=[*good, move, *fields()["moves"][4:]])))
    expected = [*trace(parse_record(json.dumps(fields(moves=good))))]
    assert done.returncode == 2
    assert [json.loads(line) for line in done.stdout.splitlines()] == expected
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("move 5 (")
    assert why in line


def test_a_move_after_the_end_is_not_legal() -> None:
    """The whole trace is written, then the move is refused."""
    match = RECORDED["skyjo-2-single-00"]
    record = json.loads(match.record)
    done = run("trace", json.dumps(record | {"moves": [*record["moves"], "0 draw"]}))
    assert (done.returncode, len(done.stdout.splitlines())) == (2, len(match.trace))
    assert done.stderr.decode() == f"move {len(match.trace)} ('0 draw'): over\n"


MALFORMED: dict[str, str | bytes] = {
    "empty": "",
    "no JSON": "{",
    "a list": "[]",
    "too deep": "[" * 100_000,
    "huge number": '{"seats":' + "9" * 5000 + "}",
    "not UTF-8": b"\xff\xfe",
    "no game": without("game"),
    "other game": json.dumps(fields(game="poker")),
    "game is a list": json.dumps(fields(game=["skyjo"])),
    "no seats": without("seats"),
    "one seat": json.dumps(fields(seats=1)),
    "nine seats": json.dumps(fields(seats=9)),
    "seats is true": json.dumps(fields(seats=True)),
    "seats is a text": json.dumps(fields(seats="3")),
    "no seed": without("seed"),
    "short seed": json.dumps(fields(seed="00")),
    "seed with blanks": json.dumps(fields(seed="00 " * 21 + "0")),
    "seed is no hex": json.dumps(fields(seed="x" * 64)),
    "no match": without("match"),
    "other length": json.dumps(fields(match="200")),
    "length is a number": json.dumps(fields(match=100)),
    "no moves": without("moves"),
    "moves is a text": json.dumps(fields(moves="0 flip a1")),
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
def test_what_is_no_record_is_refused_in_one_line(text: str | bytes) -> None:
    """Status 2, nothing on standard output, one line on standard error and no traceback."""
    for command in ("trace", "verify"):
        done = run(command, text)
        assert (done.returncode, done.stdout) == (2, b"")
        (line,) = done.stderr.decode().splitlines()
        assert "Traceback" not in line


def test_what_is_quoted_is_quoted_as_it_is_and_not_at_length() -> None:
    """Blanks stay; of a long text the beginning is shown."""
    for move, shown in {"0  b2": "('0  b2')", "0 " + "b" * 500: f"('0 {'b' * 57}…)"}.items():
        line = run("trace", json.dumps(fields(moves=[move]))).stderr.decode()
        assert line.startswith(f"move 1 {shown}: no move of skyjo")
        assert len(line) < 160
    assert run("trace", b"\xff\xfe").stderr == b"a record is UTF-8 text\n"


@pytest.mark.parametrize(
    ("shell", "says"),
    [
        ("trace <&-", "standard input is closed"),
        ("trace >&-", "standard output is closed"),
        ("trace >/dev/full", "standard output cannot be written"),
        ("verify >/dev/full", "standard output cannot be written"),
    ],
)
def test_what_cannot_be_read_or_written_is_told_in_one_line(shell: str, says: str) -> None:
    """Status 2, no traceback."""
    done = subprocess.run(  # noqa: S602 - ours
        f"{sys.executable} -E -s -S -W error -m engine {shell}",
        shell=True,
        input=json.dumps(fields()).encode(),
        capture_output=True,
        check=False,
        cwd=ROOT,
        timeout=60,
    )
    (line,) = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout) == (2, b"")
    assert line.startswith(says)


def test_other_commands_are_answered_with_the_usage() -> None:
    """Status 2 and one line."""
    done = run("deal", "")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith("usage: python3 -m engine trace | verify [--commitment HEX]")


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    """Closing the pipe early, as `head` does, leaves no traceback."""
    bare = [sys.executable, "-E", "-s", "-S", "-m", "engine", "trace"]
    with subprocess.Popen(  # noqa: S603 - ours
        bare, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(RECORDED["skyjo-8-single-06"].record.encode())
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0
