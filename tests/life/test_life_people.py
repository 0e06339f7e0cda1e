"""People come, go, hide their names, delete things; the bot is removed, blocked and added again."""

from __future__ import annotations

from random import Random

import pytest

from emulator.model import Chat, Message
from handlers.app.games import rules_of, state_of
from handlers.clock import run_due
from handlers.ui import answers
from handlers.ui.languages import words
from infra.matches import Match, Status
from testing.group import Group, buttons, data_of, legal, text_of

EN = words("en")


async def playing(people: int = 3, moves: int = 9, game: str = "skyjo") -> Group:
    """A match after some moves."""
    group = Group(people)
    await group.start(game)
    await group.play(Random(moves), moves)
    group.clock.now += 60
    return group


def board_of(group: Group, match: Match) -> Message:
    """The board of the match, which stands in the chat."""
    board = group.telegram.world.message(match.chat, match.shown.board)
    assert board is not None
    return board


async def tick(group: Group) -> None:
    """The ticker comes."""
    assert group.webhook is not None
    await run_due(group.webhook._bot, int(group.clock.now))


async def test_the_bot_is_removed_and_added_again() -> None:
    """Nothing is lost meanwhile: /board shows the match, and it goes on."""
    group = await playing()
    before = await group.match()
    groups = group.telegram.people.groups
    groups.remove_bot(group.chat, group.users[0])
    await group.settle()
    seat, moves = legal(before)
    group.telegram.people.press_unseen(group.users[seat], board_of(group, before), data_of(group.live(), moves[0]))
    await group.settle()
    assert (await group.match()).position != before.position, "a press that had been on its way counts"
    group.clock.now += 60
    groups.add_bot(group.chat, group.users[0])
    await group.settle()
    assert text_of(group.messages()[-1]) == answers.start_group(EN).replace("<b>", "").replace("</b>", "")
    group.clock.now += 60
    await group.write(1, "/board")
    assert group.live().id == (await group.match()).shown.board
    assert (await group.play(Random(1))).status is Status.OVER
    assert set(group.statuses) == {200}
    assert group.telegram.violations == []


async def test_a_bot_that_may_not_write() -> None:
    """Restricted while a board was due: the move counts, nothing fails, and /board shows it when it may write again."""
    group = await playing()
    groups, before = group.telegram.people.groups, await group.match()
    groups.restrict_bot(group.chat, group.users[0])
    await group.settle()
    group.clock.now += 700
    await group.move(Random(1))
    assert (await group.match()).position != before.position
    await group.write(0, "/board")
    assert set(group.statuses) == {200}
    groups.promote_bot(group.chat, group.users[0])
    group.clock.now += 60
    await group.write(0, "/board")
    assert (await group.play(Random(1))).status is Status.OVER
    assert group.telegram.violations == []


@pytest.mark.parametrize("how", ["leaves", "is shown out", "deletes the account"])
@pytest.mark.parametrize("game", ["dekal", "skyjo"])
async def test_a_player_who_has_gone(how: str, game: str) -> None:
    """The call still comes, the others play on without them, and the match ends."""
    group = await playing(3, 9, game)
    seat, _ = legal(await group.match())
    gone, other = group.users[seat], (seat + 1) % 3
    groups = group.telegram.people.groups
    match how:
        case "leaves":
            groups.leave(gone, group.chat)
        case "is shown out":
            groups.kick(group.users[other], gone, group.chat)
        case _:
            group.telegram.people.delete_account(gone)
    await group.settle()
    for _ in range(8):
        group.clock.now += 60
        await tick(group)
    call = next(message for message in group.messages()[::-1] if any("play on" in data for data in buttons(message)))
    match = await group.match()
    waiting = [one for one in range(3) if one not in rules_of(match).actors(state_of(match))]
    if not waiting:
        return
    assert await group.verb(waiting[0], call, "play on") == EN.plural("waiting.played-on", 1)
    random = Random(2)
    while (match := await group.match()).status is Status.PLAYING:
        actor, moves = legal(match)
        assert actor != seat
        await group.press(actor, board_of(group, match), data_of(board_of(group, match), random.choice(moves)))
        group.clock.now += 8
    assert match.status is Status.OVER
    assert group.telegram.violations == []


async def test_everybody_awaited_has_gone_from_a_secret_choice() -> None:
    """Dékal: two of four leave before choosing; the other two choose, and play on without them."""
    group = Group(4)
    await group.start("dekal")
    for seat in (2, 3):
        group.telegram.people.groups.leave(group.users[seat], group.chat)
    for seat in (0, 1):
        await group.verb(seat, group.live(), "b2")
    for _ in range(8):
        group.clock.now += 60
        await tick(group)
    assert await group.verb(0, group.live(), "play on") == EN.plural("waiting.played-on", 1)
    match = await group.match()
    assert match.absent == (2, 3)
    assert match.status is Status.PLAYING


