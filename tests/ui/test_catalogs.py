"""The catalogs: complete, the same keys and values in every language, and typeset as each language wants."""

from __future__ import annotations

import re

import pytest

from engine.core import Length, Reason
from engine.registry import GAMES
from handlers.ui.languages import LANGUAGES, words
from handlers.ui.refusals import NAMED, Refusal
from handlers.ui.toasts import Done
from tests.ui.catalogs import CATALOGS, asked
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
    keys |= {f"language.{part}.{each}" for each in LANGUAGES for part in ("name", "chosen")}
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
    """French counts nothing as one, English as many."""
    tell = words(language)
    one, many = CATALOGS[language]["dekal.cards-left"].forms
    forms = [tell.plural("dekal.cards-left", count).replace(str(count), "{count}") for count in (0, 1, 2)]
    assert forms == [one if language == "fr" else many, one, many]
    for entry in CATALOGS[language].values():
        assert len(entry.forms) == (2 if entry.plural else 1)


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
