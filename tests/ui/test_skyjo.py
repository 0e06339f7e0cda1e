"""Skyjo's own words and buttons."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from engine.core import Length
from engine.grid import Blank
from engine.skyjo.views import Closed, ColumnGone, Drew, Dropped, Flipped, Phase, Placed, Started, View
from handlers.ui.languages import LANGUAGES, words
from handlers.ui.screen import Style
from handlers.ui.screens import SCREENS
from tests.ui.sample import flat, game, press, seats
from tests.ui.telegram_html import read

SCREEN = SCREENS["skyjo"]
DOWN, GONE = Blank.DOWN, Blank.GONE
GRID = (-2, DOWN, GONE, 12, 0, 5, GONE, 7, 3, DOWN, GONE, 1)


def _view(**changes: Any) -> View:
    view = next(game("skyjo", 3)).view
    assert isinstance(view, View)
    usual: dict[str, Any] = {"phase": Phase.TURN, "to_move": (1,), "grids": (GRID,) * 3}
    return replace(view, **(usual | changes))


def _plain(view: View, *notes: str, language: str = "en") -> str:
    return read(SCREEN.caption(view, notes, seats(3), words(language)))[0]


def test_a_turn_shows_the_players_cards() -> None:
    """Draw first, then every own card; a place whose column is gone is blank and keeps its move for the refusal."""
    legal = {1: ("draw", "take a1")}
    rows = SCREEN.buttons(_view(discard=-1, pile=1), legal, press, words("en"))
    assert [len(row) for row in rows] == [1, 1, 4, 4, 4]
    assert flat(rows)[:6] == [
        ("Draw a card (1 left)", "draw"),
        ("Take the −1 and put it here:", "card"),
        ("−2", "take a1"),
        ("🎴", "take b1"),
        ("·", "take c1"),
        ("12", "take d1"),
    ]
    assert rows[0][0].style is Style.PRIMARY


def test_no_draw_button_where_nothing_can_be_drawn() -> None:
    """Only what is legal is offered."""
    rows = SCREEN.buttons(_view(), {1: ("take a1",)}, press, words("en"))
    assert "draw" not in [move for _, move in flat(rows)]


def test_a_drawn_card_is_kept_or_dropped_in_one_tap() -> None:
    """All own cards to keep it in place of; only the face-down ones to turn up, in their columns."""
    legal = {1: ("keep a1", "drop b1", "drop b3")}
    rows = SCREEN.buttons(_view(phase=Phase.DRAWN), legal, press, words("en"))
    assert [len(row) for row in rows] == [1, 4, 4, 4, 1, 4, 4]
    assert [button.text for button in rows[5]] == ["·", "🎴", "·", "·"]
    assert flat(rows)[-4:] == [("·", "drop a3"), ("🎴", "drop b3"), ("·", "drop c3"), ("·", "drop d3")]
    assert [rows[1][0].style, rows[5][1].style] == [Style.PRIMARY, Style.DANGER]
    assert [rows[0][0].data, rows[4][0].data] == [press("card")] * 2


def test_the_drawn_card_is_its_drawers_secret() -> None:
    """Neither caption, notes nor buttons depend on the hand; the drawer's toast tells it."""
    views = [_view(phase=Phase.DRAWN, hand=hand) for hand in (None, -2, 12)]
    legal = {1: ("keep a1", "drop b1")}
    assert len({_plain(view) for view in views}) == 1
    assert len({SCREEN.buttons(view, legal, press, words("en")) for view in views}) == 1
    assert SCREEN.notes([Drew(1, reshuffled=False)]) == ()
    expected = "You drew −2. Swap it for one of your cards, or discard it and turn one up."
    assert SCREEN.toast(views[1], 1, "draw", words("en")) == expected
    assert SCREEN.reminder(views[1], 1, words("en")) == expected
    assert SCREEN.reminder(views[0], 1, words("en")) == ""


def test_notes_and_their_sentences() -> None:
    """Everything that everyone saw, in a few characters and in a sentence."""
    events = [
        Drew(0, reshuffled=True),
        Placed(0, 5, 7, -2, taken=False),
        Placed(1, 0, 12, 0, taken=True),
        Dropped(2, 10, 11, -1),
        ColumnGone(2, 3, -1),
        Closed(2),
    ]
    assert SCREEN.notes(events) == ("M0", "K0b2GZ", "T1a1LO", "X2d3JY", "C2dY", "Z2")
    assert [_plain(_view(), note).splitlines()[2] for note in SCREEN.notes(events)] == [
        "Ana draws from a new pile: it was empty, and the discards were shuffled.",
        "Ana draws 7, puts it in b2 and discards −2.",
        "Zoé takes the 12, puts it in a1 and discards 0.",
        "Bo draws 10, discards it and turns up −1 in d3.",
        "✨ Bo has three −1s: column d is gone.",
        "🏁 Bo has no face-down card left and closes the round.",
    ]


