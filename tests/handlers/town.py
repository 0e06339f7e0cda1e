"""An emulated Telegram behind HTTP, and processes that poll it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

import uvicorn
from starlette.requests import Request
from starlette.responses import Response

from emulator.model import Message
from emulator.party import Party
from emulator.server import Server
from emulator.telegram import TOKEN, Telegram

ROOT = Path(__file__).parents[2]
LISTENING = "@tablee_bot is listening; Ctrl-C ends it."
ENDING = "Ending, in 10 s at most"
SIGNALS = [signal.SIGTERM, signal.SIGINT]


class Gated(Server):
    """A Bot API server whose answers to `held` wait for `release`, once their calls have arrived (`arrived`)."""

    def __init__(self, telegram: Telegram, party: Party) -> None:
        super().__init__(telegram, party)
        self.held = ""
        self.pages: list[int] = []
        self.arrived = asyncio.Event()
        self.release = asyncio.Event()

    async def api(self, request: Request) -> Response:
        """One call of the Bot API."""
        if self.pages:
            # What proxies do: the address is repeated, escaped in one way or another, or cut.
            path = request.url.path
            words = (
                f"{path}</p>{path.replace(':', '&#58;')}<!-- {path[:40]}… {quote(path, safe='')} Our secret is 7 -->"
            )
            return Response(f"<p>No such page: {words}", self.pages.pop(0), media_type="text/html")
        if request.path_params["method"] == self.held:
            await request.body()
            self.arrived.set()
            await self.release.wait()
        return await super().api(request)


class Quiet(uvicorn.Server):
    """A server that leaves signals to pytest and to the tests."""

    def install_signal_handlers(self) -> None:
        """None."""


class Town:
    """An emulated Telegram behind HTTP, its two people, and the processes that poll it."""

    def __init__(self, folder: Path) -> None:
        self.telegram = Telegram(lambda: asyncio.get_running_loop().time() + 1.79e9, username="tablee_bot")
        self.party = Party(self.telegram)
        self.users = [*self.party.people(), self.telegram.people.create_user("Bob")]
        self.telegram.people.groups.join(self.users[1], self.party.group)
        self.telegram.world.queues.clear()
        self.gate = Gated(self.telegram, self.party)
        self.changed = asyncio.Event()
        self.telegram.world.listeners.append(lambda _: self.changed.set())
        self.folder = folder
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.server: asyncio.Task[None] | None = None
        self._uvicorn = Quiet(uvicorn.Config(self.gate.app, log_config=None, access_log=False, lifespan="off"))

    @property
    def database(self) -> Path:
        """Where the matches are."""
        return self.folder / "tablee.db"

    def open(self) -> None:
        """Answer from now on."""
        self.server = asyncio.create_task(self._uvicorn.serve([self.socket]))

    async def close(self) -> None:
        """Answer no more."""
        self.gate.release.set()
        self._uvicorn.should_exit = self._uvicorn.force_exit = True
        if self.server is not None:
            await self.server
        self.socket.close()

    @asynccontextmanager
    async def polling(self, **environ: str) -> AsyncIterator[asyncio.subprocess.Process]:
        """A process that polls, killed in the end if it has not ended by then."""
        environment = os.environ | {
            "PYTHONPATH": str(ROOT),
            "TELEGRAM_TOKEN": TOKEN,
            "TELEGRAM_BOT_USERNAME": "tablee_bot",
            "TELEGRAM_API_URL": self.url,
            "DATABASE": str(self.database),
            **environ,
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "handlers.poll", env=environment, cwd=self.folder, stderr=asyncio.subprocess.PIPE
        )
        try:
            yield process
        finally:
            if process.returncode is None:
                process.kill()
            await process.communicate()

    def says(self, text: str) -> None:
        """Ana writes in the group."""
        self.telegram.people.write(self.users[0], self.party.group, text)

    def messages(self) -> list[Message]:
        """The bot's messages in the group."""
        world = self.telegram.world
        everything = world.messages[self.party.group.id].values()
        return [message for message in everything if message.sender == world.bot.id]

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for something to be so."""
        async with asyncio.timeout(60):
            while not condition():
                self.changed.clear()
                await self.changed.wait()

    def waiting(self) -> int:
        """How many updates Telegram still keeps."""
        return len(self.telegram.world.queues.parcels)


async def line_with(process: asyncio.subprocess.Process, words: str) -> list[str]:
    """The lines on standard error up to the one with these words."""
    assert process.stderr is not None
    lines: list[str] = []
    async with asyncio.timeout(60):
        while not lines or words not in lines[-1]:
            line = (await process.stderr.readline()).decode()
            assert line, f"it ended: {lines}"
            lines.append(line.rstrip("\n"))
    return lines


async def end_of(process: asyncio.subprocess.Process, number: signal.Signals = signal.SIGTERM) -> str:
    """Send a signal, and wait for the end; what was said meanwhile."""
    process.send_signal(number)
    async with asyncio.timeout(60):
        _, said = await process.communicate()
    assert process.returncode == 0, said.decode()
    return said.decode()
