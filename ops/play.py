"""`python -m ops.play`: the bot with an emulated Telegram, in a group chat of its own on this machine."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import socket
import sys
import traceback
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from telegram import Bot

from emulator.container import Container, Handler, UnknownHandlerError, load
from emulator.history import History
from emulator.request import InProcessRequest
from emulator.serving import Page, Parser, StartError, add_options, kept, listening, options_of
from emulator.telegram import BOT_ID, Telegram
from handlers.presence import Presence
from handlers.ui.languages import LANGUAGES, CatalogError, load_all
from infra.proxies import keep_loopback_direct
from infra.sqlite import SqliteStore, UnusableDatabaseError
from infra.store import StoreUnavailableError

HANDLER: Final = "handlers.webhook.handler"
TICKER: Final = "handlers.ticker.handler"
TICK_SECONDS: Final = 15
USERNAME: Final = "tablee_bot"
NAME: Final = "Tablée"
ROOT: Final = Path(__file__).resolve().parents[1]


def read_options(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of a command line. Raises `StartError` for one there is not, or a value that it does not take."""
    parser = Parser(prog="python -m ops.play", description="Play Tablée on this machine, in a browser.")
    add_options(parser)
    parser.add_argument("--db", type=Path, default=ROOT / ".data" / "play.db", help="SQLite file for the matches")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Play until interrupted; the exit status: 0, or 2 when it cannot start."""
    keep_loopback_direct(os.environ)
    try:
        asked = read_options(arguments)
        load_all()
        with listening(asked.host, asked.port) as opened:
            check_database(asked.db)
            with kept(asked.db) as history:
                asyncio.run(_play(asked, opened, history))
    except (StartError, UnknownHandlerError, CatalogError, UnusableDatabaseError, StoreUnavailableError) as error:
        print(f"tablee: {error}", file=sys.stderr)  # noqa: T201 - the command's voice
        return 2
    except KeyboardInterrupt:
        pass
    return 0


def check_database(db: Path) -> None:
    """Find out whether matches can be kept in a file, before anything is left beside it.

    Raises `StartError`, `UnusableDatabaseError` or `StoreUnavailableError` where they cannot.
    """
    try:
        db.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(f"cannot keep matches in {db}: {error.strerror}") from None
    if db.is_dir():
        raise StartError(f"--db {db} is a folder")
    SqliteStore(db, bot=BOT_ID).close()


def environment(page: Page, db: Path, secret: str) -> dict[str, str]:
    """What the bot behind a page is told.

    How much the chat takes is none of it: at Telegram nobody tells the bot either.
    """
    return {
        "TELEGRAM_TOKEN": page.telegram.token,
        "TELEGRAM_WEBHOOK_SECRET": secret,
        "TELEGRAM_API_URL": page.address,
        "TELEGRAM_BOT_USERNAME": USERNAME,
        "DATABASE": str(db),
    }


async def _play(asked: argparse.Namespace, opened: socket.socket, history: History) -> None:
    page = Page(options_of(asked), opened, history, username=USERNAME, name=NAME, title=NAME, languages=LANGUAGES)
    page.telegram.world.webhook.url = f"{page.address}/webhook"
    secret = secrets.token_urlsafe()
    os.environ |= environment(page, asked.db, secret)
    os.environ.pop("TABLE_NAME", None)
    with Container(secret) as container:
        handler, ticker = [await container.run(load, dotted) for dotted in (HANDLER, TICKER)]
        await _introduce(page.telegram)
        announcement = f"Tablée is playing at {page.entrance}"
        await page.serve(partial(container.deliver, handler), announcement, _tick(container, ticker))


async def _tick(container: Container, ticker: Handler) -> None:
    """Call the bot's timed handler, more often than the schedule on AWS can."""
    while True:
        await asyncio.sleep(TICK_SECONDS)
        try:
            await container.run(ticker, {}, None)
        except Exception:  # noqa: BLE001 - the page goes on; whoever works on the ticker wants to see where it failed
            traceback.print_exc()


async def _introduce(telegram: Telegram) -> None:
    """Set the bot's menus and descriptions, as they are set when it is deployed."""
    transport = InProcessRequest(telegram)
    async with Bot(telegram.token, request=transport, get_updates_request=transport) as bot:
        await Presence(bot).introduce()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
