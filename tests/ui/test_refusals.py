"""Toasts that refuse, and those that confirm."""

from __future__ import annotations

import pytest

from engine.core import Reason
from engine.registry import GAMES
from handlers.ui.languages import LANGUAGES, words
from handlers.ui.refusals import Refusal, say
from handlers.ui.toasts import Done, done
from infra.names import units
from tests.ui.sample import HOSTILE

REASONS = (*Reason, *Refusal, *(reason for rules in GAMES.values() for reason in rules.reasons))
LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)


@LANGUAGE
@pytest.mark.parametrize("reason", [*REASONS, "no such reason"])
@pytest.mark.parametrize("names", [(), ("",), ("Ana",), ("W" * 24,) * 8, HOSTILE, ("ש" * 12,) * 8])
def test_every_reason_has_a_sentence_that_fits(reason: str, names: tuple[str, ...], language: str) -> None:
    """With names or without, a toast is a sentence of at most 200 units."""
    for least in (0, 2):
        toast = say(reason, words(language), names=names, least=least)
        assert toast
        assert units(toast) <= 200
        assert "{" not in toast
        assert toast.count("\u2068") == toast.count("\u2069")


@LANGUAGE
def test_a_reason_without_a_sentence_is_an_unknown_button(language: str) -> None:
    """And every other reason has one that says more."""
    unknown = words(language)("refusal.unknown")
    assert say("no such reason", words(language)) == unknown
    assert [reason for reason in REASONS if say(reason, words(language)) == unknown] == [Refusal.UNKNOWN]


def test_whose_turn_it_is() -> None:
    """Who presses out of turn reads whose turn it is."""
    assert say(Reason.NOT_YOUR_TURN, words("en"), names=["Ana"]) == "It is Ana’s turn."
    assert say(Reason.NOT_YOUR_TURN, words("fr"), names=["Ana", "Bo"]) == "C’est à Ana et Bo de jouer."
    assert say(Reason.NOT_YOUR_TURN, words("en")) == "It is not your turn."


def test_how_many_are_needed() -> None:
    """Who starts too early reads how many players it takes."""
    assert say(Refusal.TOO_FEW, words("en"), least=2) == "This game wants at least 2 players."


def test_toasts_are_plain_text() -> None:
    """Names in toasts are not escaped: Telegram shows toasts as they are."""
    assert "A & B" in say(Refusal.OPENER_ONLY, words("en"), names=["A & B"])


@LANGUAGE
def test_everything_done_is_confirmed(language: str) -> None:
    """Every confirmation fits."""
    assert all(0 < units(done(what, words(language))) <= 200 for what in Done)
