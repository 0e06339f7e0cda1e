import pytest

from emulator.errors import NOT_MODIFIED, AnswerLost
from emulator.files import Upload
from emulator.model import Json
from emulator.telegram import Fault
from tests.emulator.table import Table, keyboard, picture

BAD = "Bad Request: "
GO = keyboard([("Go", "go")])


def test_a_message_comes_back_as_telegram_sends_it(table: Table) -> None:
    """The answer to sendMessage has the sender, the chat, the text, its entities and the keyboard."""
    sent = table.call("sendMessage", chat_id=table.chat.id, text="<b>Hi</b> Ana", parse_mode="HTML", reply_markup=GO)
    assert sent == {
        "message_id": 2,
        "from": {"id": 1234567890, "is_bot": True, "first_name": "Tablée", "username": "tablee_bot"},
        "chat": {"id": table.chat.id, "title": "Friday", "type": "supergroup"},
        "date": int(table.clock()),
        "text": "Hi Ana",
        "entities": [{"type": "bold", "offset": 0, "length": 2}],
        "reply_markup": GO,
    }


@pytest.mark.parametrize(
    ("params", "reason"),
    [
        ({"text": ""}, "message text is empty"),
        ({"text": " \n"}, "message text is empty"),
        ({"text": "x" * 4097}, "message is too long"),
        ({"text": "x", "chat_id": 77}, "chat not found"),
        ({"text": "x", "chat_id": ""}, "chat_id is empty"),
        (
            {"text": "<i>x", "parse_mode": "HTML"},
            "can't parse entities: Can't find end tag corresponding to start tag \"i\"",
        ),
        ({"text": "x", "parse_mode": "Wiki"}, "unsupported parse_mode"),
        ({"text": "x", "message_thread_id": 5}, "message thread not found"),
        ({"text": "x", "reply_parameters": {"message_id": 999}}, "message to be replied not found"),
        ({"text": "x", "colour": "red"}, "not in the API: sendMessage has no parameter colour"),
        (
            {"text": "x", "disable_notification": "perhaps"},
            "not in the API: disable_notification is not of type Boolean",
        ),
        ({"text": "x", "reply_markup": "{"}, "can't parse reply keyboard markup JSON object"),
        ({"text": "x", "reply_markup": keyboard([("a", "é" * 33)])}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "reply_markup": keyboard([("a", "")])}, "BUTTON_DATA_INVALID"),
        (
            {"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "a"}]]}},
            "Text buttons are unallowed in the inline keyboard",
        ),
        (
            {"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "a", "web_app": {"url": "https://a.b"}}]]}},
            "BUTTON_TYPE_INVALID",
        ),
        ({"text": "x", "reply_markup": keyboard([("a", "a")] * 9)}, "not in the API: 9 buttons in a row, at most 8"),
        ({"text": "x", "reply_markup": keyboard(*[[("a", "a")]] * 101)}, "REPLY_MARKUP_TOO_LONG"),
    ],
)
def test_sending_what_telegram_refuses(table: Table, params: Json, reason: str) -> None:
    """Each fault of a message is refused in Telegram's words, and nothing is posted."""
    before = len(table.world.messages[table.chat.id])
    assert table.fails("sendMessage", **{"chat_id": table.chat.id, **params}) == (400, BAD + reason)
    assert len(table.world.messages[table.chat.id]) == before


def test_a_button_with_an_unknown_style_is_refused(table: Table) -> None:
    """A style is primary, success or danger."""
    markup = {"inline_keyboard": [[{"text": "a", "callback_data": "a", "style": "success"}]]}
    assert table.say(reply_markup=markup).reply_markup == markup
    markup["inline_keyboard"][0][0]["style"] = "green"
    status, reason = table.fails("sendMessage", chat_id=table.chat.id, text="x", reply_markup=markup)
    assert (status, "must be one of danger, success, primary" in reason) == (400, True)
    assert len(table.telegram.violations) == 1


def test_a_wrong_token_and_an_unknown_method(table: Table) -> None:
    """A wrong token is 401, a method that there is not is 404."""
    status, body = table.telegram.call("1:other", "getMe")
    assert (status, body["description"]) == (401, "Unauthorized")
    assert table.fails("sendHug", chat_id=1) == (404, "Not Found")


def test_edits(table: Table) -> None:
    """An edit replaces text and keyboard; without a keyboard the old one goes; the same again is refused."""
    message = table.say("One", reply_markup=GO)
    edited = table.call("editMessageText", chat_id=table.chat.id, message_id=message.id, text="Two")
    assert (edited["text"], "reply_markup" in edited, edited["edit_date"]) == ("Two", False, int(table.clock()))
    again = table.fails("editMessageText", chat_id=table.chat.id, message_id=message.id, text="Two")
    assert again == (400, BAD + NOT_MODIFIED)
    table.call("editMessageReplyMarkup", chat_id=table.chat.id, message_id=message.id, reply_markup=GO)
    assert message.reply_markup == GO
    assert table.telegram.violations == []


@pytest.mark.parametrize(
    ("method", "params"),
    [("editMessageText", {"text": "x"}), ("editMessageReplyMarkup", {}), ("editMessageCaption", {"caption": "x"})],
)
def test_messages_that_cannot_be_edited(table: Table, method: str, params: Json) -> None:
    """What is gone, somebody else's, or older than 48 hours cannot be edited."""
    message = table.say()
    theirs = table.people.write(table.ana, table.chat, "mine")
    place: Json = {"chat_id": table.chat.id, **params}
    assert table.fails(method, message_id=999, **place) == (400, BAD + "message to edit not found")
    assert table.fails(method, message_id=theirs.id, **place) == (400, BAD + "message can't be edited")
    table.clock.move(48 * 3600 + 1)
    assert table.fails(method, message_id=message.id, **place) == (400, BAD + "message can't be edited")
    message.deleted = True
    assert table.fails(method, message_id=message.id, **place) == (400, BAD + "message to edit not found")


def test_photos(table: Table) -> None:
    """A photo can be sent, given another caption, replaced, and sent again by its id."""
    where: Json = {"chat_id": table.chat.id}
    sent = table.call(
        "sendPhoto", {"photo": picture()}, caption="<b>Turn</b>", parse_mode="HTML", reply_markup=GO, **where
    )
    assert (sent["photo"][-1]["width"], sent["caption"], len(sent["caption_entities"])) == (40, "Turn", 1)
    where["message_id"] = sent["message_id"]
    edited = table.call("editMessageCaption", caption="Next", **where)
    assert edited["photo"] == sent["photo"]
    again = {"type": "photo", "media": sent["photo"][-1]["file_id"], "caption": "Next"}
    assert table.fails("editMessageMedia", media=again, **where) == (400, BAD + NOT_MODIFIED)
    media = {"type": "photo", "media": "attach://board", "caption": "New"}
    edited = table.call("editMessageMedia", {"board": picture(50, 50)}, media=media, **where)
    assert (edited["photo"][-1]["width"], edited["caption"]) == (50, "New")
    assert table.fails("editMessageText", text="x", **where) == (400, BAD + "there is no text in the message to edit")
    text = table.say()
    where["message_id"] = text.id
    assert table.fails("editMessageCaption", caption="x", **where) == (
        400,
        BAD + "there is no caption in the message to edit",
    )
    assert "text" not in table.call("editMessageMedia", media=again, **where)


@pytest.mark.parametrize(
    ("upload", "caption", "reason"),
    [
        (Upload("x.png", b"no picture"), "", "IMAGE_PROCESS_FAILED"),
        (Upload("x.png", b""), "", "file must be non-empty"),
        (picture(2100, 100), "", "PHOTO_INVALID_DIMENSIONS"),
        (picture(), "x" * 1025, "message caption is too long"),
    ],
)
def test_photos_that_telegram_refuses(table: Table, upload: Upload, caption: str, reason: str) -> None:
    """Pictures have to be pictures of a bearable shape, with captions of at most 1024 characters."""
    got = table.fails("sendPhoto", {"photo": upload}, chat_id=table.chat.id, caption=caption)
    assert got == (400, BAD + reason)


def test_an_unknown_file_id_or_a_missing_photo(table: Table) -> None:
    """A photo must be there or be known."""
    got = table.fails("sendPhoto", chat_id=table.chat.id, photo="AgACnothing")
    assert got == (400, BAD + "wrong file identifier/HTTP URL specified")
    assert table.fails("sendPhoto", chat_id=table.chat.id) == (400, BAD + "there is no photo in the request")


def test_documents_and_files(table: Table) -> None:
    """A document keeps its name, and getFile tells where its content lies."""
    sent = table.call("sendDocument", {"document": Upload("deal.txt", b"cards", "text/plain")}, chat_id=table.chat.id)
    assert sent["document"]["file_name"] == "deal.txt"
    found = table.call("getFile", file_id=sent["document"]["file_id"])
    assert (found["file_size"], found["file_path"].startswith("documents/")) == (5, True)


def test_deleting(table: Table) -> None:
    """The bot deletes its own messages for 48 hours, those of others as an administrator only."""
    where: Json = {"chat_id": table.chat.id}
    mine, theirs, old = table.say(), table.people.write(table.ana, table.chat, "x"), table.say()
    table.call("deleteMessage", message_id=mine.id, **where)
    assert table.fails("deleteMessage", message_id=mine.id, **where) == (400, BAD + "message to delete not found")
    assert table.fails("deleteMessage", message_id=theirs.id, **where) == (400, BAD + "message can't be deleted")
    table.groups.promote_bot(table.chat, table.ana)
    table.call("deleteMessage", message_id=theirs.id, **where)
    table.clock.move(48 * 3600 + 1)
    late = table.fails("deleteMessage", message_id=old.id, **where)
    assert late == (400, BAD + "message can't be deleted for everyone")


def test_presses_and_their_answers(table: Table) -> None:
    """A press is answered once, within 15 seconds, with at most 200 characters."""
    message = table.say(reply_markup=GO)
    query = table.people.press(table.ana, message, "Go")
    too_long = table.fails("answerCallbackQuery", callback_query_id=query.id, text="x" * 201)
    assert too_long == (400, BAD + "MESSAGE_TOO_LONG")
    table.call("answerCallbackQuery", callback_query_id=query.id, text="Yours", show_alert=True)
    assert query.answer is not None
    assert (query.answer.text, query.answer.show_alert) == ("Yours", True)
    old = table.people.press(table.ana, message, (0, 0))
    table.clock.move(15.1)
    reason = BAD + "query is too old and response timeout expired or query ID is invalid"
    for one in (query.id, old.id, "123"):
        assert table.fails("answerCallbackQuery", callback_query_id=one) == (400, reason)


def test_members(table: Table) -> None:
    """Owner, administrator, member, left and unknown are told apart."""
    where: Json = {"chat_id": table.chat.id}
    table.groups.promote(table.bob, table.chat, anonymous=True)
    table.groups.leave(table.cleo, table.chat)
    people = (table.ana, table.bob, table.cleo, table.world.bot)
    standing = [table.call("getChatMember", user_id=one.id, **where)["status"] for one in people]
    assert standing == ["creator", "administrator", "left", "member"]
    assert table.fails("getChatMember", user_id=42, **where) == (400, BAD + "PARTICIPANT_ID_INVALID")
    governing = table.call("getChatAdministrators", **where)
    assert [(one["user"]["id"], one["is_anonymous"]) for one in governing] == [
        (table.ana.id, False),
        (table.bob.id, True),
    ]
    table.people.private_chat(table.ana)
    private = table.fails("getChatAdministrators", chat_id=table.ana.id)
    assert private == (400, BAD + "there are no administrators in the private chat")


def test_pinning_needs_the_right(table: Table) -> None:
    """Only an administrator bot pins."""
    message = table.say()
    where: Json = {"chat_id": table.chat.id, "message_id": message.id}
    reason = BAD + "not enough rights to manage pinned messages in the chat"
    assert table.fails("pinChatMessage", **where) == (400, reason)
    table.groups.promote_bot(table.chat, table.ana, "can_pin_messages")
    table.call("pinChatMessage", **where)
    assert table.call("getChat", chat_id=table.chat.id)["pinned_message"]["message_id"] == message.id
    table.call("unpinChatMessage", chat_id=table.chat.id)
    assert table.chat.pinned is None


def test_menus_by_scope_and_language(table: Table) -> None:
    """The narrowest menu in the person's language is shown; a deleted one gives way to the wider."""
    groups = {"type": "all_group_chats"}
    table.call("setMyCommands", commands=[{"command": "help", "description": "Help"}])
    table.call("setMyCommands", commands=[{"command": "jeu", "description": "Jouer"}], scope=groups, language_code="fr")
    assert table.call("getMyCommands")[0]["command"] == "help"
    bad = table.fails("setMyCommands", commands=[{"command": "Ça", "description": "x"}])
    assert bad == (400, BAD + "BOT_COMMAND_INVALID")
    table.call("deleteMyCommands", scope=groups, language_code="fr")
    assert table.call("getMyCommands", scope=groups) == []
    table.call("setMyDescription", description="Cards", language_code="en")
    assert table.call("getMyDescription", language_code="en") == {"description": "Cards"}


def test_webhook_and_polling_exclude_each_other(table: Table) -> None:
    """While a webhook is set, getUpdates is a conflict; without, it takes and confirms updates."""
    assert (
        table.fails("setWebhook", url="http://a.b")[1] == BAD + "bad webhook: An HTTPS URL must be provided for webhook"
    )
    assert (
        table.fails("setWebhook", url="https://a.b", secret_token="ç")[1]
        == BAD + "secret token contains unallowed characters"
    )
    table.call("setWebhook", url="https://a.b", secret_token="s", allowed_updates=["message", "callback_query"])
    assert table.fails("getUpdates")[0] == 409
    assert table.call("getWebhookInfo")["url"] == "https://a.b"
    table.call("deleteWebhook")
    table.people.write(table.ana, table.chat, "/start")
    table.people.write(table.bob, table.chat, "/help")
    first = table.call("getUpdates", limit=1)
    assert [one["message"]["text"] for one in first] == ["/start"]
    rest = table.call("getUpdates", offset=first[0]["update_id"] + 1)
    assert [one["message"]["text"] for one in rest] == ["/help"]


def test_the_log_and_planned_failures(table: Table) -> None:
    """Every call is logged with its status, and the plan decides which one fails."""
    plan = {1: Fault(429, retry_after=7), 2: Fault("timeout", after=True), 3: Fault(500), 4: Fault("reset")}
    table.telegram.fault_plan = lambda number, _method, _params: plan.get(number)
    table.say("zero")
    status, body = table.telegram.call(table.telegram.token, "sendMessage", {"chat_id": table.chat.id, "text": "one"})
    assert (status, body["parameters"], body["description"]) == (
        429,
        {"retry_after": 7},
        "Too Many Requests: retry after 7",
    )
    with pytest.raises(AnswerLost):
        table.say("two")
    assert table.fails("sendMessage", chat_id=table.chat.id, text="three") == (500, "Internal Server Error")
    with pytest.raises(AnswerLost):
        table.say("four")
    texts = [one.body["text"] for one in table.world.present(table.chat.id) if "text" in one.body]
    assert texts == ["zero", "two"]
    assert [(one.method, one.status) for one in table.telegram.log][:2] == [("sendMessage", 200), ("sendMessage", 429)]


def test_old_files_can_be_let_go(table: Table) -> None:
    """With a bound on what is held, older pictures keep their ids but not their content."""
    table.world.files.most = 1
    first = table.call("sendPhoto", {"photo": picture()}, chat_id=table.chat.id)["photo"][-1]["file_id"]
    table.call("sendPhoto", {"photo": picture()}, chat_id=table.chat.id)
    assert [bool(kept.content) for kept in table.world.files.by_id.values()] == [False, True]
    assert table.call("sendPhoto", chat_id=table.chat.id, photo=first)["photo"][-1]["width"] == 40
