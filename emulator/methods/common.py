"""What the methods share: which chat, which topic, what text, and the errors about them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from emulator import entities, wire
from emulator.entities import Text
from emulator.errors import UPGRADED, bad_request, forbidden
from emulator.files import Kept, Upload, document, photo_sizes
from emulator.keyboards import inline_keyboard
from emulator.model import GENERAL, Chat, Json, Message
from emulator.world import World

MAX_TEXT = 4096
MAX_CAPTION = 1024


@dataclass(frozen=True, slots=True)
class Call:
    """A call that has been read: `params` with their true types, `files` by their name in the form."""

    world: World
    params: Json
    files: Mapping[str, Upload] = field(default_factory=dict)

    def get(self, name: str, default: Any = None) -> Any:
        """A parameter, or the default where it was not given."""
        return self.params.get(name, default)


@dataclass(frozen=True, slots=True)
class Told:
    """A result that Telegram sends with a sentence beside it."""

    result: Any
    description: str


def readable_chat(call: Call) -> Chat:
    """The chat that `chat_id` names, if the bot may act in it.

    Raises:
        ApiError: unknown, upgraded, blocked, kicked, left, deleted.
    """
    world, chat_id = call.world, call.params["chat_id"]
    chat = world.chats.get(chat_id) if isinstance(chat_id, int) else None
    if chat is None:
        if chat_id in world.users:
            raise forbidden("bot can't initiate conversation with a user")
        raise bad_request("chat not found")
    if chat.migrated_to is not None:
        raise bad_request(UPGRADED, migrate_to_chat_id=chat.migrated_to)
    standing = world.bot_member(chat)
    if chat.type == "private":
        if world.users[chat.id].deleted:
            raise forbidden("user is deactivated")
        if not standing.present:
            raise forbidden("bot was blocked by the user")
        return chat
    if chat.deleted:
        raise forbidden(f"the {chat.type} chat was deleted")
    if standing.status == "kicked":
        raise forbidden(f"bot was kicked from the {chat.type} chat")
    if standing.status == "left":
        raise forbidden(f"bot is not a member of the {chat.type} chat")
    return chat


def check_may_send(call: Call, chat: Chat, what: str) -> None:
    """Refuse where the bot is restricted; `what` is text messages, photos or documents."""
    if not call.world.bot_member(chat).can_send:
        raise bad_request(f"not enough rights to send {what} to the chat")


def thread_to_write(call: Call, chat: Chat, reply: Message | None) -> int | None:
    """The topic to write in, None for General and outside forums.

    Raises:
        ApiError: no such topic, or it is closed to the bot.
    """
    asked: int | None = call.get("message_thread_id")
    if not chat.is_forum:
        if asked is not None:
            raise bad_request("message thread not found")
        return None
    if asked == GENERAL:  # General is addressed by saying nothing
        raise bad_request("message thread not found")
    if asked is None and reply is not None and reply.topic:
        asked = reply.thread
    topic = chat.topics.get(asked or GENERAL)
    if asked is not None and (topic is None or topic.deleted):
        raise bad_request("message thread not found")
    standing = call.world.bot_member(chat)
    if topic and topic.closed and not (standing.governs and "can_manage_topics" in standing.rights):
        raise bad_request("TOPIC_CLOSED")
    return asked


def replied_message(call: Call, chat: Chat) -> Message | None:
    """The message that `reply_parameters` names.

    Raises:
        ApiError: it is gone and the call insists on it.
    """
    wanted = call.get("reply_parameters")
    if not wanted:
        return None
    found = call.world.message(chat.id, wanted["message_id"])
    if found is None and not wanted.get("allow_sending_without_reply"):
        raise bad_request("message to be replied not found")
    return found


def read_text(call: Call, source: Json, name: str) -> Text:
    """The text in field `name` of a call or an input media, with its entities."""
    mode = source.get("parse_mode")
    raw = source.get(name) or ""
    if mode and mode.lower() != "html":
        raise bad_request("unsupported parse_mode", violation=True)
    if mode:
        text = entities.parse_html(raw)
    else:
        text = Text(raw, list(source.get("entities" if name == "text" else "caption_entities") or ()))
    text = entities.with_found(entities.trimmed(Text(_clean(text.text), text.entities)))
    kept = (_checked(call.world, entity) for entity in text.entities)
    return Text(text.text, [entity for entity in kept if entity])


def _clean(text: str) -> str:
    # Telegram turns control characters into spaces, one for one, so offsets stay.
    return re.sub(r"[\x00-\x08\x0b-\x1f]", " ", text)


def _checked(world: World, entity: Json) -> Json | None:
    match entity["type"]:
        case "text_mention":
            user = world.users.get(entity["user"]["id"])
            # A mention of someone whom Telegram does not know is plain text.
            return entity | {"user": wire.user_json(user)} if user and not user.deleted else None
        case "text_link":
            found = entities.link(entity.get("url", ""))
            return entity | found if found and "url" in found else None
        case _:
            return entity


def text_body(call: Call) -> Json:
    """The content of a text message."""
    text = read_text(call, call.params, "text")
    if not text.text:
        raise bad_request("message text is empty", violation=True)
    if entities.utf16(text.text) > MAX_TEXT:
        raise bad_request("message is too long", violation=True)
    return {"text": text.text} | ({"entities": text.entities} if text.entities else {})


def caption_body(call: Call, source: Json) -> Json:
    """The caption fields of a message; empty without a caption."""
    text = read_text(call, source, "caption")
    if entities.utf16(text.text) > MAX_CAPTION:
        raise bad_request("message caption is too long", violation=True)
    if not text.text:
        return {}
    above = {"show_caption_above_media": True} if source.get("show_caption_above_media") else {}
    return {"caption": text.text} | ({"caption_entities": text.entities} if text.entities else {}) | above


def media_body(call: Call, kind: str, named: str) -> Json:
    """The content of a photo or document message: uploaded, or sent before and named by its id."""
    files = call.world.files
    if not named.startswith("attach://"):
        kept = files.find(named)
    else:
        upload = call.files.get(named.removeprefix("attach://"))
        if upload is None:
            raise bad_request(f"there is no {kind} in the request", violation=True)
        kept = files.add_photo(upload) if kind == "photo" else files.add_document(upload)
    return shown_file(kind, kept)


def shown_file(kind: str, kept: Kept) -> Json:
    """A kept file as a message of this kind shows it."""
    if (kind == "photo") != bool(kept.width):
        found = "Photo" if kept.width else "Document"
        raise bad_request(f"can't use file of type {found} as {kind.title()}", violation=True)
    return {"photo": photo_sizes(kept)} if kind == "photo" else {"document": document(kept)}


def keyboard(call: Call, chat: Chat) -> Json | None:
    """The inline keyboard of a call."""
    return inline_keyboard(call.get("reply_markup"), private=chat.type == "private")
