"""Drawing with smooth edges on one RGB image, and encoding it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw

from handlers.ui.pictures import fonts
from handlers.ui.pictures.palette import MOST, RGB, table

# Shapes are drawn this many times larger and scaled down: Pillow's own edges are jagged.
FINE = 4
LEVEL = 6


class Rect(NamedTuple):
    """A rectangle in pixels: its top left corner, width and height."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """The first column of pixels beyond it."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """The first row of pixels below it."""
        return self.y + self.h

    @property
    def middle(self) -> tuple[int, int]:
        """Its centre."""
        return self.x + self.w // 2, self.y + self.h // 2

    def inset(self, by: int) -> Rect:
        """The rectangle `by` pixels inside all four edges."""
        return Rect(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)


@lru_cache(maxsize=128)
def rounded(width: int, height: int, radius: int) -> Image.Image:
    """A mask of a rectangle with round corners; `radius` at most half a side."""
    mask = Image.new("L", (width, height), 255)
    if radius <= 0:
        return mask
    corner = Image.new("L", (radius * FINE, radius * FINE), 0)
    ImageDraw.Draw(corner).ellipse((0, 0, 2 * radius * FINE - 1, 2 * radius * FINE - 1), fill=255)
    corner = corner.reduce(FINE)
    for flip, x, y in (
        (None, 0, 0),
        (Image.Transpose.FLIP_LEFT_RIGHT, width - radius, 0),
        (Image.Transpose.FLIP_TOP_BOTTOM, 0, height - radius),
        (Image.Transpose.ROTATE_180, width - radius, height - radius),
    ):
        mask.paste(corner if flip is None else corner.transpose(flip), (x, y))
    return mask


@lru_cache(maxsize=64)
def ring(width: int, height: int, radius: int, thickness: int) -> Image.Image:
    """A mask of the frame of a rectangle with round corners, `thickness` inwards."""
    inner = Image.new("L", (width, height), 0)
    hole = rounded(width - 2 * thickness, height - 2 * thickness, max(radius - thickness, 0))
    inner.paste(hole, (thickness, thickness))
    return ImageChops.subtract(rounded(width, height, radius), inner)


@lru_cache(maxsize=64)
def polygon(points: tuple[tuple[float, float], ...], width: int, height: int) -> Image.Image:
    """A mask of a polygon; `points` are in the unit square, y downwards."""
    mask = Image.new("L", (width * FINE, height * FINE), 0)
    scaled = [(x * (width * FINE - 1), y * (height * FINE - 1)) for x, y in points]
    ImageDraw.Draw(mask).polygon(scaled, fill=255)
    return mask.reduce(FINE)


@lru_cache(maxsize=8)
def _palette(fills: tuple[RGB, ...]) -> Image.Image:
    """An image that carries the palette of `fills`."""
    carrier = Image.new("P", (1, 1))
    colours = table(fills)
    padded = colours + colours[-1:] * (MOST - len(colours))
    carrier.putpalette([channel for colour in padded for channel in colour])
    return carrier


class Canvas:
    """One picture being drawn. All coordinates are whole pixels from the top left.

    `fills` has the colours of the cards that may be drawn: the palette is made for them.
    """

    def __init__(self, width: int, height: int, ground: RGB, fills: tuple[RGB, ...]) -> None:
        self.image = Image.new("RGB", (width, height), ground)
        self._fills = fills
        self._draw = ImageDraw.Draw(self.image)

    def box(self, rect: Rect, radius: int, fill: RGB) -> None:
        """A filled rectangle with round corners."""
        self.image.paste(fill, (rect.x, rect.y), rounded(rect.w, rect.h, min(radius, rect.w // 2, rect.h // 2)))

    def frame(self, rect: Rect, radius: int, thickness: int, colour: RGB) -> None:
        """The outline of a rectangle with round corners, drawn inwards."""
        self.image.paste(colour, (rect.x, rect.y), ring(rect.w, rect.h, radius, thickness))

    def shape(self, points: tuple[tuple[float, float], ...], rect: Rect, colour: RGB) -> None:
        """A polygon given in the unit square, stretched to `rect`."""
        self.image.paste(colour, (rect.x, rect.y), polygon(points, rect.w, rect.h))

    def sprite(self, sprite: Image.Image, at: Sequence[int]) -> None:
        """A sprite with transparency, its top left corner `at`."""
        self.image.paste(sprite, (at[0], at[1]), sprite)

    def text(self, text: str, at: tuple[int, int], size: int, colour: RGB, anchor: str = "l") -> None:
        """`text`, in drawing order: `at` is its left (`l`), middle (`m`) or right (`r`), halfway up a capital."""
        baseline = at[1] + round(size * fonts.CAP_HEIGHT / 2)
        self._draw.text((at[0], baseline), text, fill=colour, font=fonts.font(size), anchor=f"{anchor}s")

    def encode(self) -> bytes:
        """The picture as a file that Telegram takes as a photo.

        Flat colours with sharp edges: a palette keeps them in a fifth of the bytes of a JPEG. A fixed one, because
        finding the best one for each picture takes longer than all the rest.
        """
        stream = io.BytesIO()
        few = self.image.quantize(palette=_palette(self._fills), dither=Image.Dither.NONE)
        few.save(stream, "PNG", compress_level=LEVEL)
        return stream.getvalue()
