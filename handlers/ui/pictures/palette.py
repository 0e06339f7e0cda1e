"""The colours, and which text colour reads well on which."""

from __future__ import annotations

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

# Neighbouring seats differ in lightness as well as in hue, and each badge carries its number.
SEATS: tuple[RGB, ...] = (
    (72, 149, 239),
    (242, 158, 76),
    (155, 93, 229),
    (144, 219, 130),
    (226, 74, 92),
    (130, 222, 235),
    (176, 120, 82),
    (255, 173, 214),
)


def blend(one: RGB, other: RGB, share: float) -> RGB:
    """`one` with `share` (0 to 1) of `other` mixed in."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def luminance(colour: RGB) -> float:
    """Relative luminance, 0 to 1, as WCAG defines it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: RGB, other: RGB) -> float:
    """The WCAG contrast ratio, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink_on(fill: RGB) -> RGB:
    """Dark or light text, whichever reads better on `fill`."""
    return max(INK, PAPER, key=lambda text: contrast(text, fill))
