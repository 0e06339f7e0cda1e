"""Too much of everything: long bodies, deep ones, hundreds of people pressing, floods of commands."""

from __future__ import annotations

import base64
import json
from random import Random
from typing import Any

import pytest

from emulator.function_url import function_url_event
from engine.registry import GAMES
from handlers.app.games import state_of
from handlers.app.saving import SOON_MS
from handlers.ui.languages import words
from infra.matches import Status
from testing.group import SECRET, Group, buttons, data_of
from tests.hostile.scene import Stage, bugs, deeds, offering, playing

MEGABYTE = 2**20
COMMANDS = ("start", "help", "rules", "dekal", "skyjo", "board", "stop", "language", "settings")

pytestmark = pytest.mark.usefixtures("plain_pictures")


def deep(levels: int, part: dict[str, Any]) -> str:
    """A message that answers a message that answers a message, as JSON text."""
    text = json.dumps(part)[:-1]
    return text + (', "reply_to_message": ' + text) * levels + "}" * (levels + 1)


BODIES: dict[str, bytes] = {
    "nothing": b"",
    "blanks": b" " * MEGABYTE,
    "zeros": b"\0" * MEGABYTE,
    "open brackets": b"[" * MEGABYTE,
    "open objects": b'{"a":' * (MEGABYTE // 5),
    "a long number": b'{"update_id": ' + b"9" * MEGABYTE + b"}",
    "a long fraction": b'{"update_id": 1.' + b"9" * MEGABYTE + b"}",
    "a long key": b'{"update_id": 7, "' + b"k" * MEGABYTE + b'": 1}',
    "many keys": json.dumps({"update_id": 7, **{str(number): number for number in range(60_000)}}).encode(),
    "the same key again": b'{"update_id": 1, ' + b'"update_id": 2, ' * 50_000 + b'"update_id": 3}',
    "no UTF-8": b'{"update_id": 7, "message": "\xff\xfe"}',
    "UTF-16": '{"update_id": 7}'.encode("utf-16"),
    "a mark in front": b"\xef\xbb\xbf" + b'{"update_id": 7}',
    "two values": b'{"update_id": 7}{"update_id": 8}',
    "comments": b'/* */ {"update_id": 7}',
    "half a text": b'{"update_id": 7, "message": {"text": "',
}


@pytest.mark.parametrize("encoded", [False, True])
@pytest.mark.parametrize("name", BODIES)
async def test_any_body_is_taken_or_refused(name: str, encoded: bool, caplog: pytest.LogCaptureFixture) -> None:
    """A megabyte of anything is no failure of ours, as text or in base64."""
    stage = Stage(1)
    event = function_url_event({"update_id": 1}, SECRET)
    body = BODIES[name]
    event["isBase64Encoded"] = encoded
    event["body"] = base64.b64encode(body).decode() if encoded else body.decode("latin-1")
    status, answer = await stage.send_event(event)
    assert (status in {200, 400}, answer) == (True, "")
    assert bugs(caplog.records) == []


@pytest.mark.parametrize("levels", [1, 50, 300, 900, 5_000])
async def test_messages_in_messages(levels: int, caplog: pytest.LogCaptureFixture) -> None:
    """However deep messages are nested in an update, it is taken, and never a failure."""
    stage = Stage(2)
    part = stage.typed(0, "/help")["message"]
    body = f'{{"update_id": {next(stage.numbers)}, "message": {deep(levels, part)}}}'
    assert (await stage.send(body.encode()))[0] in {200, 400}
    assert bugs(caplog.records) == []


@pytest.mark.parametrize("where", ["text", "first_name", "title", "data", "button"])
async def test_a_megabyte_of_text(where: str, caplog: pytest.LogCaptureFixture) -> None:
    """A megabyte where a few letters belong: nothing of it is stored or said."""
    stage = Stage(2)
    await stage.group.write(0, "/dekal")
    long = "<&\u202e" * (MEGABYTE // 5)
    update = stage.press(1, stage.group.live(), data_of(stage.group.live(), "join"))
    query = update["callback_query"]
    match where:
        case "text":
            query["message"]["text"] = long
        case "first_name":
            query["from"]["first_name"] = long
        case "title":
            query["message"]["chat"]["title"] = long
        case "data":
            query["data"] = long
        case _:
            query["message"]["reply_markup"]["inline_keyboard"][0][0]["text"] = long
    assert (await stage.send(update))[0] == 200
    assert max(map(len, stage.items().values())) < 1024
    assert max(len(repr(call.params)) for call in stage.group.telegram.log) < 8_000
    assert bugs(caplog.records) == []
    assert stage.group.telegram.violations == []


def answers(group: Group) -> int:
    """How many messages and edits the bot has made."""
    return len([call for call in group.telegram.log if call.method.startswith(("send", "edit")) and call.status == 200])


async def test_hundreds_press_at_once() -> None:
    """Three hundred members press join: eight sit, everybody is answered, and the table is edited a few times only."""
    group = Group(300)
    await group.write(0, "/skyjo")
    group.clock.now += 60
    table, before = group.live(), answers(group)
    queries = [group.telegram.people.press(user, table, data_of(table, "join")) for user in group.users]
    await group.settle()
    toasts = [query.answer.text for query in queries if query.answer]
    assert len(toasts) == 300
    match = await group.match()
    seated = len(match.players)
    assert seated <= GAMES["skyjo"].max_seats
    assert toasts.count(words("en")("toast.joined")) == seated - 1
    assert answers(group) - before <= 10
    # Who was told to press again can, one after the other.
    for seat in range(20):
        await group.verb(seat, group.live(), "join")
    assert len((await group.match()).players) == GAMES["skyjo"].max_seats
    assert group.telegram.violations == []
    assert set(group.statuses) == {200}


async def test_hundreds_press_on_a_board_that_is_not_theirs() -> None:
    """Strangers who press a board cost no message, no edit, and no write."""
    stage = Stage(200)
    group = stage.group
    await group.write(0, "/skyjo")
    await group.verb(1, group.live(), "join")
    await group.verb(0, group.live(), "start")
    group.clock.now += 60
    before, said, board = stage.items(), answers(group), group.live()
    for user in group.users[2:]:
        for data in buttons(board)[:3]:
            group.telegram.people.press(user, board, data)
    await group.settle()
    assert (stage.items(), answers(group)) == (before, said)
    assert set(group.statuses) == {200}


async def test_hundreds_press_the_chats_buttons() -> None:
    """Rules and languages that everybody presses at once change the message a few times a minute only."""
    group = Group(100)
    for command in ("/rules", "/language"):
        await group.write(0, command)
    rules, language = group.messages()[-2:]
    said, start = answers(group), group.clock.now
    for number, user in enumerate(group.users):
        group.telegram.people.press(user, rules, buttons(rules)[number % 2])
        group.telegram.people.press(user, language, buttons(language)[number % 2])
    await group.settle()
    assert answers(group) - said <= 6
    assert group.clock.now - start < 60
    assert set(group.statuses) == {200}


@pytest.mark.parametrize("playing_too", [False, True])
async def test_a_flood_of_commands(playing_too: bool) -> None:
    """Everybody types every command, ten a second, for two minutes: few answers, and a match goes on beside it."""
    stage = await playing("skyjo", 3)
    group, random = stage.group, Random(1)
    start, before = group.clock.now, answers(group)
    moves = 0
    for number in range(1200):
        group.clock.now = max(group.clock.now, start + number / 10)
        group.telegram.people.write(group.users[number % 3], group.chat, "/" + COMMANDS[number % len(COMMANDS)])
        await group.courier.run_due()
        if playing_too and number % 60 == 59 and (await group.match()).status is Status.PLAYING:
            match = await group.match()
            board = offering_moves(group, match.shown.board)
            if board is not None:
                await press_any(group, board, random)
                moves += 1
    minutes = (group.clock.now - start) / 60
    assert answers(group) - before <= 20 * minutes + 6
    assert bool(moves) is playing_too
    assert group.telegram.violations == []
    # Once it is quiet, everything is as it should be.
    await group.courier.run_until(group.clock.now + 300, lambda time: setattr(group.clock, "now", time))
    match = await group.match()
    assert match.status is Status.PLAYING
    assert match.shown.ready_ms <= group.clock.ms()
    board = group.telegram.world.message(group.chat.id, match.shown.board)
    assert board is not None
    assert all(data.split(":")[2] == buttons(board)[0].split(":")[2] for data in buttons(board))


def offering_moves(group: Group, board: int) -> Any:
    """The board, if it is there and has buttons."""
    message = group.telegram.world.message(group.chat.id, board)
    return message if message is not None and buttons(message) else None


async def press_any(group: Group, board: Any, random: Random) -> None:
    """Everybody presses something."""
    for user in group.users:
        group.telegram.people.press(user, board, random.choice(buttons(board)))
    await group.courier.run_due()


async def test_asking_for_the_board_again_and_again_puts_nothing_off() -> None:
    """Whoever posts the board anew for ten minutes cannot make the next board wait."""
    stage = await playing("skyjo", 2, 6)
    group = stage.group
    for _ in range(120):
        await group.write(0, "/board")
        group.clock.now += 5
        ahead = (await group.match()).shown.ready_ms - group.clock.ms()
        assert ahead <= SOON_MS + 15_000
    assert group.telegram.violations == []
    match = await group.match()
    assert state_of(match)


async def test_the_wrong_size_of_everything_changes_nothing() -> None:
    """A press whose ids do not fit 64 bits, or are no numbers, is nobody's press."""
    stage = await playing("skyjo", 2, 4)
    board = (
        offering(stage.group, "card")
        if any("card" in data for data in buttons(stage.group.live()))
        else stage.group.live()
    )
    update = stage.press(0, board, buttons(board)[0])
    before = deeds(stage.items())
    for size in (2**53, 2**63, 2**64, 10**30, -(2**63) - 1, 1e18, "5300000001", [5300000001], True):
        for field in ("from", "message"):
            odd = json.loads(json.dumps(update))
            odd["callback_query"][field] |= {"id": size, "message_id": size}
            assert (await stage.send(odd))[0] == 200
            assert deeds(stage.items()) == before
