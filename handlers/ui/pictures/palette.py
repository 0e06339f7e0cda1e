"""The colours, and which text colour reads well on which."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TypeAlias

RGB: TypeAlias = tuple[int, int, int]

FELT: RGB = (22, 62, 57)
PANEL: RGB = (33, 82, 75)
PANEL_ACTING: RGB = (47, 106, 96)
PAPER: RGB = (252, 248, 238)
CREAM: RGB = (240, 233, 214)
MIST: RGB = (160, 189, 180)
INK: RGB = (31, 35, 41)
GOLD: RGB = (248, 203, 82)
SILVER: RGB = (206, 212, 216)
BRONZE: RGB = (214, 153, 104)
CORAL: RGB = (235, 94, 74)
BACK: RGB = (52, 65, 84)
BACK_LINE: RGB = (82, 99, 124)
LOZENGE: RGB = (168, 169, 164)

# How much of a card's or a seat's own colour is left where it stands back.
FADED_SHARE = 0.72
GHOST_SHARES = (0.1, 0.26)
GHOST_INK = 0.3
LINE_SHARE = 0.6
MOST = 256

# Neighbouring seats differ in lightness as well as in hue, and each badge carries its number.
SEATS: tuple[RGB, ...] = (
    (72, 149, 239),
    (242, 158, 76),
    (122, 62, 190),
    (144, 219, 130),
    (226, 74, 92),
    (92, 206, 200),
    (70, 78, 88),
    (255, 190, 220),
)


def blend(one: RGB, other: RGB, share: float) -> RGB:
    """`one` with `share` (0 to 1) of `other` mixed in."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def luminance(colour: RGB) -> float:
    """Relative luminance, 0 to 1, as WCAG defines it, with its curve taken as a plain power."""
    red, green, blue = (math.pow(value / 255, 2.2) for value in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: RGB, other: RGB) -> float:
    """The WCAG contrast ratio, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink_on(fill: RGB) -> RGB:
    """Dark or light text, whichever reads better on `fill`."""
    return max(INK, PAPER, key=lambda text: contrast(text, fill))


def between(one: RGB, other: RGB, steps: int) -> list[RGB]:
    """`one`, the `steps` colours on the way to `other`, as smooth edges need them, and `other`."""
    return [blend(one, other, step / (steps + 1)) for step in range(steps + 2)]


@lru_cache(maxsize=8)
def table(fills: tuple[RGB, ...]) -> tuple[RGB, ...]:
    """At most 256 colours that hold a picture whose cards have `fills`: every colour drawn, and their edges."""
    colours = [BACK_LINE, LOZENGE, *between(BACK, PAPER, 2), *between(INK, PAPER, 2), *between(INK, GOLD, 2)]
    colours += [*between(CORAL, INK, 1), *between(SILVER, INK, 1), *between(BRONZE, INK, 1)]
    for ground in (FELT, PANEL, PANEL_ACTING):
        colours += [*between(ground, CREAM, 4), *between(ground, PAPER, 1), *between(ground, GOLD, 2), MIST]
        colours += [blend(ground, CREAM, GHOST_INK)]
    for seat in SEATS:
        colours += [*between(seat, PAPER, 1), *between(seat, ink_on(seat), 1), blend(PANEL, seat, LINE_SHARE)]
    for fill in fills:
        colours += [*between(fill, ink_on(fill), 2), blend(fill, PAPER, 0.5), blend(fill, PANEL, FADED_SHARE)]
        colours += [blend(PANEL, fill, share) for share in GHOST_SHARES]
    distinct = tuple(dict.fromkeys(colours))
    if len(distinct) > MOST:
        raise ValueError(f"{len(distinct)} colours are too many for a palette")
    return distinct
