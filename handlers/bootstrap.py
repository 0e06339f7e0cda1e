"""The only wiring: from settings to stores, clients and the bot."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from telegram.ext import Application, ApplicationBuilder
from telegram.request import BaseRequest

from handlers.app.app import App
from handlers.app.budget import Budget
from handlers.app.games import Choose
from handlers.app.saving import Saver
from handlers.app.throttle import Throttle
from handlers.commands import Commands
from handlers.updates import Updates
from infra.logs import configure, hide
from infra.settings import Settings, ssm_parameters
from infra.store import Store
from infra.telegram import KnownBot, Messenger, request

if TYPE_CHECKING:
    from botocore.session import Session

ID_BYTES: Final = 6
SECRET_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Bot:
    """The bot, ready for updates after `application.initialize()`.

    `silent` are chats in which Telegram did not answer the clock the last time.
    """

    application: Application[Any, Any, Any, Any, Any, Any]
    updates: Updates
    messenger: Messenger
    app: App
    store: Store
    silent: set[int] = field(default_factory=set)


def now_ms() -> int:
    """The time in Unix milliseconds."""
    return time.time_ns() // 1_000_000


def wake(environ: Mapping[str, str], *, threads: bool = False) -> tuple[Settings, Bot]:
    """What a process that the environment describes does once: logs, settings with their secrets, the bot.

    With `threads` others go on while the store is waited for.
    """
    configure(environ)
    session = cache(_aws_session)
    settings = Settings.from_environment(environ, lambda names: ssm_parameters(names, session()))
    hide(settings.token, settings.webhook_secret, settings.next_webhook_secret)
    return settings, make_bot(settings, store=make_store(settings, session, threads=threads))


def _aws_session() -> Session:
    from botocore.session import get_session  # noqa: PLC0415 - a laptop need not load botocore

    return get_session()


def make_store(settings: Settings, session: Callable[[], Session] | None = None, *, threads: bool = False) -> Store:
    """The store that the settings name. Raises what it raises where it cannot be opened.

    `session` gives AWS's session that has made other clients, where there is one: the next is ready sooner. With
    `threads` others go on while DynamoDB is waited for.
    """
    if settings.table_name:
        from infra.dynamo import DynamoStore, client  # noqa: PLC0415 - a laptop need not load botocore

        return DynamoStore(client(session=session() if session else None), settings.table_name, threads=threads)
    from infra.sqlite import SqliteStore  # noqa: PLC0415 - Lambda need not load SQLite

    return SqliteStore(settings.database, bot=settings.bot_id)


def make_bot(
    settings: Settings,
    *,
    store: Store | None = None,
    connection: BaseRequest | None = None,
    clock: Callable[[], int] = now_ms,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    secret: Callable[[], bytes] = lambda: secrets.token_bytes(SECRET_BYTES),
    new_id: Callable[[], str] = lambda: secrets.token_urlsafe(ID_BYTES),
    choose: Choose = secrets.choice,
) -> Bot:
    """Wire everything. Tests bring their own store, connection to Telegram, clock and chance."""
    bot = KnownBot(settings.token, settings.bot_username, settings.api_url, connection or request(settings.api_url))
    application = ApplicationBuilder().bot(bot).updater(None).build()
    store = store or make_store(settings)
    messenger = Messenger(bot)
    app = App(
        store=store,
        messenger=messenger,
        saver=Saver(store, Budget(settings.chat_budget), clock),
        now_ms=clock,
        sleep=sleep,
        secret=secret,
        new_id=new_id,
        choose=choose,
    )
    commands = Commands(app, store, messenger, Throttle(clock, settings.chat_budget), settings.bot_username)
    return Bot(application, Updates(application, app, commands, messenger), messenger, app, store)
