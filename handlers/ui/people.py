"""Players' names in sentences. A name is hostile: it may hold HTML, user names of others, addresses, any script.

Equal names are told apart by the numbers of their seats, which pictures show as well.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from handlers.ui.languages import Words
from handlers.ui.lookalikes import told_apart
from handlers.ui.screen import Seat
from infra.names import ELLIPSIS, NAME_UNITS, characters, cut, units

_ISOLATE, _POP = "\u2068", "\u2069"
_BROKEN = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_LINKING = "@/#$.:"
_LINKED = re.compile(rf"([{_LINKING}])(?=\S)(?!\ufe0f?\u20e3)")
_JOINER = "\u2060"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


def clip(text: str, limit: int) -> str:
    """The text, or as much of it as fits into `limit` units with an ellipsis behind."""
    if units(text) <= limit:
        return text
    # An isolate that is cut open would swallow what follows it, so there is room for its end.
    kept, room = [], limit - units(ELLIPSIS) - (_ISOLATE in text)
    for character in characters(text):
        room -= units(character)
        if room < 0:
            break
        kept.append(character)
    short = "".join(kept).rstrip()
    return short + ELLIPSIS + _POP * (short.count(_ISOLATE) - short.count(_POP))


def visible(name: str, limit: int = NAME_UNITS) -> str:
    """A name on one line, cut to `limit` units once it is harmless, without marks that turn the text around it."""
    return cut(_BROKEN.sub("", name), limit, _harmless_units)


def _harmless_units(text: str) -> int:
    return units(text) + sum(map(text.count, _LINKING))


def harmless(name: str) -> str:
    """A visible name for plain text: it turns nothing around it, and has no links of its own.

    Telegram links what looks like `@name`, `/command` or an address wherever it stands; a word joiner hides it.
    """
    plain = _LINKED.sub(rf"\1{_JOINER}", name)
    if any(unicodedata.bidirectional(c) in _RIGHT_TO_LEFT for c in plain):
        return f"{_ISOLATE}{plain}{_POP}"
    return plain


def in_html(name: str) -> str:
    """A visible name, harmless and escaped."""
    return html.escape(harmless(name), quote=False)


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

    def label(self, seat: int) -> str:
        """Who sits there, for keeping: a visible name, or which player it is where it has none, unlike all others."""
        return _labels(tuple(who.name for who in self.seats), self.words)[seat]

    def plain(self, seat: int) -> str:
        """The same for plain text."""
        return harmless(self.label(seat))

    def name(self, seat: int) -> str:
        """A seat's name, escaped."""
        return in_html(self.label(seat))

    def mention(self, seat: int) -> str:
        """A seat's name, escaped, linked to its user so that Telegram notifies them of a new message."""
        return f'<a href="tg://user?id={self.seats[seat].id}">{self.name(seat)}</a>'

    def names(self, seats: Iterable[int]) -> str:
        """Several names as a list."""
        return listed([self.name(seat) for seat in seats], self.words)

    def mentions(self, seats: Iterable[int]) -> str:
        """Several mentions as a list."""
        return listed([self.mention(seat) for seat in seats], self.words)


@lru_cache(maxsize=64)
def _labels(names: tuple[str, ...], words: Words) -> tuple[str, ...]:
    """What each of these seats is called, told apart from the others."""

    def write(seat: int, numbered: bool) -> str:
        number = seat + 1
        if not numbered:
            return visible(names[seat]) or words("player.unnamed", number=number)
        room = NAME_UNITS - units(words("player.numbered", name="", number=number))
        name = visible(names[seat], room) or words("player.unnamed", number=number)
        return words("player.numbered", name=name, number=number)

    numbered = told_apart(len(names), write)
    return tuple(write(seat, seat in numbered) for seat in range(len(names)))
