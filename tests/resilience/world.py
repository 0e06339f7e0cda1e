"""A group whose whole world can be remembered and brought back, and looked at as its people see it."""

from __future__ import annotations

import copy
import hashlib
import json
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final, TypeAlias, cast

import pytest

from emulator.limits import UNLIMITED
from emulator.model import Json, Message
from emulator.world import EDIT_TIME
from handlers.app import display
from handlers.app.games import record_of
from handlers.app.moves import QUESTIONS
from handlers.bootstrap import Bot, make_bot
from handlers.clock import run_due
from infra.items import match_key, pointer_key
from infra.matches import Match, from_item
from infra.sqlite import SqliteStore
from infra.store import ConflictError, Store
from testing.group import Group, buttons
from tests.resilience.outside import Died, Gate, GatedRequest, GatedStore

PLENTY: Final = 60_000.0
"""A budget under which nothing ever waits."""

Look: TypeAlias = tuple[str, bytes, tuple[str, ...]]
"""A message as it is seen: its words, its picture or file, its buttons' data; without any ids."""

BOOKKEEPING: Final = (
    *("version", "saved", "expires", "ready", "until", "drawer", "lobby", "board", "old"),
    *("due", "checked", "posted", "edits"),
)
"""What may differ between two stored matches that are the same match to everybody who plays it."""

GAME: Final = (
    *(
        "game",
        "secret",
        "players",
        "cuts",
        "status",
        "opener",
        "len",
        "lang",
        "pos",
        "moves",
        "pages",
        "notes",
        "by",
        "proved",
    ),
    *("absent", "chat"),
)
"""What of a stored match is the game and not the bot's notes on what it has shown."""


