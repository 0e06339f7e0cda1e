"""Names on one line, cut where readers would cut them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.names import ELLIPSIS, characters, cut, cut_together, octets, one_line, units

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
RAINBOW = "🏳\ufe0f\u200d🌈"
ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
PIECES = [
    "a",
    "é",
    " ",
    "\n",
    "\u200d",
    "\ufe0f",
    "\u20e3",
    "#",
    "👨",
    "👩🏽",
    "🇫",
    "🇷",
    "🏴",
    "\U000e0067",
    "\U000e007f",
    "♀",
]

texts = st.lists(st.one_of(st.sampled_from(PIECES), st.characters(codec="utf-8")), max_size=20).map("".join)


@pytest.mark.parametrize(
    "emoji",
    [FAMILY, RAINBOW, ENGLAND, "🇫🇷", "#\ufe0f\u20e3", "🏃🏽\u200d♀\ufe0f", "❤\ufe0f\u200d🔥", "👋🏿", "☺\ufe0f"],
)
def test_an_emoji_is_one_character(emoji: str) -> None:
    """Whatever joins its parts stays, for without it several pictures would be seen."""
    assert list(characters(f"a{emoji}b")) == ["a", emoji, "b"]
    assert one_line(f"a{emoji}b") == f"a{emoji}b"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\u200db", "a b"),
        ("👨\u200d", "👨"),
        ("a\tb\n\u200b c\u00ad", "a b c"),
        ("a\ufe0fb\u3164", "ab"),
        ("🏴\U000e0067\U000e0062", "🏴"),
    ],
)
def test_nothing_unseen_is_left_outside_emoji(text: str, line: str) -> None:
    """Joiners, tags and selectors that join, tag and select nothing go, and so does every control character."""
    assert one_line(text) == line


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"Zoé {RAINBOW} {RAINBOW}", f"Zoé {RAINBOW}…"),
        (f"Zoé {FAMILY}", "Zoé…"),
        (FAMILY, "👨\u200d👩\u200d👧…"),
        (ENGLAND, "🏴…"),
        ("é" * 12, "é" * 12),
        ("é" * 13, "é" * 10 + "…"),
        ("Александра Иванова", "Александра…"),
        ("x" * 24, "x" * 24),
        ("x" * 25, "x" * 21 + "…"),
    ],
)
def test_what_is_cut_ends_in_an_ellipsis(text: str, kept: str) -> None:
    """What does not fit into the bytes goes as a whole; only an emoji that is too long by itself loses parts."""
    assert cut(text, 24) == kept


@given(texts, st.sampled_from([octets, units]))
def test_a_cut_text_stays_as_it_is(text: str, size: Callable[[str], int]) -> None:
    """Cutting once is enough, and always fits."""
    short = cut(text, 24, size)
    assert size(short) <= 24
    assert cut(short, 24, size) == one_line(short) == short
    assert short == one_line(text) or short.endswith(ELLIPSIS)


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        ([], ()),
        (["x" * 60], ("x" * 60,)),
        (["x" * 30, "y" * 30], ("x" * 30, "y" * 30)),
        (["x" * 31, "y" * 30], ("x" * 27 + "…", "y" * 30)),
        (["x" * 90, "Bo", "y" * 30], ("x" * 26 + "…", "Bo", "y" * 26 + "…")),
        (["Александра Иванова", "Ed", "Александра Ильина"], ("Александра Ив…", "Ed", "Александра Ил…")),
    ],
)
def test_names_share_what_room_there_is(names: list[str], kept: tuple[str, ...]) -> None:
    """Nobody's name is cut for the sake of a longer one, and the longest are all cut to one length."""
    assert cut_together(names, 60) == kept


@given(st.lists(texts.map(one_line), min_size=1, max_size=8), st.integers(64, 300))
def test_names_together_fit(names: list[str], limit: int) -> None:
    """However many and however long."""
    kept = cut_together(names, limit)
    assert sum(map(octets, kept)) <= limit
    assert kept == tuple(names) or sum(map(octets, names)) > limit
