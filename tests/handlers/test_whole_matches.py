"""Whole matches through the webhook, by pressing what the messages offer."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random

import pytest

from engine.core import Length
from engine.record import commitment, verify
from engine.registry import GAMES
from infra.matches import Match, Status
from testing.group import Group, buttons, text_of

TABLES = [(key, seats) for key, rules in GAMES.items() for seats in (rules.min_seats, rules.max_seats)]
LANGUAGES = {("dekal", 2): "en", ("dekal", 6): "fr", ("skyjo", 2): "fr", ("skyjo", 8): "en"}


async def check_the_deal(group: Group, match: Match) -> bytes:
    """Press "check the deal" and compare the file with what the table promised."""
    promised = commitment(match.secret)
    assert any(promised in text_of(message) for message in group.messages()), "the table showed the commitment"
    await group.verb(0, group.live(), "deal")
    document = group.document()
    record = verify(document.decode()).record
    assert (record.game, record.seats, record.length) == (match.game, len(match.players), match.length)
    assert json.loads(document)["players"] == [player.id for player in match.players]
    return document


def verified(document: bytes, promised: str) -> str:
    """What `python3 -m engine verify` prints about a deal whose table has shown this commitment."""
    command = [sys.executable, "-m", "engine", "verify", "--commitment", promised]
    return subprocess.run(command, input=document, capture_output=True, check=True).stdout.decode()  # noqa: S603 - ours


@pytest.mark.parametrize(("game", "seats"), TABLES)
async def test_a_match_is_played_to_its_end(game: str, seats: int) -> None:
    """From the first command to the final score and its proof: no press fails, Telegram never complains."""
    group = Group(seats, language=LANGUAGES[game, seats])
    await group.start(game)
    match = await group.play(Random(seats))
    assert match.status is Status.OVER
    document = await check_the_deal(group, match)
    assert [data.rsplit(":")[-1] for data in buttons(group.live())] == ["again", "deal"]
    assert group.telegram.violations == []
    assert set(group.statuses) == {200}
    assert "🏆" in text_of(group.live())
    if seats == GAMES[game].min_seats:
        assert "\nfair, if " in verified(document, commitment(match.secret))


@pytest.mark.parametrize(("game", "language"), [("dekal", "fr"), ("skyjo", "en")])
async def test_a_match_to_100_is_played_to_its_end(game: str, language: str) -> None:
    """Rounds follow each other, each on a board of its own, and the proof holds over all of them."""
    group = Group(2, language=language)
    await group.start(game, length="100")
    match = await group.play(Random(3))
    assert match.status is Status.OVER
    assert match.length is Length.HUNDRED
    await check_the_deal(group, match)
    boards = [message for message in group.messages() if "photo" in message.body]
    assert len(boards) > 1
    assert [message for message in boards if buttons(message)] == boards[-1:]
    assert group.telegram.violations == []
    assert set(group.statuses) == {200}


async def test_a_restart_is_not_noticed() -> None:
    """A new process with the same store goes on where the last one was, in the middle of a turn."""
    group = Group(3)
    await group.start("skyjo")
    random = Random(5)
    while (await group.match()).status is Status.PLAYING:
        group.webhook = None
        await group.play(random, 10)
    assert group.telegram.violations == []
    assert set(group.statuses) == {200}


@pytest.mark.parametrize("game", GAMES)
async def test_players_who_press_at_random(game: str) -> None:
    """Everybody presses whatever is there, in turn or not: each press is answered, and the match ends all the same."""
    group = Group(3)
    await group.start(game)
    match = await group.play_on(Random(7))
    assert match.status is Status.OVER
    assert group.telegram.violations == []
    assert set(group.statuses) == {200}
