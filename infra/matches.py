"""A match as it is stored: the table, the position and moves of the game, and what the chat has been shown.

Both stores keep the flat item that `to_item` makes; its spellings are persisted, so none is renamed or used again.
Optional attributes are left out while they have their usual value: the item's size is what a move costs.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, TypeAlias

from engine.core import Length
from infra.names import NAME_UNITS, cut, cut_together, units

SCHEMA: Final = 1
CUT_SCHEMA: Final = 2
"""Of a match whose deck was cut: a program that does not know of cuts would deal it other cards, and must not."""

SECRET_BYTES: Final = 32
NAME_BYTES: Final = 48
"""A stored name's limit in bytes of UTF-8: 24 letters of most scripts. An open table has room for eight of these."""

NAMES_BYTES: Final = 192
"""The limit of all names together once cards are dealt: it leaves room for a position in an item of one write unit."""

WRITE_UNIT: Final = 1024
"""Bytes that one write unit of DynamoDB pays for."""

_CUTS: Final = "0123456789abcdefg"
"""A character for every place of a cut, in the order of the places; 0 is none."""

Item: TypeAlias = dict[str, int | str]


class CorruptItemError(Exception):
    """An item is not one that any version of this program has written; it must be left as it is."""


class Status(Enum):
    """Where a match is in its life; the value is persisted."""

    OPEN = "open"
    PLAYING = "playing"
    OVER = "over"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a seat: a Telegram user id and a name as `cut_name` leaves it.

    `cut` is the place, from 1 to `engine.record.PLACES`, where they have cut the deck, 0 where they have not.
    """

    id: int
    name: str
    cut: int = 0


@dataclass(frozen=True, slots=True)
class Shown:
    """What the chat has been told, as far as we know.

    `lobby` is the table message while it still has to follow the match, `board` the message with the live board and
    `old` the board before it while it still has buttons; each is a message id, 0 for none. The board was posted at
    `posted` (Unix seconds) and edited `edits` times since. `rounds` counts the finished rounds whose end was shown.

    `look` counts what the table should have seen change. `drawer` is the Telegram update that has promised to draw the
    newest look; until `until_ms` nobody else needs to. `ready_ms` is the send budget: the time at which, at the chat's
    steady rate, everything sent so far is paid for. Both are Unix milliseconds. `checked` is the look that the ticker
    has made sure of, `call` the message that calls those who keep others waiting.
    """

    lobby: int = 0
    board: int = 0
    old: int = 0
    posted: int = 0
    edits: int = 0
    rounds: int = 0
    look: int = 0
    drawer: int = 0
    until_ms: int = 0
    ready_ms: int = 0
    checked: int = 0
    call: int = 0


@dataclass(frozen=True, slots=True)
class Match:
    """One match, from the open table to the last look at it.

    `position` is the engine's text without the seed, which follows from `secret` and `players`; it is empty while the
    table is open. `moves` are the coded moves since the last of the `pages` pages that have gone to items of their own.
    `secret` has the 32 bytes whose SHA-256 the table showed; `proved` tells that they have been laid open.
    `notes` has what the table should still read of the last moves, as the game's screen wrote it, `;` between.
    `closed_by` is the name of who stopped the match or cancelled the table, empty where nobody did.
    `version` counts saves; a person last changed the match at `saved` (Unix seconds).
    `due` is when the ticker should look (Unix seconds; 0: never). `absent` lists the seats that the bot plays for until
    their players press again. `patience` is when others may play on without those who are to act (Unix seconds; 0: they
    have not been called yet).
    """

    id: str
    chat: int
    topic: int
    language: str
    game: str
    secret: bytes
    opener: int = 0
    length: Length = Length.SINGLE
    players: tuple[Player, ...] = ()
    status: Status = Status.OPEN
    position: str = ""
    moves: str = ""
    pages: int = 0
    notes: str = ""
    closed_by: str = ""
    absent: tuple[int, ...] = ()
    patience: int = 0
    proved: bool = False
    shown: Shown = field(default=Shown())
    version: int = 0
    saved: int = 0
    due: int = 0
    expires: int = 0


def cut_name(name: str) -> str:
    """`name` on one line, cut between characters to `NAME_UNITS` and `NAME_BYTES`."""
    return cut(cut(name, NAME_UNITS, units), NAME_BYTES)


def cut_names(players: tuple[Player, ...]) -> tuple[Player, ...]:
    """The players of a match that begins, their names cut where they would leave no room for cards."""
    names = cut_together([player.name for player in players], NAMES_BYTES)
    return tuple(replace(player, name=name) for player, name in zip(players, names, strict=True))


def to_item(match: Match) -> Item:
    """The flat item of a match, without its keys."""
    shown, is_cut = match.shown, any(player.cut for player in match.players)
    item: Item = {
        "schema": CUT_SCHEMA if is_cut else SCHEMA,
        "chat": match.chat,
        "lang": match.language,
        "game": match.game,
        "secret": urlsafe_b64encode(match.secret).decode("ascii").rstrip("="),
        "players": "\n".join(f"{player.id} {player.name}" for player in match.players),
        "status": match.status.value,
        "version": match.version,
        "saved": match.saved,
        "expires": match.expires,
    }
    optional: Item = {
        "topic": match.topic,
        "opener": match.opener,
        "len": "" if match.length is Length.SINGLE else match.length.value,
        "cuts": "".join(_CUTS[player.cut] for player in match.players) if is_cut else "",
        "pos": match.position,
        "moves": match.moves,
        "pages": match.pages,
        "absent": ",".join(map(str, match.absent)),
        "notes": match.notes,
        "by": match.closed_by,
        "patience": match.patience,
        "proved": int(match.proved),
        "due": match.due,
        "lobby": shown.lobby,
        "board": shown.board,
        "old": shown.old,
        "posted": shown.posted,
        "edits": shown.edits,
        "told": shown.rounds,
        "look": shown.look,
        "drawer": shown.drawer,
        "until": shown.until_ms,
        "ready": shown.ready_ms,
        "checked": shown.checked,
        "call": shown.call,
    }
    item.update({key: value for key, value in optional.items() if value})
    return item


def from_item(match_id: str, item: Item) -> Match:
    """The inverse of `to_item`. Raises `CorruptItemError` for an unknown schema or an impossible value."""
    if item.get("schema") != (CUT_SCHEMA if "cuts" in item else SCHEMA) or item["schema"] is True:
        raise CorruptItemError(f"match {match_id}: schema {item.get('schema')!r} is unknown")
    try:
        return Match(
            id=match_id,
            chat=_number(item, "chat"),
            topic=_number(item, "topic", 0),
            language=_text(item, "lang"),
            game=_text(item, "game"),
            secret=_secret(_text(item, "secret")),
            opener=_number(item, "opener", 0),
            length=Length(item.get("len", Length.SINGLE.value)),
            players=_players(_text(item, "players"), _text(item, "cuts") if "cuts" in item else None),
            status=Status(item["status"]),
            position=_text(item, "pos", ""),
            moves=_text(item, "moves", ""),
            pages=_number(item, "pages", 0),
            notes=_text(item, "notes", ""),
            closed_by=_text(item, "by", ""),
            patience=_number(item, "patience", 0),
            proved=bool(_number(item, "proved", 0)),
            absent=tuple(int(seat) for seat in _text(item, "absent", "").split(",") if seat),
            shown=Shown(
                lobby=_number(item, "lobby", 0),
                board=_number(item, "board", 0),
                old=_number(item, "old", 0),
                posted=_number(item, "posted", 0),
                edits=_number(item, "edits", 0),
                rounds=_number(item, "told", 0),
                look=_number(item, "look", 0),
                drawer=_number(item, "drawer", 0),
                until_ms=_number(item, "until", 0),
                ready_ms=_number(item, "ready", 0),
                checked=_number(item, "checked", 0),
                call=_number(item, "call", 0),
            ),
            version=_number(item, "version"),
            saved=_number(item, "saved"),
            due=_number(item, "due", 0),
            expires=_number(item, "expires"),
        )
    except (KeyError, ValueError, TypeError) as error:
        raise CorruptItemError(f"match {match_id}: {error!r}") from error


def _players(text: str, cuts: str | None) -> tuple[Player, ...]:
    lines = text.split("\n") if text else []
    players = []
    places = _CUTS[0] * len(lines) if cuts is None else cuts
    for line, place in zip(lines, places, strict=True):
        user, _, name = line.partition(" ")
        players.append(Player(int(user), name, _CUTS.index(place)))
    return tuple(players)


def _secret(text: str) -> bytes:
    secret = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"the secret has {len(secret)} bytes")
    return secret


def _number(item: Item, key: str, default: int | None = None) -> int:
    value = item[key] if default is None else item.get(key, default)
    if type(value) is not int:
        raise TypeError(f"{key} is not a whole number")
    return value


def _text(item: Item, key: str, default: str | None = None) -> str:
    value = item[key] if default is None else item.get(key, default)
    if not isinstance(value, str):
        raise TypeError(f"{key} is not a text")
    return value
