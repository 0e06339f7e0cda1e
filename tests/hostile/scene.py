"""A group in the middle of something, whose every stored item and every outgoing word can be looked at."""

from __future__ import annotations

import copy
import hashlib
import io
import itertools
import json
import logging
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from PIL import Image

from emulator.function_url import function_url_event
from emulator.model import Json, Message
from engine.core import View
from handlers.app import display
from handlers.app.games import seed_of
from handlers.ui.languages import Words
from infra.matches import Match
from infra.sqlite import SqliteStore
from testing.group import SECRET, Group, buttons

Items: TypeAlias = dict[tuple[str, str], str]
Path: TypeAlias = tuple[str | int, ...]


def plain_picture(_: Match, view: View, tell: Words) -> bytes:
    """A tiny picture in place of a board: another one for every view, made a hundred times as fast."""
    digest = hashlib.sha256(f"{tell.language} {view!r}".encode()).digest()
    out = io.BytesIO()
    Image.frombytes("RGB", (2, 5), digest[:30]).save(out, "PNG")
    return out.getvalue()


def use_plain_pictures(monkeypatch: Any) -> None:
    """Draw no boards; only where the picture is not what is tested."""
    monkeypatch.setattr(display, "_picture", plain_picture)


class Stage:
    """A group with its store open to view."""

    def __init__(self, people: int, **options: Any) -> None:
        self.group = Group(people, **options)
        assert isinstance(self.group.store, SqliteStore)
        self._db = self.group.store._db
        self.numbers = itertools.count(10**9)

    def items(self) -> Items:
        """All that is stored, byte for byte."""
        return {(pk, sk): item for pk, sk, item in self._db.execute("SELECT pk, sk, item FROM items")}

    def rows(self) -> list[tuple[Any, ...]]:
        """The same with its columns, for `restore`."""
        return self._db.execute("SELECT * FROM items").fetchall()

    def restore(self, rows: list[tuple[Any, ...]]) -> None:
        """Make the store what it was."""
        self._db.execute("DELETE FROM items")
        self._db.executemany("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?)", rows)

    def overwrite(self, pk: str, sk: str, item: str) -> None:
        """Damage an item behind the store's back."""
        self._db.execute("UPDATE items SET item = ? WHERE pk = ? AND sk = ?", (item, pk, sk))

    async def send(self, update: Any) -> tuple[int, str]:
        """Deliver any JSON value, or any bytes, with the right secret; the status and the body of the response."""
        body = update if isinstance(update, bytes) else json.dumps(update).encode()
        return await self.send_event(function_url_event(body, SECRET))

    async def send_event(self, event: Json) -> tuple[int, str]:
        """Deliver an event of the function URL."""
        if self.group.webhook is None:
            await self.group.deliver({"update_id": 1})
        assert self.group.webhook is not None
        response = await self.group.webhook.respond(event)
        return response["statusCode"], response["body"]

    def press(self, seat: int, message: Message, data: str) -> Json:
        """The update of a press, not delivered."""
        self.group.telegram.people.press_unseen(self.group.users[seat], message, data)
        return self.taken()

    def typed(self, seat: int, text: str, **where: Any) -> Json:
        """The update of a message, not delivered."""
        chat = where.pop("chat", self.group.chat)
        self.group.telegram.people.write(self.group.users[seat], chat, text, **where)
        return self.taken()

    def taken(self) -> Json:
        """The newest update, taken out of its queue."""
        queues = self.group.telegram.world.queues
        parcel = list(queues.parcels.values())[-1]
        queues._drop(parcel)
        return copy.deepcopy(parcel.update)

    def said(self) -> str:
        """Everything that has gone out so far, as one text."""
        return "\n".join(repr(call.params) for call in self.group.telegram.log)


def offering(group: Group, verb: str) -> Message:
    """The newest message in the group with a button for this verb."""
    found = [one for one in group.messages() if any(data.endswith(f":{verb}") for data in buttons(one))]
    assert found, f"nothing offers {verb}"
    return found[-1]


async def playing(game: str, people: int = 3, moves: int = 0, **options: Any) -> Stage:
    """A stage with a match that has gone some random moves."""
    stage = Stage(people, **options)
    await stage.group.start(game)
    await stage.group.play(Random(moves), moves)
    stage.group.clock.now += 60
    return stage


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where something stands in a JSON value; of a long list the first two."""
    yield path
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*path, key))
    elif isinstance(value, list):
        for number, part in enumerate(value[:2]):
            yield from places(part, (*path, number))


def changed(value: Any, path: Path, new: Any) -> Any:
    """A JSON value with something else at a place."""
    if not path:
        return new
    part: Any = dict(value) if isinstance(value, dict) else list(value)
    part[path[0]] = changed(value[path[0]], path[1:], new)
    return part


def deeds(items: Items) -> list[Any]:
    """What people have decided: positions, seats, moves, choices of the chat; not when and how it was drawn."""
    kept = []
    for key, text in sorted(items.items()):
        item = json.loads(text)
        players = [line.partition(" ")[0] for line in item.get("players", "").split("\n")]
        fields = ("game", "status", "pos", "moves", "opener", "len", "delay", "lang", "chat", "topic", "absent")
        kept.append((key, players, [item.get(name) for name in fields]))
    return kept


@dataclass(frozen=True, slots=True)
class Secrets:
    """What nobody may read before the end of a match, in every spelling that might slip out."""

    texts: tuple[str, ...]

    @classmethod
    def of(cls, group: Group, match: Match | None = None) -> Secrets:
        """The bot's own secrets, and those of a match."""
        texts = [group.telegram.token, group.telegram.token.partition(":")[2], SECRET]
        if match is not None:
            for secret in (match.secret, seed_of(match)):
                texts += [secret.hex(), secret.hex().upper(), repr(secret), *_base64(secret)]
            if match.position:
                texts.append(match.position)
        return cls(tuple(texts))

    def found_in(self, text: str) -> list[str]:
        """Those that stand in a text."""
        return [secret for secret in self.texts if secret in text]


def _base64(secret: bytes) -> list[str]:

    return [encode(secret).decode().rstrip("=") for encode in (b64encode, urlsafe_b64encode)]


def lines_of(records: list[logging.LogRecord]) -> str:
    """Log lines with all that they carry, but for the moment at which a formatter wrote them down."""
    standard = {*vars(logging.makeLogRecord({})), "message", "asctime"}
    lines = []
    for record in records:
        extra = {name: value for name, value in vars(record).items() if name not in standard}
        trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
        lines.append(f"{record.levelname} {record.getMessage()} {extra} {trace}")
    return "\n".join(lines)


def bugs(records: list[logging.LogRecord]) -> list[str]:
    """The lines that tell of a failure nobody has thought of."""
    return [lines_of([record]) for record in records if record.getMessage().startswith("a bug")]
