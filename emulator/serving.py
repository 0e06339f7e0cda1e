"""The emulator on a socket of this machine: where it listens, what it keeps, how it starts and ends."""

import argparse
import asyncio
import fcntl
import os
import socket
import sqlite3
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NoReturn

import uvicorn

from emulator.delivery import Courier, Deliver
from emulator.history import History
from emulator.limits import Allowance
from emulator.party import FEWEST, LANGUAGES, MOST, Party
from emulator.server import Server
from emulator.telegram import Telegram, new_token

_PEOPLE = 3


class StartError(Exception):
    """The page cannot be opened; the message is one line for whoever typed the command."""


@dataclass(frozen=True, slots=True)
class Options:
    """What can be chosen for any bot. `people` is None where nothing was said."""

    host: str
    port: int
    people: int | None
    edits_per_minute: int


class Parser(argparse.ArgumentParser):
    """Raises `StartError` for an option there is not, or a value that it does not take."""

    def error(self, message: str) -> NoReturn:
        """See `Parser`."""
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


def add_options(parser: Parser) -> None:
    """Let a command take what `options_of` reads."""
    parser.add_argument(
        "--host", type=_loopback, default="127.0.0.1", help="loopback address to listen on (default: %(default)s)"
    )
    parser.add_argument(
        "--port", type=_between(0, 65535), default=8080, help="port to listen on, 0 for any (default: %(default)s)"
    )
    parser.add_argument("--people", type=_between(FEWEST, MOST), help=f"how many there are (default: {_PEOPLE})")
    parser.add_argument(
        "--edits-per-minute",
        type=_between(1, 100_000),
        default=600,
        help="messages and edits a minute that the chat takes; Telegram's groups take 20 (default: %(default)s)",
    )


def options_of(given: argparse.Namespace) -> Options:
    """The options that `add_options` has added."""
    return Options(given.host, given.port, given.people, given.edits_per_minute)


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens there.

    Raises:
        StartError: it cannot.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        opened = socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise StartError(f"cannot listen on {host}:{port}: {reason}; try another --port") from None
    with opened:
        yield opened


@contextmanager
def kept(db: Path) -> Iterator[History]:
    """What was said, kept in a file beside `db`, and nobody else's as long as it is open.

    Two pages would write over each other's chat. The lock is a file's, so that it goes with the process, however that
    ends.

    Raises:
        StartError: another page has it, or it cannot be kept there.
    """
    path = db.with_name(f"{db.stem}.chat.db")
    try:
        db.parent.mkdir(parents=True, exist_ok=True)
        lock = db.with_name(f"{db.stem}.lock").open("ab")
    except OSError as error:
        raise StartError(f"cannot keep the chat in {path}: {error.strerror}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StartError(f"another page plays with {db}; stop it, or try another --db") from None
        try:
            history = History(path)
        except sqlite3.Error as error:
            raise StartError(f"cannot keep the chat in {path}: {error}") from None
        with closing(history):
            yield history


class Page:
    """An emulated Telegram with a group chat and its page, at the address of a socket that listens.

    `address` has no slash at its end; `entrance` is where a browser opens the page.
    """

    def __init__(
        self,
        options: Options,
        opened: socket.socket,
        history: History | None,
        *,
        username: str,
        name: str,
        title: str = "Friends",
        token: str | None = None,
        languages: Sequence[str] = LANGUAGES,
    ) -> None:
        host, port = opened.getsockname()[:2]
        self.address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        allowance = Allowance(options.edits_per_minute, None, None)
        self.telegram = Telegram(
            time.time, token=token or new_token(), username=username, name=name, allowance=allowance, log_size=1000
        )
        known = history is not None and history.attach(self.telegram.world)
        party = Party(self.telegram, title, languages)
        party.seat(options.people or (FEWEST if known else _PEOPLE))
        self._server = Server(self.telegram, party)
        self._socket = opened
        self.entrance = self.address + self._server.entrance

    async def serve(self, deliver: Deliver, announcement: str, *besides: Coroutine[Any, Any, None]) -> None:
        """Answer until interrupted, and have updates delivered while the bot has a webhook.

        The `announcement` is printed once the page can be opened; what runs `besides` ends with it.
        """
        courier = Courier(self.telegram, deliver, only_with_webhook=True)
        wake = asyncio.Event()
        self.telegram.world.queues.listeners.append(wake.set)
        working = [asyncio.create_task(work) for work in (courier.run_forever(wake), *besides)]
        try:
            await _Announced(self._server, announcement).serve([self._socket])
        finally:
            for task in working:
                task.cancel()


class _Announced(uvicorn.Server):
    """Says where the page is once it can be opened, and ends its streams when it has to stop."""

    def __init__(self, server: Server, announcement: str) -> None:
        config = uvicorn.Config(
            server.app, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=2
        )
        super().__init__(config)
        self._hub = server.hub
        self._announcement = announcement

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, then say so."""
        await super().startup(sockets)
        print(self._announcement, flush=True)  # noqa: T201 - the command's answer

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Send the open pages home, then stop."""
        self._hub.close()
        await super().shutdown(sockets)
