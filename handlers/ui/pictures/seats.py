"""A player's panel without the cards: who it is, whose turn it is, and how the points stand."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from handlers.ui.languages import Words
from handlers.ui.pictures import cards, fonts, scripts
from handlers.ui.pictures.canvas import Canvas, Rect
from handlers.ui.pictures.layout import BAR, LABEL, PADDING, Place
from handlers.ui.pictures.palette import (
    BRONZE,
    CORAL,
    CREAM,
    FELT,
    GOLD,
    INK,
    MIST,
    PANEL,
    PANEL_ACTING,
    PAPER,
    RGB,
    SEATS,
    SILVER,
    blend,
    ink_on,
)

CORNER = 22
FRAME = 6
BADGE = 42
NAME = 32
POINTS = 32
SCORE = 42
SMALL = 22
BETWEEN = 10
MEDALS = {1: GOLD, 2: SILVER, 3: BRONZE}
CROWN = ((0.0, 0.95), (0.0, 0.25), (0.27, 0.55), (0.5, 0.05), (0.73, 0.55), (1.0, 0.25), (1.0, 0.95))
FLAG = ((0.05, 0.0), (0.2, 0.0), (0.2, 0.05), (1.0, 0.32), (0.2, 0.6), (0.2, 1.0), (0.05, 1.0))
TICK = ((0.0, 0.55), (0.14, 0.4), (0.38, 0.64), (0.86, 0.12), (1.0, 0.26), (0.38, 0.92))
STAR = (
    (0.5, 0.0),
    (0.62, 0.36),
    (1.0, 0.37),
    (0.7, 0.6),
    (0.81, 0.97),
    (0.5, 0.75),
    (0.19, 0.97),
    (0.3, 0.6),
    (0.0, 0.37),
    (0.38, 0.36),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """What a panel shows of a seat besides its cards.

    `points` are the round's; with `scored` they are final and drawn large. `total` has the match's points, where
    there is more than this round. `place` is the rank at the end of the match, 1 for the best.
    """

    index: int
    name: str
    acting: bool = False
    chosen: bool = False
    first: bool = False
    closer: bool = False
    holding: bool = False
    doubled: bool = False
    scored: bool = False
    points: int | None = None
    total: int | None = None
    place: int | None = None

    @property
    def ground(self) -> RGB:
        """The colour of the panel, on which the cards lie."""
        return PANEL_ACTING if self.acting else PANEL


def names(given: Sequence[str], words: Words) -> tuple[str, ...]:
    """A drawable name a seat, in reading order: what the font has of the given one, or the seat's number."""
    cleaned = (scripts.clean(name, fonts.covered()) for name in given)
    return tuple(name or words("picture.player", seat=seat) for seat, name in enumerate(cleaned, 1))


def badge(canvas: Canvas, index: int, middle: tuple[int, int], size: int = BADGE) -> None:
    """The seat's number in its colour."""
    colour = SEATS[index % len(SEATS)]
    circle = Rect(middle[0] - size // 2, middle[1] - size // 2, size, size)
    canvas.box(circle, size // 2, PAPER)
    canvas.box(circle.inset(3), size // 2, colour)
    canvas.text(str(index + 1), middle, round(size * 0.62), ink_on(colour), "m")


def panel(canvas: Canvas, place: Place, seat: Seat, covered: Collection[str] = ()) -> None:
    """The panel of `seat`; the labels in `covered` (`b`, `3`) stay away for something drawn in their place."""
    ground = seat.ground
    canvas.box(place.panel, CORNER, ground)
    if seat.acting:
        canvas.box(place.bar, CORNER, GOLD)
        canvas.box(Rect(place.bar.x, place.bar.y + BAR // 2, place.bar.w, BAR - BAR // 2), 0, GOLD)
    if seat.acting or seat.place == 1:
        canvas.frame(place.panel, CORNER, FRAME, GOLD)
    _labels(canvas, place, blend(ground, CREAM, 0.55), covered)
    y = place.bar.middle[1] + FRAME // 2
    left = place.bar.x + PADDING + 2
    badge(canvas, seat.index, (left + BADGE // 2, y))
    left += BADGE + BETWEEN
    right = _standing(canvas, seat, place.bar.right - PADDING - 2, y)
    right = _marks(canvas, seat, right, y)
    name = fonts.fit(seat.name, NAME, right - left)
    canvas.text(name, (left, y), NAME, INK if seat.acting else CREAM)


def _labels(canvas: Canvas, place: Place, colour: RGB, covered: Collection[str]) -> None:
    """Letters above the columns and numbers left of the rows."""
    grid = place.grid
    for column in range(grid.columns):
        label, cell = "abcdefgh"[column], grid.cell(column)
        if label not in covered:
            canvas.text(label, (cell.middle[0], grid.y - LABEL // 2), SMALL, colour, "m")
    for row in range(grid.rows):
        label, cell = str(row + 1), grid.cell(row * grid.columns)
        if label not in covered:
            canvas.text(label, (grid.x - LABEL // 2, cell.middle[1]), SMALL, colour, "m")


def _standing(canvas: Canvas, seat: Seat, right: int, y: int) -> int:
    """The points at the right end of the bar; what is left of them begins at the result."""
    if seat.points is not None:
        size = SCORE if seat.scored else POINTS
        text = fonts.number(seat.points)
        pill = Rect(0, 0, fonts.width(text, size) + 26, 46)
        pill = Rect(right - pill.w, y - pill.h // 2, pill.w, pill.h)
        fill, ink = (PAPER, INK) if seat.scored else (blend(seat.ground, FELT, 0.75), CREAM)
        canvas.box(pill, 14, fill)
        canvas.text(text, pill.middle, size, ink, "m")
        right = pill.x - BETWEEN
    if seat.doubled:
        right = _tag(canvas, "×2", right, y)
    if seat.total is not None:
        text = f"Σ {fonts.number(seat.total)}"
        canvas.text(text, (right, y), NAME, INK if seat.acting else MIST, "r")
        right -= fonts.width(text, NAME) + BETWEEN
    return right


def _tag(canvas: Canvas, text: str, right: int, y: int) -> int:
    rect = Rect(right - fonts.width(text, 28) - 20, y - 20, fonts.width(text, 28) + 20, 40)
    canvas.box(rect, 12, CORAL)
    canvas.text(text, rect.middle, 28, ink_on(CORAL), "m")
    return rect.x - BETWEEN


def _marks(canvas: Canvas, seat: Seat, right: int, y: int) -> int:
    """Small signs between the name and the points, from the right; the name's end is the result."""
    ink = INK if seat.acting else GOLD
    if seat.place is not None:
        colour = MEDALS.get(seat.place, MIST)
        circle = Rect(right - 40, y - 20, 40, 40)
        if seat.place == 1:
            canvas.shape(CROWN, Rect(right - 46, y - 18, 46, 34), GOLD)
        else:
            canvas.box(circle, 20, colour)
            canvas.text(str(seat.place), circle.middle, 26, INK, "m")
        right -= 46 + BETWEEN
    if seat.holding:
        card = cards.back(34, 46)
        canvas.sprite(card, (right - 34, y - 23))
        right -= 34 + BETWEEN
    for shown, shape, colour in (
        (seat.chosen, TICK, MIST),
        (seat.closer, FLAG, CORAL if not seat.acting else INK),
        (seat.first, STAR, ink),
    ):
        if shown:
            canvas.shape(shape, Rect(right - 34, y - 17, 34, 34), colour)
            right -= 34 + BETWEEN
    return right
