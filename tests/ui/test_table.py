"""The table message, the buttons around a match and the answers to commands."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

import pytest

from engine.core import Length
from engine.record import PLACES, seed_message
from engine.registry import GAMES
from handlers.commands import Commands
from handlers.ui import answers, table
from handlers.ui.captions import goes_on_below
from handlers.ui.languages import LANGUAGES, words
from handlers.ui.screen import Rows
from tests.engine.play import TABLES
from tests.ui.sample import HOSTILE, flat, press, seats
from tests.ui.telegram_html import length, read

OURS = [(key, count) for key, count in TABLES if key in GAMES]
LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)
COMMITMENT = sha256(b"secret").hexdigest()


@LANGUAGE
@pytest.mark.parametrize("match", Length)
@pytest.mark.parametrize(("key", "count"), [*OURS, ("dekal", 0), ("skyjo", 1)])
def test_table_messages_parse_and_keep_the_promise(key: str, count: int, match: Length, language: str) -> None:
    """Open and started, the message names everyone and shows the whole hash."""
    tell, people = words(language), seats(count, HOSTILE)
    limits = (GAMES[key].min_seats, GAMES[key].max_seats)
    opened = table.open_text(key, people, limits, 0 if people else None, match, COMMITMENT, tell)
    started = table.started_text(key, people, match, COMMITMENT, tell)
    for text in (opened, started):
        plain = read(text)[0]
        assert COMMITMENT in plain
        assert all(f"{seat}. " in plain for seat in range(1, count + 1))
        assert length(text) <= 4096


def test_open_table_reads_well() -> None:
    """The whole message in French, as its readers see it."""
    sitting = (seats(1)[0], replace(seats(2)[1], cut=11))
    text = table.open_text("dekal", sitting, (2, 6), 0, Length.HUNDRED, "ab12", words("fr"))
    assert read(text)[0].replace("\u00a0", " ").replace("\u202f", " ") == (
        "🃏 Dékal : une table est ouverte !\n"
        "Fais glisser tes cartes : les jumelles qui se touchent disparaissent. Le plus petit score gagne.\n\n"
        "2 personnes à table (de 2 à 6 joueurs) :\n1. Ana\n2. Zoé ✂️ 11\n\n"
        "Partie : des manches jusqu’à ce que quelqu’un atteigne 100 points ; le plus petit total gagne alors.\n"
        "Ana ou un admin lance la partie.\n\n"
        "🔒 Un secret entre dans la donne ; voici son SHA-256, pour la vérifier à la fin :\nab12\n"
        "✂️ Touche un numéro pour couper le paquet à cet endroit, si tu veux : toutes les coupes entrent dans la donne."
    )


def test_open_table_buttons() -> None:
    """Everything that may be done at a table, with the chosen length marked."""
    rows = table.open_buttons(press, Length.SINGLE, words("en"))
    assert flat(rows) == [
        ("Join", "join"),
        ("Leave", "leave"),
        *((str(place), f"cut {place}") for place in range(1, 17)),
        ("✓ One round", "length single"),
        ("To 100 points", "length 100"),
        ("Start", "start"),
        ("Close the table", "cancel"),
    ]
    assert "✓ To 100 points" in dict(flat(table.open_buttons(press, Length.HUNDRED, words("en"))))
    assert max(map(len, rows)) <= 8, "Telegram puts no more beside each other"


@LANGUAGE
def test_cuts_stay_to_be_read_when_the_match_has_begun(language: str) -> None:
    """Whoever checks the deal compares them, so they stand with the promise."""
    tell, people = words(language), [replace(seat, cut=place) for place, seat in enumerate(seats(3))]
    plain = read(table.started_text("dekal", people, Length.SINGLE, COMMITMENT, tell))[0]
    assert "1. Ana\n2. Zoé ✂️ 1\n3. Bo ✂️ 2\n" in plain


@LANGUAGE
@pytest.mark.parametrize("place", [1, PLACES])
def test_whoever_cuts_is_told_where(language: str, place: int) -> None:
    """In a toast, which also says that it may be changed."""
    toast = table.cut_toast(place, words(language))
    assert str(place) in toast
    assert len(toast) <= 200


@LANGUAGE
def test_all_buttons_fit(language: str) -> None:
    """No label is longer than half a phone's width, and all data fits."""
    tell = words(language)
    keyboards: list[Rows] = [
        table.open_buttons(press, Length.SINGLE, tell),
        table.over_buttons(press, tell),
        table.stopped_buttons(press, tell),
        table.stop_buttons(press, tell),
        table.close_buttons(press, tell),
        answers.rules_buttons(press, tell),
        answers.language_buttons(press),
    ]
    for rows in keyboards:
        for row in rows:
            assert all(0 < len(button.text) <= 20 and len(button.data.encode()) <= 64 for button in row)


