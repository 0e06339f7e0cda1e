"""Cards and the places where there is none, drawn once a size."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from handlers.ui.pictures import fonts
from handlers.ui.pictures.canvas import FINE, rounded
from handlers.ui.pictures.palette import (
    BACK,
    BACK_LINE,
    CREAM,
    FADED_SHARE,
    GHOST_INK,
    GHOST_SHARES,
    LOZENGE,
    PAPER,
    RGB,
    blend,
    ink_on,
)

EDGE = 0.045
RADIUS = 0.13
LATTICE = 18


def _radius(width: int, height: int) -> int:
    return max(4, round(RADIUS * (width + height) / 2))


def _edge(width: int, height: int) -> int:
    return max(2, round(EDGE * (width + height) / 2))


def _blank(width: int, height: int, edge: RGB, fill: RGB) -> Image.Image:
    """A card with a coloured field and nothing on it yet."""
    radius, thick = _radius(width, height), _edge(width, height)
    card = Image.new("RGBA", (width, height), edge)
    card.paste(fill, (thick, thick), rounded(width - 2 * thick, height - 2 * thick, radius - thick))
    card.putalpha(rounded(width, height, radius))
    return card


def _write(card: Image.Image, value: int, colour: RGB) -> None:
    """The card's number in its middle, as large as fits."""
    size = round(min(card.height * 0.80, card.width * 0.6))
    middle = (card.width / 2, card.height / 2 + size * fonts.CAP_HEIGHT / 2)
    ImageDraw.Draw(card).text(middle, fonts.number(value), fill=colour, font=fonts.font(size), anchor="ms")


@lru_cache(maxsize=256)
def face(value: int, fill: RGB, width: int, height: int) -> Image.Image:
    """A card face up, its field in `fill`."""
    card = _blank(width, height, PAPER, fill)
    _write(card, value, ink_on(fill))
    return card


@lru_cache(maxsize=256)
def faded(value: int, fill: RGB, ground: RGB, width: int, height: int) -> Image.Image:
    """A card that no longer counts, sunk into the `ground` it lies on."""
    pale = blend(fill, ground, FADED_SHARE)
    card = _blank(width, height, blend(PAPER, ground, FADED_SHARE + 0.1), pale)
    _write(card, value, blend(CREAM, ground, 0.45))
    return card


@lru_cache(maxsize=32)
def back(width: int, height: int) -> Image.Image:
    """A card face down: a lattice of fine lines around a lozenge."""
    large = Image.new("RGB", (width * FINE, height * FINE), BACK)
    draw = ImageDraw.Draw(large)
    step = LATTICE * FINE
    for offset in range(-large.height - step, large.width + step, step):
        start = offset + (large.width // 2) % step + (large.height // 2) % step
        for slope in (1, -1):
            x = start if slope == 1 else large.width - start
            draw.line((x, 0, x + slope * large.height, large.height), fill=BACK_LINE, width=FINE * 2)
    x, y, reach = large.width // 2, large.height // 2, min(large.width, large.height) * 0.24
    draw.polygon(((x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)), fill=BACK)
    reach *= 0.62
    draw.polygon(((x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)), fill=LOZENGE)
    card = _blank(width, height, PAPER, BACK)
    radius, thick = _radius(width, height), _edge(width, height)
    inside = (thick, thick, width - thick, height - thick)
    field = large.reduce(FINE).crop(inside)
    card.paste(field, inside[:2], rounded(field.width, field.height, radius - thick))
    card.putalpha(rounded(width, height, radius))
    return card


@lru_cache(maxsize=64)
def slot(colour: RGB, width: int, height: int) -> Image.Image:
    """An empty place: a dashed outline."""
    radius, thick = _radius(width, height), _edge(width, height)
    outline = Image.new("L", (width * FINE, height * FINE), 0)
    box = (FINE, FINE, outline.width - FINE - 1, outline.height - FINE - 1)
    draw = ImageDraw.Draw(outline)
    draw.rounded_rectangle(box, radius * FINE, outline=255, width=thick * FINE)
    dash = 11 * FINE
    for x in range(-dash // 2, outline.width, 2 * dash):
        draw.rectangle((x, 0, x + dash, thick * 2 * FINE), fill=0)
        draw.rectangle((x, outline.height - thick * 2 * FINE, x + dash, outline.height), fill=0)
    for y in range(-dash // 2, outline.height, 2 * dash):
        draw.rectangle((0, y, thick * 2 * FINE, y + dash), fill=0)
        draw.rectangle((outline.width - thick * 2 * FINE, y, outline.width, y + dash), fill=0)
    card = Image.new("RGBA", (width, height), colour)
    card.putalpha(outline.reduce(FINE))
    return card


@lru_cache(maxsize=128)
def ghost(value: int, fill: RGB, ground: RGB, width: int, height: int) -> Image.Image:
    """The memory of a card that has left: a thin outline and its number, hardly darker than the `ground`."""
    faint = blend(ground, CREAM, GHOST_INK)
    radius = _radius(width, height)
    card = Image.new("RGBA", (width, height), blend(ground, fill, GHOST_SHARES[1]))
    card.paste(blend(ground, fill, GHOST_SHARES[0]), (2, 2), rounded(width - 4, height - 4, radius - 2))
    _write(card, value, faint)
    card.putalpha(rounded(width, height, radius))
    return card
