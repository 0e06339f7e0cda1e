"""The bundled font: sizes, which characters it has, and text cut to a width."""

from __future__ import annotations

import struct
from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

from handlers.ui.pictures import scripts
from infra.names import ELLIPSIS

FILE = Path(__file__).parent / "font" / "TableeSans-Bold.ttf"
CAP_HEIGHT = 0.714
# The font's own minus is thin, its en dash is bold.
MINUS = "–"


@lru_cache(maxsize=32)
def font(size: int) -> ImageFont.FreeTypeFont:
    """The font at `size` pixels an em, laid out the same on every machine."""
    return ImageFont.truetype(str(FILE), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=1)
def covered() -> frozenset[int]:
    """The code points that have a glyph, read from the font's character map (one segment table, format 4)."""
    data = FILE.read_bytes()
    tables = struct.unpack_from(">H", data, 4)[0]
    entries = (struct.unpack_from(">4s4xII", data, 12 + 16 * table) for table in range(tables))
    start = next(offset for tag, offset, _ in entries if tag == b"cmap")
    segments = start + struct.unpack_from(">I", data, start + 8)[0]
    count = struct.unpack_from(">H", data, segments + 6)[0] // 2
    ends = struct.unpack_from(f">{count}H", data, segments + 14)
    starts = struct.unpack_from(f">{count}H", data, segments + 16 + 2 * count)
    ranges = zip(starts, ends, strict=True)
    return frozenset(code for first, last in ranges for code in range(first, last + 1)) - {0xFFFF}


@lru_cache(maxsize=256)
def width(text: str, size: int) -> int:
    """The pixels that `text`, in drawing order, takes from left to right."""
    return round(font(size).getlength(text))


@lru_cache(maxsize=256)
def shorten(text: str, size: int, room: int, tail: str = "") -> str:
    """`text` and `tail`, in reading order, with the end of `text` cut off where they are wider than `room`."""
    if drawn_width(text + tail, size) <= room:
        return text + tail
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if drawn_width(_cut(text, middle) + tail, size) <= room:
            low = middle
        else:
            high = middle - 1
    return _cut(text, low) + tail


def _cut(text: str, length: int) -> str:
    return text[:length].rstrip(f" {ELLIPSIS}") + ELLIPSIS


def drawn_width(text: str, size: int) -> int:
    """The pixels that `text`, in reading order, takes once it is in drawing order."""
    return width(scripts.visual(text), size)


def number(value: int) -> str:
    """`value` with a minus sign that is as bold as the digits."""
    return f"{MINUS}{-value}" if value < 0 else str(value)
