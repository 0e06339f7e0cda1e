"""Names in sentences: whatever they hold, the sentence stays ours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handlers.ui.languages import words
from handlers.ui.people import People, clip, harmless, listed, visible
from handlers.ui.screen import Seat
from infra.names import ELLIPSIS, NAME_UNITS, characters, units
from tests.ui.telegram_html import read


def test_lists_are_put_together_by_the_language() -> None:
    """One, two and three names."""
    assert [listed(names, words("en")) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert listed(["a", "b", "c"], words("fr")) == "a, b et c"


def test_nameless_players_have_a_number() -> None:
    """An empty name, or one of invisible characters, becomes the seat's number."""
    people = People((Seat(1, ""), Seat(2, " \u202e\n")), words("fr"))
    assert [people.plain(0), people.name(1)] == ["Joueur 1", "Joueur 2"]


def test_mentions_are_links_that_notify() -> None:
    """A mention names the user by id, with the name escaped."""
    people = People((Seat(2**52 - 1, '<b>&"'),), words("en"))
    assert people.mention(0) == f'<a href="tg://user?id={2**52 - 1}">&lt;b&gt;&amp;"</a>'


FAMILY = "👩\u200d👩\u200d👧"
RAINBOW = "🏳\ufe0f\u200d🌈"
ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("שלום", "\u2068שלום\u2069"),
        ("a\u202eb\u2069c", "abc"),
        ("two\nlines\tand  more", "two lines and more"),
        ("@durov", "@\u2060durov"),
        ("/stop", "/\u2060stop"),
        ("evil.com", "evil.\u2060com"),
        ("J. R.", "J. R."),
        (FAMILY, FAMILY),
        (f"{RAINBOW} Zoé", f"{RAINBOW} Zoé"),
        (f"Zoé {ENGLAND}", f"Zoé {ENGLAND}"),
        ("#\ufe0f\u20e3 1", "#\ufe0f\u20e3 1"),
        ("a\u200db\U000e0067c", "a b c"),
        ("\u200d\u3164\ufe0f", ""),
        ("x" * 20 + FAMILY, "x" * 20 + "…"),
        ("x" * 30, "x" * (NAME_UNITS - 1) + "…"),
    ],
)
def test_names_do_not_act(name: str, expected: str) -> None:
    """A name turns nothing around, breaks no line, links nothing and is never long."""
    assert harmless(visible(name)) == expected


@given(st.text())
def test_any_name_is_one_harmless_line(name: str) -> None:
    """Any text at all, escaped, is read back as it was made harmless, and isolates are balanced."""
    plain = harmless(visible(name))
    assert read(People((Seat(1, name),), words("en")).mention(0)) == (plain or "Player 1", ["tg://user?id=1"])
    assert all(len(one) > 1 or one.isprintable() or one in "\u2060\u2068\u2069" for one in characters(plain))
    assert "\n" not in plain
    assert plain.count("\u2068") == plain.count("\u2069") <= 1


@given(st.text(), st.integers(2, 40))
def test_clipping_keeps_whole_characters(text: str, limit: int) -> None:
    """A clipped text fits, and is the beginning of what it was."""
    short = clip(text, limit)
    assert units(short) <= limit
    assert short == text or text.startswith(short.rstrip("\u2069").removesuffix(ELLIPSIS))
    assert short == text or ELLIPSIS in short


def test_clipping_closes_isolates() -> None:
    """A toast that is cut inside a right-to-left name does not turn what follows around."""
    short = clip(f"x {harmless('ש' * 12)} y", 8)
    assert short == "x \u2068שששs…\u2069".replace("s", "")
    assert units(short) <= 8


def labels(*names: str, language: str = "en") -> list[str]:
    """What the seats of a table are called."""
    people = People(tuple(Seat(seat, name) for seat, name in enumerate(names)), words(language))
    return [people.plain(seat) for seat in range(len(names))]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Ana", "Bo", "Ana"], ["Ana (1)", "Bo", "Ana (3)"]),
        (["Ana", "Ana\u200b", " Ana "], ["Ana (1)", "Ana (2)", "Ana (3)"]),
        (["Ana (2)", "Ana", "Ana"], ["Ana (2) (1)", "Ana (2)", "Ana (3)"]),
        (["Ana (1)", "Ana (1)"], ["Ana (1) (1)", "Ana (1) (2)"]),
        (["Ana", "Ana (1)", "Ana (2)"], ["Ana", "Ana (1)", "Ana (2)"]),
        (["Player 2", ""], ["Player 2 (1)", "Player 2 (2)"]),
        (["", ""], ["Player 1", "Player 2"]),
        (["\u0410n\u0430", "Ana"], ["\u0410n\u0430 (1)", "Ana (2)"]),
        (["Ali", "AIi"], ["Ali (1)", "AIi (2)"]),
        (["Zoé", "Zoe\u0301"], ["Zoé (1)", "Zoe\u0301 (2)"]),
        (["x" * 24 + "a", "x" * 24 + "b"], ["x" * 19 + "… (1)", "x" * 19 + "… (2)"]),
        (["Александра…", "Александра", "Ed"], ["Александра… (1)", "Александра (2)", "Ed"]),
        (["שלום", "שלום"], ["\u2068שלום (1)\u2069", "\u2068שלום (2)\u2069"]),
        (["ana", "Ana", "Anä"], ["ana", "Ana", "Anä"]),
    ],
)
def test_equal_names_have_their_seats_numbers(names: list[str], expected: list[str]) -> None:
    """Names that readers may take for each other are told apart, and names that are numbers by themselves as well."""
    assert labels(*names) == expected


@given(
    st.lists(st.sampled_from(["Ana", "Ana (1)", "Ana (2)", "Ana (1) (2)", "A" * 40, "A" * 30 + "b", "", "Player 2"]))
)
def test_no_two_seats_are_called_the_same(names: list[str]) -> None:
    """Whatever people call themselves, and no name grows beyond its room."""
    called = labels(*names[:8])
    assert len(set(called)) == len(called)
    assert all(units(label) <= NAME_UNITS for label in called)
