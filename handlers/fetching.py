"""Fetching updates by long polling, and handling them: none is confirmed to Telegram before it has been handled.

Updates of one person are handled one after another and those of different people at the same time, as webhooks would
bring them. Telegram forgets an update when a later one is asked for, so what is asked for is the earliest that is
still open; while there is one, Telegram answers at once with what it has handed out before, and is asked less eagerly:

    open: –      ask from 0, waiting           → 7, 8
    open: 7, 8   8 is done; ask from 7, no wait → 7, 8, 9      8 is known to be done, 9 is new
    open: –      ask from 10, waiting: confirms 7 to 9

A process that dies leaves its open updates to the next one. To handle one again is harmless, as it is for a webhook.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable
from typing import Final

from telegram import Update

from handlers.app.trouble import Mend, mend, report
from handlers.bootstrap import Bot
from handlers.outage import LONGEST_WAIT, Backoff, Sleep, StoreGate, first_of
from handlers.reading import UnreadableError, is_update, read
from handlers.updates import Handled
from infra.logs import Metric, count, line_of, logger
from infra.store import StoreUnavailableError
from infra.telegram import Inbox, MessengerError, TelegramUnavailableError

POLL_SECONDS: Final = 25
PAUSE_SECONDS: Final = 0.3
"""How long nothing new is asked for while updates are open, unless one of them is done sooner."""

CONFIRM_SECONDS: Final = 3.0

TRIES: Final = 6
"""How often an update is tried where only its own chat is in trouble."""


class Poller:
    """Fetches updates and hands them to the bot until it is cancelled; then `drain` finishes what has been begun."""

    def __init__(self, bot: Bot, inbox: Inbox, gate: StoreGate, sleep: Sleep = asyncio.sleep) -> None:
        self._bot = bot
        self._inbox = inbox
        self._gate = gate
        self._sleep = sleep
        self._open: set[int] = set()
        self._handled: set[int] = set()
        self._lanes: dict[object, deque[Update]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._progress = asyncio.Event()
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Fetch and handle for ever. Whatever Telegram answers, it goes on, after a while that grows."""
        backoff = Backoff()
        while True:
            await self._gate.opened()
            offset = self._offset
            self._progress.clear()
            try:
                found = await self._inbox.fetch(offset, 0 if self._open else POLL_SECONDS)
            except MessengerError as error:
                wait = backoff.next(error.retry_after if isinstance(error, TelegramUnavailableError) else 0)
                logger.warning("no updates; the next try is in %.0f s: %s", wait, line_of(error))
                await self._sleep(wait)
                continue
            if backoff.has_waited:
                logger.info("updates come again")
                backoff.reset()
            self._handled = {number for number in self._handled if number >= offset}
            for fields in found:
                self._take(fields)
            if self._open:
                await first_of(self._progress.wait(), self._sleep(PAUSE_SECONDS))

    async def drain(self, seconds: float) -> None:
        """Finish what is being handled, for at most `seconds`, begin nothing more, and confirm what is done."""
        self._stopping.set()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._handled:
            try:
                async with asyncio.timeout(CONFIRM_SECONDS):
                    await self._inbox.fetch(self._offset, 0)
            except (MessengerError, TimeoutError) as error:
                # It will come again, and be known.
                logger.warning("the last updates could not be confirmed: %s", line_of(error))

    @property
    def _offset(self) -> int:
        """The first update that is not to be confirmed; 0 where there is nothing to confirm.

        Not for ever the one after the last: when nothing has come for a week Telegram counts from anywhere.
        """
        return min(self._open) if self._open else max(self._handled, default=-1) + 1

    def _take(self, fields: object) -> None:
        if not is_update(fields):
            logger.error("what is no update was ignored")
            return
        assert isinstance(fields, dict), "is_update has looked"
        number = fields["update_id"]
        if number in self._open or number in self._handled:
            return
        try:
            update = read(fields, self._bot.application.bot)
            queue = queue_of(update)
        except Exception as error:  # noqa: BLE001 - it would be no more readable when it came again
            count(Metric.FAILURES)
            why = str(error) if isinstance(error, UnreadableError) else type(error).__name__
            logger.error("an update was ignored: %s", why)
            self._handled.add(number)
            return
        self._open.add(number)
        if queue in self._lanes:
            self._lanes[queue].append(update)
            return
        self._lanes[queue] = deque([update])
        task = asyncio.create_task(self._clear(queue))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _clear(self, queue: object) -> None:
        """Handle what waits in a queue, one after another, until it is empty and forgotten."""
        lane = self._lanes[queue]
        try:
            while lane and not self._stopping.is_set():
                update = lane.popleft()
                if await self._handle(update):
                    self._open.remove(update.update_id)
                    self._handled.add(update.update_id)
                self._progress.set()
        finally:
            del self._lanes[queue]

    async def _handle(self, update: Update) -> bool:
        """Handle one update, again where a later try may help. Whether it is done."""
        try:
            handled = await self._try(update)
            if handled is not None:
                await self._say(handled)
        except Exception as error:  # noqa: BLE001 - whatever it is, those behind it have their turn
            report(error, {})
            return True
        return handled is not None

    async def _try(self, update: Update) -> Handled | None:
        """What has come of an update in the end; None where it was given up to be done by another process."""
        tries = 0
        while True:
            handled = await self._bot.updates.process(update)
            error = handled.error
            if error is None:
                return handled
            if isinstance(error, StoreUnavailableError) and await self._unless_stopping(self._gate.check()):
                # Nobody could have been served meanwhile, so that was no try.
                continue
            tries += 1
            if self._stopping.is_set() and mend(error) is not Mend.NOBODY:
                return None
            if report(error, {"match": handled.match} if handled.match else {}) is Mend.NOBODY or tries == TRIES:
                return handled
            await self._unless_stopping(self._sleep(_wait_after(error, tries)))
            if self._stopping.is_set():
                return None

    async def _say(self, handled: Handled) -> None:
        if handled.answer is None:
            return
        try:
            await handled.answer.say_now(self._bot.messenger)
        except Exception as error:  # noqa: BLE001 - the press has been handled, whatever became of its toast
            logger.warning("a toast got lost: %s", line_of(error))

    async def _unless_stopping(self, work: Awaitable[object]) -> bool:
        """Wait for `work` or for the end of everything; whether `work` came to its end and said so."""
        return bool(await first_of(work, self._stopping.wait()))


def _wait_after(error: Exception, tries: int) -> float:
    asked = error.retry_after if isinstance(error, TelegramUnavailableError) else 0
    return min(LONGEST_WAIT, max(2.0 ** (tries - 1), asked))


def queue_of(update: Update) -> object:
    """What an update must keep its order with: a person's presses, a chat's messages."""
    if update.callback_query is not None:
        return "user", update.callback_query.from_user.id
    return "chat", update.effective_chat.id if update.effective_chat else 0
