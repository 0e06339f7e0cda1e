import json
from typing import Any

import pytest
from telegram import Bot, Update
from telegram.request import BaseRequest

from emulator.description import check_kind
from emulator.errors import UPGRADED, ApiError
from emulator.model import GROUP_ANONYMOUS_BOT, Json
from emulator.request import InProcessRequest
from tests.emulator.table import Table, keyboard, picture

GO = keyboard([("Go", "go"), ("No", "no")])
BAD = "Bad Request: "


def unknown_fields(shown: Any) -> Json:
    """What python-telegram-bot did not understand of an update, at any depth."""
    found: Json = {}
    if hasattr(shown, "api_kwargs"):
        found |= shown.api_kwargs
        for name in shown.__slots__ + tuple(getattr(shown, "__dict__", ())):
            if not name.startswith("_") and name != "api_kwargs":
                found |= unknown_fields(getattr(shown, name, None))
    elif isinstance(shown, tuple | list):
        for one in shown:
            found |= unknown_fields(one)
    return found


def last(table: Table) -> tuple[str, Json]:
    """The kind and content of the newest update, all waiting ones taken away."""
    update = table.updates()[-1]
    kind = next(key for key in update if key != "update_id")
    return kind, update[kind]


def test_a_command_in_a_group(table: Table) -> None:
    """A command arrives with its entity, the whole sender and the chat."""
    table.people.write(table.ana, table.chat, "/dekal@tablee_bot 100")
    assert last(table) == (
        "message",
        {
            "message_id": 2,
            "from": {
                "id": table.ana.id,
                "is_bot": False,
                "first_name": "Ana",
                "last_name": "Lima",
                "username": "ana_lima",
                "language_code": "fr",
            },
            "chat": {"id": table.chat.id, "title": "Friday", "type": "supergroup"},
            "date": int(table.clock()),
            "text": "/dekal@tablee_bot 100",
            "entities": [{"type": "bot_command", "offset": 0, "length": 17}],
        },
    )


def test_privacy_mode(table: Table) -> None:
    """In groups the bot sees commands and replies to itself, as an administrator everything."""
    mine = table.say()
    table.people.write(table.ana, table.chat, "hello")
    table.people.write(table.ana, table.chat, "/start@other_bot")
    table.people.write(table.ana, table.chat, "no /start in front")
    table.people.write(table.ana, table.chat, "I answer", reply_to=mine)
    table.people.write(table.ana, table.people.private_chat(table.ana), "alone")
    assert [one["message"]["text"] for one in table.updates()] == ["I answer", "alone"]
    table.groups.promote_bot(table.chat, table.ana)
    table.people.write(table.ana, table.chat, "hello")
    assert last(table)[1]["text"] == "hello"


def test_a_reply_outside_forums_has_a_thread_that_is_no_topic(table: Table) -> None:
    """A reply in a supergroup names its thread, but is no topic message."""
    mine = table.say()
    table.people.write(table.ana, table.chat, "/x", reply_to=mine)
    _, message = last(table)
    assert (message["message_thread_id"], "is_topic_message" in message) == (mine.id, False)
    assert message["reply_to_message"]["text"] == "Hello"


def test_a_press_carries_the_message_as_it_is(table: Table) -> None:
    """A press brings the presser, the data, the chat's instance and the whole message."""
    sent = table.call("sendPhoto", {"photo": picture()}, chat_id=table.chat.id, caption="Turn", reply_markup=GO)
    message = table.world.messages[table.chat.id][sent["message_id"]]
    query = table.people.press(table.bob, message, "no")
    kind, press = last(table)
    assert (kind, press["id"], press["data"], press["from"]["first_name"]) == ("callback_query", query.id, "no", "Bob")
    assert press["message"] == sent
    assert press["chat_instance"] == table.world.chat_instance(table.chat.id)
    message.deleted = True
    table.people.press_unseen(table.bob, message, "no")
    assert last(table)[1]["message"] == {"chat": sent["chat"], "message_id": message.id, "date": 0}
    with pytest.raises(ApiError):
        table.people.press(table.bob, message, "no")
    with pytest.raises(LookupError):
        table.people.press(table.bob, message, "maybe")


