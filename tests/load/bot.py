"""One process of the bot: the real webhook over a real store, with a Telegram that says yes at once.

Like a Lambda instance it handles one update at a time. Telegram's own rules are tested elsewhere; here it costs next to
nothing, so that what is measured is the bot and its store. Pictures are not drawn, unless asked for: in their place go
the grids as text, which simulated people can read.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Lock
from typing import Any, Final

from telegram.request import BaseRequest, RequestData

from emulator.function_url import function_url_answer, function_url_event
from engine.grid import Blank
from handlers.bootstrap import make_bot
from handlers.ui.languages import Words
from handlers.ui.screen import Screen
from handlers.ui.screens import SCREENS
from handlers.webhook import Webhook
from infra.matches import Match
from infra.settings import Settings
from infra.sqlite import SqliteStore
from infra.store import Chat, ChatBudget, ConflictError, Store
from testing.aws import isolate
from tests.load.wire import SECRET, TOKEN, USERNAME, Deleted, Handled, Json, Report, Shown, Toast, Where, message_json

PROCESSES: Final = 2
NO_LIMIT: Final = 6e7
"""Messages a minute in a chat: nobody waits for the budget here."""


class Line(BaseRequest):
    """Telegram, as python-telegram-bot reaches it: every call succeeds and is reported."""

    def __init__(self, number: int, tell: Callable[[Report], None]) -> None:
        self._tell = tell
        # No two processes give the same number to two messages.
        self._messages: Iterator[int] = itertools.count(100 + number, PROCESSES)

    @property
    def read_timeout(self) -> float | None:
        """Nothing is waited for."""
        return None

    async def initialize(self) -> None:
        """Nothing to open."""

    async def shutdown(self) -> None:
        """Nothing to close."""

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *_: Any, **__: Any
    ) -> tuple[int, bytes]:
        """Carry out a call of the Bot API."""
        del method
        params = request_data.json_parameters if request_data else {}
        files = request_data.multipart_data if request_data else {}
        contents = (content for _, content, _ in files.values() if isinstance(content, bytes))
        picture = next(contents, b"")
        result = self._carry_out(url.rsplit("/", 1)[1], params, picture)
        return 200, json.dumps({"ok": True, "result": result}).encode()

    def _carry_out(self, name: str, params: dict[str, str], picture: bytes) -> object:
        if name == "answerCallbackQuery":
            self._tell(Toast(params["callback_query_id"], params.get("text", "")))
            return True
        chat = int(params["chat_id"])
        message = int(params["message_id"]) if "message_id" in params else next(self._messages)
        if name == "deleteMessage":
            self._tell(Deleted(chat, message))
            return True
        media = json.loads(params.get("media", "{}"))
        text = params.get("text") or params.get("caption") or media.get("caption", "")
        markup = json.loads(params["reply_markup"]) if "reply_markup" in params else None
        self._tell(Shown(chat, message, text, markup, json.loads(picture or "{}")))
        return message_json(chat, message)


class Counted:
    """A store that counts what it is asked."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.reads = self.writes = self.conflicts = 0

    async def match(self, match_id: str) -> Match | None:
        """See `Store.match`."""
        self.reads += 1
        return await self._store.match(match_id)

    async def pages(self, match: Match) -> tuple[str, ...]:
        """See `Store.pages`."""
        self.reads += bool(match.pages)
        return await self._store.pages(match)

    async def save(self, match: Match, page: str | None = None) -> Match:
        """See `Store.save`."""
        self.writes += 1
        try:
            return await self._store.save(match, page)
        except ConflictError:
            self.conflicts += 1
            raise

    async def open(self, match: Match, replaces: str | None) -> Match:
        """See `Store.open`."""
        self.writes += 1
        return await self._store.open(match, replaces)

    async def current(self, chat: int, topic: int) -> str | None:
        """See `Store.current`."""
        self.reads += 1
        return await self._store.current(chat, topic)

    async def chat(self, chat: int) -> Chat:
        """See `Store.chat`."""
        self.reads += 1
        return await self._store.chat(chat)

    async def save_chat(self, chat: Chat) -> Chat:
        """See `Store.save_chat`."""
        self.writes += 1
        return await self._store.save_chat(chat)

    async def budget(self, chat: int) -> ChatBudget:
        """See `Store.budget`."""
        self.reads += 1
        return await self._store.budget(chat)

    async def save_budget(self, budget: ChatBudget) -> ChatBudget:
        """See `Store.save_budget`."""
        self.writes += 1
        return await self._store.save_budget(budget)

    async def move_chat(self, match: Match, chat: int) -> Match:
        """See `Store.move_chat`."""
        self.writes += 1
        return await self._store.move_chat(match, chat)

    async def due(self, until: int, limit: int) -> tuple[str, ...]:
        """See `Store.due`."""
        self.reads += 1
        return await self._store.due(until, limit)

    async def put_off(self, match_id: str, now: int, until: int) -> None:
        """See `Store.put_off`."""
        self.writes += 1
        await self._store.put_off(match_id, now, until)


