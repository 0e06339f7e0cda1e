"""A server on loopback that plays DynamoDB, SSM and Telegram with answers made beforehand, in a process of its own.

What the servers' side takes of the processor is nobody's concern here; so it does next to nothing: a read finds the
item it was started with, a write succeeds, whatever is asked of Telegram is done.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

ROOT = Path(__file__).parents[1]
Json = dict[str, Any]

_MESSAGE = {"message_id": 7, "date": 1_790_000_000, "chat": {"id": -1_001_234_567_891, "type": "supergroup"}}
_COUNTS = "/counts"


class Stub:
    """The answers. `items` are DynamoDB's, by partition and sort key with a blank between; `parameters` are SSM's."""

    def __init__(self, items: Mapping[str, Json], parameters: Mapping[str, str]) -> None:
        self._items = items
        self._parameters = parameters
        self._counts: Counter[str] = Counter()

    def answer(self, path: str, target: str, body: bytes) -> Json:
        """What is answered to a request; `target` is AWS's header for the operation, empty elsewhere."""
        if path == _COUNTS:
            return dict(self._counts)
        name = target.rpartition(".")[2] or path.rpartition("/")[2]
        self._counts[name] += 1
        match name:
            case "GetItem":
                key = json.loads(body)["Key"]
                item = self._items.get(f"{key['pk']['S']} {key['sk']['S']}")
                return {"Item": item} if item else {}
            case "GetParameters":
                return {"Parameters": [{"Name": key, "Value": text} for key, text in self._parameters.items()]}
            case _:
                return {} if target else {"ok": True, "result": _MESSAGE}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection's requests until it closes."""
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                line, *lines = head.split("\r\n")
                headers = {name.lower(): value for name, _, value in (text.partition(": ") for text in lines)}
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                answer = json.dumps(self.answer(line.split(" ")[1], headers.get("x-amz-target", ""), body)).encode()
                writer.write(
                    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
                    + f"x-amz-crc32: {crc32(answer)}\r\ncontent-length: {len(answer)}\r\n\r\n".encode()
                    + answer
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


class Running:
    """A stub that runs at `url`."""

    def __init__(self, url: str) -> None:
        self.url = url

    def counts(self) -> dict[str, int]:
        """How often each operation or method has been asked for."""
        with urllib.request.urlopen(self.url + _COUNTS) as answer:  # noqa: S310 - loopback
            counted: dict[str, int] = json.load(answer)
        return counted


@contextmanager
def running(items: Mapping[str, Json], parameters: Mapping[str, str] | None = None) -> Iterator[Running]:
    """A stub in a process of its own, for as long as the block lasts."""
    command = [sys.executable, "-m", "bench.stub"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own module
        assert process.stdin, "it is a pipe"
        assert process.stdout, "likewise"
        print(json.dumps({"items": items, "parameters": parameters or {}}), file=process.stdin, flush=True)
        try:
            yield Running(f"http://127.0.0.1:{int(process.stdout.readline())}")
        finally:
            process.terminate()


async def main() -> None:
    """Serve what standard input says, on a free port, which is printed."""
    stub = Stub(**json.loads(sys.stdin.readline()))
    server = await asyncio.start_server(stub.serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
