"""sendMessage, sendPhoto, sendDocument, sendChatAction."""

from emulator import wire
from emulator.errors import bad_request
from emulator.methods import common
from emulator.methods.common import Call
from emulator.model import Chat, Json

_ACTIONS = {
    *("typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice"),
    *("upload_document", "choose_sticker", "find_location", "record_video_note", "upload_video_note"),
}


def send_message(call: Call) -> Json:
    """A text message."""
    chat = common.readable_chat(call)
    common.check_may_send(call, chat, "text messages")
    return _post(call, chat, common.text_body(call))


def send_photo(call: Call) -> Json:
    """A photo with a caption."""
    return _send_file(call, "photo")


def send_document(call: Call) -> Json:
    """A document with a caption."""
    return _send_file(call, "document")


def _send_file(call: Call, kind: str) -> Json:
    chat = common.readable_chat(call)
    common.check_may_send(call, chat, f"{kind}s")
    caption = common.caption_body(call, call.params)
    return _post(call, chat, common.media_body(call, kind, call.params[kind]) | caption)


def _post(call: Call, chat: Chat, body: Json) -> Json:
    world = call.world
    reply = common.replied_message(call, chat)
    thread = topic = common.thread_to_write(call, chat, reply)
    if reply and chat.type == "supergroup" and not chat.is_forum:
        # Outside forums the first message of a chain of replies is the thread, but no topic.
        thread = reply.thread or reply.id
    keyboard = common.keyboard(call, chat)
    message = world.post(
        chat,
        world.bot.id,
        body,
        thread=thread,
        topic=topic is not None,
        reply_to=reply.id if reply else None,
        reply_markup=keyboard,
    )
    return wire.message_json(world, message)


def send_chat_action(call: Call) -> bool:
    """Show for a moment that the bot is typing."""
    common.readable_chat(call)
    if call.get("action") not in _ACTIONS:
        raise bad_request("wrong parameter action in request", violation=True)
    return True
