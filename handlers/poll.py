"""The bot by long polling: `python -m handlers.poll`, for people without AWS.

Updates of one person are handled one after another and those of different people at the same time, as Telegram's
webhooks would bring them; the store sees to it that nobody's move is lost.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import defaultdict
from typing import Any, Final

from telegram import Update
from telegram.error import InvalidToken, NetworkError, TelegramError

from handlers.bootstrap import Bot, make_bot, make_store
from handlers.clock import PACE_SECONDS, run_due
from handlers.outcomes import is_done
from handlers.presence import ALLOWED_UPDATES, CatalogError, load_all
from infra.logs import configure, hide, logger
from infra.settings import Settings, SettingsError
from infra.sqlite import UnusableDatabaseError
from infra.store import Store, StoreUnavailableError

DATABASE: Final = ".data/tablee.db"
POLL_SECONDS: Final = 25
RETRIES: Final = 6
FAILED: Final = 2


class Poller:
    """Fetches updates and hands them to the bot until it is cancelled."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._queues: defaultdict[object, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._running: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Fetch and handle for ever."""
        telegram = self._bot.application.bot
        offset = 0
        while True:
            try:
                updates = await telegram.get_updates(
                    offset=offset,
                    timeout=POLL_SECONDS,
                    allowed_updates=list(ALLOWED_UPDATES),
                    read_timeout=POLL_SECONDS + 5,
                )
            except InvalidToken:
                raise
            except NetworkError as error:
                logger.warning("Telegram is out of reach: %s", error)
                await asyncio.sleep(1)
                continue
            for update in updates:
                offset = update.update_id + 1
                self._start(self.handle(update))

    def _start(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def handle(self, update: Update) -> None:
        """Handle one update after the earlier ones of its queue, again when a later try may help."""
        async with self._queues[queue_of(update)]:
            for attempt in range(RETRIES):
                handled = await self._bot.updates.process(update)
                if is_done(handled):
                    break
                await asyncio.sleep(2**attempt)
        if handled.answer is not None:
            try:
                await handled.answer.say_now(self._bot.messenger)
            except Exception as error:  # noqa: BLE001 - a toast that got lost must not end the polling
                logger.warning("a toast got lost: %s", error)


def queue_of(update: Update) -> object:
    """What an update must keep its order with: a person's presses, a chat's messages."""
    if update.callback_query is not None:
        return "user", update.callback_query.from_user.id
    return "chat", update.effective_chat.id if update.effective_chat else 0


def open_store(settings: Settings) -> Store:
    """The store that the settings name. Raises `SettingsError` where AWS's client lacks what it needs for one."""
    if not settings.table_name:
        return make_store(settings)
    from botocore.exceptions import (  # noqa: PLC0415 - a laptop need not load botocore
        InvalidRegionError,
        NoRegionError,
        ProfileNotFound,
    )

    try:
        return make_store(settings)
    except (NoRegionError, InvalidRegionError) as error:
        raise SettingsError("set AWS_DEFAULT_REGION to the table's region, such as eu-west-3") from error
    except ProfileNotFound as error:
        raise SettingsError(f"correct AWS_PROFILE: {error}") from error
    except ValueError as error:
        raise SettingsError(f"correct AWS's settings: {error}") from error


async def poll(settings: Settings) -> None:
    """Run the bot until it is interrupted."""
    bot = make_bot(settings, store=open_store(settings))
    async with bot.application:
        # While a webhook is set Telegram hands out nothing here.
        await bot.application.bot.delete_webhook()
        sys.stderr.write(f"@{settings.bot_username} is listening; Ctrl-C ends it.\n")
        ticking = asyncio.create_task(tick(bot))
        try:
            await Poller(bot).run()
        finally:
            ticking.cancel()


async def tick(bot: Bot) -> None:
    """Look after what is due, every minute, for ever."""
    while True:
        try:
            await run_due(bot, int(time.time()))
        except StoreUnavailableError as error:
            logger.warning("what is due waits a minute: %s", error)
        await asyncio.sleep(PACE_SECONDS)


def main() -> int:
    """Read the settings, poll, and return the exit status."""
    configure(os.environ)
    environ = {"DATABASE": DATABASE, **os.environ}
    try:
        settings = Settings.from_environment(environ)
        hide(settings.token)
        load_all()
        asyncio.run(poll(settings))
    except (SettingsError, UnusableDatabaseError, CatalogError) as error:
        sys.stderr.write(f"{error}\n")
        return FAILED
    except InvalidToken:
        sys.stderr.write("Telegram does not know this token: set TELEGRAM_TOKEN to the one from @BotFather\n")
        return FAILED
    except NetworkError as error:
        sys.stderr.write(f"Telegram is out of reach; check the network and TELEGRAM_API_URL ({error})\n")
        return FAILED
    except TelegramError as error:
        sys.stderr.write(f"Telegram refused: {error}\n")
        return FAILED
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
