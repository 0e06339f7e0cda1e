"""The bot by long polling: `python -m handlers.poll`, a service for people without AWS.

It ends when it is told to (SIGTERM, SIGINT), or at the start for what its owner must correct; everything else passes,
or is mended while it waits.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from handlers.app.trouble import report
from handlers.bootstrap import Bot, make_bot, make_store
from handlers.clock import PACE_SECONDS, run_due
from handlers.fetching import Poller
from handlers.outage import Backoff, Sleep, StoreGate, first_of
from handlers.presence import ALLOWED_UPDATES, Presence
from handlers.ui.languages import CatalogError, load_all
from infra.logs import configure, hide, line_of, logger
from infra.proxies import keep_loopback_direct
from infra.settings import Settings, SettingsError
from infra.sqlite import SqliteStore, UnusableDatabaseError
from infra.store import Store, StoreUnavailableError
from infra.telegram import (
    Inbox,
    KnownBot,
    MessengerError,
    TelegramUnavailableError,
    TokenRefusedError,
    meaning,
    request,
)

if TYPE_CHECKING:
    from infra.dynamo import DynamoStore

DATABASE: Final = ".data/tablee.db"
DRAIN_SECONDS: Final = 10.0
"""How long what has been begun may take to be finished when the process is to end."""

REFUSALS: Final = 3
"""How often Telegram must say at the start that it does not know the token; later on it is believed to be mistaken."""

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
FAILED: Final = 2
INTERRUPTED: Final = 130

Result = TypeVar("Result")


async def open_store(settings: Settings) -> Store:
    """The store that the settings name. Raises `SettingsError` where AWS's client lacks what it needs for one."""
    if not settings.table_name:
        return make_store(settings)
    from botocore.exceptions import (  # noqa: PLC0415 - a laptop need not load botocore
        InvalidRegionError,
        NoRegionError,
        ProfileNotFound,
    )

    try:
        store = make_store(settings, threads=True)
    except (NoRegionError, InvalidRegionError) as error:
        raise SettingsError("set AWS_DEFAULT_REGION to the table's region, such as eu-west-3") from error
    except ProfileNotFound as error:
        raise SettingsError(f"correct AWS_PROFILE: {error}") from error
    except ValueError as error:
        raise SettingsError(f"correct AWS's settings: {error}") from error
    owner = await cast("DynamoStore", store).claim(settings.bot_id)
    if owner != settings.bot_id:
        table, bot = settings.table_name, settings.bot_id
        raise SettingsError(f"set TABLE_NAME to another table: {table} is the bot {owner}'s, and this one is {bot}")
    return store


def renewal(store: Store) -> Callable[[], None] | None:
    """What makes a store read its credentials anew; None for one that has none."""
    if isinstance(store, SqliteStore):
        return None
    from infra.dynamo import DynamoStore, client  # noqa: PLC0415 - a laptop need not load botocore

    return (lambda: store.go_on_with(client())) if isinstance(store, DynamoStore) else None


class StoppedError(Exception):
    """The process was told to end."""


