"""Whole pictures: their size, and what changes them."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from engine.dekal.views import Side
from engine.grid import Blank, Cell
from engine.skyjo.views import Phase
from handlers.ui.languages import words
from handlers.ui.pictures import canvas, dekal, layout, palette, skyjo
from testing.views import (
    DEKAL_SEATS,
    NAMES,
    SKYJO_SEATS,
    STAGES,
    Stage,
    dekal_view,
    drawn,
    skyjo_view,
)

MOST_BYTES = 80_000
MOST_PIXELS = 1280
EN = words("en")


def opened(data: bytes) -> Image.Image:
    """The picture in `data`, in full colour."""
    return Image.open(io.BytesIO(data)).convert("RGB")


@pytest.mark.parametrize("hundred", [False, True])
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("seats", SKYJO_SEATS)
def test_skyjo_pictures_are_light(seats: int, stage: Stage, *, hundred: bool) -> None:
    """Every Skyjo picture weighs at most 80 kB, and Telegram need not scale it."""
    data = skyjo.draw(skyjo_view(seats, stage, hundred=hundred), NAMES[:seats], words("fr"))
    assert len(data) <= MOST_BYTES
    assert max(opened(data).size) <= MOST_PIXELS


@pytest.mark.parametrize("hundred", [False, True])
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("seats", DEKAL_SEATS)
def test_dekal_pictures_are_light(seats: int, stage: Stage, *, hundred: bool) -> None:
    """Every Dékal picture weighs at most 80 kB, and Telegram need not scale it."""
    data = dekal.draw(dekal_view(seats, stage, hundred=hundred), NAMES[:seats], words("fr"))
    assert len(data) <= MOST_BYTES
    assert max(opened(data).size) <= MOST_PIXELS


def test_equal_views_are_equal_files() -> None:
    """The same view gives the same bytes, also when other pictures were drawn between."""
    first = skyjo.draw(skyjo_view(4, "middle"), NAMES[:4], EN), dekal.draw(dekal_view(4, "middle"), NAMES[:4], EN)
    skyjo.draw(skyjo_view(7, "end", seed=5), NAMES[:7], EN)
    again = skyjo.draw(skyjo_view(4, "middle"), NAMES[:4], EN), dekal.draw(dekal_view(4, "middle"), NAMES[:4], EN)
    assert first == again


def test_a_drawn_card_shows_its_back_only() -> None:
    """A view that still has the drawer's card in it gives the group's picture, in which the card is held."""
    view = skyjo_view(3, "middle")
    assert skyjo.draw(drawn(view, hand=7), NAMES[:3], EN) == skyjo.draw(drawn(view), NAMES[:3], EN)
    assert skyjo.draw(drawn(view), NAMES[:3], EN) != skyjo.draw(view, NAMES[:3], EN)


def test_an_own_choice_is_not_shown() -> None:
    """A view that still has its viewer's secret choice in it gives the group's picture."""
    view = dekal_view(3, "start")
    assert dekal.draw(replace(view, choice=5), NAMES[:3], EN) == dekal.draw(view, NAMES[:3], EN)


@pytest.mark.parametrize("cell", [5, -2, 12, Blank.GONE])
def test_a_turned_card_changes_its_place_only(cell: Cell) -> None:
    """A card face up, or none, looks different from a back, and changes nothing but its place and the points."""
    view = skyjo_view(2, "start")
    index = view.grids[1].index(Blank.DOWN, 4)
    turned = (*view.grids[1][:index], cell, *view.grids[1][index + 1 :])
    after = replace(view, grids=(view.grids[0], turned))
    one, other = (opened(skyjo.draw(shown, NAMES[:2], EN)) for shown in (view, after))
    left, right = layout.sheet(2, skyjo.COLUMNS, skyjo.ROWS, edges=False).places
    for rect, same in (
        (right.grid.cell(index), False),
        (right.grid.cell(index - 1), True),
        (left.panel, True),
    ):
        box = (rect.x, rect.y, rect.right, rect.bottom)
        assert (ImageChops.difference(one.crop(box), other.crop(box)).getbbox() is None) is same


@pytest.mark.parametrize("seat", range(4))
def test_whose_turn_it_is_stands_out(seat: int) -> None:
    """The panel of the seat to act looks unlike that of a seat that waits, in each phase."""
    view = skyjo_view(4, "middle")
    place = layout.sheet(4, skyjo.COLUMNS, skyjo.ROWS, edges=False).places[seat]
    picture = opened(skyjo.draw(replace(view, to_move=(seat,)), NAMES[:4], EN))
    waiting = opened(skyjo.draw(replace(view, to_move=()), NAMES[:4], EN))
    corner = (place.panel.middle[0], place.panel.bottom - 2)
    assert picture.getpixel(corner) == palette.GOLD
    assert waiting.getpixel(corner) == palette.PANEL


def test_everyone_still_to_choose_stands_out() -> None:
    """In a phase where several act, each of them is marked, and those who have chosen are not."""
    view = replace(dekal_view(4, "start"), to_move=(1, 3), chosen=(0, 2))
    picture = opened(dekal.draw(view, NAMES[:4], EN))
    places = layout.sheet(4, dekal.SIDE, dekal.SIDE, edges=True).places
    marked = [
        seat
        for seat, place in enumerate(places)
        if picture.getpixel((place.panel.middle[0], place.panel.bottom - 2)) == palette.GOLD
    ]
    assert marked == [1, 3]


def test_a_stopped_match_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's panel stands out, no choice is marked, no way in is shown, and the picture says what has happened."""
    texts: list[str] = []
    write = canvas.Canvas.text

    def written(self: canvas.Canvas, text: str, *rest: Any) -> None:
        texts.append(text)
        write(self, text, *rest)

    monkeypatch.setattr(canvas.Canvas, "text", written)
    arrows: list[object] = []
    shape = canvas.Canvas.shape

    def counted(self: canvas.Canvas, points: tuple[tuple[float, float], ...], *rest: Any) -> None:
        arrows.extend([points] if points in dekal.TRIANGLES.values() else [])
        shape(self, points, *rest)

    monkeypatch.setattr(canvas.Canvas, "shape", counted)
    for stage in ("start", "middle"):
        chosen = replace(dekal_view(4, stage), to_move=())
        assert dekal.draw(chosen, NAMES[:4], EN) == dekal.draw(replace(chosen, chosen=()), NAMES[:4], EN)
        skyjo.draw(replace(skyjo_view(4, stage), to_move=(), closer=1), NAMES[:4], EN)
    assert texts.count(EN("picture.stopped")) == 6
    assert EN("picture.last-turns") not in texts
    assert arrows == []
    dekal.draw(dekal_view(4, "middle"), NAMES[:4], EN)
    assert arrows


