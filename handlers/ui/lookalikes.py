"""Telling names apart that look alike: which of them need a number behind them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Final

from infra.names import ELLIPSIS

_HIDDEN: Final = dict.fromkeys(map(ord, "\u2060\u2068\u2069"))
"""What we put into names ourselves; nobody sees it."""

_CYRILLIC: Final = (
    "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425"
    "\u0430\u0435\u0455\u0456\u0458\u043e\u0440\u0441\u0443\u0445"
)
_GREEK: Final = "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03bd"
_TWINS: Final = {
    **str.maketrans(_CYRILLIC, "ABESIJKMHOPCTYXaesijopcyx"),
    **str.maketrans(_GREEK, "ABEZHIKMNOPTYXov"),
    **str.maketrans("l1|0", "IIIO"),
}
"""Letters by those that look the same; the last are one stroke or one ring in a plain font."""


def told_apart(count: int, write: Callable[[int, bool], str]) -> frozenset[int]:
    """Which of `count` names need their numbers: `write(which, numbered)` gives a name as it is read, in reading order.

    A name that ends in a number by itself is told apart from another one that was given that number.
    """
    shown = [write(which, False) for which in range(count)]
    numbered: set[int] = set()
    while True:
        clashing = {
            which
            for which in range(count)
            if any(other != which and alike(shown[which], shown[other]) for other in range(count))
        }
        if clashing <= numbered:
            return frozenset(numbered)
        for which in clashing - numbered:
            shown[which] = write(which, True)
        numbered |= clashing


def alike(one: str, other: str) -> bool:
    """Whether readers may take one name for the other: they look the same, or as far as they are not cut."""
    first, second = _looks(one), _looks(other)
    if one.endswith(ELLIPSIS) and second.startswith(first):
        return True
    if other.endswith(ELLIPSIS) and first.startswith(second):
        return True
    return first == second


def _looks(name: str) -> str:
    """What a name looks like, its ellipsis apart."""
    stem = name.translate(_HIDDEN).removesuffix(ELLIPSIS)
    return unicodedata.normalize("NFKC", stem).translate(_TWINS)
