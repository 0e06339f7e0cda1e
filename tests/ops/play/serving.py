"""The local page as its command starts it, in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/\S*")


class Serving:
    """`python -m ops.play` with a database of its own; it keeps its port when it is started again.

    `entrance` is where the page is opened, at each start with another key.
    """

    def __init__(self, db: Path) -> None:
        self._db = db
        self._port = "0"
        self.entrance = ""
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start, and wait until the page can be opened."""
        command = [sys.executable, "-m", "ops.play", "--port", self._port, "--db", str(self._db)]
        # The test presses faster than people do.
        command += ["--edits-per-minute", "100000"]
        environ = {**os.environ, "TELEGRAM_CHAT_BUDGET": "100000"}
        self._process = subprocess.Popen(  # noqa: S603 - our own
            command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = ADDRESS.search(line)
        assert found, f"it says where the page is, not {line!r}"
        self._port, self.entrance = found[1], found[0]

    def stop(self) -> int:
        """Stop as Ctrl-C would; the exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        with self._process:
            return self._process.wait(10)
