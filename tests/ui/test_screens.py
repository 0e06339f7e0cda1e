"""What every game's screen keeps, at every table, over whole random games."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from engine.core import Length, View
from engine.registry import GAMES
from handlers.ui import screens
from handlers.ui.languages import LANGUAGES, words
from handlers.ui.screen import Screen, Seat, Style
from tests.engine.hidden import HIDDEN
from tests.engine.play import RULES, TABLES
from tests.ui.sample import HOSTILE, SCREENS, Moment, flat, game, legal, press, seats
from tests.ui.telegram_html import length, read

LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)
TABLE = pytest.mark.parametrize(("key", "count"), TABLES)


def test_every_game_has_a_screen() -> None:
    """A game that can be played can be shown."""
    assert list(screens.SCREENS) == list(GAMES)


@LANGUAGE
@TABLE
def test_captions_fit_and_parse_whatever_the_names(key: str, count: int, language: str) -> None:
    """At every moment a caption is valid HTML of at most 1024 units and mentions exactly those who are to act."""
    screen, people = SCREENS[key], seats(count, HOSTILE)
    notes: tuple[str, ...] = ()
    for moment in islice(game(key, count), 0, None, 3):
        notes = kept(screen, notes, moment)
        text = screen.caption(moment.view, notes, people, words(language))
        assert length(text) <= 1024
        expected = [f"tg://user?id={people[seat].id}" for seat in moment.view.to_move]
        assert read(text)[1] == expected


@LANGUAGE
@pytest.mark.parametrize("name", ["W" * 24, "&" * 24, "😀" * 6, "ع" * 12, "W" * 400, "@a" * 12, "." * 24])
@pytest.mark.parametrize(("key", "count"), [("dekal", 2), ("dekal", 6), ("skyjo", 2), ("skyjo", 8)])
def test_a_long_match_still_fits(key: str, count: int, language: str, name: str) -> None:
    """Sixty rounds of scores, and the longest names: the oldest rounds and notes go, everyone's total stays."""
    *_, last = game(key, count)
    rounds = tuple(tuple(-12 + 7 * seat for seat in range(count)) for _ in range(60))
    totals = tuple(map(sum, zip(*rounds, strict=True)))
    people = tuple(Seat(2**52 - seat, name) for seat in range(count))
    outcome = replace(last.view.outcome, totals=totals) if last.view.outcome else None
    changes: dict[str, Any] = {"rounds": rounds, "totals": totals, "length": Length.HUNDRED}
    screen = SCREENS[key]
    endings: list[View] = [replace(last.view, outcome=how, **changes) for how in (outcome, None)]
    for view in endings:
        text = screen.caption(view, (), people, words(language))
        plain = read(text)[0]
        assert length(text) <= 1024
        assert all(str(total).replace("-", "−") in plain for total in totals)
    notes: tuple[str, ...] = ()
    for moment in islice(game(key, count), 60):
        notes = kept(screen, notes, moment)
        view = replace(moment.view, **changes)
        assert length(screen.caption(view, notes, people, words(language))) <= 1024
        away = (people[0], *(replace(seat, absent=True) for seat in people[1:]))
        text = screen.caption(view, ("E60", *notes), away, words(language))
        assert length(text) <= 1024
        assert read(text)[1] == [f"tg://user?id={people[seat].id}" for seat in view.to_move]


@TABLE
def test_buttons_offer_every_legal_move_in_one_tap(key: str, count: int) -> None:
    """Every legal move has a button, and the keyboard stays inside Telegram's limits."""
    screen, english = SCREENS[key], words("en")
    for moment in game(key, count):
        rows = screen.buttons(moment.view, moment.legal, press, english)
        buttons = [button for row in rows for button in row]
        assert len(buttons) <= 100
        assert all(1 <= len(row) <= 8 for row in rows)
        assert all(1 <= len(button.data.encode()) <= 64 and button.text.strip() for button in buttons)
        offered = [move for _, move in flat(rows)]
        assert {move for moves in moment.legal.values() for move in moves} <= set(offered)
        assert len([move for move in offered if move != "card"]) == len({move for move in offered if move != "card"})
        assert bool(rows) is bool(moment.legal)


@TABLE
def test_buttons_give_no_secret_away(key: str, count: int) -> None:
    """They are everyone's to see, so they are the same for all positions that the table cannot tell apart."""
    screen, rules, random = SCREENS[key], RULES[key], Random(count)
    for moment in islice(game(key, count), 0, None, 3):
        other = HIDDEN[key].other(moment.state, None, random)
        shown = [
            screen.buttons(moment.view, legal(rules, state), press, words("en")) for state in (moment.state, other)
        ]
        assert shown[0] == shown[1]


@LANGUAGE
@TABLE
def test_labels_are_short(key: str, count: int, language: str) -> None:
    """A label of a pad is short enough for four on a phone; one that has its row to itself, for the whole width."""
    for moment in islice(game(key, count), 0, None, 5):
        for row in SCREENS[key].buttons(moment.view, moment.legal, press, words(language)):
            assert all(len(button.text) <= (34 if len(row) == 1 else 6) for button in row)


