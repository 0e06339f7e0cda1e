"""Laying a deal open: once, but never not at all."""

from __future__ import annotations

from random import Random

from tests.group import Group


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
