"""Players' names in sentences. A name is hostile: it may hold HTML, user names of others, addresses, any script."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from handlers.ui.languages import Words
from handlers.ui.screen import Seat
from infra.names import characters, one_line

NAME: Final = 24
"""A name's limit in UTF-16 units, Telegram's measure: what a stored name never exceeds."""

_ISOLATE, _POP = "\u2068", "\u2069"
_BROKEN = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_LINKED = re.compile(r"([@/#$.:])(?=\S)(?!\ufe0f?\u20e3)")
_JOINER = "\u2060"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


def units(text: str) -> int:
    """The length of a text as Telegram counts it, in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def clip(text: str, limit: int) -> str:
    """The text, or as much of it as fits into `limit` units with an ellipsis behind."""
    if units(text) <= limit:
        return text
    kept, room = [], limit - 1
    for character in characters(text):
        room -= units(character)
        if room < 0:
            break
        kept.append(character)
    cut = "".join(kept).rstrip()
    # An isolate that is cut open would swallow what follows it.
    return cut + _POP * (cut.count(_ISOLATE) - cut.count(_POP)) if _ISOLATE in cut else f"{cut}…"


def clean(name: str) -> str:
    """A name for plain text: on one line, short, without marks that turn the text around it, nor links of its own.

    Telegram links what looks like `@name`, `/command` or an address wherever it stands; a word joiner hides it.
    """
    visible = one_line(_BROKEN.sub("", name))
    short = clip(visible, NAME)
    plain = _LINKED.sub(rf"\1{_JOINER}", short)
    if any(unicodedata.bidirectional(c) in _RIGHT_TO_LEFT for c in plain):
        return f"{_ISOLATE}{plain}{_POP}"
    return plain


def listed(items: Sequence[str], words: Words) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if not items:
        return ""
    *others, last = items
    return words("list.and", others=", ".join(others), last=last) if others else last


@dataclass(frozen=True, slots=True)
class People:
    """The seats of a match as words: `name` and `mention` are HTML, `plain` is for toasts."""

    seats: Sequence[Seat]
    words: Words

    def plain(self, seat: int) -> str:
        """A seat's name, or which player it is where it has none."""
        return clean(self.seats[seat].name) or self.words("player.unnamed", number=seat + 1)

    def name(self, seat: int) -> str:
        """A seat's name, escaped."""
        return html.escape(self.plain(seat), quote=False)

    def mention(self, seat: int) -> str:
        """A seat's name, escaped, linked to its user so that Telegram notifies them of a new message."""
        return f'<a href="tg://user?id={self.seats[seat].id}">{self.name(seat)}</a>'

    def names(self, seats: Iterable[int]) -> str:
        """Several names as a list."""
        return listed([self.name(seat) for seat in seats], self.words)

    def mentions(self, seats: Iterable[int]) -> str:
        """Several mentions as a list."""
        return listed([self.mention(seat) for seat in seats], self.words)