@LANGUAGE
@TABLE
def test_every_move_is_answered_with_a_toast(key: str, count: int, language: str) -> None:
    """Every mover reads a sentence of at most 200 units that has its values put in."""
    screen = SCREENS[key]
    for moment in game(key, count, Length.HUNDRED):
        toast = screen.toast(moment.own, moment.seat, moment.move, words(language))
        assert toast
        assert len(toast) <= 200
        assert "{" not in toast
        assert len(screen.reminder(moment.own, moment.seat, words(language))) <= 200


def kept(screen: Screen[Any], notes: tuple[str, ...], moment: Moment) -> tuple[str, ...]:
    """The notes that a match has after one more move."""
    new = screen.notes(moment.events)
    return screen.kept(notes, new, len(moment.view.totals)) if new else notes


@TABLE
def test_the_table_is_reminded_of_nothing(key: str, count: int) -> None:
    """What everyone may see holds no secret, so there is nothing to be reminded of."""
    for moment in game(key, count):
        assert all(SCREENS[key].reminder(moment.view, seat, words("en")) == "" for seat in range(count))


@TABLE
def test_notes_are_short_ascii(key: str, count: int) -> None:
    """Notes are kept beside the position, so they are small and plain."""
    for moment in game(key, count, Length.HUNDRED):
        for note in SCREENS[key].notes(moment.events):
            assert note.isascii()
            assert note.isprintable()
            assert 1 <= len(note) <= 12
            assert not set(note) & {";", " "}


@LANGUAGE
@TABLE
def test_captions_tell_every_note(key: str, count: int, language: str) -> None:
    """Whatever a game's events leave behind, the caption has a sentence for it."""
    screen, people = SCREENS[key], seats(count)
    view = next(game(key, count)).view
    silent = screen.caption(view, (), people, words(language))
    told = set()
    for moment in game(key, count, Length.HUNDRED):
        for note in screen.notes(moment.events):
            if note not in told:
                text = screen.caption(view, (note,), people, words(language))
                assert len(text.splitlines()) == len(silent.splitlines()) + 2
                assert length(text) > length(silent) + 5
            told.add(note)
    assert told


@TABLE
def test_absent_players_are_told_below_every_board(key: str, count: int) -> None:
    """Whoever the bot plays for is named, whatever has happened since; nobody is while all play for themselves."""
    people = seats(count)
    one = (*people[:-1], replace(people[-1], absent=True))
    all_but_one = (people[0], *(replace(seat, absent=True) for seat in people[1:]))
    notes: tuple[str, ...] = ()
    *moments, last = game(key, count)
    for moment in moments:
        notes = kept(SCREENS[key], notes, moment)
        text = SCREENS[key].caption(moment.view, notes, one, words("en"))
        assert f"🤖 The bot plays for {people[-1].name} until they press a button." in text
        text = SCREENS[key].caption(moment.view, notes, one, words("fr"))
        assert f"🤖 Le bot remplace {people[-1].name} jusqu’à son prochain appui sur un bouton." in text
        text = SCREENS[key].caption(moment.view, notes, all_but_one, words("fr"))
        assert all(seat.name in text.split("🤖")[1].splitlines()[0] for seat in people[1:])
        assert "🤖" not in SCREENS[key].caption(moment.view, notes, people, words("en"))
    assert "🤖" not in SCREENS[key].caption(last.view, notes, one, words("en"))


@TABLE
def test_all_that_is_new_is_told(key: str, count: int) -> None:
    """Whatever has just happened is below the board: what came before gives way, never the news."""
    screen = SCREENS[key]
    notes: tuple[str, ...] = ()
    for moment in game(key, count, Length.HUNDRED):
        notes = kept(screen, notes, moment)
        assert set(screen.notes(moment.events)) <= set(notes)
        everything = screen.caption(moment.view, notes, seats(count), words("en"))
        alone = screen.caption(moment.view, screen.notes(moment.events), seats(count), words("en"))
        news = alone.split("\n\n")[1].splitlines() if screen.notes(moment.events) else []
        assert all(line in everything for line in news if not line.startswith("Turned up"))
        assert len(";".join(notes)) <= 120


@TABLE
@pytest.mark.parametrize(
    "note", ["", "R", "R*", "Q9", "I9AL", "F9A", "T9b2AB", "K0z9AB", "S", "S9", "E", "X", "A0", "é", "RAAAAAA"]
)
def test_unknown_notes_are_left_out(key: str, count: int, note: str) -> None:
    """A note that this version does not write, or of a seat that nobody has, changes nothing and breaks nothing."""
    view = next(game(key, count)).view
    silent = SCREENS[key].caption(view, (), seats(count), words("en"))
    if note == "RAAAAAA" and key == "dekal" and count == 6:
        return
    assert SCREENS[key].caption(view, (note,), seats(count), words("en")) == silent


def test_colours_only_where_they_say_something() -> None:
    """Blank cells have no colour of their own, so that the eye finds those that can be pressed."""
    for moment in game("skyjo", 3):
        rows = SCREENS["skyjo"].buttons(moment.view, moment.legal, press, words("en"))
        assert all(button.style is Style.PLAIN for row in rows for button in row if button.text == "·")
