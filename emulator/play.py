"""Start the page: options, files, the bot's Lambda handler, the server; and stop them again."""

import argparse
import asyncio
import fcntl
import importlib
import os
import secrets
import socket
import sqlite3
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NoReturn

import uvicorn
from telegram import Bot

from emulator.delivery import Courier
from emulator.function_url import function_url_answer, function_url_event
from emulator.history import History
from emulator.limits import Allowance
from emulator.model import Json
from emulator.party import FEWEST, MOST, Party
from emulator.request import InProcessRequest
from emulator.server import Server
from emulator.telegram import BOT_ID, Telegram, new_token
from infra.deploy.console import DeployError
from infra.deploy.presence import Presence, load_all
from infra.proxies import keep_loopback_direct
from infra.sqlite import SqliteStore, UnusableDatabaseError
from infra.store import StoreUnavailableError

HANDLER = "handlers.webhook.handler"
TICKER = "handlers.ticker.handler"
_TICK_SECONDS = 15
USERNAME = "tablee_bot"
_ROOT = Path(__file__).resolve().parents[1]

Handler = Callable[[Json, Any], Any]


class StartError(Exception):
    """The page cannot start; the message is one line for whoever typed the command."""


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for on the command line. `people` is None where nothing was said."""

    host: str
    port: int
    db: Path
    people: int | None
    edits_per_minute: int
    handler: str


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise StartError(message)


def _between(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from {low} to {high}")
        return int(text)

    return read


def _loopback(text: str) -> str:
    address = "127.0.0.1" if text == "localhost" else text
    try:
        if ip_address(address).is_loopback:
            return address
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is no loopback address; the page is for this machine alone")


def read_options(arguments: Sequence[str]) -> Options:
    """The options of a command line.

    Raises:
        StartError: an option there is not, or a value that it does not take.
    """
    parser = _Parser(prog="python -m emulator", description="Play Tablée on this machine, in a browser.")
    parser.add_argument(
        "--host", type=_loopback, default="127.0.0.1", help="loopback address to listen on (default: %(default)s)"
    )
    parser.add_argument(
        "--port", type=_between(0, 65535), default=8080, help="port to listen on, 0 for any (default: %(default)s)"
    )
    parser.add_argument("--db", type=Path, default=_ROOT / ".data" / "play.db", help="SQLite file for the matches")
    parser.add_argument("--people", type=_between(FEWEST, MOST), help="how many play (default: 3)")
    parser.add_argument(
        "--edits-per-minute",
        type=_between(1, 100_000),
        default=600,
        help="messages and edits a minute that the chat takes; Telegram's groups take 20 (default: %(default)s)",
    )
    parser.add_argument("--handler", default=HANDLER, help=argparse.SUPPRESS)
    return Options(**vars(parser.parse_args(arguments)))


def main(arguments: Sequence[str], handler: Handler | None = None) -> int:
    """Play until interrupted; the exit status: 0, or 2 when it cannot start.

    `handler` is the bot's Lambda handler; without it the one named by `--handler` is imported, after
    the environment has been set for it.
    """
    keep_loopback_direct(os.environ)
    try:
        options = read_options(arguments)
        # The handler is another's where the page is a test's; what it needs is then its own affair.
        if handler is None and options.handler == HANDLER:
            load_all()
        with (
            closing(_listen(options)) as listening,
            _held(options.db),
            closing(_open_history(options.db)) as history,
        ):
            asyncio.run(_play(options, listening, history, handler))
    except (StartError, DeployError, UnusableDatabaseError, StoreUnavailableError) as error:
        print(f"tablee: {error}", file=sys.stderr)  # noqa: T201 - the command's voice
        return 2
    except KeyboardInterrupt:
        pass
    return 0


def _listen(options: Options) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
        return socket.create_server((options.host, options.port), family=family, backlog=128)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise StartError(f"cannot listen on {options.host}:{options.port}: {reason}; try another --port") from None


@contextmanager
def _held(db: Path) -> Iterator[None]:
    """Keep the matches and their chat to ourselves: two pages would write over each other's chat.

    The lock is a file's, so that it goes with the process, however that ends.
    """
    path = db.with_name(f"{db.stem}.lock")
    try:
        db.parent.mkdir(parents=True, exist_ok=True)
        if db.is_dir():
            raise StartError(f"--db {db} is a folder")
        # Whoever cannot be the database is told so before anything is left beside it.
        SqliteStore(db, bot=BOT_ID).close()
        lock = path.open("ab")
    except UnusableDatabaseError:
        raise
    except OSError as error:
        raise StartError(f"cannot keep matches in {db}: {error.strerror}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StartError(f"another page plays with {db}; stop it, or try another --db") from None
        yield


def _open_history(db: Path) -> History:
    path = db.with_name(f"{db.stem}.chat.db")
    try:
        return History(path)
    except sqlite3.Error as error:
        raise StartError(f"cannot keep the chat in {path}: {error}") from None


async def _play(options: Options, listening: socket.socket, history: History, handler: Handler | None) -> None:
    address = _address(listening)
    allowance = Allowance(options.edits_per_minute, None, None)
    telegram = Telegram(time.time, token=new_token(), username=USERNAME, allowance=allowance, log_size=1000)
    known = history.attach(telegram.world)
    party = Party(telegram)
    party.seat(options.people or (FEWEST if known else 3))
    telegram.world.webhook.url = f"{address}/webhook"
    server = Server(telegram, party)
    secret = secrets.token_urlsafe()
    told = environment(options, address, telegram.token, secret)
    # One thread is one Lambda container: one event at a time.
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="lambda") as container:
        loop = asyncio.get_running_loop()
        if handler is None:
            handler = await loop.run_in_executor(container, _load, options, told)
        if options.handler == HANDLER:
            await _introduce(telegram)
        courier = Courier(telegram, partial(_deliver, container, handler, secret), only_with_webhook=True)
        wake = asyncio.Event()
        telegram.world.queues.listeners.append(wake.set)
        working = [asyncio.create_task(courier.run_forever(wake))]
        if options.handler == HANDLER:
            working.append(asyncio.create_task(_tick(container, _named(TICKER))))
        try:
            await _Announced(server, address).serve([listening])
        finally:
            for task in working:
                task.cancel()


async def _tick(container: ThreadPoolExecutor, ticker: Handler) -> None:
    """Call the bot's timed handler, more often than the schedule on AWS can."""
    while True:
        await asyncio.sleep(_TICK_SECONDS)
        try:
            await asyncio.get_running_loop().run_in_executor(container, ticker, {}, None)
        except Exception:  # noqa: BLE001 - the page goes on; whoever works on the ticker wants to see where it failed
            traceback.print_exc()


