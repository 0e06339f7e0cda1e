"""What `python3 -m engine verify` says of a deal, and what it does not say."""

from __future__ import annotations

import hmac
import io
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from engine.__main__ import main
from engine.core import Length
from engine.record import PLACES, commitment, match_seed
from engine.registry import GAMES

SECRET = bytes(range(32))
PROMISE = commitment(SECRET)
PLAYERS = [4_503_599_627_370_495, 17, 9]
CUTS = [3, 0, 11]
OTHER = "0" * 64


def whole_match(**changes: Any) -> dict[str, Any]:
    """A finished match of Dékal with its proof; `players` and `cuts` may be given."""
    players, cuts = changes.get("players", PLAYERS), changes.get("cuts", [])
    rules, seed = GAMES["dekal"], match_seed(SECRET, players, cuts)
    state, moves = rules.start(len(players), seed, Length.SINGLE), []
    while seats := rules.actors(state):
        move = rules.legal_moves(state, seats[0])[0]
        moves.append(f"{seats[0]} {rules.move_text(move)}")
        state = rules.apply(state, seats[0], move).state
    good = {
        "commitment": PROMISE,
        "secret": SECRET.hex(),
        "players": players,
        "ended": "over",
        "game": "dekal",
        "seats": len(players),
        "seed": seed.hex(),
        "match": "single",
        "moves": moves,
    }
    return good | changes


WHOLE, CUT = whole_match(), whole_match(cuts=CUTS)


@dataclass(frozen=True, slots=True)
class Said:
    """Exit status, lines on standard output, the one line on standard error."""

    status: int
    lines: list[str]
    error: str


class Verify:
    """Runs the command in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys

    def __call__(self, record: dict[str, Any] | str | bytes, *arguments: str) -> Said:
        """What `verify` with these arguments says of a record."""
        text = json.dumps(record) if isinstance(record, dict) else record
        given = text.encode() if isinstance(text, str) else text
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        status = main(["verify", *arguments])
        out, error = self.capsys.readouterr()
        assert error.count("\n") <= 1
        return Said(status, out.splitlines(), error.rstrip("\n"))


@pytest.fixture
def verify(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Verify:
    """The command."""
    return Verify(monkeypatch, capsys)


def without(record: dict[str, Any], key: str) -> dict[str, Any]:
    """The record without one of its keys."""
    return {name: value for name, value in record.items() if name != key}


def test_the_commitment_is_printed_to_be_compared_and_nothing_is_called_fair(verify: Verify) -> None:
    """All that follows from the secret holds, but nobody has said what the table showed."""
    said = verify(CUT)
    assert (said.status, said.error) == (0, "")
    assert said.lines[:5] == [
        f"match: dekal, 3 seats, {len(CUT['moves'])} moves",
        f"commitment: {PROMISE}",
        "players: 4503599627370495, 17, 9",
        "cuts: 3, none, 11",
        "holds: hash, seed and every move follow from these and from the secret",
    ]
    assert said.lines[-1] == (
        "not compared: did the table show this commitment before anybody cut? Say so with --commitment HEX"
    )
    assert "fair" not in "\n".join(said.lines)


@pytest.mark.parametrize("arguments", [("--commitment", PROMISE), (f"--commitment={PROMISE.upper()}",)])
def test_a_deal_is_fair_whose_commitment_is_the_one_given(verify: Verify, arguments: tuple[str, ...]) -> None:
    """What is left for the reader to compare, the players and the cuts, is said in the same line."""
    said = verify(WHOLE, *arguments)
    assert (said.status, said.error) == (0, "")
    assert "cuts: none" in said.lines
    assert said.lines[-1] == "fair, if the table has shown these players and cuts: the commitment is the one given"


@pytest.mark.parametrize("shown", [PROMISE[:12], f" {PROMISE[:12]}… ", f"{PROMISE[:12]}...", PROMISE[:63]])
def test_a_short_commitment_is_said_to_be_short(verify: Verify, shown: str) -> None:
    """The first digits are better than nothing, and no more than that."""
    said = verify(WHOLE, "--commitment", shown)
    count = 63 if len(shown) == 63 else 12
    assert said.status == 0
    assert said.lines[-1] == (
        f"fair, if the table has shown these players and cuts, as far as {count} of the commitment's 64 digits tell"
    )


@pytest.mark.parametrize("shown", [OTHER, OTHER[:12], PROMISE[:63] + ("0" if PROMISE[63] != "0" else "1")])
def test_another_commitment_than_the_one_given(verify: Verify, shown: str) -> None:
    """A record may hold in itself and be of another table, or of a secret that was drawn later."""
    said = verify(WHOLE, "--commitment", shown)
    assert (said.status, said.lines) == (2, [])
    assert said.error == f"not what the table has shown: the record's commitment is {PROMISE}"


@pytest.mark.parametrize("shown", ["", PROMISE[:11], PROMISE + "0", "x" * 64, "…", PROMISE[:12] + " " + PROMISE[12:]])
def test_what_is_no_commitment(verify: Verify, shown: str) -> None:
    """The option says what it takes."""
    said = verify(WHOLE, "--commitment", shown)
    assert (said.status, said.lines) == (2, [])
    assert said.error.startswith("--commitment takes the 64 hex digits that the table has shown, or at least the first")


@pytest.mark.parametrize("arguments", [("--commitment",), ("--cuts", "1"), (PROMISE,), ("--commitment", PROMISE, "x")])
def test_other_arguments_are_answered_with_the_usage(verify: Verify, arguments: Sequence[str]) -> None:
    """Status 2 and one line."""
    said = verify(WHOLE, *arguments)
    assert (said.status, said.lines) == (2, [])
    assert said.error.startswith("usage:")


def test_who_has_won(verify: Verify) -> None:
    """With everybody's points, in seat order; those who share are named together."""
    rules = GAMES["dekal"]
    for players in (PLAYERS, PLAYERS[:2]):
        record = whole_match(players=players)
        state = rules.start(len(players), match_seed(SECRET, players), Length.SINGLE)
        for move in record["moves"]:
            seat, _, text = move.partition(" ")
            state = rules.apply(state, int(seat), rules.parse_move(text)).state
        outcome = rules.outcome(state)
        assert outcome is not None
        points = ", ".join(map(str, outcome.totals))
        (winner,) = outcome.winners
        assert f"finished: seat {winner} wins; points by seat: {points}" in verify(record).lines


