"""A group whose bot fetches its updates itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from emulator.request import InProcessRequest
from emulator.telegram import TOKEN
from handlers.fetching import Poller
from handlers.outage import StoreGate
from handlers.presence import ALLOWED_UPDATES
from infra.store import Store
from infra.telegram import Inbox
from testing.group import Group, data_of

PAGE = f"<html><p>The requested URL /bot{TOKEN}/getUpdates was not found. Our secret is 7.</p></html>".encode()
"""What something in between may answer, with what nobody should read in a log."""

SECRET_WORDS = "our secret"
CUT_OFF = json.dumps({"ok": True, "result": [{"update_id": 1, "message": {"text": SECRET_WORDS}}]}).encode()[:-5]


class Odd(InProcessRequest):
    """A way to Telegram on which `answers` come first, for the methods that begin with `method`."""

    def __init__(self, telegram: Any, *answers: tuple[int, bytes] | Exception, method: str = "getUpdates") -> None:
        super().__init__(telegram)
        self.answers = list(answers)
        self.method = method

    async def do_request(self, url: str, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """Carry out a request, or answer oddly."""
        if self.answers and url.rsplit("/", 1)[1].startswith(self.method):
            answer = self.answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer
        return await super().do_request(url, *args, **kwargs)


def refusal(status: int, description: str, **parameters: int) -> tuple[int, bytes]:
    """A refusal in Telegram's own words."""
    body = {"ok": False, "error_code": status, "description": description}
    return status, json.dumps(body | ({"parameters": parameters} if parameters else {})).encode()


class Waits:
    """A sleep that takes no time: how long each was to be, but for the pauses between two looks."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        """Wait, as far as anybody can tell."""
        if seconds >= 1:
            self.seconds.append(seconds)
        await asyncio.sleep(0)


class Polling:
    """The group, and its bot's poller; `again` is the next process."""

    def __init__(
        self, people: int, *, store: Store | None = None, connection: Callable[..., Any] | None = None
    ) -> None:
        self.group = Group(people, store=store)
        self.group.telegram.world.queues.clear()
        if connection is not None:
            self.group.connection = connection(self.group.telegram)
        self.again()

    def again(self) -> None:
        """Another process with the same store."""
        self.waits = Waits()
        self.bot = self.group.bot()
        telegram: Any = self.bot.application.bot
        self.inbox = Inbox(telegram, ALLOWED_UPDATES)
        self.poller = Poller(self.bot, self.inbox, StoreGate(self.group.store, self.waits), self.waits)

    async def catch_up(self) -> None:
        """Poll until nothing waits and everything is handled and confirmed."""
        await self.until(lambda: not (self.group.telegram.world.queues.parcels or self.poller._tasks))

    async def until(self, condition: Callable[[], object]) -> None:
        """Poll until something is so."""
        async with asyncio.timeout(60):
            polling = asyncio.create_task(self.poller.run())
            while not condition():
                await asyncio.sleep(0)
                if polling.done():
                    polling.result()
            polling.cancel()
            await asyncio.gather(polling, return_exceptions=True)

    async def die(self) -> None:
        """The process ends here, whatever it was doing."""
        for task in self.poller._tasks:
            task.cancel()
        await asyncio.gather(*self.poller._tasks, return_exceptions=True)

    def says(self, seat: int, text: str) -> None:
        """Somebody writes in the group; nothing has been fetched yet."""
        self.group.telegram.people.write(self.group.users[seat], self.group.chat, text)

    async def press(self, seat: int, verb: str) -> str:
        """Somebody presses a button; the toast that they read."""
        board = self.group.live()
        query = self.group.telegram.people.press(self.group.users[seat], board, data_of(board, verb))
        await self.catch_up()
        assert query.answer is not None
        return query.answer.text
