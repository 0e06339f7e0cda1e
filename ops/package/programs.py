"""Running the programs that make the package."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

Run: TypeAlias = Callable[[Sequence[str]], str]
"""Runs a program and returns its standard output. Raises `BuildError` with its complaint where it fails."""


class BuildError(Exception):
    """The package cannot be made; the message is one line that says why."""


def run(command: Sequence[str]) -> str:
    """Run `command`. Raises `BuildError` with the last line of its complaint."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed programs
    except OSError as error:
        raise BuildError(f"{Path(command[0]).name} cannot be run: {error.strerror}") from error
    if done.returncode:
        complaint = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise BuildError(f"{Path(command[0]).name} failed: {complaint[-1].strip() if complaint else done.returncode}")
    return done.stdout
