"""A whole match as one JSON object, its trace, and the proof that its deal was fair.

    {"game":"skyjo","seats":3,"seed":"<64 hex digits>","match":"single","moves":["0 flip a1", …]}

To verify a deal, a record has three more keys: `commitment` (the SHA-256, in hex, that the table showed when it
opened), `secret` (the 32 bytes, in hex, that it commits to) and `players` (Telegram ids in seat order). Two more may
stand there: `cuts` (where each seat has cut the deck, 1 to 16, or 0) and `ended` (`over`, or `stopped` before that).
"""

from __future__ import annotations

import hmac
import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from engine.chance import SEED_BYTES
from engine.core import EngineError, Event, Length, NotUnderstoodError, Outcome, quoted
from engine.reading import read_object
from engine.registry import GAMES, Games

PLACES: Final = 16
"""Where a deck may be cut: at one of so many places."""

OVER, STOPPED = "over", "stopped"
ENDINGS: Final = (OVER, STOPPED)
"""How a record may say that its match ended: at its end, or before."""

_MOVE = re.compile("(0|[1-9][0-9]?) (.+)")


class BadMoveError(EngineError):
    """Move number `number` (from 1) of a record cannot be played; the message says why."""

    def __init__(self, number: int, text: object, why: str) -> None:
        super().__init__(f"move {number} ({quoted(text)}): {why}")
        self.number = number


class UnfairError(EngineError):
    """A record does not follow from what the table promised before the match."""


@dataclass(frozen=True, slots=True)
class Record:
    """A match, from the seed to the last move; `moves` are pairs of seat and move text.

    `flaw` is the error of the first move that cannot even be read; `moves` ends before it.
    """

    game: str
    seats: int
    seed: bytes
    length: Length
    moves: tuple[tuple[int, str], ...]
    flaw: BadMoveError | None = None

    def __str__(self) -> str:
        fields = {
            "game": self.game,
            "seats": self.seats,
            "seed": self.seed.hex(),
            "match": self.length.value,
            "moves": [f"{seat} {move}" for seat, move in self.moves],
        }
        return json.dumps(fields, separators=(",", ":"))


def parse(text: str, games: Games = GAMES) -> Record:
    """The inverse of `str(record)`; more keys may stand beside those of a record.

    A move that cannot be read becomes the record's `flaw`, so that the moves before it can still be played. Raises
    `NotUnderstoodError` for everything else that is no record.
    """
    return _record(read_object(text), games)


def _record(fields: dict[str, Any], games: Games) -> Record:
    for key in ("game", "seats", "seed", "match", "moves"):
        if key not in fields:
            raise NotUnderstoodError(f"the record has no {key}")
    game, seats, match, moves = (fields.get(key) for key in ("game", "seats", "match", "moves"))
    rules = games.get(game) if isinstance(game, str) else None
    if rules is None:
        raise NotUnderstoodError(f"game is one of {', '.join(games)}, not {quoted(game)}")
    if type(seats) is not int or not rules.min_seats <= seats <= rules.max_seats:
        raise NotUnderstoodError(f"seats is {rules.min_seats} to {rules.max_seats} for {game}, not {quoted(seats)}")
    if not isinstance(match, str) or match not in [length.value for length in Length]:
        raise NotUnderstoodError(f"match is single or 100, not {quoted(match)}")
    if not isinstance(moves, list):
        raise NotUnderstoodError(f"moves is a list of texts, not {quoted(moves)}")
    pairs, flaw = _moves(moves)
    return Record(rules.key, seats, _hex(fields, "seed"), Length(match), pairs, flaw)


def _hex(fields: dict[str, Any], key: str) -> bytes:
    text = fields.get(key)
    if isinstance(text, str) and len(text) == 2 * SEED_BYTES:
        try:
            number = bytes.fromhex(text)
        except ValueError:
            number = b""
        # Blanks between digits would be skipped silently.
        if len(number) == SEED_BYTES:
            return number
    raise NotUnderstoodError(f"{key} is {2 * SEED_BYTES} hex digits, not {quoted(text)}")


def _moves(moves: list[object]) -> tuple[tuple[tuple[int, str], ...], BadMoveError | None]:
    """The moves up to the first that cannot be read, and its error."""
    pairs: list[tuple[int, str]] = []
    for number, move in enumerate(moves, 1):
        match = _MOVE.fullmatch(move) if isinstance(move, str) else None
        if match is None:
            return tuple(pairs), BadMoveError(number, move, "a move is a seat's number, a blank and the move")
        pairs.append((int(match[1]), match[2]))
    return tuple(pairs), None


def replay(record: Record, games: Games = GAMES) -> Iterator[tuple[Any, tuple[Event, ...]]]:
    """The states from the deal on, each with the events that led to it. Raises `BadMoveError` at the bad move."""
    rules = games[record.game]
    state = rules.start(record.seats, record.seed, record.length)
    yield state, ()
    for number, (seat, text) in enumerate(record.moves, 1):
        try:
            step = rules.apply(state, seat, rules.parse_move(text))
        except EngineError as error:
            raise BadMoveError(number, f"{seat} {text}", str(error)) from error
        state = step.state
        yield state, step.events
    if record.flaw is not None:
        raise record.flaw


