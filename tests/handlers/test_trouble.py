"""Chats that change under a running match: the match goes on where it can."""

from __future__ import annotations

from random import Random

import pytest

from emulator.model import Chat
from handlers.app.games import rules_of, state_of
from handlers.app.presses import maker
from handlers.ui.languages import words
from infra.matches import Status
from testing.group import Group, buttons, legal, text_of

EN = words("en")


async def playing(*, supergroup: bool = True) -> Group:
    """A match of Skyjo in its first turns."""
    group = Group(2, supergroup=supergroup)
    await group.start("skyjo")
    await group.play(Random(1), 5)
    group.clock.now += 60
    return group


async def test_a_group_that_becomes_a_supergroup_plays_on() -> None:
    """The board appears in the new chat, whose messages are counted anew; the match and the language move along."""
    group = await playing(supergroup=False)
    await group.write(0, "/language")
    await group.verb(0, group.live(), "language fr")
    group.clock.now += 60
    before, old = await group.match(), group.chat
    group.chat = group.telegram.people.groups.upgrade(old)
    await group.settle()
    after = await group.match()
    assert (after.id, after.position, after.chat) == (before.id, before.position, group.chat.id)
    assert after.shown.board == group.live().id
    assert await group.store.current(old.id, 0) is None
    assert (await group.store.chat(group.chat.id)).language == "fr"
    match = await group.play(Random(2))
    assert match.status is Status.OVER
    assert set(group.statuses) == {200}
    assert group.telegram.violations == []


async def test_a_migration_that_is_noticed_by_a_failed_edit() -> None:
    """The service message may be late: the error names the new chat, and the board goes there."""
    group = await playing(supergroup=False)
    old, world = group.chat, group.telegram.world
    seat, moves = legal(await group.match())
    query = group.telegram.people.press(group.users[seat], group.live(), buttons_with(group, moves[0]))
    presses = dict(world.queues.parcels)
    new = group.telegram.people.groups.upgrade(old)
    late = {key: parcel for key, parcel in world.queues.parcels.items() if key not in presses}
    for key in late:
        del world.queues.parcels[key]
    await group.settle()
    assert query.answer is not None
    group.chat = new
    assert (await group.match()).shown.board == group.live().id
    world.queues.parcels.update(late)
    await group.settle()
    assert (await group.play(Random(3))).status is Status.OVER
    assert set(group.statuses) == {200}


def buttons_with(group: Group, verb: str) -> str:
    """The data of the live board's button with this verb."""
    return next(data for data in buttons(group.live()) if data.endswith(f":{verb}"))


async def test_a_bot_that_was_removed_comes_back_to_its_match() -> None:
    """Nothing can be pressed or said meanwhile; added again it greets, and /board goes on."""
    group = await playing()
    hands = group.telegram.people.groups
    before = await group.match()
    hands.remove_bot(group.chat, group.users[0])
    await group.settle()
    hands.add_bot(group.chat, group.users[0])
    await group.settle()
    assert "Hello everyone" in text_of(group.messages()[-1])
    await group.write(1, "/board")
    assert (await group.match()).position == before.position
    assert (await group.play(Random(2))).status is Status.OVER
    assert set(group.statuses) == {200}


async def test_a_move_made_while_the_bot_cannot_write_counts() -> None:
    """A silenced bot still learns of presses and answers with toasts; the board catches up when it may write."""
    group = await playing()
    hands = group.telegram.people.groups
    hands.restrict_bot(group.chat, group.users[0])
    await group.settle()
    seat, moves = legal(await group.match())
    version = (await group.match()).version
    assert await group.verb(seat, group.live(), moves[0]) != ""
    assert (await group.match()).version > version
    assert group.statuses[-1] == 200
    hands.add_bot(group.chat, group.users[0])
    group.clock.now += 60
    await group.write(1, "/board")
    assert (await group.play(Random(2))).status is Status.OVER


async def test_a_closed_topic() -> None:
    """Nobody can write there, the bot neither; reopened, the match is still there."""
    group = Group(2, forum=True)
    hands = group.telegram.people.groups
    topic = hands.create_topic(group.chat, group.users[0], "Games")
    await group.write(0, "/skyjo", thread=topic)
    await group.verb(1, group.live(), "join")
    await group.verb(0, group.live(), "start")
    group.clock.now += 700
    hands.close_topic(group.chat, group.users[0], topic)
    await group.verb(0, group.live(), "flip a1")
    await group.write(0, "/help", thread=topic)
    hands.reopen_topic(group.chat, group.users[0], topic)
    group.clock.now += 60
    await group.write(1, "/board", thread=topic)
    assert (await group.match(topic)).shown.board == group.live().id
    assert await group.verb(1, group.live(), "flip a1") != ""
    assert set(group.statuses) == {200}


async def test_a_deleted_topic_ends_nothing_else() -> None:
    """What is typed in other topics is answered as ever."""
    group = Group(2, forum=True)
    hands = group.telegram.people.groups
    topic = hands.create_topic(group.chat, group.users[0], "Games")
    await group.write(0, "/skyjo", thread=topic)
    hands.delete_topic(group.chat, topic)
    group.clock.now += 60
    await group.write(0, "/skyjo")
    assert (await group.match()).status is Status.OPEN
    assert set(group.statuses) == {200}


@pytest.mark.parametrize("game", ["dekal", "skyjo"])
async def test_a_board_that_was_deleted_is_posted_anew(game: str) -> None:
    """By the next move that changes it, or by /board."""
    group = Group(2)
    await group.start(game)
    await group.play(Random(1), 4)
    group.clock.now += 60
    board = group.live()
    group.telegram.people.delete(group.users[0], board)
    for _ in range(2):
        # The first of two secret choices in Dékal changes no board.
        match = await group.match()
        seat, moves = legal(match)
        press = maker(match.id, rules_of(match).epoch(state_of(match)), match.shown.look)
        await group.forge(seat, board, press(moves[0]))
    assert group.live().id > board.id
    assert (await group.play(Random(2))).status is Status.OVER
    assert set(group.statuses) == {200}


async def test_a_deleted_table_is_posted_anew() -> None:
    """Likewise the table message, by /board."""
    group = Group(2)
    await group.write(0, "/skyjo")
    group.telegram.people.delete(group.users[0], group.live())
    group.clock.now += 60
    await group.write(1, "/board")
    assert (await group.match()).shown.lobby == group.live().id
    assert await group.verb(1, group.live(), "join") == EN("toast.joined")


async def test_somebody_who_blocked_the_bot() -> None:
    """Their private chat is closed to it; that is no failure."""
    group = Group(1)
    private: Chat = group.private(0)
    await group.write(0, "/start", chat=private)
    hands = group.telegram.people
    hands.write(group.users[0], private, "/help")
    hands.block_bot(group.users[0])
    await group.settle()
    assert set(group.statuses) == {200}
