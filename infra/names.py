"""Names as people give them: on one line, without what cannot be seen, and never cut inside an emoji."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

NAME_UNITS: Final = 24
"""A name's limit in UTF-16 units, Telegram's measure: as much as sentences and pictures have room for."""

ELLIPSIS: Final = "…"
"""What stands behind a name of which something is missing."""

_PICTURE: Final = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_STYLED: Final = f"{_PICTURE}\ufe0f?[\U0001f3fb-\U0001f3ff]?"
_CHARACTERS: Final = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}"  # a country's flag
    "|[0-9#*]\ufe0f?\u20e3"  # a key
    "|\U0001f3f4[\U000e0030-\U000e007a]{2,6}\U000e007f"  # a region's flag
    f"|{_STYLED}(?:\u200d{_STYLED})*"  # a picture, or several joined into one
    "|.",
    re.DOTALL,
)

_UNSEEN: Final = frozenset("\u034f\u115f\u1160\u2800\u3164\ufe0e\ufe0f\uffa0")
"""Python calls these printable, yet alone they show nothing."""


def characters(text: str) -> Iterator[str]:
    """The characters of a text as readers count them, as far as emoji go: joined ones are one."""
    return (found[0] for found in _CHARACTERS.finditer(text))


def one_line(text: str) -> str:
    """The text with single blanks for white space and control characters, and nothing unseen outside emoji."""
    seen = (c for c in characters(text) if c not in _UNSEEN)
    return " ".join("".join(c if len(c) > 1 or c.isprintable() else " " for c in seen).split())


def octets(text: str) -> int:
    """The length of a text in bytes of UTF-8, as stores count it."""
    return len(text.encode())


def units(text: str) -> int:
    """The length of a text in UTF-16 units, as Telegram counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(text: str, limit: int, size: Callable[[str], int] = octets) -> str:
    """`one_line` of a text, or as much of it as fits into `limit` by `size`, an ellipsis at its end included.

    Only an emoji that fills the limit alone loses parts.
    """
    line = one_line(text)
    if size(line) <= limit:
        return line
    room = limit - size(ELLIPSIS)
    kept = _beginning(characters(line), room, size) or _beginning(line, room, size)
    return one_line(kept) + ELLIPSIS


def _beginning(parts: Iterator[str] | str, room: int, size: Callable[[str], int]) -> str:
    kept = ""
    for part in parts:
        room -= size(part)
        if room < 0:
            break
        kept += part
    return kept


def cut_together(texts: Sequence[str], limit: int) -> tuple[str, ...]:
    """The texts, in at most `limit` bytes of UTF-8 in all: the longest are cut to one length, the others stay whole."""
    left, share = limit, limit
    for count, size in zip(range(len(texts), 0, -1), sorted(map(octets, texts)), strict=True):
        share = left // count
        if size > share:
            break
        left -= size
    else:
        share = limit
    return tuple(cut(text, share) for text in texts)