@LANGUAGE
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["", *HOSTILE])
def test_what_is_said_around_a_match_parses(game: str, name: str, language: str) -> None:
    """Closing, stopping and asking, whoever did it."""
    tell = words(language)
    for by in (name, ""):
        for text in (table.cancelled_text(game, by, tell), table.stopped_caption(game, by, tell)):
            assert 0 < length(text) <= 1024
    for text in (
        table.stop_question(game, tell),
        table.close_question(game, tell),
        goes_on_below(game, tell),
        answers.already_open(game, tell),
        answers.already_running(game, tell),
    ):
        assert 0 < length(text) <= 1024


@LANGUAGE
@pytest.mark.parametrize("cuts", [(), (16,) * 8])
def test_the_deal_can_be_checked_from_its_caption(cuts: tuple[int, ...], language: str) -> None:
    """The caption has the hash, the bytes, what the players brought in and the command, and fits for eight of them."""
    message, name = seed_message([2**52 - seat for seat in range(8)], cuts), "skyjo-0123456789abcdef.json"
    text = table.deal_caption("c" * 64, "5" * 64, message, name, words(language), is_cut=bool(cuts))
    plain = read(text)[0]
    for part in (
        "c" * 64,
        "5" * 64,
        message,
        "python3 -m engine verify --commitment HEX < skyjo-0123456789abcdef.json",
    ):
        assert part in plain
    assert length(text) <= 1024


@LANGUAGE
def test_answers_parse_and_fit(language: str) -> None:
    """Every command's answer is valid HTML of at most 4096 units."""
    tell = words(language)
    plain = [
        answers.start_private(tell),
        answers.start_group(tell),
        answers.help_text(tell),
        answers.rules_choice(tell),
        answers.language_question(tell),
        answers.not_here(tell),
        answers.no_table(tell),
        answers.busy(tell),
        answers.broken(tell),
        *(answers.rules_text(game, tell) for game in GAMES),
        answers.language_chosen(tell),
    ]
    assert all(0 < length(text) <= 4096 for text in plain)


@LANGUAGE
def test_help_says_whose_games_these_are(language: str) -> None:
    """The publishers are named, and every command is."""
    text = answers.help_text(words(language))
    commands = [f"/{command}" for command in Commands.all() if command not in ("help", "start")]
    for part in ("Gigamic", "Magilano", *commands):
        assert part in text


def test_closing_asks_first() -> None:
    """An open table is closed with the verbs that stop a match, in words of its own."""
    assert table.close_question("skyjo", words("en")) == "Close this table of Skyjo?"
    rows = table.close_buttons(press, words("en"))
    assert flat(rows) == [("Close the table", "stop yes"), ("Keep it open", "stop no")]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Everyone at the table, whoever opened it and the administrators may close it or stop the match."),
        ("fr", "Toute personne à table, celle qui l’a ouverte et les admins peuvent la fermer ou arrêter la partie."),
    ],
)
def test_the_help_says_who_may_stop(language: str, expected: str) -> None:
    """Players, the opener and administrators: nobody else need try."""
    assert expected in answers.help_text(words(language))


def test_the_way_into_a_group() -> None:
    """The button of the private chat opens Telegram's choice of a group."""
    ((button,),) = answers.start_private_buttons("tablee_bot", words("en"))
    assert button.url == "https://t.me/tablee_bot?startgroup=table"
    assert button.data == ""


def test_rules_are_our_own_to_the_point() -> None:
    """The numbers in the rules are those of the engine."""
    for language in LANGUAGES:
        dekal, skyjo = (answers.rules_text(game, words(language)) for game in GAMES)
        assert all(part in dekal for part in ("100", "4 × 4", "7 ➡️"))
        assert all(part in skyjo for part in ("150", "−2", "12"))
        assert json.dumps([dekal, skyjo])
