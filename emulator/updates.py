"""What the bot is told: each event as the update that Telegram makes of it, put on its way."""

from emulator import wire
from emulator.model import Chat, Member, Message, Query, User
from emulator.world import World


def send_message(world: World, message: Message, *, edited: bool = False) -> None:
    """Tell the bot of a new or edited message, if it may see it."""
    if not _sees(world, message):
        return
    kind = "edited_message" if edited else "message"
    world.send_update(kind, wire.message_json(world, message), (kind, message.chat_id))


def send_press(world: World, query: Query) -> None:
    """Tell the bot of a press."""
    world.send_update("callback_query", wire.press_json(world, query.id), ("callback_query", query.user_id))


def send_standing(world: World, chat: Chat, actor: User, before: Member, after: Member) -> None:
    """Tell the bot that it was added, promoted, removed or blocked."""
    content = {
        "chat": wire.chat_json(world, chat),
        "from": wire.user_json(actor),
        "date": int(world.now()),
        "old_chat_member": wire.member_json(world.bot, before),
        "new_chat_member": wire.member_json(world.bot, after),
    }
    world.send_update("my_chat_member", content, ("my_chat_member", chat.id))


def _sees(world: World, message: Message) -> bool:
    """Whether privacy mode lets the bot see a message that a person wrote."""
    chat = world.chats[message.chat_id]
    member = world.bot_member(chat)
    if not member.present or message.sender == world.bot.id:
        return False
    content = message.body.get("text", message.body.get("caption"))
    if chat.type == "private" or not world.privacy or member.governs or content is None:
        return True
    first = next((e for e in message.body.get("entities", ()) if e["offset"] == 0), None)
    if first and first["type"] == "bot_command":
        command = content[: first["length"]]
        return command.partition("@")[2].lower() in {"", (world.bot.username or "").lower()}
    replied = world.message(chat.id, message.reply_to) if message.reply_to else None
    return replied is not None and replied.sender == world.bot.id
