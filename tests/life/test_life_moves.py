"""A group becomes a supergroup, and what it plays moves along."""

from __future__ import annotations

from random import Random

import pytest

from emulator.model import Chat
from handlers.clock import run_due
from handlers.ui.languages import words
from infra.matches import Status
from testing.group import Group, buttons, legal, text_of

EN = words("en")


async def basic(people: int = 3, moves: int = 9) -> Group:
    """A match in a basic group."""
    group = Group(people, supergroup=False)
    await group.start("skyjo")
    await group.play(Random(moves), moves)
    group.clock.now += 60
    return group


def upgraded(group: Group, *, told: bool) -> Chat:
    """The group's supergroup, from now on the group; the bot is told of it, or not yet."""
    new = group.telegram.people.groups.upgrade(group.chat)
    group.chat = new
    if not told:
        group.telegram.world.queues.clear()
    return new


@pytest.mark.parametrize("gone", ["both", "only to", "only from"])
async def test_the_match_goes_on_in_the_supergroup(gone: str, caplog: pytest.LogCaptureFixture) -> None:
    """Told by the service messages, both or either: the board is posted in the new group, and is played to the end."""
    group = await basic()
    old, before = group.chat, await group.match()
    upgraded(group, told=True)
    parcels = group.telegram.world.queues.parcels
    for parcel in list(parcels.values()):
        told = parcel.update.get("message", {})
        lost = {"only to": "migrate_from_chat_id", "only from": "migrate_to_chat_id"}.get(gone, "none")
        if lost in told:
            group.telegram.world.queues._drop(parcel)
    await group.settle()
    match = await group.match()
    assert (match.id, match.chat, match.position) == (before.id, group.chat.id, before.position)
    assert await group.store.current(old.id, 0) is None
    boards = [message for message in group.messages() if "photo" in message.body]
    assert [message.id for message in boards] == [match.shown.board]
    assert (await group.play(Random(1))).status is Status.OVER
    assert group.telegram.violations == []
    assert set(group.statuses) == {200}
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_an_old_button_is_refused_and_the_new_board_is_there() -> None:
    """Somebody presses the board that stayed behind in the old group."""
    group = await basic()
    board, old = group.live(), group.chat
    seat, moves = legal(await group.match())
    upgraded(group, told=True)
    await group.settle()
    before = await group.match()
    toast = await group.forge(seat, board, next(data for data in buttons(board) if data.endswith(moves[0])))
    assert toast == EN("refusal.wrong-chat")
    assert await group.match() == before
    assert old.id != group.chat.id


async def test_a_move_that_meets_the_change_first() -> None:
    """Telegram refuses the edit with the new id before the bot has been told: the move counts, and the board moves."""
    group = await basic()
    board = group.live()
    seat, moves = legal(await group.match())
    data = next(data for data in buttons(board) if data.endswith(moves[0]))
    query = group.telegram.people.press(group.users[seat], board, data)
    parcel = next(iter(group.telegram.world.queues.parcels.values()))
    old = group.chat
    upgraded(group, told=False)
    group.telegram.world.queues.put(parcel)
    await group.settle()
    assert query.answer is not None
    match = await group.match()
    assert match.chat == group.chat.id
    assert group.telegram.world.message(group.chat.id, match.shown.board) is not None
    # The service messages come at last, and find it done.
    assert group.webhook is not None
    await group.webhook._bot.app.move(old.id, group.chat.id, 1)
    assert len([message for message in group.messages() if "photo" in message.body]) == 1
    assert (await group.play(Random(2))).status is Status.OVER
    assert group.telegram.violations == []


async def test_no_other_message_is_taken_for_the_board() -> None:
    """Messages are counted anew in a supergroup: one that has the old board's number there is left alone."""
    group = await basic()
    number = (await group.match()).shown.board
    upgraded(group, told=False)
    world = group.telegram.world
    while group.chat.last_message_id < number:
        world.post(group.chat, world.bot.id, {"text": "Something else"})
    innocent = world.messages[group.chat.id][number]
    assert group.webhook is not None
    old = next(chat.id for chat in world.chats.values() if chat.migrated_to == group.chat.id)
    await group.webhook._bot.app.move(old, group.chat.id, 1)
    assert innocent.body["text"] == "Something else"
    assert (await group.match()).shown.board > number


async def test_an_open_table_moves_along() -> None:
    """People go on joining in the new group."""
    group = Group(2, supergroup=False)
    await group.write(0, "/dekal")
    group.clock.now += 60
    upgraded(group, told=True)
    await group.settle()
    assert await group.verb(1, group.live(), "join") == EN("toast.joined")
    assert await group.verb(0, group.live(), "start") == EN("toast.started")


async def test_a_table_opened_meanwhile_gives_way() -> None:
    """Somebody opened a table in the supergroup before the bot was told: the running match is the group's again."""
    group = await basic()
    before = await group.match()
    upgraded(group, told=False)
    await group.write(1, "/dekal")
    assert group.webhook is not None
    old = next(chat.id for chat in group.telegram.world.chats.values() if chat.migrated_to == group.chat.id)
    await group.webhook._bot.app.move(old, group.chat.id, 1)
    assert (await group.match()).id == before.id


async def test_the_choices_of_a_chat_move_along() -> None:
    """Language and delay, with a match and without."""
    for plays in (False, True):
        group = Group(2, supergroup=False)
        await group.write(0, "/settings")
        await group.verb(0, group.live(), "delay 600")
        await group.write(0, "/language")
        await group.verb(0, group.live(), "language fr")
        group.clock.now += 60
        if plays:
            await group.start("skyjo")
        upgraded(group, told=True)
        await group.settle()
        chat = await group.store.chat(group.chat.id)
        assert (chat.language, chat.delay) == ("fr", 600)


async def test_the_ticker_calls_in_the_new_group() -> None:
    """Nobody has pressed since, and the bot was never told: the call finds the new group, and so does the board."""
    group = await basic()
    upgraded(group, told=False)
    group.clock.now += 300
    assert group.webhook is not None
    await run_due(group.webhook._bot, int(group.clock.now))
    match = await group.match()
    assert match.chat == group.chat.id
    assert [text_of(message) for message in group.messages() if "waiting for you" in text_of(message)]
    assert group.telegram.world.message(group.chat.id, match.shown.board) is not None
    assert group.telegram.violations == []


async def test_a_deal_laid_open_in_the_new_group() -> None:
    """The match is over, the group has moved, and somebody asks for the proof on the board that moved along."""
    group = await basic()
    await group.play(Random(1))
    upgraded(group, told=True)
    await group.settle()
    group.clock.now += 60
    await group.write(0, "/board")
    await group.verb(0, group.live(), "deal")
    assert group.document()
