"""The owner at a terminal, and what goes wrong while helping them."""

from __future__ import annotations

import getpass
import sys
from typing import Protocol


class DeployError(Exception):
    """A step cannot be done; the message is one line that says what is missing or what to do."""


class Console(Protocol):
    """Somebody who reads lines and answers questions."""

    def say(self, line: str) -> None:
        """Show a line."""
        ...

    def ask(self, question: str, default: str = "") -> str:
        """The answer to a question; nothing typed means `default`."""
        ...

    def ask_secret(self, question: str) -> str:
        """An answer that is not shown while it is typed."""
        ...


class Terminal:
    """The `Console` of a real terminal."""

    def say(self, line: str) -> None:
        """Show a line at once."""
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    def ask(self, question: str, default: str = "") -> str:
        """Ask until the line ends; shows the default in brackets."""
        return input(f"{question} [{default}]: " if default else f"{question}: ").strip() or default

    def ask_secret(self, question: str) -> str:
        """Ask without echo."""
        return getpass.getpass(f"{question}: ").strip()


class Silent(Terminal):
    """A `Console` with nobody at it: for a machine that deploys by itself. Questions take their default."""

    def ask(self, question: str, default: str = "") -> str:  # noqa: ARG002 - nobody is there to read it
        """The default."""
        return default

    def ask_secret(self, question: str) -> str:
        """Raises `DeployError`: a secret has no default."""
        raise DeployError(f"nobody is here to answer: {question}")
