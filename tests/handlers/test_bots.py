"""Other bots are no players; those that stand in for people are not taken for them."""

from __future__ import annotations

import pytest

from emulator.model import Member
from handlers.ui.languages import words
from testing.group import Group
from tests.hostile.scene import Stage

EN = words("en")


@pytest.mark.parametrize("command", ["/skyjo", "/help", "/stop"])
async def test_another_bots_command_is_not_answered(command: str) -> None:
    """Bots are no players, and two that answer each other's commands would never end."""
    group = Group(2)
    await group.start("skyjo")
    group.clock.now += 60
    said = len(group.messages())
    group.users[1].is_bot = True
    await group.write(1, command)
    assert len(group.messages()) == said
    assert set(group.statuses) == {200}


async def test_another_bots_press_joins_no_table() -> None:
    """Nor would Telegram send one; who joins is a person."""
    group = Group(2)
    await group.write(0, "/skyjo")
    group.users[1].is_bot = True
    assert await group.verb(1, group.live(), "join") == EN("refusal.unknown")
    assert [player.id for player in (await group.match()).players] == [group.users[0].id]


@pytest.mark.parametrize("stand_in", [1087968824, 136817688])
async def test_a_table_opened_in_the_name_of_a_group_or_a_channel(stand_in: int) -> None:
    """Telegram names a bot of its own as the sender: the table opens, and nobody sits there yet."""
    stage = Stage(2)
    await stage.group.settle()
    stage.group.clock.now += 60
    update = stage.typed(0, "/skyjo")
    message = update["message"]
    message["from"] = {"id": stand_in, "is_bot": True, "first_name": "Channel"}
    message["sender_chat"] = {"id": -1001, "type": "channel", "title": "Channel"}
    assert (await stage.send(update))[0] == 200
    match = await stage.group.match()
    assert (match.players, match.opener) == ((), 0)


async def test_an_anonymous_administrator_is_nobodys_bot() -> None:
    """Whoever writes as the group is answered like everybody."""
    group = Group(1)
    group.chat.members[group.users[0].id] = Member("administrator", anonymous=True)
    await group.write(0, "/skyjo")
    assert (await group.match()).players == ()
