"""Waiting for what is out of reach: longer each time, and without a line in the log for every try."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from infra.logs import line_of, logger
from infra.store import Store

Sleep: TypeAlias = Callable[[float], Awaitable[None]]

LONGEST_WAIT: Final = 60.0


async def first_of(work: Awaitable[object], other: Awaitable[object]) -> object:
    """Wait until one of two is over, and cancel the other; what `work` gives, or None where that is not over."""
    tasks = [asyncio.ensure_future(work), asyncio.ensure_future(other)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return tasks[0].result() if tasks[0].done() else None
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Backoff:
    """How many seconds to wait before the next try: 1, 2, 4 … up to a minute, or as long as was asked for."""

    def __init__(self) -> None:
        self._last = 0.0

    @property
    def has_waited(self) -> bool:
        """Whether anything has failed since `reset`."""
        return bool(self._last)

    def next(self, asked: float = 0) -> float:
        """The next wait."""
        self._last = min(LONGEST_WAIT, self._last * 2 or 1.0)
        return max(self._last, asked)

    def reset(self) -> None:
        """It works again."""
        self._last = 0.0


class StoreGate:
    """Lets everybody wait while the store cannot be used; one asks it again and again until it can.

    The log has a line when that begins and a line when it ends, however many wait. `renew`, where given, makes the
    store look anew at what its owner may have mended meanwhile.
    """

    def __init__(self, store: Store, sleep: Sleep = asyncio.sleep, renew: Callable[[], None] | None = None) -> None:
        self._store = store
        self._sleep = sleep
        self._renew = renew
        self._opened = asyncio.Event()
        self._opened.set()

    async def opened(self) -> None:
        """Wait until the store can be used, as far as is known."""
        await self._opened.wait()

    async def check(self) -> bool:
        """Wait until the store can be used again, and say whether it had to be waited for."""
        if not self._opened.is_set():
            await self._opened.wait()
            return True
        self._opened.clear()
        try:
            return await self._until_it_works()
        finally:
            self._opened.set()

    async def _until_it_works(self) -> bool:
        backoff = Backoff()
        while True:
            try:
                if backoff.has_waited and self._renew is not None:
                    self._renew()
                # A write that changes nothing: a file may be readable and yet held by another program.
                await self._store.put_off("", 0, 0)
                await self._store.due(0, 1)
            except Exception as error:  # noqa: BLE001 - whatever it is, somebody or time has to mend it
                if not backoff.has_waited:
                    logger.error("matches cannot be read or kept, so everything waits: %s", line_of(error))
                await self._sleep(backoff.next())
            else:
                break
        if backoff.has_waited:
            logger.info("matches can be read and kept again")
        return backoff.has_waited
