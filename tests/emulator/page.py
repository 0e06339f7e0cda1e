"""The page as a command with the counting bot behind it, for tests that look at it from outside."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

Json = dict[str, Any]
COMMAND = (sys.executable, "-m", "emulator", "--handler", "tests.emulator.counting_bot.handler")


class Page:
    """An open page: a client that has the key, and what it hears. `entrance` is what the command has printed."""

    def __init__(self, client: httpx.Client, stream: httpx.Response, entrance: str) -> None:
        self.client = client
        self.entrance = entrance
        self.lines = stream.iter_lines()

    def state(self) -> Json:
        """All that the page would draw."""
        state: Json = self.client.get("/local/state").json()
        return state

    def tries(self, person: int, deed: str, **given: Any) -> httpx.Response:
        """A person tries to do something."""
        return self.client.post(f"/local/people/{person}/{deed}", json=given)

    def act(self, person: int, deed: str, **given: Any) -> Json:
        """A person does something."""
        done: Json = self.tries(person, deed, **given).raise_for_status().json()
        return done

    def hear(self, kind: str) -> Json:
        """The next event of a kind."""
        for line in self.lines:
            if line.startswith("data: "):
                event: Json = json.loads(line[6:])
                if event["kind"] == kind:
                    return event
        raise AssertionError("the stream ended")

    def hear_board(self) -> Json:
        """The next message with buttons."""
        while True:
            shown: Json = self.hear("message")["shown"]
            if "reply_markup" in shown:
                return shown


@contextmanager
def opened(entrance: str) -> Iterator[Page]:
    """The page, opened at the address that its command has printed."""
    # Whatever proxies the environment names, a browser does not ask them for loopback.
    with httpx.Client(base_url=entrance.partition("/?")[0], trust_env=False) as client:
        client.get(entrance)  # whose cookie it keeps
        with client.stream("GET", "/local/events") as stream:
            yield Page(client, stream, entrance)


@contextmanager
def playing(db: Path, *options: str) -> Iterator[Page]:
    """The page, started as a command and interrupted in the end."""
    command = [*COMMAND, "--port", "0", "--db", str(db), *options]
    with subprocess.Popen(  # noqa: S603 - our own command
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            line = process.stdout.readline()
            assert line.startswith("The chat is at http://127.0.0.1:"), process.stderr.read()
            with opened(line.split()[-1]) as page:
                yield page
        finally:
            process.send_signal(signal.SIGINT)
            rest, errors = process.communicate(timeout=10)
    assert (process.returncode, rest, errors) == (0, "", "")