def trace(record: Record, games: Games = GAMES) -> Iterator[dict[str, Any]]:
    """What everyone at the table knows after the deal and after every move, as JSON objects.

    `rounds` has the scores of the rounds that are finished at that line. Raises `BadMoveError` at the bad move, after
    the lines before it.
    """
    rules = games[record.game]
    for state, _ in replay(record, games):
        view = rules.view(state, None)
        yield {
            "game": rules.key,
            "round": view.round,
            "to_move": list(view.to_move),
            "totals": list(view.totals),
            "rounds": [list(scores) for scores in view.rounds],
            "over": view.outcome is not None,
            "winners": list(view.outcome.winners) if view.outcome else [],
        } | rules.facts(state)


def commitment(secret: bytes) -> str:
    """What the table shows when it opens: the SHA-256 of the secret, in hex."""
    return sha256(secret).hexdigest()


def match_seed(secret: bytes, players: Sequence[int], cuts: Sequence[int] = ()) -> bytes:
    """The seed of a match: HMAC-SHA256, keyed with the secret, of `seed_message` in ASCII."""
    return hmac.digest(secret, seed_message(players, cuts).encode("ascii"), "sha256")


def seed_message(players: Sequence[int], cuts: Sequence[int] = ()) -> str:
    """What the players bring into the seed of their match.

    `players` are Telegram ids in seat order; `cuts` the places from 1 to `PLACES` where these seats have cut the deck,
    0 for a seat that has not. The message is the ids joined by commas (`17,9,4`); where anybody has cut, it is the word
    `cuts`, the ids and the places, with a blank between (`cuts 17,9,4 3,0,11`), which no list of ids is.
    """
    ids = ",".join(map(str, players))
    return f"cuts {ids} {','.join(map(str, cuts))}" if any(cuts) else ids


@dataclass(frozen=True, slots=True)
class Proof:
    """A record that follows from its own secret: what it rests on, and how it ended, None where it has not.

    Whether the commitment, the players and the cuts are those of the table is for its players to say.
    """

    record: Record
    commitment: str
    players: tuple[int, ...]
    cuts: tuple[int, ...]
    ended: str
    outcome: Outcome | None


def verify(text: str, games: Games = GAMES) -> Proof:
    """Check that a record with its proof follows from what it says of the table.

    Raises `UnfairError` where the commitment or the seed do not follow from the secret, `BadMoveError` where a move is
    not legal, `NotUnderstoodError` where something is missing.
    """
    fields = read_object(text)
    record = _record(fields, games)
    for key in ("secret", "commitment", "players"):
        if key not in fields:
            raise NotUnderstoodError(f"the record has no proof of its deal: there is no {key}")
    secret, promised = _hex(fields, "secret"), _hex(fields, "commitment").hex()
    players, cuts = (
        _players(fields["players"], record.seats),
        _cuts(fields.get("cuts", [0] * record.seats), record.seats),
    )
    ended = fields.get("ended", "")
    if "ended" in fields and ended not in ENDINGS:
        raise NotUnderstoodError(f"ended is {' or '.join(ENDINGS)}, not {quoted(ended)}")
    if commitment(secret) != promised:
        raise UnfairError("the SHA-256 of the secret is not the commitment")
    if match_seed(secret, players, cuts) != record.seed:
        raise UnfairError("the seed does not come from the secret, the players and the cuts")
    ((last, _),) = deque(replay(record, games), maxlen=1)
    outcome = games[record.game].outcome(last)
    if ended == STOPPED and outcome is not None:
        raise UnfairError("the record says that the match was stopped, but its moves bring it to its end")
    return Proof(record, promised, players, cuts, ended, outcome)


def _players(players: object, seats: int) -> tuple[int, ...]:
    if not isinstance(players, list) or any(type(player) is not int for player in players):
        raise NotUnderstoodError(f"players is a list of Telegram ids, not {quoted(players)}")
    if len(players) != seats:
        raise UnfairError(f"{len(players)} players cannot sit on {seats} seats")
    if len(set(players)) != seats:
        raise UnfairError("a player sits on two seats")
    return tuple(players)


def _cuts(cuts: object, seats: int) -> tuple[int, ...]:
    places = range(PLACES + 1)
    if not isinstance(cuts, list) or any(type(cut) is not int or cut not in places for cut in cuts):
        raise NotUnderstoodError(f"cuts is a list of places from 1 to {PLACES}, or 0 for none, not {quoted(cuts)}")
    if len(cuts) != seats:
        raise UnfairError(f"{len(cuts)} cuts cannot be of {seats} seats")
    return tuple(cuts)
