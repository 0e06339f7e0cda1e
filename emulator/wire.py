"""How users, chats and messages look in the Bot API's JSON."""

from emulator.model import Chat, Json, Member, Message, User
from emulator.world import World

_ADMIN_RIGHTS = (
    *("can_manage_chat", "can_delete_messages", "can_manage_video_chats", "can_restrict_members"),
    *("can_promote_members", "can_change_info", "can_invite_users", "can_post_stories"),
    *("can_edit_stories", "can_delete_stories", "can_pin_messages", "can_manage_topics"),
)
_PERMISSIONS = (
    *("can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos"),
    *("can_send_video_notes", "can_send_voice_notes", "can_send_polls", "can_send_other_messages"),
    *("can_add_web_page_previews", "can_change_info", "can_invite_users", "can_pin_messages"),
    "can_manage_topics",
)
_OPTIONAL_PERMISSIONS = ("can_react_to_messages", "can_edit_tag")


def user_json(user: User) -> Json:
    """A `User`."""
    if user.deleted:
        return {"id": user.id, "is_bot": False, "first_name": ""}
    shown: Json = {"id": user.id, "is_bot": user.is_bot, "first_name": user.first_name}
    if user.last_name:
        shown["last_name"] = user.last_name
    if user.username:
        shown["username"] = user.username
    if user.language_code:
        shown["language_code"] = user.language_code
    return shown


def chat_json(world: World, chat: Chat) -> Json:
    """A `Chat`."""
    shown: Json = {"id": chat.id}
    if chat.type == "private":
        person = world.users[chat.id]
        shown["first_name"] = "" if person.deleted else person.first_name
        if person.last_name and not person.deleted:
            shown["last_name"] = person.last_name
        if person.username and not person.deleted:
            shown["username"] = person.username
    else:
        shown["title"] = chat.title
        if chat.is_forum:
            shown["is_forum"] = True
    shown["type"] = chat.type
    return shown


def message_json(world: World, message: Message, *, nested: bool = False) -> Json:
    """A `Message`; the message it replies to is not nested any deeper."""
    shown: Json = {"message_id": message.id, "from": user_json(world.users[message.sender])}
    if message.sender_chat is not None:
        shown["sender_chat"] = chat_json(world, world.chats[message.sender_chat])
    shown["chat"] = chat_json(world, world.chats[message.chat_id])
    shown["date"] = message.date
    if message.edit_date is not None:
        shown["edit_date"] = message.edit_date
    if message.thread is not None:
        shown["message_thread_id"] = message.thread
    if message.topic:
        shown["is_topic_message"] = True
    replied = None if nested else _replied(world, message)
    if replied is not None:
        shown["reply_to_message"] = message_json(world, replied, nested=True)
    shown |= message.body
    if message.reply_markup:
        shown["reply_markup"] = message.reply_markup
    return shown


def _replied(world: World, message: Message) -> Message | None:
    # In a topic, what answers nothing answers the message that opened the topic.
    target = message.reply_to or (message.thread if message.topic else None)
    if target is None or target == message.id:
        return None
    return world.message(message.chat_id, target)


def press_json(world: World, query_id: str) -> Json:
    """A `CallbackQuery` with the message as it is now."""
    query = world.queries[query_id]
    message = world.message(query.chat_id, query.message_id)
    shown: Json = {
        "chat": chat_json(world, world.chats[query.chat_id]),
        "message_id": query.message_id,
        "date": 0,
    }
    return {
        "id": query.id,
        "from": user_json(world.users[query.user_id]),
        "message": message_json(world, message) if message else shown,
        "chat_instance": world.chat_instance(query.chat_id),
        "data": query.data,
    }


def member_json(user: User, member: Member) -> Json:
    """A `ChatMember` of the kind that the member's status says."""
    shown: Json = {"user": user_json(user), "status": member.status}
    match member.status:
        case "creator":
            shown["is_anonymous"] = member.anonymous
        case "administrator":
            shown |= {"can_be_edited": False, "is_anonymous": member.anonymous}
            shown |= {right: right in member.rights for right in _ADMIN_RIGHTS} | {"can_manage_chat": True}
        case "restricted":
            shown |= {"is_member": True, "until_date": 0}
            shown |= dict.fromkeys((*_PERMISSIONS, *_OPTIONAL_PERMISSIONS), member.can_send)
        case "kicked":
            shown["until_date"] = 0
        case "member" | "left":
            pass
    return shown


def full_chat_json(world: World, chat: Chat) -> Json:
    """What `getChat` tells."""
    shown = chat_json(world, chat)
    shown |= {"accent_color_id": abs(chat.id) % 7, "max_reaction_count": 11}
    gifts = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")
    shown["accepted_gift_types"] = dict.fromkeys(gifts, chat.type == "private")
    if chat.is_group:
        shown["permissions"] = dict.fromkeys(_PERMISSIONS, True)
        shown["join_to_send_messages"] = True
        shown["has_visible_history"] = True
    pinned = world.message(chat.id, chat.pinned) if chat.pinned else None
    if pinned:
        shown["pinned_message"] = message_json(world, pinned, nested=True)
    return shown
