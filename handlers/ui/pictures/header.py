"""The strip across the top: which game, how far it is, and what lies in the middle of the table."""

from __future__ import annotations

from collections.abc import Sequence

from handlers.ui.languages import Words
from handlers.ui.pictures import cards, fonts, scripts, seats
from handlers.ui.pictures.canvas import Canvas, Rect
from handlers.ui.pictures.palette import CREAM, FELT, GOLD, MIST, blend

TITLE = 40
LINE = 26
COUNT = 36
CARD = (74, 102)
GAP = 13
PITCH = 33
AIR = 8
CROWN = (64, 48)
WINNER = 54
STACKED = 4


def title(canvas: Canvas, area: Rect, name: str, lines: Sequence[tuple[str, bool]]) -> None:
    """The game's name, and up to two lines below it; a line marked True stands out."""
    y = area.middle[1] - (AIR + len(lines) * PITCH) // 2
    canvas.text(scripts.visual(name), (area.x, y), TITLE, CREAM)
    y += AIR
    for line, urgent in lines:
        y += PITCH
        canvas.text(scripts.visual(line), (area.x, y), LINE, GOLD if urgent else MIST)


def card_at(area: Rect, x: int) -> Rect:
    """The place of a card of the table with its left edge at `x`."""
    return Rect(x, area.y + (area.h - CARD[1]) // 2, *CARD)


def stack(canvas: Canvas, rect: Rect, count: int) -> None:
    """A pile of cards face down, thick as long as it has cards enough; a dashed outline once it is empty."""
    if count == 0:
        canvas.sprite(cards.slot(blend(FELT, CREAM, 0.35), *CARD), rect)
    for layer in range(min(count, 3) - 1, -1, -1):
        canvas.sprite(cards.back(*CARD), (rect.x + layer * STACKED, rect.y - layer * STACKED))


def caption(canvas: Canvas, rect: Rect, text: str, count: int | None, anchor: str) -> None:
    """Words beside a card, to its right (`l`) or its left (`r`), above a number if there is one."""
    x = rect.right + GAP + 2 * STACKED if anchor == "l" else rect.x - GAP
    y, text = rect.middle[1], scripts.visual(text)
    if count is None:
        canvas.text(text, (x, y), LINE, MIST, anchor)
    else:
        canvas.text(text, (x, y - 22), LINE, MIST, anchor)
        canvas.text(str(count), (x, y + 22), COUNT, CREAM, anchor)


def result(canvas: Canvas, area: Rect, names: Sequence[seats.Name], winners: Sequence[int], words: Words) -> None:
    """Who has won the match, or that the round is over, at the right end."""
    y = area.middle[1]
    if not winners:
        canvas.text(scripts.visual(words("picture.round-over")), (area.right, y), TITLE, GOLD, "r")
        return
    right = area.right
    if len(winners) == 1:
        name = scripts.visual(names[winners[0]].fitted(TITLE, area.w // 2))
        canvas.text(name, (right, y), TITLE, CREAM, "r")
        right -= fonts.width(name, TITLE) + GAP
    for seat in reversed(winners):
        seats.badge(canvas, seat, (right - WINNER // 2, y), WINNER)
        right -= WINNER + GAP
    canvas.shape(seats.CROWN, Rect(right - CROWN[0], y - CROWN[1] // 2 - 3, *CROWN), GOLD)
