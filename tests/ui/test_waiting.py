"""Words about those who are waited for."""

from __future__ import annotations

import pytest

from handlers.ui import waiting
from handlers.ui.captions import goes_on_below
from handlers.ui.languages import words
from handlers.ui.toasts import Done, done


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, "Le bot joue à sa place jusqu’à son prochain appui sur un bouton."),
        (2, "Le bot joue à leur place jusqu’à leur prochain appui sur un bouton."),
    ],
)
def test_playing_on_speaks_of_one_or_several(count: int, expected: str) -> None:
    """French tells one absent player from several."""
    assert waiting.played_on(count, words("fr")) == expected
    assert waiting.played_on(count, words("en")) == "The bot plays for them until they press a button again."


def test_what_has_moved_on_or_stays_is_told() -> None:
    """A board that goes on in a newer message, a table that stays open, a deal that is above already."""
    assert goes_on_below("skyjo", words("en")) == "<b>Skyjo</b> · the board goes on below ⬇️"
    assert goes_on_below("dekal", words("fr")) == "<b>Dékal</b> · le plateau continue plus bas ⬇️"
    assert [done(what, words("en")) for what in (Done.KEPT_OPEN, Done.DEAL_ABOVE)] == [
        "The table stays open.",
        "It was sent above.",
    ]
    assert [done(what, words("fr")) for what in (Done.KEPT_OPEN, Done.DEAL_ABOVE)] == [
        "La table reste ouverte.",
        "C’est déjà envoyé plus haut.",
    ]