def test_marks_change_the_picture() -> None:
    """The closer, a doubled score, the token of the first player and a choice each leave a trace."""
    middle, end, start = skyjo_view(3, "middle"), skyjo_view(3, "end"), dekal_view(3, "start")
    pairs = (
        (skyjo.draw(middle, NAMES[:3], EN), skyjo.draw(replace(middle, closer=1), NAMES[:3], EN)),
        (
            skyjo.draw(replace(end, doubled=True), NAMES[:3], EN),
            skyjo.draw(replace(end, doubled=False), NAMES[:3], EN),
        ),
        (dekal.draw(start, NAMES[:3], EN), dekal.draw(replace(start, first=2), NAMES[:3], EN)),
        (dekal.draw(start, NAMES[:3], EN), dekal.draw(replace(start, chosen=(0, 1)), NAMES[:3], EN)),
    )
    assert all(one != other for one, other in pairs)


def test_a_round_that_ended_within_a_match_is_drawn() -> None:
    """Between the rounds of a match there are scores but no outcome."""
    skyjo.draw(replace(skyjo_view(8, "end", hundred=True), outcome=None), NAMES, EN)
    dekal.draw(replace(dekal_view(6, "end", hundred=True), outcome=None), NAMES[:6], EN)


def test_empty_piles_are_drawn() -> None:
    """A pile without cards is an empty place."""
    skyjo.draw(replace(skyjo_view(8, "middle"), pile=0, phase=Phase.DRAWN), NAMES, EN)
    dekal.draw(replace(dekal_view(6, "middle"), reserve=0), NAMES[:6], EN)


def test_a_card_never_goes_straight_into_the_hole() -> None:
    """A corner hole has two ways in, an edge hole three, an inner hole four, and never the nearest."""
    ways = [dekal.ways_in(hole) for hole in range(16)]
    assert [len(sides) for sides in ways] == [2, 3, 3, 2, 3, 4, 4, 3, 3, 4, 4, 3, 2, 3, 3, 2]
    assert ways[0] == (Side.RIGHT, Side.BOTTOM)
    assert ways[11] == (Side.LEFT, Side.TOP, Side.BOTTOM)


@pytest.mark.parametrize("seats", [2, 8])
def test_the_palette_holds_what_is_drawn(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fixing the colours beforehand costs nothing that an eye would see."""
    drawings: list[Image.Image] = []
    encode = canvas.Canvas.encode

    def keep(self: canvas.Canvas) -> bytes:
        drawings.append(self.image)
        return encode(self)

    monkeypatch.setattr(canvas.Canvas, "encode", keep)
    for stage in STAGES:
        for data in (
            skyjo.draw(skyjo_view(seats, stage, hundred=True), NAMES[:seats], EN),
            dekal.draw(dekal_view(min(seats, 6), stage, hundred=True), NAMES[: min(seats, 6)], EN),
        ):
            difference = ImageChops.difference(drawings.pop(0), opened(data)).convert("L").histogram()
            assert sum(difference[16:]) < 0.001 * sum(difference)


def test_pillow_is_loaded_by_the_first_picture_only() -> None:
    """Importing all screens is cheap; drawing is what loads Pillow."""
    script = (
        "import sys; from handlers.ui.screens import SCREENS; from handlers.ui.languages import words;"
        "from testing.views import NAMES, skyjo_view; assert 'PIL' not in sys.modules;"
        "SCREENS['skyjo'].picture(skyjo_view(2, 'start'), NAMES[:2], words('en')); assert 'PIL' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)  # noqa: S603 - our own interpreter and script


names = st.lists(st.text(max_size=140), min_size=8, max_size=8)


@settings(max_examples=40, deadline=None)
@given(names)
def test_no_name_breaks_a_picture(given_names: list[str]) -> None:
    """Whatever people are called, the picture is drawn and stays light."""
    assert len(skyjo.draw(skyjo_view(8, "end", hundred=True), given_names, EN)) <= MOST_BYTES
    assert len(dekal.draw(dekal_view(6, "middle"), given_names[:6], EN)) <= MOST_BYTES