async def _introduce(telegram: Telegram) -> None:
    """Set the bot's menus and descriptions, as they are set when it is deployed."""
    transport = InProcessRequest(telegram)
    async with Bot(telegram.token, request=transport, get_updates_request=transport) as bot:
        await Presence(bot).introduce()


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def environment(options: Options, address: str, token: str, secret: str) -> dict[str, str]:
    """What the bot behind the page at `address` is told.

    How much the chat takes is none of it: at Telegram nobody tells the bot either.
    """
    return {
        "TELEGRAM_TOKEN": token,
        "TELEGRAM_WEBHOOK_SECRET": secret,
        "TELEGRAM_API_URL": address,
        "TELEGRAM_BOT_USERNAME": USERNAME,
        "DATABASE": str(options.db),
    }


def _load(options: Options, told: Mapping[str, str]) -> Handler:
    """Import the handler with the environment of this page."""
    os.environ |= told
    os.environ.pop("TABLE_NAME", None)
    return _named(options.handler)


def _named(dotted: str) -> Handler:
    module, _, name = dotted.rpartition(".")
    try:
        loaded: Handler = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise StartError(f"cannot load {dotted}: {error}") from error
    return loaded


async def _deliver(container: ThreadPoolExecutor, handler: Handler, secret: str, update: Json) -> tuple[int, str]:
    event = function_url_event(update, secret)
    try:
        returned = await asyncio.get_running_loop().run_in_executor(container, handler, event, None)
    except Exception:
        # A handler should not let this happen; whoever works on it wants to see where it did.
        traceback.print_exc()
        raise
    return function_url_answer(returned)


class _Announced(uvicorn.Server):
    """Says where the page is once it can be opened, and ends its streams when it has to stop."""

    def __init__(self, server: Server, address: str) -> None:
        config = uvicorn.Config(
            server.app, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=2
        )
        super().__init__(config)
        self._hub = server.hub
        self._entrance = address + server.entrance

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, then say so."""
        await super().startup(sockets)
        print(f"Tablée is playing at {self._entrance}", flush=True)  # noqa: T201 - the command's answer

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Send the open pages home, then stop."""
        self._hub.close()
        await super().shutdown(sockets)
