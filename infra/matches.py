"""A match as it is stored: the table, the position and moves of the game, and what the chat has been shown.

Both stores keep the flat item that `to_item` makes; its spellings are persisted, so none is renamed or used again.
Optional attributes are left out while they have their usual value: the item's size is what a move costs.
"""

from __future__ import annotations

import re
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


LARGEST: Final = 2**53
"""Beyond every id and every time."""

LATEST_LOOK: Final = 36**8 - 1
"""A button has room for no later one."""

MOST_PAGES: Final = 9_999
"""A page's key has room for no more."""

_WHOLE: Final = re.compile("-?[0-9]{1,16}")


class CorruptItemError(Exception):
    """An item is not one that any version of this program has written; it must be left as it is.

    Its words name what is wrong, and never what stands there: that may be a hidden card.
    """


class Fields:
    """The fields of an item, read as what they must be; `what` says whose they are. All raise `CorruptItemError`."""

    def __init__(self, what: str, item: Item) -> None:
        self._what = what
        self._item = item

    def corrupt(self, why: str) -> CorruptItemError:
        """The error that says what is wrong."""
        return CorruptItemError(f"{self._what}: {why}")

    def require_schema(self, known: int) -> None:
        """Refuse any other schema than the known one."""
        if self._item.get("schema") != known or self._item["schema"] is True:
            raise self.corrupt("its schema is unknown")

    def number(self, name: str, otherwise: int | None = None, *, least: int = 0, most: int = LARGEST) -> int:
        """A whole number from `least` to `most`; where there is none, `otherwise`, if given."""
        value = self._item.get(name, otherwise)
        if type(value) is not int:
            raise self.corrupt(f"{name} is not a whole number")
        if not least <= value <= most:
            raise self.corrupt(f"{name} is out of range")
        return value

    def text(self, name: str, otherwise: str | None = None, *, longest: int = WRITE_UNIT) -> str:
        """A text of at most `longest` characters; where there is none, `otherwise`, if given."""
        value = self._item.get(name, otherwise)
        if not isinstance(value, str):
            raise self.corrupt(f"{name} is not a text")
        if len(value) > longest:
            raise self.corrupt(f"{name} is too long")
        return value


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
    fields = Fields(f"match {match_id}", item)
    fields.require_schema(CUT_SCHEMA if "cuts" in item else SCHEMA)
    try:
        return Match(
            id=match_id,
            chat=fields.number("chat", least=-LARGEST),
            topic=fields.number("topic", 0),
            language=fields.text("lang"),
            game=fields.text("game"),
            secret=_secret(fields.text("secret")),
            opener=fields.number("opener", 0, least=-LARGEST),
            length=Length(item.get("len", Length.SINGLE.value)),
            players=_players(fields.text("players"), fields.text("cuts") if "cuts" in item else None),
            status=Status(item["status"]),
            position=fields.text("pos", ""),
            moves=fields.text("moves", ""),
            pages=fields.number("pages", 0, most=MOST_PAGES),
            notes=fields.text("notes", ""),
            closed_by=fields.text("by", ""),
            patience=fields.number("patience", 0),
            proved=bool(fields.number("proved", 0, most=1)),
            absent=tuple(_whole(seat) for seat in fields.text("absent", "").split(",") if seat),
            shown=Shown(
                lobby=fields.number("lobby", 0),
                board=fields.number("board", 0),
                old=fields.number("old", 0),
                posted=fields.number("posted", 0),
                edits=fields.number("edits", 0),
                rounds=fields.number("told", 0),
                look=fields.number("look", 0, most=LATEST_LOOK),
                drawer=fields.number("drawer", 0),
                until_ms=fields.number("until", 0),
                ready_ms=fields.number("ready", 0),
                checked=fields.number("checked", 0, most=LATEST_LOOK),
                call=fields.number("call", 0),
            ),
            version=fields.number("version"),
            saved=fields.number("saved"),
            due=fields.number("due", 0),
            expires=fields.number("expires"),
        )
    except (KeyError, ValueError, TypeError):
        # What Python says of a value quotes it.
        raise fields.corrupt("players, a secret, seats, a status or a length that are none") from None


def _players(text: str, cuts: str | None) -> tuple[Player, ...]:
    lines = text.split("\n") if text else []
    players = []
    places = _CUTS[0] * len(lines) if cuts is None else cuts
    for line, place in zip(lines, places, strict=True):
        user, _, name = line.partition(" ")
        players.append(Player(_whole(user), name, _CUTS.index(place)))
    return tuple(players)


def _whole(digits: str) -> int:
    """The number that is written like this; Python would take blanks, underscores and other scripts' digits too."""
    if not _WHOLE.fullmatch(digits):
        raise ValueError
    return int(digits)


def _secret(text: str) -> bytes:
    secret = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if len(secret) != SECRET_BYTES:
        raise ValueError
    return secret
