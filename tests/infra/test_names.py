"""Names on one line, cut where readers would cut them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.names import characters, cut, one_line

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
        (f"Zoé {RAINBOW} {RAINBOW}", f"Zoé {RAINBOW}"),
        (f"Zoé {FAMILY}", "Zoé"),
        (FAMILY, "👨\u200d👩\u200d👧"),
        (ENGLAND, "🏴"),
        ("é" * 20, "é" * 12),
    ],
)
def test_emoji_are_cut_whole(text: str, kept: str) -> None:
    """What does not fit into the bytes goes as a whole; only an emoji that is too long by itself loses parts."""
    assert cut(text, 24) == kept


@given(texts)
def test_a_cut_text_stays_as_it_is(text: str) -> None:
    """Cutting once is enough, and always fits."""
    short = cut(text, 24)
    assert len(short.encode()) <= 24
    assert cut(short, 24) == one_line(short) == short