class Service:
    """The bot from its start to its end. `stop` is set when it is to end; `sleep` waits seconds."""

    def __init__(self, settings: Settings, stop: asyncio.Event, sleep: Sleep = asyncio.sleep) -> None:
        self._settings = settings
        self._stop = stop
        self._sleep = sleep

    async def run(self) -> None:
        """Serve until `stop` is set. Raises `SettingsError` and `UnusableDatabaseError` for what must be corrected."""
        with suppress(StoppedError):
            connection = request(self._settings.api_url)
            store = await self._unless_stopped(self._open_store())
            await self._serve(make_bot(self._settings, store=store, connection=connection))

    async def _serve(self, bot: Bot) -> None:
        gate = StoreGate(bot.store, self._sleep, renewal(bot.store))
        async with bot.application:
            telegram: KnownBot = bot.application.bot
            inbox = Inbox(telegram, ALLOWED_UPDATES)
            await self._unless_stopped(self._begin(inbox, gate))
            sys.stderr.write(f"@{self._settings.bot_username} is listening; Ctrl-C ends it.\n")
            poller = Poller(bot, inbox, gate, self._sleep)
            clock = asyncio.create_task(self.supervise(lambda: self._tick(bot, gate)))
            menus = asyncio.create_task(self._introduce(telegram))
            try:
                await self._unless_stopped(self.supervise(poller.run))
            finally:
                menus.cancel()
                ending = asyncio.create_task(poller.drain(DRAIN_SECONDS))
                await asyncio.wait({ending, clock}, timeout=DRAIN_SECONDS)
                clock.cancel()
                await asyncio.gather(ending, clock, menus, return_exceptions=True)

    async def _open_store(self) -> Store:
        backoff = Backoff()
        while True:
            try:
                store = await open_store(self._settings)
            except (SettingsError, UnusableDatabaseError):
                raise
            except Exception as error:  # noqa: BLE001 - credentials that are missing, a file that is held, …
                if not backoff.has_waited:
                    logger.error("matches cannot be read or kept, so everything waits: %s", line_of(error))
                await self._sleep(backoff.next())
            else:
                if backoff.has_waited:
                    logger.info("matches can be read and kept again")
                return store

    async def _begin(self, inbox: Inbox, gate: StoreGate) -> None:
        """Make sure of what everything needs: the store, the network, the token, the name; then take updates over."""
        await gate.check()
        backoff, refusals = Backoff(), 0
        while True:
            try:
                self._check_name(await inbox.username())
                await inbox.open()
            except TokenRefusedError as error:
                refusals += 1
                if refusals == REFUSALS:
                    raise SettingsError(
                        "Telegram does not know this token: set TELEGRAM_TOKEN to the one from @BotFather"
                    ) from error
                await self._sleep(backoff.next())
            except MessengerError as error:
                refusals = 0
                wait = backoff.next(_asked(error))
                logger.warning(
                    "Telegram is out of reach; check the network and TELEGRAM_API_URL; the next try is in %.0f s: %s",
                    wait,
                    line_of(error),
                )
                await self._sleep(wait)
            else:
                return

    def _check_name(self, name: str) -> None:
        # Telegram does not tell upper case from lower.
        if name.lower() != self._settings.bot_username.lower():
            raise SettingsError(f"set TELEGRAM_BOT_USERNAME to {name}: that is the bot whose token this is")

    async def _introduce(self, telegram: KnownBot) -> None:
        """Set menus and descriptions, as they are set for a webhook. Without them the bot plays all the same."""
        backoff = Backoff()
        while True:
            try:
                async with meaning():
                    await Presence(telegram).introduce()
            except MessengerError as error:
                wait = backoff.next(_asked(error))
                logger.warning("menus are not set; the next try is in %.0f s: %s", wait, line_of(error))
                await self._sleep(wait)
            else:
                return

    async def _tick(self, bot: Bot, gate: StoreGate) -> None:
        """Look after what is due, again and again."""
        while not self._stop.is_set():
            try:
                await run_due(bot, int(time.time()))
            except StoreUnavailableError:
                await first_of(self._stop.wait(), gate.check())
            await first_of(self._stop.wait(), self._sleep(PACE_SECONDS))
            await first_of(self._stop.wait(), gate.opened())

    async def supervise(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do `work` until it returns, and begin it anew after any error, and after a cancellation that nobody meant."""
        backoff = Backoff()
        while True:
            try:
                return await work()
            except asyncio.CancelledError as error:
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise
                logger.error("cancelled by nobody", exc_info=error)
            except Exception as error:  # noqa: BLE001 - whatever it is, a service goes on
                report(error, {})
            await self._sleep(backoff.next())

    async def _unless_stopped(self, work: Coroutine[Any, Any, Result]) -> Result:
        """What `work` gives. Raises `StoppedError` where the process is told to end before."""
        task, stopping = asyncio.ensure_future(work), asyncio.ensure_future(self._stop.wait())
        try:
            await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise StoppedError
            return task.result()
        finally:
            for one in (task, stopping):
                one.cancel()
            await asyncio.gather(task, stopping, return_exceptions=True)


def _asked(error: MessengerError) -> int:
    return error.retry_after if isinstance(error, TelegramUnavailableError) else 0


async def serve(settings: Settings) -> None:
    """Run the bot until a signal ends it; a second one ends it at once."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()

    def end() -> None:
        stop.set()
        for number in SIGNALS:
            loop.remove_signal_handler(number)
        sys.stderr.write(f"Ending, in {DRAIN_SECONDS:.0f} s at most; Ctrl-C ends it at once.\n")

    # Windows has no such handlers; there Ctrl-C ends the process at once.
    with suppress(NotImplementedError):
        for number in SIGNALS:
            loop.add_signal_handler(number, end)
    await Service(settings, stop).run()


def main() -> int:
    """Read the settings, serve, and return the exit status."""
    configure(os.environ)
    keep_loopback_direct(os.environ)
    environ = {"DATABASE": DATABASE, **os.environ}
    try:
        settings = Settings.from_environment(environ)
        hide(settings.token)
        load_all()
        asyncio.run(serve(settings))
    except (SettingsError, UnusableDatabaseError, CatalogError) as error:
        sys.stderr.write(f"{line_of(error)}\n")
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main())
