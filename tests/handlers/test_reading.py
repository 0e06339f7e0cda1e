"""What of an update is read: the fields that the bot uses, whatever the others hold; and nothing of it is ever told."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from telegram import CallbackQuery, Chat, ChatMemberUpdated, Message, TelegramObject, Update, User

from emulator.function_url import function_url_event
from emulator.model import Json
from handlers import reading
from handlers.commands import Known
from handlers.ui.languages import words
from infra.logs import configure
from testing.group import SECRET, text_of
from tests.hostile.scene import Stage, changed, playing, use_plain_pictures

EN = words("en")
JUNK: list[Any] = [{}, [], 7, "x", True, {"options": []}, [{"question": 1}]]

CLASSES: dict[str, type[TelegramObject]] = {
    "message": Message,
    "callback_query": CallbackQuery,
    "my_chat_member": ChatMemberUpdated,
    "from": User,
    "chat": Chat,
}
"""The library's classes, whose attributes are the fields that it reads."""


def known_to_the_library(name: str) -> Iterator[str]:
    """The JSON fields that the library reads of an object that stands under `name`."""
    for one in CLASSES[name].__mro__:
        for field in getattr(one, "__slots__", ()):
            if not field.startswith("_"):
                yield {"from_user": "from"}.get(field, field)


READ = {
    "message": (
        *("message_id", "date", "chat", "text", "entities", "sender_chat", "message_thread_id", "is_topic_message"),
        *("migrate_to_chat_id", "migrate_from_chat_id", "reply_markup", "forward_origin", "from"),
    ),
    "callback_query": ("id", "message", "data", "from"),
    "my_chat_member": ("chat", "date", "old_chat_member", "new_chat_member", "from"),
    "from": ("id", "is_bot", "first_name", "last_name", "language_code"),
    "chat": ("id", "type", "is_forum"),
}
"""What the bot uses, as the documentation names it."""


def cluttered(update: Json, junk: Any) -> Json:
    """The update with junk in every field that the library knows and the bot does not use, on every level."""

    def clutter(name: str, value: Any) -> Any:
        if name not in CLASSES or not isinstance(value, dict):
            return value
        parts = {key: clutter(key, part) for key, part in value.items() if key in READ[name]}
        return parts | {field: junk for field in known_to_the_library(name) if field not in READ[name]}

    return {key: clutter(key, part) for key, part in update.items()}


async def deliver(stage: Stage, update: Json) -> tuple[int, str]:
    """Hand an update over; the status and the toast, if there is one."""
    status, body = await stage.send(update)
    return status, json.loads(body).get("text", "") if body else ""


