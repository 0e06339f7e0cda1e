"""The ticker beside a group, and the calls that it makes."""

from __future__ import annotations

from random import Random
from typing import Any

from emulator.model import Message
from handlers.app.games import rules_of, state_of
from handlers.clock import run_due
from infra.matches import Match
from testing.group import Group, buttons

DELAY = 180
"""A chat's delay in seconds until it chooses another."""


async def tick(group: Group, seconds: float = 0, pace: float = 60) -> int:
    """Let the clock go on, with the ticker running every `pace` seconds; how many matches it looked after."""
    if group.webhook is None:
        await group.settle()
    assert group.webhook is not None
    looked, end = 0, group.clock.now + seconds
    while True:
        looked += await run_due(group.webhook._bot, int(group.clock.now))
        if group.clock.now >= end:
            return looked
        group.clock.now = min(end, group.clock.now + pace)


def calls(group: Group) -> list[Message]:
    """The messages that call somebody."""
    return [message for message in group.messages() if any(data.endswith("play on") for data in buttons(message))]


def called(message: Message) -> set[int]:
    """The ids of those whom a message notifies."""
    return {entity["user"]["id"] for entity in message.body.get("entities", ()) if entity["type"] == "text_mention"}


def awaited(group: Group, match: Match) -> set[int]:
    """The ids of those who are to act."""
    return {group.users[seat].id for seat in rules_of(match).actors(state_of(match))}


async def playing(game: str, people: int = 3, moves: int = 9, **options: Any) -> Group:
    """A match after some moves."""
    group = Group(people, **options)
    await group.start(game)
    await group.play(Random(moves), moves)
    return group
