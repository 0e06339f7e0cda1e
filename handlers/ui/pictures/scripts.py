"""Names in any script, made drawable letter by letter, from left to right.

The text layout that shapes Arabic and orders Hebrew needs a system library that is not everywhere, and a picture
should not depend on where it is drawn. Names are one short line, so the little that they need is done here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from functools import lru_cache

from infra.names import ELLIPSIS

# A display name has at most 64 + 64 characters and a space; anything longer was not made by Telegram.
LONGEST = 160
THAI = range(0x0E00, 0x0E80)
MARKS_IN_A_ROW = 2
TATWEEL = "\u0640"
# By shape alone, as the fonts at hand draw them: a mirrored bracket is its partner.
MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def clean(name: str, covered: Collection[int]) -> str:
    """`name` in reading order without what cannot be drawn; empty if nothing remains.

    `covered` has the code points of the font. Fancy letters (𝓐, Ａ) become plain ones, combining marks that have no
    place of their own in a letter go, as do emoji, invisible characters and scripts that the font lacks.
    """
    kept: list[str] = []
    marks = 0
    # Plain letters for an ellipsis would be three dots.
    plain = ELLIPSIS.join(unicodedata.normalize("NFKC", part) for part in name[:LONGEST].split(ELLIPSIS))
    for char in plain:
        category = unicodedata.category(char)
        if category in ("Zs", "Zl", "Zp") or char in "\t\n\r":
            kept.append(" ")
        elif category[0] == "M":
            marks += 1
            if ord(char) in THAI and ord(char) in covered and kept and marks <= MARKS_IN_A_ROW:
                kept.append(char)
            continue
        elif category[0] != "C" and ord(char) in covered:
            kept.append(char)
        marks = 0
    line = " ".join("".join(kept).split())
    if not line.endswith(ELLIPSIS):
        return line
    stem = line.rstrip(f" {ELLIPSIS}")
    return stem + ELLIPSIS if stem else ""


def visual(text: str) -> str:
    """`text` in the order and the shapes in which it is drawn from left to right."""
    if not any(unicodedata.bidirectional(char) in ("R", "AL") for char in text):
        return text
    shaped = _shape(text)
    levels = _levels(shaped)
    chars = [char.translate(MIRRORED) if level % 2 else char for char, level in zip(shaped, levels, strict=True)]
    for level in range(max(levels), 0, -1):
        start = 0
        while start < len(chars):
            end = start
            while end < len(chars) and levels[end] >= level:
                end += 1
            chars[start:end] = reversed(chars[start:end])
            levels[start:end] = reversed(levels[start:end])
            start = max(end, start + 1)
    return "".join(chars)


def _levels(text: str) -> list[int]:
    """The embedding level a character: even reads rightwards, odd leftwards."""
    kinds = [unicodedata.bidirectional(char) for char in text]
    strong = ["L" if kind == "L" else "R" if kind in ("R", "AL") else "" for kind in kinds]
    base = next(filter(None, strong))
    resolved: list[str] = []
    last = base
    for place, kind in enumerate(kinds):
        if strong[place]:
            last = strong[place]
            resolved.append(last)
        elif kind in ("EN", "AN"):
            resolved.append("N" if last == "R" else "L")
        else:
            following = next(filter(None, strong[place:]), base)
            resolved.append(last if last == following else base)
    level = {"L": 2 if base == "R" else 0, "R": 1, "N": 2}
    return [level[direction] for direction in resolved]


@lru_cache(maxsize=1)
def _forms() -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]:
    """Arabic letters' and lam-alif pairs' joined shapes: letter → initial, medial, final or isolated → shape."""
    letters: dict[str, dict[str, str]] = {}
    pairs: dict[str, dict[str, str]] = {}
    for code in (*range(0xFB50, 0xFC00), *range(0xFE80, 0xFEFD)):
        tag, *parts = unicodedata.decomposition(chr(code)).split() or [""]
        whole = "".join(chr(int(part, 16)) for part in parts)
        if len(whole) == 1:
            letters.setdefault(whole, {})[tag.strip("<>")] = chr(code)
        elif whole.startswith("\u0644"):
            pairs.setdefault(whole, {})[tag.strip("<>")] = chr(code)
    return letters, pairs


def _shape(text: str) -> str:
    """`text` with each Arabic letter in the shape that its neighbours ask for."""
    letters, pairs = _forms()

    def joins_next(char: str) -> bool:
        return char == TATWEEL or "initial" in letters.get(char, {})

    def joins_previous(char: str) -> bool:
        return char == TATWEEL or "final" in letters.get(char, {})

    shaped: list[str] = []
    place = 0
    while place < len(text):
        char = text[place]
        joined = place > 0 and joins_next(text[place - 1]) and joins_previous(char)
        pair = pairs.get(text[place : place + 2])
        if pair is not None:
            shaped.append(pair["final" if joined else "isolated"])
            place += 2
            continue
        following = text[place + 1 : place + 2]
        joining = joins_next(char) and bool(following) and joins_previous(following)
        name = ("medial" if joining else "final") if joined else ("initial" if joining else "isolated")
        shaped.append(letters.get(char, {}).get(name, char))
        place += 1
    return "".join(shaped)
