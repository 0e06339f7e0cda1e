"""What a button says when pressed: the match, the moment it was drawn at, and a verb. Never the seat.

Callback data is `match:epoch:look:verb`, both numbers in base 36; a verb is a move in the game's notation or one of the
table's words. Telegram allows 64 bytes. Everything in it may be forged.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

NO_MATCH: Final = "-"
"""The match of buttons that belong to a chat: languages, rules, settings."""

_DATA: Final = re.compile(r"([A-Za-z0-9_-]{1,16}):([0-9a-z]{1,8}):([0-9a-z]{1,8}):([ -~]{1,24})")
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Data:
    """The content of a button."""

    match: str
    epoch: int
    look: int
    verb: str

    def __str__(self) -> str:
        return f"{self.match}:{_base36(self.epoch)}:{_base36(self.look)}:{self.verb}"


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed: by whom, where, and in which update. `name` is the presser's full name.

    `offered` tells whether the message had this button when Telegram sent the press: a late press is on a message that
    has changed meanwhile, and a forged one may be on any.
    """

    update: int
    query: str
    user: int
    name: str
    language: str
    chat: int
    message: int
    offered: bool
    data: Data


def parse(text: str) -> Data | None:
    """The data that a button carries, or None where we have written no such thing."""
    found = _DATA.fullmatch(text)
    if found is None:
        return None
    match, epoch, look, verb = found.groups()
    return Data(match, int(epoch, 36), int(look, 36), verb)


def maker(match: str, epoch: int, look: int) -> Callable[[str], str]:
    """What makes the data of one screen's buttons from their verbs."""
    return lambda verb: str(Data(match, epoch, look, verb))


def _base36(number: int) -> str:
    assert number >= 0, "a negative one would never end"
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
        if not number:
            return digits
