"""The catalogs: complete, the same keys and values in every language, and typeset as each language wants."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo

from engine.core import Length, Reason
from engine.registry import GAMES
from handlers.app import times
from handlers.commands import Commands
from handlers.ui.languages import DOMAIN, LANGUAGES, Words, spoken, words
from handlers.ui.pictures.fonts import covered
from handlers.ui.refusals import NAMED, Refusal
from handlers.ui.toasts import Done
from tests.ui.catalogs import CATALOGS, asked, placeholders, plural_flaws, source
from tests.ui.telegram_html import read

LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)
ASKED = asked()
KEY = re.compile(r"[a-z]+(\.[a-z0-9-]+)+")
SPACE = " \n"


def test_languages_have_the_same_keys_and_values() -> None:
    """No language lacks a sentence, has one too many, or puts in other values; plurals are plurals everywhere."""
    english, *others = CATALOGS.values()
    for other in others:
        assert other.keys() == english.keys()
        for key, entry in english.items():
            assert other[key].placeholders == entry.placeholders, key
            assert other[key].plural is entry.plural, key
            for form in other[key].forms:
                assert placeholders(form) | {"count"} == entry.placeholders | {"count"}, key


@LANGUAGE
def test_every_key_that_the_code_asks_for_is_there(language: str) -> None:
    """What is asked for with a count has plural forms, everything else has one sentence."""
    catalog = CATALOGS[language]
    assert ASKED.sentences
    assert ASKED.plurals
    assert {key for key in ASKED.sentences if key not in catalog or catalog[key].plural} == set()
    assert {key for key in ASKED.plurals if key not in catalog or not catalog[key].plural} == set()


@LANGUAGE
def test_keys_kept_in_tables_are_there(language: str) -> None:
    """A text in the code that looks like a key of ours is one."""
    sections = {key.partition(".")[0] for key in CATALOGS[language] if "." in key} - {"table"}
    looks = {text for text in ASKED.literals if KEY.fullmatch(text) and text.partition(".")[0] in sections}
    assert looks - CATALOGS[language].keys() == set()


@LANGUAGE
def test_keys_put_together_are_there(language: str) -> None:
    """Every game, length, reason and answer has its sentences."""
    keys = {f"{section}.{game}" for game in GAMES for section in ("game", "rules", "table.teaser", "picture")}
    keys |= {f"table.length.100.{game}" for game in GAMES} | {f"table.button.{length.value}" for length in Length}
    keys |= {f"menu.{command}" for command in Commands.all()}
    keys |= {f"refusal.{reason}" for reason in (*Reason, *Refusal)}
    keys |= {f"refusal.{reason}" for rules in GAMES.values() for reason in rules.reasons}
    keys |= {f"toast.{done}" for done in Done} | {*NAMED.values()}
    assert keys - CATALOGS[language].keys() == set()


def test_no_sentence_is_unused() -> None:
    """Every key stands in the code, whole or put together."""
    patterns = [re.compile(pattern) for pattern in ASKED.patterns if re.match(r"[a-z]+\\\.", pattern)]
    unused = {
        key
        for key in CATALOGS["en"]
        if key not in ASKED.literals and not any(pattern.fullmatch(key) for pattern in patterns)
    }
    assert unused == set()


@LANGUAGE
def test_every_sentence_speaks(language: str) -> None:
    """No sentence is empty, none has white space around it, and the values go in."""
    tell = words(language)
    for key, entry in CATALOGS[language].items():
        values = dict.fromkeys(entry.placeholders - {"count"}, "7")
        told = [tell.plural(key, count, **values) for count in (0, 1, 2, 21)] if entry.plural else [tell(key, **values)]
        for sentence in told:
            assert sentence == sentence.strip() != ""
            assert not set("{}") & set(sentence)
            assert sentence != key
            read(sentence)


@LANGUAGE
def test_plural_forms_are_those_of_the_language(language: str) -> None:
    """As many as it has, for the numbers that it counts alike: French counts nothing as one, English as many."""
    assert plural_flaws(language) == []


SLAVIC = "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"
POLISH = SLAVIC.replace("n%10==1 && n%100!=11", "n==1")
ARABIC = "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);"
ENGLISH = "nplurals=2; plural=(n != 1);"


def small_catalog(folder: Path, language: str, plurals: str, forms: int) -> None:
    """A compiled catalog with one message: "cards", in forms that say which they are."""
    lines = ['msgid ""', 'msgstr ""', f'"Language: {language}\\n"', f'"Plural-Forms: {plurals}\\n"', ""]
    lines += ['msgid "cards"', 'msgid_plural "cards"', *(f'msgstr[{n}] "{{count}} in form {n}"' for n in range(forms))]
    path = folder / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    path.parent.mkdir(parents=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, source(language, folder))


@pytest.mark.parametrize(
    ("language", "plurals", "counted"),
    [
        ("pl", POLISH, {1: 0, 0: 2, 2: 1, 4: 1, 5: 2, 12: 2, 21: 2, 22: 1, 100: 2, 112: 2}),
        ("ru", SLAVIC, {1: 0, 0: 2, 2: 1, 4: 1, 5: 2, 11: 2, 12: 2, 21: 0, 22: 1, 100: 2, 101: 0, 111: 2}),
        ("ar", ARABIC, {0: 0, 1: 1, 2: 2, 3: 3, 10: 3, 11: 4, 99: 4, 100: 5, 102: 5, 103: 3}),
        ("ja", "nplurals=1; plural=0;", {0: 0, 1: 0, 2: 0, 100: 0}),
    ],
)
def test_a_language_has_as_many_plural_forms_as_it_wants(
    language: str, plurals: str, counted: dict[int, int], tmp_path: Path
) -> None:
    """One in Japanese, three in Polish and Russian, six in Arabic: each number is told in its form."""
    small_catalog(tmp_path, language, plurals, len(set(counted.values())))
    assert spoken(tmp_path) == (language,)
    assert plural_flaws(language, tmp_path) == []
    tell = Words(language, tmp_path)
    assert {count: tell.plural("cards", count) for count in counted} == {
        count: f"{count} in form {form}" for count, form in counted.items()
    }


@pytest.mark.parametrize(
    ("language", "plurals", "forms", "flaws"),
    [
        ("pl", ENGLISH, 2, ["0 and 2 are counted in one form"]),
        ("ru", POLISH, 3, ["1 and 21 are counted in different forms", "0 and 21 are counted in one form"]),
        ("ar", ARABIC, 5, ["cards has 5 of 6 forms"]),
        ("fr", ENGLISH, 2, ["0 and 1 are counted in different forms", "0 and 2 are counted in one form"]),
        ("en", SLAVIC, 3, ["0 and 2 are counted in different forms"]),
    ],
)
def test_wrong_plural_forms_are_found(
    language: str, plurals: str, forms: int, flaws: list[str], tmp_path: Path
) -> None:
    """A header that was copied from another language, and a sentence that lacks a form."""
    small_catalog(tmp_path, language, plurals, forms)
    assert set(flaws) <= set(plural_flaws(language, tmp_path))


@LANGUAGE
def test_a_picture_can_show_its_words(language: str) -> None:
    """The font of the pictures has every letter of them."""
    shown = "".join(form for key, entry in CATALOGS[language].items() if key[:8] == "picture." for form in entry.forms)
    assert {letter for letter in shown if ord(letter) not in covered()} == set()


@LANGUAGE
def test_typography(language: str) -> None:
    """Apostrophes are round, dots are an ellipsis, and a minus is no hyphen."""
    for key, entry in CATALOGS[language].items():
        for form in entry.forms:
            assert "'" not in form, key
            assert "..." not in form, key
            assert not re.search(r"(^|\s)-\d", form), key


def test_french_spaces() -> None:
    """A narrow space that does not break before ; ! ?, one that does not break before a colon and inside quotes."""
    for key, entry in CATALOGS["fr"].items():
        for form in entry.forms:
            plain = re.sub(r"https?://\S+", "", form)
            assert not re.search(r"(?<!\u202f)[;!?]", plain), key
            assert not re.search(r"(?<!\u00a0):", plain), key
            assert not re.search(r"«(?!\u00a0)|(?<!\u00a0)»", plain), key


def test_only_french_has_french_spaces() -> None:
    """English sentences were not typeset by the other language's rules."""
    assert not [key for key, entry in CATALOGS["en"].items() if re.search(r"[\u00a0\u202f] ?[:;!?]", entry.forms[0])]


def test_french_says_tu() -> None:
    """Whoever reads a sentence is one person and a friend; only several who are named together are "vous"."""
    for key, entry in CATALOGS["fr"].items():
        for form in entry.forms[:1]:
            polite = re.findall(r"\b(?:vous|votre|vos|\w+ez)\b", form.lower())
            assert set(polite) <= {"chez", "assez"}, key


def test_times_are_those_that_are_kept() -> None:
    """Sentences with a time in them say what the clock does."""
    tell = words("en")
    assert (times.TABLE, times.ARCHIVE, times.PATIENCE) == (3600, 7 * 86_400, 2)
    assert "for an hour" in tell("table.expired", game="Skyjo")
    assert "for a week" in tell("stop.abandoned", game="Skyjo")
    assert "After twice that time" in tell("settings.delay", choice="Never")
