"""Whole matches through the webhook, by pressing what the messages offer."""

from __future__ import annotations

from random import Random

import pytest

from engine.record import verify
from engine.registry import GAMES
from infra.matches import Status
from tests.group import Group, text_of

TABLES = [(key, seats) for key, rules in GAMES.items() for seats in (rules.min_seats, rules.max_seats)]


@pytest.mark.parametrize(("game", "seats"), TABLES)
@pytest.mark.parametrize("language", ["en", "fr"])
async def test_a_match_is_played_to_its_end(game: str, seats: int, language: str) -> None:
    """From the first command to the final score, with Telegram strict, in both languages, at the table's ends."""
    group = Group(seats, language=language)
    await group.start(game)
    match = await group.play_on(Random(seats))
    assert match.status is Status.OVER
    assert group.telegram.violations == []
    assert set(group.statuses) == {200}
    await group.verb(0, group.live(), "deal")
    document = group.messages()[-1]
    assert "document" in document.body, text_of(document)
    stored = group.telegram.world.files
    assert stored
    del verify
