"""The board picture of Skyjo."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import Length
from engine.grid import Blank, Cell
from engine.skyjo.views import Phase, View
from handlers.ui.languages import Words
from handlers.ui.pictures import cards, header, layout, seats
from handlers.ui.pictures.canvas import Canvas
from handlers.ui.pictures.layout import Grid
from handlers.ui.pictures.palette import CREAM, FELT, RGB, blend

COLUMNS, ROWS = 4, 3
LOWEST = -2
# From cold to hot with the value, and lightest in the middle: the order shows without the hue as well.
RAMP: tuple[RGB, ...] = (
    (55, 48, 130),
    (66, 84, 180),
    (76, 150, 222),
    (62, 170, 176),
    (88, 184, 140),
    (132, 198, 110),
    (182, 212, 94),
    (232, 222, 88),
    (250, 206, 74),
    (249, 178, 62),
    (245, 148, 56),
    (236, 116, 52),
    (222, 84, 52),
    (198, 54, 54),
    (160, 32, 58),
)
CAPTION_ROOM = 156


def colour(value: int) -> RGB:
    """The colour of a card of `value`, -2 to 12."""
    return RAMP[value - LOWEST]


def draw(view: View, names: Sequence[str], words: Words) -> bytes:
    """The table as everyone may see it, as an encoded image; `names` has one a seat, in any script.

    A drawn card shows only its back, whoever the view was made for.
    """
    sheet = layout.sheet(len(view.grids), COLUMNS, ROWS, edges=False)
    canvas = Canvas(sheet.width, sheet.height, FELT, RAMP)
    bars = []
    for index, place in enumerate(sheet.places):
        seat = _seat(view, index)
        bars.append(seats.panel(canvas, place, seat))
        _cards(canvas, place.grid, view.grids[index], dict(view.gone[index]), seat.ground)
    _header(canvas, sheet, view, seats.write_names(canvas, bars, names, words), words)
    return canvas.encode()


def _seat(view: View, index: int) -> seats.Seat:
    over = view.phase is Phase.OVER
    open_points = sum(cell for cell in view.grids[index] if not isinstance(cell, Blank))
    acting = not over and index in view.to_move
    several = view.length is Length.HUNDRED or view.round > 1
    return seats.Seat(
        index=index,
        acting=acting,
        closer=index == view.closer,
        holding=acting and view.phase is Phase.DRAWN,
        doubled=over and view.doubled and index == view.closer,
        scored=over,
        points=view.scores[index] if over else open_points,
        total=view.totals[index] if several else None,
        place=view.outcome.ranks[index] if view.outcome else None,
    )


def _header(canvas: Canvas, sheet: layout.Sheet, view: View, names: Sequence[seats.Name], words: Words) -> None:
    area = sheet.header
    over = view.phase is Phase.OVER
    lines = [(words("picture.round", number=view.round), False)]
    if not over and not view.to_move:
        lines.append((words("picture.stopped"), True))
    elif view.closer is not None and not over:
        lines.append((words("picture.last-turns"), True))
    header.title(canvas, area, words("picture.skyjo"), lines)
    if over:
        header.result(canvas, area, names, view.outcome.winners if view.outcome else (), words)
        return
    discard = header.card_at(area, area.right - CAPTION_ROOM - header.CARD[0])
    pile = header.card_at(area, discard.x - header.CARD[0] - 3 * header.GAP)
    header.stack(canvas, pile, view.pile)
    header.caption(canvas, pile, words("picture.pile"), view.pile, "r")
    canvas.sprite(cards.face(view.discard, colour(view.discard), *header.CARD), discard)
    header.caption(canvas, discard, words("picture.discard"), None, "l")


def _cards(canvas: Canvas, grid: Grid, cells: Sequence[Cell], gone: dict[int, int], ground: RGB) -> None:
    size = (grid.width, grid.height)
    for index, cell in enumerate(cells):
        column = index % COLUMNS
        if not isinstance(cell, Blank):
            sprite = cards.face(cell, colour(cell), *size)
        elif cell is Blank.DOWN:
            sprite = cards.back(*size)
        elif column in gone:
            sprite = cards.ghost(gone[column], colour(gone[column]), ground, *size)
        else:
            sprite = cards.slot(blend(ground, CREAM, 0.3), *size)
        canvas.sprite(sprite, grid.cell(index))
