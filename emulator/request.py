"""python-telegram-bot's transport without a network: requests go straight to the emulator."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import unquote

from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

from emulator.errors import AnswerLost
from emulator.files import Upload, file_path
from emulator.telegram import Telegram

# Awaited before and after every call; told which of the two it is, and the method.
Gate = Callable[[str, str], Awaitable[None]]


async def _open_gate(_when: str, _method: str) -> None:
    # Others get their turn here, as they would while a network is waited for.
    await asyncio.sleep(0)


class InProcessRequest(BaseRequest):
    """Hands each request to a `Telegram`; `Bot(token, request=…, get_updates_request=…)` takes it.

    `gate` lets a test hold a call back, or let others go first, before and after it takes effect.
    """

    def __init__(self, telegram: Telegram, gate: Gate = _open_gate) -> None:
        self.telegram = telegram
        self.gate = gate

    @property
    def read_timeout(self) -> float | None:
        """Never waited for, but asked for when polling."""
        return 5.0

    async def initialize(self) -> None:
        """Nothing to open."""

    async def shutdown(self) -> None:
        """Nothing to close."""

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        *_timeouts: Any,
        **_named_timeouts: Any,
    ) -> tuple[int, bytes]:
        """Carry out a request: a method of the Bot API, or the download of a file."""
        if method == "GET":
            return self._download(url)
        token, name = url.rsplit("/bot", 1)[1].split("/", 1)
        params = request_data.json_parameters if request_data else {}
        files = dict(map(_upload, request_data.multipart_data.items())) if request_data else {}
        await self.gate("before", name)
        try:
            status, body = self.telegram.call(token, name, params, files)
        except AnswerLost as lost:
            raise TimedOut if lost.kind == "timeout" else NetworkError("Connection reset by peer") from lost
        await self.gate("after", name)
        return status, json.dumps(body).encode()

    def _download(self, url: str) -> tuple[int, bytes]:
        url = unquote(url)
        for kept in self.telegram.world.files.by_id.values():
            if url.endswith(f"{self.telegram.token}/{file_path(kept)}"):
                return 200, kept.content
        return 404, b'{"ok":false,"error_code":404,"description":"Not Found"}'


def _upload(part: tuple[str, Any]) -> tuple[str, Upload]:
    field, (name, content, mime) = part
    return field, Upload(name, content if isinstance(content, bytes) else content.read(), mime)
