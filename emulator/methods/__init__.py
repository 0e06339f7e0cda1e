"""The methods of the Bot API that the emulator has, by name."""

from collections.abc import Callable
from typing import Any

from emulator.methods import asking, editing, sending, settings
from emulator.methods.common import Call, Told

__all__ = ["METERED", "METHODS", "NOT_IN_REPLY", "Call", "Told"]

METHODS: dict[str, Callable[[Call], Any]] = {
    "getMe": asking.get_me,
    "getChat": asking.get_chat,
    "getChatMember": asking.get_chat_member,
    "getChatAdministrators": asking.get_chat_administrators,
    "getFile": asking.get_file,
    "leaveChat": asking.leave_chat,
    "answerCallbackQuery": asking.answer_press,
    "sendMessage": sending.send_message,
    "sendPhoto": sending.send_photo,
    "sendDocument": sending.send_document,
    "sendChatAction": sending.send_chat_action,
    "editMessageText": editing.edit_text,
    "editMessageCaption": editing.edit_caption,
    "editMessageMedia": editing.edit_media,
    "editMessageReplyMarkup": editing.edit_reply_markup,
    "deleteMessage": editing.delete_message,
    "pinChatMessage": editing.pin,
    "unpinChatMessage": editing.unpin,
    "setWebhook": settings.set_webhook,
    "deleteWebhook": settings.delete_webhook,
    "getWebhookInfo": settings.get_webhook_info,
    "getUpdates": settings.get_updates,
    "setMyCommands": settings.set_commands,
    "getMyCommands": settings.get_commands,
    "deleteMyCommands": settings.delete_commands,
    "setMyDescription": settings.set_description,
    "getMyDescription": settings.get_description,
    "setMyShortDescription": settings.set_short_description,
    "getMyShortDescription": settings.get_short_description,
}

# These share a chat's budget of messages.
METERED = frozenset(name for name in METHODS if name.startswith(("sendMessage", "sendPhoto", "sendDoc", "editM")))

# These do nothing when they come as the answer to a webhook.
NOT_IN_REPLY = frozenset(name for name in METHODS if name.startswith("get") or name in {"setWebhook", "deleteWebhook"})