def test_anonymous_administrators(table: Table) -> None:
    """They write as the group, but press as themselves."""
    table.groups.promote(table.bob, table.chat, anonymous=True)
    table.people.write(table.bob, table.chat, "/dekal")
    _, message = last(table)
    assert message["from"]["id"] == GROUP_ANONYMOUS_BOT
    assert message["sender_chat"] == message["chat"]
    table.people.press(table.bob, table.say(reply_markup=GO), "go")
    assert last(table)[1]["from"]["id"] == table.bob.id


def test_topics(table: Table) -> None:
    """Messages in a topic say so, General has no id, closed and deleted topics refuse."""
    forum = table.groups.create("Club", table.ana, table.bob, forum=True)
    topic = table.groups.create_topic(forum, table.ana, "Cards")
    table.people.write(table.bob, forum, "/skyjo", thread=topic)
    _, message = last(table)
    assert (message["message_thread_id"], message["is_topic_message"]) == (topic, True)
    assert message["reply_to_message"]["forum_topic_created"]["name"] == "Cards"
    where: Json = {"chat_id": forum.id, "text": "x"}
    assert table.call("sendMessage", message_thread_id=topic, **where)["is_topic_message"] is True
    table.people.write(table.bob, forum, "/skyjo")
    assert "message_thread_id" not in last(table)[1]
    assert "message_thread_id" not in table.call("sendMessage", **where)
    assert table.fails("sendMessage", message_thread_id=1, **where) == (400, BAD + "message thread not found")
    table.groups.close_topic(forum, table.ana, topic)
    assert table.fails("sendMessage", message_thread_id=topic, **where) == (400, BAD + "TOPIC_CLOSED")
    table.groups.reopen_topic(forum, table.ana, topic)
    table.call("sendMessage", message_thread_id=topic, **where)
    table.groups.delete_topic(forum, topic)
    assert table.fails("sendMessage", message_thread_id=topic, **where) == (400, BAD + "message thread not found")
    table.groups.close_topic(forum, table.ana, None)
    assert table.fails("sendMessage", **where) == (400, BAD + "TOPIC_CLOSED")


def test_a_group_becomes_a_supergroup(table: Table) -> None:
    """Both service messages arrive, and the old id answers with the new one."""
    basic = table.groups.create("Old", table.ana, table.bob, supergroup=False)
    message = table.call("sendMessage", chat_id=basic.id, text="x")
    table.updates()
    new = table.groups.upgrade(basic)
    first, second = (one["message"] for one in table.updates())
    assert (first["chat"]["id"], first["migrate_to_chat_id"]) == (basic.id, new.id)
    assert (second["chat"]["id"], second["migrate_from_chat_id"]) == (new.id, basic.id)
    assert new.member(table.bob.id).present
    calls: tuple[tuple[str, Json], ...] = (
        ("sendMessage", {}),
        ("editMessageText", {"message_id": message["message_id"]}),
    )
    for method, more in calls:
        status, body = table.telegram.call(table.telegram.token, method, {"chat_id": basic.id, "text": "y", **more})
        assert (status, body["description"]) == (400, BAD + UPGRADED)
        assert body["parameters"] == {"migrate_to_chat_id": new.id}


def test_blocked_kicked_left_and_back(table: Table) -> None:
    """Who does not want the bot gets nothing from it, and it learns so."""
    private = table.people.private_chat(table.ana)
    table.people.block_bot(table.ana)
    kind, news = last(table)
    assert (kind, news["new_chat_member"]["status"]) == ("my_chat_member", "kicked")
    assert table.fails("sendMessage", chat_id=private.id, text="x") == (403, "Forbidden: bot was blocked by the user")
    table.people.unblock_bot(table.ana)
    table.call("sendMessage", chat_id=private.id, text="x")
    stranger = table.fails("sendMessage", chat_id=table.bob.id, text="x")
    assert stranger == (403, "Forbidden: bot can't initiate conversation with a user")
    table.groups.remove_bot(table.chat, table.ana)
    kicked = table.fails("sendMessage", chat_id=table.chat.id, text="x")
    assert kicked == (403, "Forbidden: bot was kicked from the supergroup chat")
    table.groups.add_bot(table.chat, table.ana)
    table.say()
    table.call("leaveChat", chat_id=table.chat.id)
    left = table.fails("sendMessage", chat_id=table.chat.id, text="x")
    assert left == (403, "Forbidden: bot is not a member of the supergroup chat")
    basic = table.groups.create("Old", table.ana, supergroup=False)
    table.groups.remove_bot(basic, table.ana)
    kicked = table.fails("sendMessage", chat_id=basic.id, text="x")
    assert kicked == (403, "Forbidden: bot was kicked from the group chat")
    table.people.delete_account(table.ana)
    gone = table.fails("sendMessage", chat_id=private.id, text="x")
    assert gone == (403, "Forbidden: user is deactivated")