async def test_an_anonymous_administrator_runs_the_table() -> None:
    """Opens as the group, so sits nowhere; others join; starts, sets and stops by pressing, as the person they are."""
    group = Group(3)
    group.telegram.people.groups.promote(group.users[2], group.chat, anonymous=True)
    await group.write(2, "/skyjo")
    match = await group.match()
    assert (match.opener, match.players) == (0, ())
    for seat in (0, 1):
        await group.verb(seat, group.live(), "join")
    assert (await group.match()).opener == group.users[0].id
    assert await group.verb(2, group.live(), "length 100") == EN("toast.hundred")
    assert await group.verb(1, group.live(), "start") == EN.plural("refusal.opener-only-named", 1, names="Player 0")
    assert await group.verb(2, group.live(), "start") == EN("toast.started")
    group.clock.now += 60
    await group.write(2, "/stop")
    question = group.live()
    assert await group.verb(2, question, "stop yes") == EN("toast.stopped")
    assert (await group.match()).closed_by == "Player 2"
    assert group.telegram.violations == []


async def test_an_anonymous_administrator_joins_by_pressing() -> None:
    """The press tells who it is, and the seat is theirs."""
    group = Group(2)
    group.telegram.people.groups.promote(group.users[1], group.chat, anonymous=True)
    await group.write(0, "/skyjo")
    assert await group.verb(1, group.live(), "join") == EN("toast.joined")
    assert (await group.match()).players[1].id == group.users[1].id


@pytest.mark.parametrize("what", ["board", "table", "question", "call"])
async def test_an_administrator_deletes_a_message(what: str) -> None:
    """Whatever of the bot's is deleted, the match goes on, and the next board stands at the bottom."""
    group = Group(2) if what == "table" else await playing(2)
    people = group.telegram.people
    match what:
        case "table":
            await group.write(0, "/skyjo")
            people.delete(group.users[0], group.live())
            await group.write(1, "/board")
            await group.verb(1, group.live(), "join")
            await group.verb(0, group.live(), "start")
        case "board":
            board = group.live()
            seat, moves = legal(await group.match())
            data = data_of(board, moves[0])
            people.delete(group.users[0], board)
            people.press_unseen(group.users[seat], board, data)
            await group.settle()
            assert group.live().id != board.id
        case "question":
            await group.write(0, "/stop")
            data = data_of(group.live(), "stop yes")
            question = group.live()
            people.delete(group.users[0], question)
            people.press_unseen(group.users[0], question, data)
            await group.settle()
            assert (await group.match()).status is Status.STOPPED
        case _:
            group.clock.now += 300
            await tick(group)
            people.delete(group.users[0], group.live())
            await group.settle()
    match = await group.match()
    if match.status is Status.PLAYING:
        assert (await group.play(Random(1))).status is Status.OVER
    assert group.telegram.violations == []
    assert set(group.statuses) == {200}


async def test_a_deleted_board_comes_back_when_asked_for() -> None:
    """Nobody can press it; /board posts it anew."""
    group = await playing(2)
    group.telegram.people.delete(group.users[0], group.live())
    await group.write(1, "/board")
    assert group.live().id == (await group.match()).shown.board
    assert (await group.play(Random(1))).status is Status.OVER


async def test_one_person_in_several_groups() -> None:
    """Each group has its own match, language and settings; a press counts where it is made."""
    group = Group(2)
    others: list[Chat] = [group.telegram.people.groups.create(f"Group {n}", *group.users) for n in range(2)]
    await group.settle()
    group.clock.now += 60
    await group.write(0, "/language", chat=others[0])
    await group.verb(0, group.live(others[0]), "language fr")
    chats = [group.chat, *others]
    for chat in chats:
        group.clock.now += 60
        await group.write(0, "/skyjo", chat=chat)
        await group.verb(1, group.live(chat), "join")
        await group.verb(0, group.live(chat), "start")
    random, matches = Random(1), {}
    for _ in range(12):
        for chat in chats:
            pointed = await group.store.current(chat.id, 0)
            match = await group.store.match(pointed or "")
            assert match is not None
            matches[chat.id] = match
            seat, moves = legal(match)
            await group.press(seat, board_of(group, match), data_of(board_of(group, match), random.choice(moves)))
            group.clock.now += 4
    assert len({match.id for match in matches.values()}) == 3
    assert [match.language for match in matches.values()] == ["en", "fr", "en"]
    assert {match.chat for match in matches.values()} == {chat.id for chat in chats}
    assert group.telegram.violations == []


