"""The board picture of Dékal."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import Length
from engine.dekal.views import Phase, Side, View
from engine.grid import Blank
from handlers.ui.languages import Words
from handlers.ui.pictures import cards, header, layout, seats
from handlers.ui.pictures.canvas import Canvas, Rect
from handlers.ui.pictures.layout import Place
from handlers.ui.pictures.palette import CREAM, FELT, GOLD, MIST, RGB, blend

SIDE = 4
TURNS = SIDE * SIDE
# Equal neighbours are what the game is about, so neighbouring values differ in hue and lightness.
COLOURS: tuple[RGB, ...] = (
    (54, 78, 172),
    (66, 156, 232),
    (38, 166, 154),
    (108, 190, 92),
    (206, 222, 92),
    (252, 204, 66),
    (244, 140, 52),
    (210, 62, 52),
    (238, 138, 178),
    (132, 62, 148),
)
CAPTION_ROOM = 130
BADGE = 46
ARROW = (15, 28)
NEAR = 2
TRIANGLES = {
    Side.LEFT: ((0.0, 0.0), (1.0, 0.5), (0.0, 1.0)),
    Side.RIGHT: ((1.0, 0.0), (0.0, 0.5), (1.0, 1.0)),
    Side.TOP: ((0.0, 0.0), (1.0, 0.0), (0.5, 1.0)),
    Side.BOTTOM: ((0.0, 1.0), (1.0, 1.0), (0.5, 0.0)),
}


def colour(value: int) -> RGB:
    """The colour of a card of `value`, 1 to 10."""
    return COLOURS[value - 1]


def draw(view: View, names: Sequence[str], words: Words) -> bytes:
    """The table as everyone may see it, as an encoded image; `names` has one a seat, in any script.

    Nobody's secret choice is in it, whoever the view was made for.
    """
    sheet = layout.sheet(len(view.grids), SIDE, SIDE, edges=True)
    canvas = Canvas(sheet.width, sheet.height, FELT, COLOURS)
    bars = [_place(canvas, place, view, _seat(view, index)) for index, place in enumerate(sheet.places)]
    _header(canvas, sheet.header, view, seats.write_names(canvas, bars, names, words), words)
    return canvas.encode()


def ways_in(hole: int) -> tuple[Side, ...]:
    """The sides from which a card may come in: a card never goes straight into the hole."""
    row, column = divmod(hole, SIDE)
    sides = (
        (Side.LEFT, column > 0),
        (Side.RIGHT, column < SIDE - 1),
        (Side.TOP, row > 0),
        (Side.BOTTOM, row < SIDE - 1),
    )
    return tuple(side for side, open_ in sides if open_)


def _seat(view: View, index: int) -> seats.Seat:
    over = view.phase is Phase.OVER
    several = view.length is Length.HUNDRED or view.round > 1
    return seats.Seat(
        index=index,
        acting=not over and index in view.to_move,
        chosen=view.phase is Phase.REVEAL and bool(view.to_move) and index in view.chosen,
        first=not over and index == view.first,
        scored=over,
        points=view.scores[index] if over else None,
        total=view.totals[index] if several else None,
        place=view.outcome.ranks[index] if view.outcome else None,
    )


def _header(canvas: Canvas, area: Rect, view: View, names: Sequence[seats.Name], words: Words) -> None:
    over = view.phase is Phase.OVER
    lines = [] if over else [(words("picture.turn", number=view.turn, last=TURNS), False)]
    if not over and not view.to_move:
        lines = [(words("picture.stopped"), True)]
    if view.length is Length.HUNDRED or view.round > 1 or over:
        lines.append((words("picture.round", number=view.round), False))
    header.title(canvas, area, words("picture.dekal"), lines)
    if over:
        header.result(canvas, area, names, view.outcome.winners if view.outcome else (), words)
        return
    reserve = header.card_at(area, area.right - CAPTION_ROOM - header.CARD[0])
    header.stack(canvas, reserve, view.reserve)
    header.caption(canvas, reserve, words("picture.reserve"), view.reserve, "l")
    _centre(canvas, area, reserve.x - 3 * header.GAP, view)


def _centre(canvas: Canvas, area: Rect, right: int, view: View) -> None:
    """The centre's places, one a seat, ending at `right`: whose choice is in, then the cards still to be had."""
    seated = len(view.grids)
    step = header.CARD[0] + header.GAP
    for place in range(seated):
        rect = header.card_at(area, right - (seated - place) * step + header.GAP)
        if view.phase is Phase.REVEAL:
            chosen = bool(view.to_move) and place in view.chosen
            sprite = cards.back(*header.CARD) if chosen else cards.slot(blend(FELT, CREAM, 0.35), *header.CARD)
            canvas.sprite(sprite, rect)
            seats.badge(canvas, place, rect.middle, BADGE)
        elif place < len(view.centre):
            value = view.centre[place]
            canvas.sprite(cards.face(value, colour(value), *header.CARD), rect)
        else:
            canvas.sprite(cards.slot(blend(FELT, CREAM, 0.2), *header.CARD), rect)


def _place(canvas: Canvas, place: Place, view: View, seat: seats.Seat) -> seats.Bar:
    """A player's panel and cards, and where the name goes."""
    cells = view.grids[seat.index]
    grid = place.grid
    size = (grid.width, grid.height)
    picking = view.phase is Phase.PICK and view.to_move and Blank.GONE in cells
    hole = cells.index(Blank.GONE) if picking else None
    sides = () if hole is None else ways_in(hole)
    hidden = set()
    if hole is not None:
        row, column = divmod(hole, SIDE)
        hidden = {"abcd"[column]} if Side.TOP in sides else set()
        hidden |= {str(row + 1)} if Side.LEFT in sides else set()
    bar = seats.panel(canvas, place, seat, hidden)
    removed = view.removed[seat.index] if view.removed else ()
    for index, cell in enumerate(cells):
        if cell is Blank.DOWN:
            sprite = cards.back(*size)
        elif isinstance(cell, Blank):
            tone = GOLD if seat.acting else blend(seat.ground, CREAM, 0.4)
            sprite = cards.slot(tone, *size)
        elif index in removed:
            sprite = cards.faded(cell, colour(cell), seat.ground, *size)
        else:
            sprite = cards.face(cell, colour(cell), *size)
        canvas.sprite(sprite, grid.cell(index))
    if hole is not None:
        for side in sides:
            arrow = _arrow(place, hole, side)
            canvas.shape(TRIANGLES[side], arrow, GOLD if seat.acting else MIST)
    return bar


def _arrow(place: Place, hole: int, side: Side) -> Rect:
    """Where the arrow of a way in stands: in the margin, at the row or the column of the hole."""
    cell, area = place.grid.cell(hole), place.grid.area
    x, y = cell.middle
    depth, length = ARROW
    match side:
        case Side.LEFT:
            return Rect(area.x - NEAR - depth, y - length // 2, depth, length)
        case Side.RIGHT:
            return Rect(area.right + NEAR, y - length // 2, depth, length)
        case Side.TOP:
            return Rect(x - length // 2, area.y - NEAR - depth, length, depth)
        case Side.BOTTOM:
            return Rect(x - length // 2, area.bottom + NEAR, length, depth)