@cache
def _picture_of(seed: str) -> bytes:
    # A PNG of 8 × 4 grey pixels that are the digest of what they stand for.
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    digest = hashlib.sha256(seed.encode()).digest()
    pixels = b"".join(b"\0" + digest[row : row + 8] for row in range(0, 32, 8))
    header = struct.pack(">IIBBBBB", 8, 4, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


def cheap_pictures(patch: pytest.MonkeyPatch) -> None:
    """Draw a few pixels that differ whenever the boards do, in place of boards."""
    patch.setattr(display, "_picture", lambda match, view, _: _picture_of(f"{match.language} {view!r}"))


@dataclass(frozen=True, slots=True)
class Memory:
    """All that there is at a moment."""

    state: dict[str, Any]
    rows: list[tuple[Any, ...]]
    now: float


_KEPT: Final = ("users", "chats", "queues", "settings", "last_message_id", "last_update_id", "_query_numbers")


class World(Group):
    """A group with a gate before everything outside. Secrets and ids are the same in every try of an update."""

    def __init__(self, people: int, **options: Any) -> None:
        self.gate = Gate()
        self.loose = False
        super().__init__(people, **{"allowance": UNLIMITED, "budget": PLENTY, **options})
        self.sqlite = SqliteStore(":memory:", self.clock)
        self.store = cast("Store", GatedStore(self.sqlite, self.gate))
        self.connection = GatedRequest(self.telegram, self.gate)
        self.gate.compete = self._compete
        self.handling = 0
        self.attempts = 0
        self.deaths = 0

    def bot(self, update: int | None = None) -> Bot:
        """The bot as a new process makes it; with `update`, one that handles this update and no other."""
        return make_bot(
            self.settings,
            store=self.store,
            connection=self.connection,
            clock=self.clock.ms,
            sleep=self.clock.sleep,
            secret=lambda: Random(update or self.handling).randbytes(32),
            # Another id in every try, as in life.
            new_id=self._new_id,
            choose=lambda moves: moves[0],
        )

    def _new_id(self) -> str:
        self.attempts += 1
        return f"m{self.handling}-{self.attempts}"

    async def deliver(self, update: Json) -> tuple[int, str]:
        """Hand one update to the bot; where its process dies, the next one finds a new process."""
        self.handling = update["update_id"]
        try:
            return await super().deliver(update)
        except Died:
            self.webhook = None
            self.deaths += 1
            return 502, "the process died"

    async def settle(self) -> None:
        """Deliver until nothing waits any more, whatever Telegram's pauses between its tries."""
        await super().settle()
        while (due := self.telegram.world.queues.next_time(self.clock.now)) is not None:
            self.clock.now = max(self.clock.now, due)
            await super().settle()

    async def tick(self) -> None:
        """Let the ticker look after what is due by now."""
        await run_due(self.bot(), int(self.clock.now))

    async def _compete(self, method: str, args: tuple[Any, ...]) -> None:
        """Save first what is there already, as somebody would who changes nothing that matters here."""
        if method == "save_chat":
            await self.sqlite.save_chat(await self.sqlite.chat(args[0].id))
            return
        stored = await self.sqlite.match(args[0].id)
        if stored is None:
            raise ConflictError(None)
        await self.sqlite.save(stored)

    # -- remembering

    def remember(self) -> Memory:
        """Everything outside the process."""
        world = self.telegram.world
        self.telegram.log.clear()
        state = {name: copy.deepcopy(getattr(world, name)) for name in _KEPT}
        state["messages"] = _messages_of(world.messages)
        state["queries"] = {name: copy.copy(query) for name, query in world.queries.items()}
        state["files"] = (dict(world.files.by_id), world.files._last)
        rows = self.sqlite._db.execute("SELECT * FROM items").fetchall()
        return Memory(state, rows, self.clock.now)

    def restore(self, memory: Memory) -> None:
        """Go back to that moment, with a process that has just started."""
        world = self.telegram.world
        for name in _KEPT:
            setattr(world, name, copy.deepcopy(memory.state[name]))
        world.messages = _messages_of(memory.state["messages"])
        world.queries = {name: copy.copy(query) for name, query in memory.state["queries"].items()}
        by_id, world.files._last = memory.state["files"]
        world.files.by_id = dict(by_id)
        self.sqlite._db.execute("DELETE FROM items")
        self.sqlite._db.executemany("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?)", memory.rows)
        self.chat = world.chats[self.chat.id]
        self.clock.now = memory.now
        self.webhook = None
        self.telegram.log.clear()
        self.gate.reset()

    # -- looking

    def rows(self) -> dict[tuple[str, str], dict[str, Any]]:
        """All stored items by key."""
        found = self.sqlite._db.execute("SELECT pk, sk, item FROM items").fetchall()
        return {(pk, sk): json.loads(item) for pk, sk, item in found}

    def current(self) -> Match | None:
        """The chat's match, read past the gate."""
        rows = self.rows()
        pointer = rows.get(pointer_key(self.chat.id, 0))
        if pointer is None or match_key(pointer["match"]) not in rows:
            return None
        return from_item(pointer["match"], rows[match_key(pointer["match"])])

    def see(self, message: Message | None) -> Look | None:
        """A message as its readers see it; ids of matches are left out."""
        if message is None:
            return None
        body, files = message.body, self.telegram.world.files
        content = b""
        if "photo" in body:
            content = files.find(body["photo"][-1]["file_id"]).content
        if "document" in body:
            content = files.find(body["document"]["file_id"]).content
        words = str(body.get("text", body.get("caption", "")))
        rest = tuple(data.partition(":")[2] for data in buttons(message))
        return words, content, rest

    def message(self, number: int) -> Message | None:
        """The message with an id, unless it was deleted."""
        return self.telegram.world.message(self.chat.id, number)

    def own(self) -> tuple[Look | None, ...]:
        """The messages that the current match knows to be its own: table, board, board before."""
        match = self.current()
        if match is None:
            return ()
        shown = match.shown
        return tuple(
            self.see(self.message(number)) if number else None for number in (shown.lobby, shown.board, shown.old)
        )

    def orphans(self) -> list[Message]:
        """Messages with a match's buttons that no match knows: their senders died before saving their ids.

        Questions, which belong to a chat, are none, nor is what is too old for a bot to change.
        """
        known = set()
        for (_, sk), item in self.rows().items():
            if sk == "match":
                known |= {item.get(name) for name in ("lobby", "board", "old", "call")}
        return [
            message
            for message in self.messages()
            if message.id not in known
            and self.clock.now - message.date <= EDIT_TIME
            and any(not data.startswith("-:") for data in buttons(message))
            and not any(data.rsplit(":", 1)[1] in QUESTIONS for data in buttons(message))
        ]

    def everything(self) -> tuple[Any, ...]:
        """All that what comes next depends on, and all that is seen, apart from ids.

        Where time is `loose`, what depends on the hour is left out: a repeated update may have had to wait again.
        """
        match = self.current()
        rows = []
        for (pk, sk), item in sorted(self.rows().items()):
            kept = {key: value for key, value in item.items() if key not in BOOKKEEPING}
            if self.loose:
                kept = {key: value for key, value in kept.items() if key in GAME}
            kept["writing"] = item.get("until", 0) > self.clock.ms()
            text = repr((pk, sk, kept))
            rows.append(text.replace(match.id, "MATCH") if match else text)
        return tuple(sorted(rows)), self.own()

    async def record(self) -> str:
        """The current match's record."""
        match = self.current()
        assert match is not None, "there is a match"
        return str(record_of(match, await self.sqlite.pages(match)))


def _messages_of(messages: dict[int, dict[int, Message]]) -> dict[int, dict[int, Message]]:
    # The emulator replaces what a message holds and never changes it in place, so a shallow copy will do.
    return {chat: {number: copy.copy(one) for number, one in kept.items()} for chat, kept in messages.items()}


def newest_with(messages: Sequence[Message], verb: str) -> Message | None:
    """The newest of the messages that has a button for a verb."""
    holders = [one for one in messages if any(data.split(":", 3)[3] == verb for data in buttons(one))]
    return holders[-1] if holders else None