async def test_edited_commands_and_forwards_are_nothing() -> None:
    """A command that is edited into a message, one that is forwarded, and a forwarded board change nothing."""
    group = await playing(2)
    away = group.telegram.people.groups.create("Others", *group.users)
    await group.settle()
    people, before, said = group.telegram.people, await group.match(), len(group.messages())
    message = await group.write(0, "hello")
    people.edit(group.users[0], message, "/stop")
    people.edit(group.users[0], await group.write(0, "/nothing"), "/skyjo")
    command = await group.write(0, "/whatever")
    command.body = {"text": "/stop", "entities": [{"type": "bot_command", "offset": 0, "length": 5}]}
    people.forward(group.users[1], command, group.chat)
    forwarded = people.forward(group.users[1], group.live(), away)
    await group.settle()
    assert buttons(forwarded) == [], "Telegram leaves the buttons behind"
    assert (await group.match(), len(group.messages())) == (before, said)
    assert len(group.messages(away)) == 1, "the greeting"


async def test_a_forged_press_on_a_forwarded_board_is_refused(caplog: pytest.LogCaptureFixture) -> None:
    """A hand-made client presses on the copy in another group: refused, and logged with the match."""
    group = await playing(2)
    away = group.telegram.people.groups.create("Others", *group.users)
    await group.settle()
    before = await group.match()
    seat, moves = legal(before)
    data = data_of(group.live(), moves[0])
    forwarded = group.telegram.people.forward(group.users[seat], group.live(), away)
    forwarded.sender = group.telegram.world.bot.id
    assert await group.forge(seat, forwarded, data) == EN("refusal.wrong-chat")
    assert await group.match() == before
    assert any(getattr(record, "match", "") == before.id for record in caplog.records)


async def test_a_blocked_bot_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    """Somebody blocks the bot in private while it answers, and starts it again later."""
    group = Group(1)
    private, people = group.private(0), group.telegram.people
    people.write(group.users[0], private, "/help")
    people.block_bot(group.users[0])
    await group.settle()
    assert set(group.statuses) == {200}
    people.unblock_bot(group.users[0])
    group.clock.now += 60
    await group.write(0, "/start", chat=private)
    assert text_of(group.messages(private)[-1]).startswith("Hello")
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    assert group.telegram.violations == []


@pytest.mark.parametrize("text", ["/start", "/start table", "/start@tablee_bot table", "/start x y z", "/START table"])
async def test_a_deep_link_is_answered_as_a_start(text: str) -> None:
    """In private with the way into a group, in a group with how to begin."""
    group = Group(1)
    private = group.private(0)
    await group.settle()
    group.clock.now += 60
    await group.write(0, text, chat=private)
    button = (group.messages(private)[-1].reply_markup or {})["inline_keyboard"][0][0]
    assert button["url"].endswith("?startgroup=table")
    await group.write(0, text)
    assert text_of(group.messages()[-1]).startswith("Hello everyone")


async def test_being_added_by_a_deep_link_is_greeted_once() -> None:
    """Telegram adds the bot and sends /start with the link's word right after: one greeting."""
    group = Group(1)
    group.telegram.people.write(group.users[0], group.chat, "/start@tablee_bot table")
    await group.settle()
    assert len(group.messages()) == 1


async def test_a_channel_is_no_place_to_play() -> None:
    """Being added to a channel, or a post there, is answered with nothing."""
    group = Group(1)
    await group.settle()
    group.telegram.log.clear()
    channel = {"id": -1009999999999, "type": "channel", "title": "News"}
    bot = {"id": group.telegram.world.bot.id, "is_bot": True, "first_name": "Tablée"}
    person = {"id": group.users[0].id, "is_bot": False, "first_name": "Ana"}
    added = {
        "chat": channel,
        "from": person,
        "date": 1_790_000_000,
        "old_chat_member": {"user": bot, "status": "left"},
        "new_chat_member": {"user": bot, "status": "member"},
    }
    post = {"message_id": 5, "date": 1_790_000_000, "chat": channel, "text": "/skyjo"}
    entities = {"entities": [{"type": "bot_command", "offset": 0, "length": 6}]}
    for number, update in enumerate(
        ({"my_chat_member": added}, {"channel_post": post | entities}, {"message": post | entities})
    ):
        assert (await group.deliver({"update_id": 900 + number, **update}))[0] == 200
    assert group.calls() == []
