"""A player's panel without the cards: who it is, whose turn it is, and how the points stand."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from handlers.ui.languages import Words
from handlers.ui.lookalikes import told_apart
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
    LINE_SHARE,
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

CORNER = 20
FRAME = 5
LINE = 3
BADGE = 38
NAME = 28
NAME_SMALL = 23
TOTAL = 26
POINTS = 28
SCORE = 36
PILL = 40
SIGN = 22
PLACE = 23
MARK = 30
HELD = (30, 41)
SMALL = 20
BETWEEN = 9
MEDALS = {2: SILVER, 3: BRONZE}
DOUBLED = "×2"
SUM = "Σ"
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


@dataclass(frozen=True, slots=True)
class Name:
    """A drawable name, in reading order, and the number that stands behind it where others look alike."""

    text: str
    number: str = ""

    def fitted(self, size: int, room: int) -> str:
        """As much of the name as there is room for, with its whole number."""
        return fonts.shorten(self.text, size, room, self.number)


@dataclass(frozen=True, slots=True)
class Bar:
    """Where a panel has room for a name, and the name's colour."""

    left: int
    right: int
    y: int
    colour: RGB

    def write(self, name: Name) -> tuple[str, int]:
        """What of a name can be read there, in reading order, and at which size."""
        room = self.right - self.left
        size = NAME if fonts.drawn_width(name.text + name.number, NAME) <= room else NAME_SMALL
        return name.fitted(size, room), size


def names(given: Sequence[str], words: Words) -> tuple[str, ...]:
    """A drawable name a seat, in reading order: what the font has of the given one, or the seat's number."""
    cleaned = (scripts.clean(name, fonts.covered()) for name in given)
    return tuple(name or words("picture.player", seat=seat) for seat, name in enumerate(cleaned, 1))


def write_names(canvas: Canvas, bars: Sequence[Bar], given: Sequence[str], words: Words) -> tuple[Name, ...]:
    """Write a name on every panel, told apart from the others as far as there is room for them; return them."""
    plain = [Name(name) for name in names(given, words)]
    numbered = [
        replace(name, number=words("player.numbered", name="", number=seat)) for seat, name in enumerate(plain, 1)
    ]
    apart = told_apart(len(bars), lambda seat, number: bars[seat].write((numbered if number else plain)[seat])[0])
    written = tuple((numbered if seat in apart else plain)[seat] for seat in range(len(bars)))
    for bar, name in zip(bars, written, strict=True):
        text, size = bar.write(name)
        canvas.text(scripts.visual(text), (bar.left, bar.y), size, bar.colour)
    return written


def badge(canvas: Canvas, index: int, middle: tuple[int, int], size: int = BADGE) -> None:
    """The seat's number in its colour."""
    colour = SEATS[index % len(SEATS)]
    circle = Rect(middle[0] - size // 2, middle[1] - size // 2, size, size)
    canvas.box(circle, size // 2, PAPER)
    canvas.box(circle.inset(3), size // 2, colour)
    canvas.text(str(index + 1), middle, round(size * 0.62), ink_on(colour), "m")


def panel(canvas: Canvas, place: Place, seat: Seat, covered: Collection[str] = ()) -> Bar:
    """The panel of `seat`, and where its name goes.

    The labels in `covered` (`b`, `3`) stay away for something drawn in their place.
    """
    ground = seat.ground
    canvas.box(place.panel, CORNER, ground)
    if seat.acting:
        canvas.box(place.bar, CORNER, GOLD)
        canvas.box(Rect(place.bar.x, place.bar.y + BAR // 2, place.bar.w, BAR - BAR // 2), 0, GOLD)
    else:
        line = Rect(place.bar.x + PADDING, place.bar.bottom - LINE, place.bar.w - 2 * PADDING, LINE)
        canvas.box(line, LINE // 2, blend(ground, SEATS[seat.index % len(SEATS)], LINE_SHARE))
    if seat.acting or seat.place == 1:
        canvas.frame(place.panel, CORNER, FRAME, GOLD)
    _labels(canvas, place, blend(ground, CREAM, 0.55), covered)
    y = place.bar.middle[1] + LINE
    left = place.bar.x + PADDING + LINE
    badge(canvas, seat.index, (left + BADGE // 2, y))
    left += BADGE + BETWEEN
    right = _standing(canvas, seat, place.bar.right - PADDING - LINE, y)
    right = _marks(canvas, seat, right, y)
    return Bar(left, right, y, INK if seat.acting else CREAM)


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
    """The points at the right end of the bar; what is left of them begins at the result.

    What counts is large and bright: the total once the match is over, the points once the round is.
    """
    decided = seat.place is not None and seat.total is not None
    if seat.points is not None:
        fill = CORAL if seat.doubled else PAPER if seat.scored and not decided else blend(seat.ground, FELT, 0.75)
        size = SCORE if seat.scored and not decided else POINTS
        right = _pill(
            canvas, DOUBLED if seat.doubled else "", fonts.number(seat.points), (right, y), size=size, fill=fill
        )
    if seat.total is None:
        return right
    total = fonts.number(seat.total)
    if decided:
        return _pill(canvas, SUM, total, (right, y), size=SCORE, fill=PAPER)
    text = f"{SUM} {total}"
    canvas.text(text, (right, y), TOTAL, INK if seat.acting else MIST, "r")
    return right - fonts.width(text, TOTAL) - BETWEEN


def _pill(canvas: Canvas, sign: str, text: str, end: tuple[int, int], *, size: int, fill: RGB) -> int:
    """A small sign and `text` on a rounded field whose right end is at `end`; its left end is the result."""
    lead = fonts.width(sign, SIGN) + BETWEEN if sign else 0
    width = fonts.width(text, size) + lead + 2 * BETWEEN
    pill = Rect(end[0] - width, end[1] - PILL // 2, width, PILL)
    canvas.box(pill, PILL // 3, fill)
    canvas.text(text, (pill.right - BETWEEN, end[1]), size, ink_on(fill), "r")
    canvas.text(sign, (pill.x + BETWEEN, end[1]), SIGN, ink_on(fill))
    return pill.x - BETWEEN


def _marks(canvas: Canvas, seat: Seat, right: int, y: int) -> int:
    """Small signs between the name and the points, from the right; the name's end is the result."""
    if seat.place == 1:
        canvas.shape(CROWN, Rect(right - 40, y - 17, 40, 30), GOLD)
        right -= 40 + BETWEEN
    elif seat.place is not None:
        circle = Rect(right - PLACE * 3 // 2, y - PLACE * 3 // 4, PLACE * 3 // 2, PLACE * 3 // 2)
        canvas.box(circle, PLACE, MEDALS.get(seat.place, MIST))
        canvas.text(str(seat.place), circle.middle, PLACE, INK, "m")
        right = circle.x - BETWEEN
    if seat.holding:
        canvas.sprite(cards.back(*HELD), (right - HELD[0], y - HELD[1] // 2))
        right -= HELD[0] + BETWEEN
    for shown, shape, colour in (
        (seat.chosen, TICK, MIST),
        (seat.closer and not seat.doubled, FLAG, INK if seat.acting else CORAL),
        (seat.first, STAR, INK if seat.acting else GOLD),
    ):
        if shown:
            canvas.shape(shape, Rect(right - MARK, y - MARK // 2, MARK, MARK), colour)
            right -= MARK + BETWEEN
    return right