def test_a_restricted_bot_cannot_write(table: Table) -> None:
    """A bot that may only read is told so."""
    table.groups.restrict_bot(table.chat, table.ana)
    reason = BAD + "not enough rights to send text messages to the chat"
    assert table.fails("sendMessage", chat_id=table.chat.id, text="x") == (400, reason)


def test_edited_and_forwarded_messages(table: Table) -> None:
    """An edited command is another kind of update; a forwarded board tells where it came from."""
    message = table.people.write(table.ana, table.chat, "/dekal")
    table.people.edit(table.ana, message, "/skyjo")
    kind, edited = last(table)
    assert (kind, edited["text"], "edit_date" in edited) == ("edited_message", "/skyjo", True)
    board = table.say(reply_markup=GO)
    table.people.forward(table.bob, board, table.people.private_chat(table.bob))
    _, forwarded = last(table)
    assert forwarded["forward_origin"]["sender_user"]["is_bot"] is True
    assert "reply_markup" not in forwarded
    with pytest.raises(ApiError):
        table.people.edit(table.bob, message, "mine now")


def test_only_administrators_delete_what_others_wrote(table: Table) -> None:
    """A member cannot delete the board, the owner can."""
    board = table.say()
    with pytest.raises(ApiError):
        table.people.delete(table.bob, board)
    table.people.delete(table.ana, board)
    assert table.world.message(table.chat.id, board.id) is None


def everything(table: Table) -> list[Json]:
    """One update of every kind and shape that the emulator makes."""
    big = table.people.create_user("Big", user_id=2**52 - 1)
    forum = table.groups.create("Club", table.ana, big, forum=True, chat_id=-(2**52) + 1)
    topic = table.groups.create_topic(forum, table.ana, "Cards")
    message = table.people.write(big, forum, "/a #b @cleopatra https://a.b/c", thread=topic)
    table.people.edit(big, message, "/b")
    table.groups.close_topic(forum, table.ana, topic)
    table.groups.reopen_topic(forum, table.ana, topic)
    board = table.call("sendPhoto", {"photo": picture(2000, 900)}, chat_id=forum.id, caption="x", reply_markup=GO)
    table.people.press(big, table.world.messages[forum.id][board["message_id"]], "go")
    table.groups.promote(big, forum, anonymous=True)
    table.people.write(big, forum, "/c")
    basic = table.groups.create("Old", table.ana, big, supergroup=False)
    table.groups.join(table.bob, basic)
    table.groups.leave(table.bob, basic)
    table.groups.upgrade(basic)
    table.groups.promote_bot(forum, table.ana)
    table.groups.restrict_bot(forum, table.ana)
    table.groups.remove_bot(forum, table.ana)
    private = table.people.private_chat(table.bob)
    sent = table.call("sendMessage", chat_id=private.id, text="x", reply_markup=GO)
    table.people.press(table.bob, table.world.messages[private.id][sent["message_id"]], "go")
    table.people.forward(table.bob, table.world.messages[private.id][sent["message_id"]], private)
    table.people.block_bot(table.bob)
    return table.updates()


async def test_every_update_is_described_and_understood(table: Table) -> None:
    """Every update conforms to the API's description, and python-telegram-bot knows all of its fields."""
    transport: BaseRequest = InProcessRequest(table.telegram)
    async with Bot(table.telegram.token, request=transport, get_updates_request=transport) as bot:
        updates = everything(table)
        assert len(updates) > 20
        for update in updates:
            check_kind(json.loads(json.dumps(update)), "Update", "update")
            parsed = Update.de_json(update, bot)
            assert unknown_fields(parsed) == {}
            assert parsed.to_dict()["update_id"] == update["update_id"]


def test_a_reply_of_the_bot_outside_forums_is_in_a_thread_too(table: Table) -> None:
    """The bot's answer to a message in a supergroup names the thread, but is no topic message."""
    theirs = table.people.write(table.ana, table.chat, "/start")
    sent = table.call("sendMessage", chat_id=table.chat.id, text="x", reply_parameters={"message_id": theirs.id})
    assert (sent["message_thread_id"], "is_topic_message" in sent) == (theirs.id, False)
