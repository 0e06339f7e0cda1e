"""A whole match as one JSON object, its trace, and the proof that its deal was fair.

    {"game":"skyjo","seats":3,"seed":"<64 hex digits>","match":"single","moves":["0 flip a1", …]}

To verify a deal, a record has three more keys: `commitment` (the SHA-256, in hex, that the table showed before anybody
joined), `secret` (the 32 bytes, in hex, that it commits to) and `players` (Telegram ids in seat order).
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from engine.chance import SEED_BYTES
from engine.core import Blank, Cell, EngineError, Length, NotUnderstoodError, quoted
from engine.registry import GAMES

_MOVE = re.compile("(0|[1-9][0-9]?) (.+)")


class BadMoveError(EngineError):
    """Move number `number` (from 1) of a record cannot be played; the message says why."""

    def __init__(self, number: int, text: str, why: str) -> None:
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


def parse(text: str) -> Record:
    """The inverse of `str(record)`; more keys may stand beside those of a record.

    A move that cannot be read becomes the record's `flaw`, so that the moves before it can still be played. Raises
    `NotUnderstoodError` for everything else that is no record.
    """
    fields = _fields(text)
    game, seats, match, moves = (fields.get(key) for key in ("game", "seats", "match", "moves"))
    rules = GAMES.get(game) if isinstance(game, str) else None
    if rules is None:
        raise NotUnderstoodError(f"game is one of {', '.join(GAMES)}, not {quoted(game)}")
    if type(seats) is not int or not rules.min_seats <= seats <= rules.max_seats:
        raise NotUnderstoodError(f"seats is {rules.min_seats} to {rules.max_seats} for {game}, not {quoted(seats)}")
    if not isinstance(match, str) or match not in [length.value for length in Length]:
        raise NotUnderstoodError(f"match is single or 100, not {quoted(match)}")
    if not isinstance(moves, list):
        raise NotUnderstoodError("moves is a list of texts")
    pairs, flaw = _moves(moves)
    return Record(rules.key, seats, _hex(fields, "seed"), Length(match), pairs, flaw)


def _fields(text: str) -> dict[str, Any]:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotUnderstoodError(f"a record is one JSON object: {error}") from error
    if not isinstance(fields, dict):
        raise NotUnderstoodError("a record is one JSON object")
    return fields


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
    raise NotUnderstoodError(f"{key} is {2 * SEED_BYTES} hex digits")


def _moves(moves: list[object]) -> tuple[tuple[tuple[int, str], ...], BadMoveError | None]:
    """The moves up to the first that cannot be read, and its error."""
    pairs: list[tuple[int, str]] = []
    for number, move in enumerate(moves, 1):
        match = _MOVE.fullmatch(move) if isinstance(move, str) else None
        if match is None:
            return tuple(pairs), BadMoveError(number, str(move), "a move is a seat's number, a blank and the move")
        pairs.append((int(match[1]), match[2]))
    return tuple(pairs), None


def replay(record: Record) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """The states from the deal on, each with the events that led to it. Raises `BadMoveError` at the bad move."""
    rules = GAMES[record.game]
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


def trace(record: Record) -> Iterator[dict[str, Any]]:
    """What everyone at the table knows after the deal and after every move, as JSON objects.

    `rounds` has the scores of the rounds that are finished at that line. Raises `BadMoveError` at the bad move, after
    the lines before it.
    """
    rules = GAMES[record.game]
    for state, _ in replay(record):
        view = rules.view(state, None)
        yield {
            "game": rules.key,
            "round": view.round,
            "turn": view.turn,
            "phase": view.phase.value,
            "to_move": list(view.to_move),
            "grids": [" ".join(map(_cell_text, grid)) for grid in view.grids],
            "totals": list(view.totals),
            "rounds": [list(scores) for scores in view.rounds],
            "over": view.outcome is not None,
            "winners": list(view.outcome.winners) if view.outcome else [],
        } | rules.facts(state)


def _cell_text(cell: Cell) -> str:
    return cell.value if isinstance(cell, Blank) else str(cell)


def commitment(secret: bytes) -> str:
    """What the table shows when it opens: the SHA-256 of the secret, in hex."""
    return sha256(secret).hexdigest()


def match_seed(secret: bytes, players: Sequence[int]) -> bytes:
    """The seed of a match: HMAC-SHA256, keyed with the secret, of the ids in seat order joined by commas."""
    return hmac.digest(secret, ",".join(map(str, players)).encode("ascii"), "sha256")


def verify(text: str) -> Record:
    """Check that a record with its proof keeps what the table promised, and return the record.

    Raises `UnfairError` where the commitment or the seed do not follow from the secret, `BadMoveError` where a move is
    not legal, `NotUnderstoodError` where something is missing.
    """
    record = parse(text)
    fields = _fields(text)
    secret, promised, players = _hex(fields, "secret"), _hex(fields, "commitment").hex(), fields.get("players")
    if not isinstance(players, list) or any(type(player) is not int for player in players):
        raise NotUnderstoodError("players is a list of Telegram ids")
    if len(players) != record.seats:
        raise UnfairError(f"{len(players)} players cannot sit on {record.seats} seats")
    if commitment(secret) != promised:
        raise UnfairError("the SHA-256 of the secret is not the commitment")
    if match_seed(secret, players) != record.seed:
        raise UnfairError("the seed does not come from the secret and the players")
    for _ in replay(record):
        pass
    return record
