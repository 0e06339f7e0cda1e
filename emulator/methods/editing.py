"""editMessage…, deleteMessage, pinning."""

from emulator import wire
from emulator.errors import NOT_MODIFIED, bad_request
from emulator.methods import common
from emulator.methods.common import Call
from emulator.model import Chat, Json, Message
from emulator.world import EDIT_TIME

_CAPTION = ("caption", "caption_entities", "show_caption_above_media")


def _editable(call: Call) -> tuple[Chat, Message]:
    if call.get("inline_message_id") is not None:
        raise bad_request("MESSAGE_ID_INVALID", violation=True)
    for name in ("chat_id", "message_id"):
        if call.get(name) is None:
            raise bad_request(
                "chat_id is empty" if name == "chat_id" else "message identifier is not specified", violation=True
            )
    chat = common.readable_chat(call)
    message = call.world.message(chat.id, call.params["message_id"])
    if message is None:
        raise bad_request("message to edit not found")
    if message.sender != call.world.bot.id or _is_service(message):
        raise bad_request("message can't be edited")
    if call.world.now() - message.date > EDIT_TIME:
        raise bad_request("message can't be edited")
    return chat, message


def _is_service(message: Message) -> bool:
    return not {"text", "photo", "document"} & message.body.keys()


def _replace(call: Call, chat: Chat, message: Message, body: Json) -> Json:
    keyboard = common.keyboard(call, chat)
    if message.body == body and message.reply_markup == keyboard:
        raise bad_request(NOT_MODIFIED)
    message.body, message.reply_markup = body, keyboard
    message.edit_date = int(call.world.now())
    call.world.changed(message)
    return wire.message_json(call.world, message)


def edit_text(call: Call) -> Json:
    """Another text, and another keyboard or none."""
    chat, message = _editable(call)
    if call.get("rich_message") is not None:
        raise bad_request("not in the API: the emulator shows no rich messages", violation=True)
    body = common.text_body(call)
    if "text" not in message.body:
        raise bad_request("there is no text in the message to edit", violation=True)
    return _replace(call, chat, message, _carried(message) | body)


def edit_caption(call: Call) -> Json:
    """Another caption or none, and another keyboard or none."""
    chat, message = _editable(call)
    caption = common.caption_body(call, call.params)
    if "text" in message.body:
        raise bad_request("there is no caption in the message to edit", violation=True)
    kept = {name: value for name, value in message.body.items() if name not in _CAPTION}
    return _replace(call, chat, message, kept | caption)


def edit_media(call: Call) -> Json:
    """Another picture or document with its caption; a text message becomes one."""
    chat, message = _editable(call)
    media = call.params["media"]
    if media["type"] not in {"photo", "document"}:
        raise bad_request(f"not in the API: the emulator keeps no {media['type']}", violation=True)
    caption = common.caption_body(call, media)
    body = common.media_body(call, media["type"], media["media"])
    return _replace(call, chat, message, _carried(message) | body | caption)


def edit_reply_markup(call: Call) -> Json:
    """Another keyboard, or none."""
    chat, message = _editable(call)
    return _replace(call, chat, message, message.body)


def _carried(message: Message) -> Json:
    # A forwarded message keeps its origin whatever it says.
    return {name: value for name, value in message.body.items() if name == "forward_origin"}


def delete_message(call: Call) -> bool:
    """Take a message away for everyone."""
    chat = common.readable_chat(call)
    world = call.world
    message = world.message(chat.id, call.params["message_id"])
    if message is None:
        raise bad_request("message to delete not found")
    standing = world.bot_member(chat)
    may_clean = chat.type == "private" or (standing.governs and "can_delete_messages" in standing.rights)
    if message.sender != world.bot.id and not may_clean:
        raise bad_request("message can't be deleted")
    if world.now() - message.date > EDIT_TIME:
        raise bad_request("message can't be deleted for everyone")
    message.deleted = True
    world.changed(message)
    return True


def _check_may_pin(call: Call, chat: Chat) -> None:
    standing = call.world.bot_member(chat)
    if chat.is_group and not (standing.governs and "can_pin_messages" in standing.rights):
        raise bad_request("not enough rights to manage pinned messages in the chat")


def pin(call: Call) -> bool:
    """Keep a message in sight at the top of the chat."""
    chat = common.readable_chat(call)
    _check_may_pin(call, chat)
    message = call.world.message(chat.id, call.params["message_id"])
    if message is None:
        raise bad_request("message to pin not found")
    chat.pinned = message.id
    body = {"pinned_message": wire.message_json(call.world, message, nested=True)}
    call.world.post(chat, call.world.bot.id, body, thread=message.thread, topic=message.topic)
    return True


def unpin(call: Call) -> bool:
    """Let go of the pinned message."""
    chat = common.readable_chat(call)
    _check_may_pin(call, chat)
    wanted = call.get("message_id")
    if chat.pinned is None or wanted not in {None, chat.pinned}:
        raise bad_request("message to unpin not found")
    chat.pinned = None
    call.world.tell("chat", chat)
    return True