def open_store(where: Where) -> Store:
    """The store at a place, with the bot's own client."""
    if where.database:
        return SqliteStore(where.database)
    from infra import dynamo  # noqa: PLC0415 - SQLite wants no botocore

    set_aws(where.endpoint)
    return dynamo.DynamoStore(dynamo.client(), where.table)


def set_aws(endpoint: str) -> None:
    """Have this process's clients speak to a DynamoDB on this machine, whatever its owner has configured."""
    isolate(os.environ)
    os.environ["AWS_ENDPOINT_URL_DYNAMODB"] = endpoint


def make_readable(key: str, *, draw: bool) -> None:
    """From now on the pictures of a game are texts: every player's grid by name. `draw` draws them all the same."""
    screen = SCREENS[key]

    def picture(_: Screen[Any], view: Any, names: Sequence[str], words: Words) -> bytes:
        if draw:
            screen.picture(view, names, words)
        grids = (" ".join(str(cell.value if isinstance(cell, Blank) else cell) for cell in grid) for grid in view.grids)
        return json.dumps(dict(zip(names, grids, strict=True))).encode()

    SCREENS[key] = type("Readable", (type(screen),), {"picture": picture})()


@dataclass(frozen=True, slots=True)
class Post:
    """What a process is given: its number, its store, what it hears by and what it tells by.

    All processes share `reports` under `lock`, so that what happens first is told first.
    """

    number: int
    where: Where
    inbox: Connection
    reports: Connection
    lock: Lock
    pictures: bool

    def tell(self, report: Report) -> None:
        """Let the players' process know."""
        with self.lock:
            self.reports.send(report)


def main(post: Post) -> None:
    """Handle the updates of the inbox one after another until a None comes."""
    for key in SCREENS:
        make_readable(key, draw=post.pictures)
    asyncio.run(_handle_all(post, Counted(open_store(post.where))))


async def _handle_all(post: Post, store: Counted) -> None:
    settings = Settings(
        token=TOKEN, bot_username=USERNAME, webhook_secret=SECRET, database=":memory:", chat_budget=NO_LIMIT
    )
    bot = make_bot(settings, store=store, connection=Line(post.number, post.tell), sleep=_no_sleep)
    webhook = Webhook(settings, bot)
    await webhook.start()
    while True:
        update: Json | None = post.inbox.recv()
        if update is None:
            return
        store.reads = store.writes = store.conflicts = 0
        event = function_url_event(update, SECRET)
        wall, cpu = time.perf_counter(), time.process_time()
        response = await webhook.respond(event)
        wall_ms, cpu_ms = (time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000
        status, body = function_url_answer(response)
        if body:
            said = json.loads(body)
            post.tell(Toast(said["callback_query_id"], said.get("text", "")))
        post.tell(Handled(update["update_id"], status, wall_ms, cpu_ms, store.reads, store.writes, store.conflicts))


async def _no_sleep(_: float) -> None:
    """Nobody waits."""
