"""What is due is looked after: one run of the clock, the same for Lambda's ticker and for a laptop.

A run has two rounds, for looking is quick and speaking is not. First every match that is due is read, judged and saved,
the longest overdue first; that alone moves its `due` on. Then what has to be drawn or said is sent, several chats at a
time. Whatever a run does not get done is due again by itself: what was not looked at comes first in the next run, and
what was not sent is noticed by the next look. What cannot be looked at is put off, so that it stands before no other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, TypeVar

from handlers.app import times
from handlers.app.app import Looked
from handlers.app.games import CORRUPT
from handlers.app.trouble import Mend, report
from handlers.bootstrap import Bot
from infra.logs import logger
from infra.store import StoreUnavailableError
from infra.telegram import TelegramUnavailableError

PACE_SECONDS: Final = 15
"""The pause between two runs where nobody pays for them; Lambda's schedule knows nothing shorter than a minute."""

RUN_SECONDS: Final = 45.0
"""How long a run may take: Lambda's ends well before its time is up, and before the next one begins."""

MOST: Final = 10_000
"""How many matches one run may look at."""

LOOKS: Final = 16
"""How many are looked at at once, where the store answers while others wait."""

CHATS: Final = 64
"""In how many chats a run speaks at once: as many may not answer before those behind them have to wait."""

PER_SECOND: Final = 15
"""In how many chats it begins to speak in a second: Telegram takes 30 messages, and people play meanwhile."""

CHAT_SECONDS: Final = 20.0
"""How long speaking in one chat may take before others have its place."""

OUTAGE: Final = 3
"""After so many looks in a row without an answer from the store, the rest of the run would get none either."""

Thing = TypeVar("Thing")


async def run_due(bot: Bot, now: int, seconds: float = RUN_SECONDS) -> int:
    """Look after what is due at `now` (Unix seconds) for at most `seconds`, and return how many had their turn.

    Raises `StoreUnavailableError` where the store does not answer; whatever else a match's trouble is, the others have
    their turn.
    """
    run = _Run(bot, now)
    due: tuple[str, ...] = ()
    try:
        async with asyncio.timeout(seconds):
            due = await bot.store.due(now, MOST)
            await _each(run.look, due, LOOKS)
            await _each(run.speak, run.in_order(), CHATS)
    except TimeoutError:
        logger.warning("time is up: %d of %d that are due wait for the next run", len(due) - run.turns, len(due))
    return run.turns


class _Run:
    """One run: `turns` have been taken, `looked` still speak."""

    def __init__(self, bot: Bot, now: int) -> None:
        self._bot = bot
        self._now = now
        self._silent = 0
        self._next_start = 0.0
        self.turns = 0
        self.looked: list[Looked] = []

    async def look(self, match_id: str) -> None:
        """Have a look at one match, and put it off where that fails. Raises `StoreUnavailableError` in an outage."""
        try:
            looked = await self._bot.app.look(match_id)
        except Exception as error:
            self._silent = self._silent + 1 if isinstance(error, StoreUnavailableError) else 0
            if self._silent >= OUTAGE:
                raise
            await self._put_off(match_id, _pause_after(error, match_id))
        else:
            self._silent = 0
            if looked is None:
                # It has expired, and the store may take days to remove it.
                await self._put_off(match_id, None)
            elif looked.speaks:
                self.looked.append(looked)
        self.turns += 1
        # A store that answers at once gives nobody else a turn.
        await asyncio.sleep(0)

    def in_order(self) -> list[Looked]:
        """What speaks, those last whose chats did not answer in an earlier run."""
        return sorted(self.looked, key=lambda looked: looked.saved.match.chat in self._bot.silent)

    async def speak(self, looked: Looked) -> None:
        """Draw and say what a look has led to."""
        await self._take_time()
        match = looked.saved.match
        try:
            async with asyncio.timeout(CHAT_SECONDS):
                await self._bot.app.speak_of(looked)
        except Exception as error:  # noqa: BLE001 - likewise
            _pause_after(error, match.id)
            if isinstance(error, TimeoutError | TelegramUnavailableError):
                self._bot.silent.add(match.chat)
        else:
            self._bot.silent.discard(match.chat)

    async def _take_time(self) -> None:
        now = asyncio.get_running_loop().time()
        start = max(now, self._next_start)
        self._next_start = start + 1 / PER_SECOND
        if start > now:
            await asyncio.sleep(start - now)

    async def _put_off(self, match_id: str, pause: int | None) -> None:
        try:
            await self._bot.store.put_off(match_id, self._now, self._now + pause if pause else 0)
        except Exception as error:  # noqa: BLE001 - it stays where it is, and is tried again
            _pause_after(error, match_id)


def _pause_after(error: Exception, match_id: str) -> int:
    """Say what went wrong with a match, and how many seconds it is left alone for that."""
    if isinstance(error, TimeoutError):
        logger.warning("took too long", extra={"match": match_id})
        return times.LOOK
    if report(error, {"match": match_id}) is not Mend.NOBODY:
        return times.LOOK
    return times.BROKEN if isinstance(error, CORRUPT) else times.PUZZLED


async def _each(work: Callable[[Thing], Awaitable[None]], things: Iterable[Thing], at_once: int) -> None:
    """Do `work` for all things, begun in their order, `at_once` at a time; the first error ends it and is raised."""
    waiting = iter(tuple(things))

    async def take_turns() -> None:
        for thing in waiting:
            await work(thing)

    tasks = [asyncio.create_task(take_turns()) for _ in range(at_once)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
