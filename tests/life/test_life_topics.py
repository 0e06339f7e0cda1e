"""Forums: every topic has a table of its own, General is addressed by saying nothing, and topics close."""

from __future__ import annotations

from random import Random

import pytest

from emulator.model import Message
from handlers.clock import run_due
from infra.matches import Match, Status
from testing.group import Group, buttons, data_of, legal, text_of

GENERAL = 0


def forum(people: int = 2) -> tuple[Group, list[int]]:
    """A forum with two topics beside General."""
    group = Group(people, forum=True)
    groups = group.telegram.people.groups
    return group, [groups.create_topic(group.chat, group.users[0], name) for name in ("Cards", "More cards")]


def posted_in(group: Group, thread: int | None) -> list[Message]:
    """The bot's messages in a topic; None is General."""
    return [message for message in group.messages() if (message.thread if message.topic else None) == thread]


async def start(group: Group, game: str, thread: int | None) -> Match:
    """A match in a topic, by everybody."""
    group.clock.now += 60
    await group.write(0, f"/{game}", thread=thread)
    for seat in range(1, len(group.users)):
        await group.verb(seat, posted_in(group, thread)[-1], "join")
    await group.verb(0, posted_in(group, thread)[-1], "start")
    return await group.match(thread or GENERAL)


async def move(group: Group, thread: int | None, random: Random) -> None:
    """One of those to move in this topic does."""
    match = await group.match(thread or GENERAL)
    seat, moves = legal(match)
    board = group.telegram.world.message(group.chat.id, match.shown.board)
    assert board is not None
    await group.press(seat, board, data_of(board, random.choice(moves)))
    group.clock.now += 8


async def test_tables_in_topics_are_apart() -> None:
    """Two matches in two topics and a third in General, move by move: each is shown where it is played, to its end."""
    group, (first, second) = forum()
    random, places = Random(1), (None, first, second)
    games = dict(zip(places, ("skyjo", "dekal", "skyjo"), strict=True))
    ids = {thread: (await start(group, games[thread], thread)).id for thread in places}
    assert len(set(ids.values())) == 3
    playing = set(places)
    while playing:
        for thread in list(playing):
            if (await group.match(thread or GENERAL)).status is Status.PLAYING:
                await move(group, thread, random)
            else:
                playing.discard(thread)
    for thread in places:
        match = await group.match(thread or GENERAL)
        assert (match.id, match.game, match.status) == (ids[thread], games[thread], Status.OVER)
        assert match.shown.board in {message.id for message in posted_in(group, thread)}
    assert group.telegram.violations == []
    assert set(group.statuses) == {200}


async def test_general_has_no_number() -> None:
    """No call ever names a topic for General, and every call names the one of a topic."""
    group, (first, _) = forum()
    await start(group, "skyjo", None)
    assert not [call for call in group.calls() if call.params.get("message_thread_id")]
    await start(group, "skyjo", first)
    sent = [call for call in group.calls("sendMessage", "sendPhoto") if call.params.get("message_thread_id")]
    assert {call.params["message_thread_id"] for call in sent} == {first}
    assert group.telegram.violations == []


async def test_a_thread_of_replies_is_no_topic() -> None:
    """In a supergroup without topics a command within a chain of replies belongs to the group."""
    group = Group(2)
    first = await group.write(0, "Who plays?")
    group.telegram.people.write(group.users[1], group.chat, "/skyjo", reply_to=first)
    await group.settle()
    assert (await group.match()).topic == 0
    assert group.telegram.violations == []


@pytest.mark.parametrize("end", ["closed", "deleted"])
async def test_a_topic_that_is_closed_or_deleted(end: str, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing can be said there: the match waits without a failure, and other topics play on."""
    group, (first, second) = forum()
    groups, random = group.telegram.people.groups, Random(2)
    await start(group, "skyjo", first)
    for _ in range(6):
        await move(group, first, random)
    other = await start(group, "dekal", second)
    group.clock.now += 60
    if end == "closed":
        groups.close_topic(group.chat, group.users[0], first)
    else:
        groups.delete_topic(group.chat, first)
    match = await group.match(first)
    if end == "closed":
        # The board can still be pressed and edited; a new one could not be posted.
        board = group.telegram.world.message(group.chat.id, match.shown.board)
        assert board is not None
        board.deleted = True
    seat, moves = legal(match)
    message = group.telegram.world.messages[group.chat.id][match.shown.board]
    data = data_of(message, moves[0])
    group.telegram.people.press_unseen(group.users[seat], message, data)
    await group.settle()
    group.clock.now += 4000
    assert group.webhook is not None
    await run_due(group.webhook._bot, int(group.clock.now))
    await move(group, second, random)
    assert (await group.match(second)).id == other.id
    assert (await group.match(first)).status is Status.PLAYING
    assert set(group.statuses) == {200}
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    if end == "closed":
        groups.reopen_topic(group.chat, group.users[0], first)
        group.clock.now += 60
        await group.write(1, "/board", thread=first)
        await move(group, first, random)
        assert buttons(posted_in(group, first)[-1])


async def test_a_deleted_topics_match_is_put_away_in_time(caplog: pytest.LogCaptureFixture) -> None:
    """Nobody can reach it any more: after a week it ends, without an error in the log."""
    group, (first, _) = forum()
    await start(group, "skyjo", first)
    group.telegram.people.groups.delete_topic(group.chat, first)
    assert group.webhook is not None
    for _ in range(8 * 4 + 2):
        group.clock.now += 6 * 3600
        await run_due(group.webhook._bot, int(group.clock.now))
    match = await group.match(first)
    assert (match.status, match.due) == (Status.STOPPED, 0)
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_the_call_goes_to_the_topic() -> None:
    """Who keeps others waiting is called where the match is played."""
    group, (first, _) = forum()
    await start(group, "skyjo", first)
    group.clock.now += 300
    assert group.webhook is not None
    await run_due(group.webhook._bot, int(group.clock.now))
    assert "waiting for you" in text_of(posted_in(group, first)[-1])