def test_a_phone_shows_board_and_buttons_together() -> None:
    """Of eight moves the last five are told, and three above the many buttons of a drawn card."""
    notes = [f"K{seat % 3}b2{letter}O" for seat, letter in enumerate("ABCDEFGH")]
    tell_tale = {Phase.TURN: "DEFGH", Phase.DRAWN: "FGH"}
    for phase, letters in tell_tale.items():
        lines = _plain(_view(phase=phase), *notes).splitlines()
        told = [line for line in lines if " draws " in line]
        assert [line.split(" draws ")[1][0] for line in told] == [str("ABCDEFGH".index(each) + 1) for each in letters]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", range(2, 9))
def test_all_first_cards_are_told(count: int, language: str) -> None:
    """Everybody's two cards, from the first that was turned up until who begins has been read: the sum decides it."""
    people, tell = seats(count), words(language)
    notes: tuple[str, ...] = ()
    for number, moment in enumerate(islice(game("skyjo", count), 2 * count + 3), 1):
        new = SCREEN.notes(moment.events)
        notes = SCREEN.kept(notes, new, count) if new else notes
        text = read(SCREEN.caption(moment.view, notes, people, tell))[0]
        first = [line for line in text.splitlines() if line.startswith(tell("skyjo.note.flipped", cards="")[:8])]
        assert len(first) == 1
        if moment.view.phase is Phase.FLIP or number == 2 * count:
            shown = [[value for value in grid if not isinstance(value, Blank)] for grid in moment.view.grids]
        for seat, values in zip(people, shown, strict=True):
            items = [item for item in first[0].split(" — ")[1].split(" · ") if item.startswith(seat.name)]
            assert len(items) == bool(values)
            assert all(str(value).replace("-", "−") in items[0] for value in values)
        assert (tell("skyjo.note.starts", name="").strip() in text) is (number >= 2 * count)


def test_how_a_round_began_is_told_even_where_the_bot_has_played_on() -> None:
    """Five absent players may have moved in the same moment; later the beginning gives way to the moves."""
    began = ("F0L", "F0A", "F1A", "F1B", "S0")
    moves = tuple(f"T{seat}a1LO" for seat in range(2, 7))
    notes = SCREEN.kept(began[:-2], (*began[-2:], *moves), 8)
    lines = read(SCREEN.caption(_view(), notes, seats(8), words("en")))[0].splitlines()[2:]
    assert lines[:2] == ["Turned up — Ana: 12 and 1 · Zoé: 1 and 2", "Ana plays first."]
    assert lines[2].startswith(seats(8)[4].name)
    assert SCREEN.kept(notes, ("T0a1LO",), 8) == (*moves[1:], "T0a1LO")


def test_first_cards_share_a_line() -> None:
    """The flips of a table are told together, in the order of the players' first."""
    events = [Flipped(1, 0, 5), Flipped(0, 3, -1), Flipped(1, 2, 0), Started(1)]
    assert _plain(_view(), *SCREEN.notes(events)).splitlines()[2:4] == [
        "Turned up — Zoé: 5 and 0 · Ana: −1",
        "Zoé plays first.",
    ]


def test_the_last_turns_are_announced() -> None:
    """Once somebody has closed, everyone reads that it is their last turn."""
    assert "⏳ Bo has closed the round: this is everyone else’s last turn." in _plain(_view(closer=2))


def test_doubling_is_explained() -> None:
    """The closer's score, if it was doubled, is told with the reason."""
    over = _view(
        phase=Phase.OVER,
        to_move=(),
        closer=2,
        doubled=True,
        scores=(5, -3, 40),
        totals=(25, 1, 42),
        rounds=((20, 4, 2), (5, -3, 40)),
        length=Length.HUNDRED,
        round=2,
    )
    assert _plain(over) == (
        "Skyjo · round 2 is over\n\n"
        "🥇 Zoé: −3 this round, 1 point in all\n"
        "🥈 Ana: 5 this round, 25 points in all\n"
        "🥉 Bo: 40 this round, 42 points in all\n\n"
        "Bo closed the round without a score lower than everyone else’s, so it was doubled to 40."
    )
    assert "doubled" not in _plain(replace(over, doubled=False))


def test_toasts_of_moves() -> None:
    """What the mover reads; a column that went is told, and a flip says whether one more is wanted."""
    tell = words("en")
    assert SCREEN.toast(_view(phase=Phase.FLIP, to_move=(0, 1)), 1, "flip d1", tell) == "d1: 12. Turn up one more card."
    assert SCREEN.toast(_view(phase=Phase.FLIP, to_move=(0,)), 1, "flip d1", tell) == "d1: 12."
    assert SCREEN.toast(_view(), 1, "take a1", tell) == "You put the discarded card in a1."
    assert SCREEN.toast(_view(), 1, "keep a1", tell) == "You kept the card and put it in a1."
    assert SCREEN.toast(_view(), 1, "drop a1", tell) == "You discarded the card and turned up a1."
    gone = _view(gone=((), ((2, 4),), ()))
    assert SCREEN.toast(gone, 1, "keep c1", tell) == "Three of a kind: your column c is gone!"
