"""Names in every script: what is kept, what is dropped, in which order it is drawn."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import View
from engine.dekal.views import View as DekalView
from handlers.ui.languages import words
from handlers.ui.pictures import canvas, fonts, scripts, seats
from handlers.ui.screens import SCREENS
from infra.names import ELLIPSIS
from testing.views import STAGES, Stage, dekal_view, skyjo_view


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Zoé", "Zoé"),
        ("Zoe\u0301", "Zoé"),
        ("Z\u0337\u0322a\u0334lg\u0336o", "Zalgo"),
        ("𝓕𝓪𝓷𝓬𝔂", "Fancy"),
        ("\N{FULLWIDTH LATIN CAPITAL LETTER A}nna", "Anna"),
        ("😀 Léa 👩‍👩‍👧", "Léa"),
        ("李小龙 Bruce", "Bruce"),
        ("a\u200b\u202eb\u0000c", "abc"),
        ("  two\n\twords ", "two words"),
        ("Ελένη", "Ελένη"),
        ("Ангелина", "Ангелина"),
        ("ใจดี", "ใจดี"),
        ("😀", ""),
        ("李小龙", ""),
        ("\u2067\u200d", ""),
        ("", ""),
    ],
)
def test_what_the_font_lacks_is_left_out(name: str, kept: str) -> None:
    """A name keeps what can be drawn, in plain letters."""
    assert scripts.clean(name, fonts.covered()) == kept


def test_a_name_of_which_nothing_remains_becomes_the_seats_number() -> None:
    """Nobody is nameless, in each language."""
    assert seats.names(("Ann", "😀", ""), words("en")) == ("Ann", "Player 2", "Player 3")
    assert seats.names(("😀",), words("fr")) == ("Joueur 1",)


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("abc 12", "abc 12"),
        ("שלום", "םולש"),
        ("שלום 12", "12 םולש"),
        ("Anna שלום Bob", "Anna םולש Bob"),
        ("שלום Anna כהן", "ןהכ Anna םולש"),
        ("(שלום)", "(םולש)"),
        ("Anna (שלום)", "Anna (םולש)"),
    ],
)
def test_leftward_scripts_are_drawn_leftwards(text: str, drawn: str) -> None:
    """Words that read leftwards are reversed, numbers and other words within them are not."""
    assert scripts.visual(text) == drawn


def test_arabic_letters_join() -> None:
    """Each letter takes the shape that its neighbours ask for, and lam with alif becomes one."""
    assert scripts.visual("محمد") == "\ufeaa\ufee4\ufea4\ufee3"
    assert scripts.visual("لا") == "\ufefb"
    assert scripts.visual("سلام") == "\ufee1\ufefc\ufeb3"


def test_every_shape_of_arabic_is_in_the_font() -> None:
    """Joining never leads out of what the font covers, for the letters of Arabic, Persian and Urdu."""
    letters, pairs = scripts._forms()
    common = "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژکگیٹڈڑںھہے"
    shapes = [shape for letter in common for shape in letters.get(letter, {}).values()]
    shapes += [
        shape
        for pair in pairs.values()
        for shape in pair.values()
        if "\u0644\u0622" <= unicodedata.normalize("NFKC", shape) <= "\u0644\u0627"
    ]
    assert {ord(shape) for shape in shapes} <= fonts.covered()


def test_covered_characters_have_a_glyph() -> None:
    """What the character map claims is drawn: no letter looks like the box for a missing one."""
    font = fonts.font(30)
    missing = bytes(font.getmask("\uffff"))
    letters = [chr(code) for code in sorted(fonts.covered()) if unicodedata.category(chr(code))[0] in "LN"]
    assert len(letters) > 1500
    assert not [letter for letter in letters if bytes(font.getmask(letter)) == missing]


@pytest.mark.parametrize("name", ["x" * 128, "W" * 64 + " " + "W" * 64, "שלום " * 25, "محمد " * 25])
@pytest.mark.parametrize("room", [40, 120, 300])
def test_long_names_are_cut_to_the_room(name: str, room: int) -> None:
    """A name never runs into what stands beside it, and shows that it goes on."""
    cut = fonts.shorten(name, 28, room)
    assert fonts.drawn_width(cut, 28) <= room
    assert cut.endswith(ELLIPSIS)


@given(st.text(max_size=200))
def test_any_text_can_be_prepared(text: str) -> None:
    """Cleaning and ordering any text gives drawable characters only, and loses none in ordering."""
    cleaned = scripts.clean(text, fonts.covered())
    assert {ord(char) for char in cleaned} <= fonts.covered()
    assert scripts.clean(cleaned, fonts.covered()) == cleaned
    assert fonts.drawn_width(fonts.shorten(cleaned, 28, 200), 28) <= 200


@given(st.text(alphabet="ab 1(אבגدلاس", max_size=12))
def test_ordering_keeps_every_letter(text: str) -> None:
    """Drawing order is a rearrangement; only joined letters change, and joined pairs become one."""
    unjoined = unicodedata.normalize("NFKC", scripts.visual(text)).translate(scripts.MIRRORED)
    assert sorted(unjoined) == sorted(text.translate(scripts.MIRRORED)) or "(" in text


def drawn_texts(monkeypatch: pytest.MonkeyPatch, view: View, names: Sequence[str]) -> list[str]:
    """All that is written into a picture."""
    texts: list[str] = []
    write = canvas.Canvas.text

    def kept(self: canvas.Canvas, text: str, *rest: Any) -> None:
        texts.append(text)
        write(self, text, *rest)

    monkeypatch.setattr(canvas.Canvas, "text", kept)
    game = "dekal" if isinstance(view, DekalView) else "skyjo"
    SCREENS[game].picture(view, names, words("en"))
    return texts


@pytest.mark.parametrize("hundred", [False, True])
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", ["Ana", "Ana-Lucía Fernández", "W" * 24, "Ana 😀", "Александра Ильина", "Ana…", "שרה"])
def test_equal_names_are_told_apart(name: str, stage: Stage, monkeypatch: pytest.MonkeyPatch, *, hundred: bool) -> None:
    """On every panel, however little room signs and points leave; what is cut keeps its number."""
    for view in (skyjo_view(8, stage, hundred=hundred), dekal_view(6, stage, hundred=hundred)):
        seated = len(view.grids)
        texts = drawn_texts(monkeypatch, view, [name] * seated)
        numbered = [text for text in texts if "(" in text]
        for seat in range(1, seated + 1):
            assert [text for text in numbered if f"({seat})" in text and len(text) > len("(1)")]


@pytest.mark.parametrize("stage", STAGES)
def test_names_that_are_cut_to_the_same_are_told_apart(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that differ only behind the end of what there is room for have their numbers, the others do not."""
    names = ["Wilhelmina-Magdalena Aa", "Bo", "Wilhelmina-Magdalena Ab", "Li"]
    texts = drawn_texts(monkeypatch, skyjo_view(4, stage, hundred=True), names)
    assert [text for text in texts if "(" in text and "W" in text and text.endswith("… (1)")]
    assert [text for text in texts if "(" in text and "W" in text and text.endswith("… (3)")]
    assert {"Bo", "Li"} <= set(texts)
    whole = drawn_texts(monkeypatch, skyjo_view(4, stage), ["Александра Ив", "Bo", "Александра Ил", "Li"])
    assert {"Александра Ив", "Александра Ил"} <= set(whole)


@pytest.mark.parametrize(
    ("name", "kept"), [("Александра…", "Александра…"), ("Ana 😀…", "Ana…"), ("😀…", ""), ("…", "")]
)
def test_an_ellipsis_stays_one_sign(name: str, kept: str) -> None:
    """It is not spelled with three dots, and stands at the end of something."""
    assert scripts.clean(name, fonts.covered()) == kept
    assert ord(ELLIPSIS) in fonts.covered()
