"""The Bot API's emulator behind a socket, for programs of their own."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn

from emulator.server import Server


@asynccontextmanager
async def serving(server: Server) -> AsyncIterator[str]:
    """The Bot API's address on loopback, answered by this very event loop."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        serving_ = uvicorn.Server(uvicorn.Config(server.app, log_level="warning", lifespan="off"))
        task = asyncio.create_task(serving_.serve(sockets=[listening]))
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            serving_.should_exit = True
            await task