@pytest.mark.parametrize("junk", JUNK, ids=repr)
async def test_what_is_not_used_may_be_anything(junk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command, a press and being added are obeyed, whatever stands in the fields that nobody looks at."""
    use_plain_pictures(monkeypatch)
    stage = await playing("skyjo", 2)
    command = stage.typed(0, "/help")
    press = stage.press(0, stage.group.live(), "match1:1:0:card")
    added = {
        "update_id": 77,
        "my_chat_member": {
            "chat": command["message"]["chat"],
            "from": command["message"]["from"],
            "date": 1,
            "old_chat_member": {"status": "left", "user": junk},
            "new_chat_member": {"status": "administrator", "user": junk, "can_be_edited": junk, "until_date": junk},
        },
    }
    assert await deliver(stage, cluttered(command, junk)) == (200, "")
    assert text_of(stage.group.messages()[-1]).startswith("Playing")
    stage.group.clock.now += 60
    status, toast = await deliver(stage, cluttered(press, junk))
    assert (status, toast) != (200, "")
    assert toast != EN("refusal.unknown")
    assert await deliver(stage, cluttered(added, junk)) == (200, "")
    assert "Hello everyone" in text_of(stage.group.messages()[-1])


@pytest.mark.parametrize(
    "reply",
    [
        {"message_id": 1, "date": 1, "chat": {"id": -1, "type": "group"}, "poll": {"id": "1", "question": "?"}},
        {"message_id": 1},
        {"story": {}},
        [],
    ],
)
async def test_a_command_that_replies_to_what_the_library_cannot_read(reply: Any) -> None:
    """A poll of no options, for one: the command itself is as good as any."""
    stage = Stage(1)
    await stage.group.settle()
    stage.group.clock.now += 60
    update = stage.typed(0, "/help")
    update["message"]["reply_to_message"] = reply
    assert await deliver(stage, update) == (200, "")
    assert text_of(stage.group.messages()[-1]).startswith("Playing")


async def test_a_message_without_a_date() -> None:
    """Nobody asks when it was written."""
    stage = Stage(1)
    await stage.group.settle()
    stage.group.clock.now += 60
    update = stage.typed(0, "/help")
    del update["message"]["date"]
    assert await deliver(stage, update) == (200, "")
    assert text_of(stage.group.messages()[-1]).startswith("Playing")


@pytest.mark.parametrize("field", ["chat_instance", "date"])
async def test_a_press_without_what_nobody_needs(field: str) -> None:
    """Without the chat's instance, or on a message without a date, it is the press it was."""
    stage = Stage(2)
    await stage.group.write(0, "/skyjo")
    board = stage.group.live()
    update = stage.press(1, board, "match1:0:1:join")
    part = update["callback_query"] if field == "chat_instance" else update["callback_query"]["message"]
    del part[field]
    assert await deliver(stage, update) == (200, EN("toast.joined"))


@pytest.mark.parametrize(
    ("old", "new", "greeted"),
    [
        ({"status": "left"}, {"status": "member"}, True),
        ({"status": "kicked", "until_date": 0}, {"status": "administrator"}, True),
        ({"status": "left"}, {"status": "restricted", "is_member": True}, True),
        ({"status": "restricted", "is_member": False}, {"status": "member"}, True),
        ({"status": "left"}, {"status": "restricted", "is_member": False}, False),
        ({"status": "left"}, {"status": "a status of next year"}, True),
        ({"status": "member"}, {"status": "administrator"}, False),
        ({"status": "member"}, {"status": "left"}, False),
    ],
)
async def test_every_way_of_being_added(old: Json, new: Json, *, greeted: bool) -> None:
    """The bot says hello when it was away and is there now, whatever its rights are called."""
    stage = Stage(1)
    await stage.group.settle()
    stage.group.clock.now += 60
    message = stage.typed(0, "/hello")["message"]
    said = len(stage.group.messages())
    change = {"chat": message["chat"], "from": message["from"], "old_chat_member": old, "new_chat_member": new}
    assert await deliver(stage, {"update_id": 77, "my_chat_member": change}) == (200, "")
    assert len(stage.group.messages()) - said == greeted


async def test_a_forwarded_command_was_meant_for_another_chat() -> None:
    """It is not obeyed, wherever it was forwarded from."""
    stage = Stage(1)
    await stage.group.settle()
    stage.group.clock.now += 60
    for origin in ({"type": "channel", "date": 1}, {}, "from somewhere"):
        update = stage.typed(0, "/skyjo")
        update["message"]["forward_origin"] = origin
        assert await deliver(stage, update) == (200, "")
    assert stage.group.calls("sendMessage")[1:] == []


MARK = "what Ana wrote"


def spoilt(update: Json) -> Iterator[Json]:
    """The update made unreadable in many ways, with the mark in it."""
    for path in (("message", "text"), ("message", "from", "first_name"), ("message", "chat", "id")):
        for odd in ([MARK], {MARK: MARK}, [[MARK]]):
            yield changed(update, path, odd)
    yield {"update_id": 9, "message": MARK}
    yield {"update_id": 9, "callback_query": {MARK: MARK}}


def _heard(capsys: pytest.CaptureFixture[str]) -> str:
    shown = capsys.readouterr()
    return shown.out + shown.err


@pytest.fixture
def _loud() -> Iterator[None]:
    """Every library at its loudest; logging is left as it was found."""
    root, ours, library = logging.getLogger(), logging.getLogger("tablee"), logging.getLogger("telegram")
    before = root.handlers[:], root.level, ours.level
    yield
    root.handlers[:], root.level, ours.level = before
    library.setLevel(logging.NOTSET)


def listen() -> None:
    """Log as on a laptop, and everything."""
    configure({})
    logging.getLogger().setLevel(logging.DEBUG)


@pytest.mark.usefixtures("_loud")
async def test_nothing_of_an_unreadable_update_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """The field is named, its value never, and the next update is handled."""
    stage = Stage(1)
    await stage.group.settle()
    stage.group.clock.now += 60
    listen()
    for update in spoilt(stage.typed(0, f"/help {MARK}")):
        assert (await stage.send(update))[0] in (200, 400)
    heard = _heard(capsys)
    assert "an update was ignored: message: text: no text" in heard
    assert MARK not in heard
    await stage.group.write(0, "/help")
    assert stage.group.statuses[-1] == 200


@pytest.mark.usefixtures("_loud")
@pytest.mark.parametrize("where", ["the library", "a handler", "before the handlers"])
async def test_nothing_of_an_update_is_told_by_an_exception(
    where: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever stumbles over an update may quote it in an exception; the log has its kind and its line."""

    def stumble(*_: Any, **__: Any) -> Any:
        raise ValueError(MARK)

    stage = Stage(1)
    await stage.group.settle()
    stage.group.clock.now += 60
    assert stage.group.webhook is not None
    updates = stage.group.webhook._bot.updates
    match where:
        case "the library":
            monkeypatch.setattr(Update, "de_json", stumble)
        case "a handler":
            monkeypatch.setitem(updates._commands.known, "help", Known(stumble))
        case _:
            monkeypatch.setattr(stage.group.webhook._bot.application, "process_update", stumble)
    listen()
    assert (await stage.send(stage.typed(0, "/help")))[0] == 200
    heard = _heard(capsys)
    assert "ValueError" in heard
    assert MARK not in heard


def test_the_schema_is_what_the_documentation_names() -> None:
    """What these tests take for used is what is read: one field more or less is noticed."""
    event = {"id": "1", "message": None, "data": None, "from": {"id": 1, "is_bot": False, "first_name": "A"}}
    kept = reading._KINDS["callback_query"](event)
    assert set(kept) == {"id", "from", "chat_instance"}
    full: Json = dict.fromkeys(READ["message"]) | {
        "message_id": 1,
        "date": 2,
        "chat": {"id": 1, "type": "group"},
        "text": "x",
        "entities": [],
        "sender_chat": {"id": 1, "type": "channel"},
        "message_thread_id": 3,
        "is_topic_message": True,
        "migrate_to_chat_id": 4,
        "migrate_from_chat_id": 5,
        "reply_markup": {"inline_keyboard": []},
        "forward_origin": {},
        "from": event["from"],
    }
    assert set(reading._KINDS["message"](full)) == set(READ["message"])


async def test_the_same_update_may_be_here_twice() -> None:
    """Two deliveries of one update in one process do not get into each other's way."""
    stage = Stage(1)
    await stage.group.settle()
    stage.group.clock.now += 60
    update = stage.typed(0, "/help")
    assert stage.group.webhook is not None
    event = function_url_event(update, SECRET)
    answers = await asyncio.gather(*(stage.group.webhook.respond(event) for _ in range(2)))
    assert [answer["statusCode"] for answer in answers] == [200, 200]
