"""Dékal's own words and buttons."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.core import Ending, Length, Outcome
from engine.dekal.views import Chosen, Inserted, Phase, Revealed, Side, TieDrawn, View
from engine.grid import Blank
from handlers.ui.languages import words
from handlers.ui.screens import SCREENS
from tests.ui.sample import flat, game, press, seats
from tests.ui.telegram_html import read

SCREEN = SCREENS["dekal"]


def _view(**changes: Any) -> View:
    view = next(game("dekal", 3)).view
    assert isinstance(view, View)
    return replace(view, **changes)


def _plain(view: View, *notes: str, language: str = "en") -> str:
    return read(SCREEN.caption(view, notes, seats(3), words(language)))[0]


def test_a_choice_leaves_no_note() -> None:
    """Who has chosen is no news, and what is a secret."""
    assert SCREEN.notes([Chosen(1)]) == ()


def test_notes_of_a_turn() -> None:
    """A letter a seat for what was turned up; ties with who drew what; what was pushed in from where."""
    events = [
        Chosen(2),
        Revealed((0, 4, 15), (10, 1, 1)),
        TieDrawn((1, 2), (7, 9)),
        TieDrawn((1, 2), ()),
        Inserted(1, 10, Side.TOP),
    ]
    assert SCREEN.notes(events) == ("RJAA", "T-GI", "S-**", "I1JT")
    assert _plain(_view(phase=Phase.PICK, to_move=(2,)), *SCREEN.notes(events)).splitlines()[2:7] == [
        "Turned up — Ana: 10 · Zoé: 1 · Bo: 1",
        "A tie for the lowest card, so they draw — Zoé: 7 · Bo: 9",
        "A tie for the lowest card and no cards to draw: chance decides between Zoé and Bo.",
        "Zoé pushes in 10 from the top ⬇️",
        "",
    ]


def test_only_this_turn_is_told() -> None:
    """What came before the last reveal has been on the board long enough."""
    assert SCREEN.kept(("RJAA", "I1JT"), ("I0AL",), 3) == ("RJAA", "I1JT", "I0AL")
    assert SCREEN.kept(("RJAA", "I1JT", "I0AL"), ("RAAA", "T-AB"), 3) == ("RAAA", "T-AB")
    assert SCREEN.kept(("RJAA", "I1JT"), ("E1",), 3) == ("E1",)


def test_a_card_pushed_in_is_told_where_the_next_turn_has_begun_with_it() -> None:
    """In the last turn nobody can choose, so it begins with the last pick of the turn before."""
    kept = SCREEN.kept(("RJAA", "I1JT", "I2AB"), ("I0AL", "RBCD"), 3)
    assert _plain(_view(phase=Phase.PICK, to_move=(2,)), *kept).splitlines()[2:4] == [
        "Ana pushes in 1 from the left ➡️",
        "Turned up — Ana: 2 · Zoé: 3 · Bo: 4",
    ]


def test_what_was_turned_up_is_told_as_long_as_the_turn_lasts() -> None:
    """Who chose what, and why somebody is first, stays above the last cards that were pushed in."""
    people = seats(6)
    notes = ("RABCDEF", "T-GI", *(f"I{seat}JT" for seat in range(5)))
    text = read(SCREEN.caption(next(game("dekal", 6)).view, SCREEN.kept((), notes, 6), people, words("en")))[0]
    lines = [line.split(" ")[0] for line in text.splitlines()[2:7]]
    assert lines == ["Turned", "A", people[2].name, people[3].name, people[4].name]


def test_the_pad_is_for_everyone() -> None:
    """A cell shows its name while anybody's card lies face down there, whether they have chosen already or not."""
    grids = ((1, Blank.DOWN, *(1,) * 14), (Blank.DOWN, *(1,) * 15), (1,) * 16)
    view = _view(grids=grids, to_move=(0,), chosen=(1, 2))
    rows = SCREEN.buttons(view, {0: ("b1",)}, press, words("en"))
    assert [len(row) for row in rows] == [4, 4, 4, 4]
    assert [label for label, _ in flat(rows)] == ["a1", "b1", *"·" * 14]
    assert [move for _, move in flat(rows)][-1] == "d4"


def test_picks_say_which_way_the_cards_slide() -> None:
    """A row a value, a button a way in: the arrow points away from the side that the card comes from."""
    legal = {2: ("7L", "7R", "7T", "7B", "10L")}
    rows = SCREEN.buttons(_view(phase=Phase.PICK, to_move=(2,)), legal, press, words("en"))
    assert [len(row) for row in rows] == [4, 1]
    assert [label for label, _ in flat(rows)] == ["7 ➡️", "7 ⬅️", "7 ⬇️", "7 ⬆️", "10 ➡️"]


def test_the_own_choice_is_told_again() -> None:
    """Only the chooser's own view has a choice to remind of."""
    assert SCREEN.reminder(_view(choice=9), 0, words("en")) == "Your choice is b3. Press another card to change it."
    assert SCREEN.reminder(_view(choice=None), 0, words("en")) == ""


def test_toasts() -> None:
    """A choice that may be changed, the last choice of a turn, a pick."""
    tell = words("en")
    assert SCREEN.toast(_view(choice=9), 0, "b3", tell) == (
        "You chose b3. You may change it until everyone has chosen."
    )
    assert SCREEN.toast(_view(phase=Phase.PICK), 0, "b3", tell) == (
        "You chose b3, and now everyone has chosen: the cards are turned up."
    )
    assert SCREEN.toast(_view(), 0, "10B", tell) == "You pushed in 10 from the bottom."


def test_cards_left_are_told_where_they_break_ties() -> None:
    """One round: equal scores are told apart by the cards left; in a longer match they do not count."""
    grids = ((1,) * 16,) * 3
    removed = (tuple(range(16)), tuple(range(15)), ())
    outcome = Outcome((24, 24, 40), (1, 2, 3), Ending.ONE_ROUND)
    over = _view(
        phase=Phase.OVER,
        to_move=(),
        grids=grids,
        removed=removed,
        scores=(24, 24, 40),
        totals=(24, 24, 40),
        rounds=((24, 24, 40),),
        outcome=outcome,
    )
    assert _plain(over) == (
        "Dékal · the match is over\n\n🏆 Ana wins!\n\n"
        "🥇 Ana: 24 points, 0 cards left\n🥈 Zoé: 24 points, 1 card left\n🥉 Bo: 40 points, 16 cards left"
    )
    assert "left" not in _plain(replace(over, length=Length.HUNDRED))


def test_shared_wins() -> None:
    """Equal seats share their medal, and the next one is skipped."""
    outcome = Outcome((110, 40, 40), (3, 1, 1), Ending.HUNDRED_REACHED)
    over = _view(
        phase=Phase.OVER,
        to_move=(),
        scores=(80, 20, 30),
        totals=(110, 40, 40),
        length=Length.HUNDRED,
        rounds=((30, 20, 10), (80, 20, 30)),
        outcome=outcome,
    )
    assert _plain(over, language="fr").replace("\u00a0", " ").replace("\u202f", " ") == (
        "Dékal · partie terminée\n\n🏆 Zoé et Bo gagnent à égalité !\n\n"
        "🥇 Zoé : 40 points (20 → 40)\n🥇 Bo : 40 points (10 → 40)\n🥉 Ana : 110 points (30 → 110)"
    )
