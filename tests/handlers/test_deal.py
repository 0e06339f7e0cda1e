"""Laying a deal open: once, but never not at all."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from engine.record import replay, verify
from handlers.app import proof
from handlers.app.games import position_of, record_of, rules_of, state_of
from handlers.ui.languages import words
from infra.matches import Status, from_item
from testing.group import Group

STORED = Path(__file__).parents[1] / "fixtures" / "items"
WHOLE = (
    "schema1-match-dekal",
    "schema1-match-over",
    "schema1-match-stopped",
    "schema2-match-over",
    "schema2-match-skyjo",
)
"""Matches of every schema whose moves are all in their item."""


async def _sent(group: Group) -> int:
    return sum("document" in message.body for message in group.messages())


async def test_a_deal_is_sent_once_and_again_after_a_minute() -> None:
    """A second press points to the file; a minute later it may be asked for again, for it may never have come."""
    group = Group(2)
    await group.start("skyjo")
    await group.play(Random(3), 10_000)
    board = group.live()
    await group.verb(0, board, "deal")
    await group.verb(1, board, "deal")
    assert await _sent(group) == 1
    group.clock.now += 61
    await group.verb(1, board, "deal")
    assert await _sent(group) == 2


@pytest.mark.parametrize("leave", [False, True])
async def test_a_table_closed_before_it_began_has_no_deal(leave: bool, caplog: pytest.LogCaptureFixture) -> None:
    """With a player or with none: a forged press is told so, and it is nobody's bug."""
    group = Group(2)
    await group.write(0, "/skyjo")
    lobby = group.live()
    if leave:
        await group.verb(0, lobby, "leave")
    await group.verb(0, lobby, "cancel")
    assert await group.forge(1, lobby, "match1:0:1:deal") == words("en")("refusal.table-closed")
    assert await _sent(group) == 0
    assert not (await group.match()).proved
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("name", WHOLE)
def test_a_stored_match_is_dealt_and_proved_as_ever(name: str) -> None:
    """Its secret, players and cuts lead to the very cards that lie on the table now, and its proof holds."""
    item = json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))
    match = from_item(item.pop("pk").partition("#")[2], item)
    *_, (last, _) = replay(record_of(match, ()))
    assert position_of(rules_of(match), last) == match.position
    assert last == state_of(match)
    closed = match if match.status is Status.OVER else replace(match, status=Status.STOPPED)
    held = verify(proof.document(closed, ())[0].decode())
    assert held.cuts == tuple(player.cut for player in match.players)
    assert (held.outcome is None) is (closed.status is Status.STOPPED)