UNFINISHED = {
    "stopped": ({"ended": "stopped"}, "unfinished: the match was stopped after move 6"),
    "nothing is said of its end": ({"ended": None}, "unfinished: the match goes on after move 6"),
    "it says that it ended": (
        {"ended": "over"},
        "cut short: the record says that the match came to its end, but it goes on after move 6",
    ),
}


@pytest.mark.parametrize(("changes", "why"), UNFINISHED.values(), ids=UNFINISHED)
def test_an_unfinished_match_is_never_called_fair(verify: Verify, changes: dict[str, Any], why: str) -> None:
    """What holds so far is told, then status 2 and why there is no end."""
    record = {key: value for key, value in (WHOLE | changes).items() if value is not None}
    said = verify(record | {"moves": WHOLE["moves"][:6]}, "--commitment", PROMISE)
    assert (said.status, said.error) == (2, why)
    assert said.lines[-1].startswith("holds: ")


def test_no_part_of_a_file_is_taken_for_the_whole(verify: Verify) -> None:
    """A download that broke off is told apart from everything else, wherever it did."""
    text = json.dumps(CUT | {"also": [None, True, "\u00e9"], "moves": CUT["moves"][:2]})
    cut_short = "cut short: the text ends before its JSON object does; is the file whole?"
    assert {verify(text[:size]).error for size in range(1, len(text))} == {cut_short}
    assert verify("").error == "there is no record: the text is empty"


NOT_HELD: dict[str, tuple[dict[str, Any], str]] = {
    "other hash": (WHOLE | {"commitment": OTHER}, "the SHA-256 of the secret"),
    "other secret": (WHOLE | {"secret": bytes(32).hex()}, "the SHA-256 of the secret"),
    "other seed": (WHOLE | {"seed": OTHER}, "the seed does not come from"),
    "other player": (WHOLE | {"players": [1, 17, 9]}, "the seed does not come from"),
    "other order": (WHOLE | {"players": PLAYERS[::-1]}, "the seed does not come from"),
    "too few players": (WHOLE | {"players": PLAYERS[:2]}, "2 players cannot sit on 3 seats"),
    "one player twice": (whole_match(players=[17, 17]), "a player sits on two seats"),
    "players are texts": (WHOLE | {"players": ["1", "2", "3"]}, "players is a list of Telegram ids"),
    "players are truths": (WHOLE | {"players": [True, 17, 9]}, "players is a list of Telegram ids"),
    "players is nothing": (WHOLE | {"players": None}, "players is a list of Telegram ids"),
    "no players": (without(WHOLE, "players"), "the record has no proof of its deal: there is no players"),
    "no hash": (without(WHOLE, "commitment"), "the record has no proof of its deal: there is no commitment"),
    "no secret": (without(WHOLE, "secret"), "the record has no proof of its deal: there is no secret"),
    "short secret": (WHOLE | {"secret": "00"}, "secret is 64 hex digits"),
    "cuts that nobody made": (WHOLE | {"cuts": CUTS}, "the seed does not come from"),
    "cuts left out": (without(CUT, "cuts"), "the seed does not come from"),
    "other cuts": (CUT | {"cuts": [3, 11, 0]}, "the seed does not come from"),
    "too few cuts": (CUT | {"cuts": [3]}, "1 cuts cannot be of 3 seats"),
    "a cut too far": (whole_match(cuts=[3, 0, PLACES + 1]), "cuts is a list of places from 1 to 16"),
    "a cut below": (CUT | {"cuts": [-1, 0, 0]}, "cuts is a list of places"),
    "a cut is a text": (CUT | {"cuts": ["3", 0, 0]}, "cuts is a list of places"),
    "a cut is a truth": (CUT | {"cuts": [True, 0, 0]}, "cuts is a list of places"),
    "cuts is nothing": (CUT | {"cuts": None}, "cuts is a list of places"),
    "ended somehow": (WHOLE | {"ended": "won"}, "ended is over or stopped, not 'won'"),
    "ended as a list": (WHOLE | {"ended": []}, "ended is over or stopped, not []"),
    "stopped at its end": (WHOLE | {"ended": "stopped"}, "the record says that the match was stopped, but"),
    "illegal move": (WHOLE | {"moves": ["0 a1", "0 a1"]}, "move 2 ('0 a1'): already chosen"),
    "unreadable move": (WHOLE | {"moves": ["0 a1", "x"]}, "move 2 ('x'): a move is"),
    "a move after the end": (WHOLE | {"moves": [*WHOLE["moves"], "0 a1"]}, f"move {len(WHOLE['moves']) + 1} "),
}


@pytest.mark.parametrize(("record", "why"), NOT_HELD.values(), ids=NOT_HELD)
def test_what_does_not_hold(verify: Verify, record: dict[str, Any], why: str) -> None:
    """Status 2 and the promise that was broken, in one line."""
    said = verify(record, "--commitment", PROMISE)
    assert (said.status, said.lines) == (2, [])
    assert said.error.startswith(why)


def test_the_seed_of_a_match_without_cuts_never_changes() -> None:
    """What was dealt by any version before must verify for ever: the ids alone, joined by commas."""
    plain = hmac.digest(SECRET, b"4503599627370495,17,9", "sha256")
    assert match_seed(SECRET, PLAYERS) == match_seed(SECRET, PLAYERS, [0, 0, 0]) == plain
    assert plain.hex() == "6b48f7120dbc057eed7dabea0860ddbf0c129f3ceb7904c3aac6d43e1b779a69"


def test_the_seed_of_a_match_with_cuts_is_the_documented_one() -> None:
    """A text of its own kind, which no players' ids can make, so that no cuts lead to another table's seed."""
    expected = hmac.digest(SECRET, b"cuts 4503599627370495,17,9 3,0,11", "sha256")
    assert match_seed(SECRET, PLAYERS, CUTS) == expected
    everything = [[a, b, c] for a in range(4) for b in range(4) for c in range(4)]
    assert len({match_seed(SECRET, PLAYERS, cuts) for cuts in everything}) == len(everything)
