"""Telegram's updates on their way to the use cases, through python-telegram-bot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from telegram import CallbackQuery, Chat, ChatMember, MaybeInaccessibleMessage, Message, Update
from telegram.ext import (
    Application,
    CallbackContext,
    CallbackQueryHandler,
    ChatMemberHandler,
    CommandHandler,
    MessageHandler,
    filters,
)

from handlers.app.answer import Answer
from handlers.app.app import App
from handlers.app.games import CORRUPT
from handlers.app.presses import NO_MATCH, Data, Press, parse
from handlers.commands import Commands, is_program
from handlers.ui.languages import nearest, words
from handlers.ui.refusals import Refusal, say
from infra.telegram import Messenger

_GROUPS: Final = (Chat.GROUP, Chat.SUPERGROUP)
_PEOPLE: Final = filters.ChatType.GROUPS | filters.ChatType.PRIVATE


@dataclass(slots=True)
class Handled:
    """What came of an update: the answer that is still to be given, the match it named, the error that ended it."""

    answer: Answer | None = None
    match: str = ""
    error: Exception | None = None


class Updates:
    """Registers handlers with an application and runs updates through it."""

    def __init__(
        self, application: Application[Any, Any, Any, Any, Any, Any], app: App, commands: Commands, messenger: Messenger
    ) -> None:
        self._application = application
        self._app = app
        self._commands = commands
        self._messenger = messenger
        # By the update object, for the same update may be here twice at once.
        self._handled: dict[int, Handled] = {}
        # Without UpdateType.MESSAGE, edited commands would run again; a forwarded one was meant for another chat.
        fresh = filters.UpdateType.MESSAGE & _PEOPLE & ~filters.FORWARDED
        for name in commands.known:
            application.add_handler(CommandHandler(name, partial(self._on_command, name), fresh))
        application.add_handler(CallbackQueryHandler(self._on_press))
        application.add_handler(
            MessageHandler(filters.UpdateType.MESSAGE & filters.StatusUpdate.MIGRATE, self._on_move)
        )
        application.add_handler(ChatMemberHandler(self._on_membership, ChatMemberHandler.MY_CHAT_MEMBER))
        application.add_error_handler(self._on_error)

    async def process(self, update: Update) -> Handled:
        """Handle one update to its end."""
        handled = Handled()
        self._handled[id(update)] = handled
        try:
            await self._application.process_update(update)
        except Exception as error:  # noqa: BLE001 - whatever it is, the entry decides what it means
            handled.error = error
        finally:
            del self._handled[id(update)]
        return handled

    async def _on_command(self, name: str, update: Update, _: CallbackContext[Any, Any, Any, Any]) -> None:
        # Who answers a program's commands may be answered by it, for ever.
        if update.message is not None and not is_program(update.message.from_user):
            await self._commands.run(name, update.message, update.update_id)

    async def _on_press(self, update: Update, _: CallbackContext[Any, Any, Any, Any]) -> None:
        query = update.callback_query
        if query is None:
            return
        answer = Answer(query.id)
        self._handled[id(update)].answer = answer
        language = nearest(query.from_user.language_code)
        data = parse(query.data or "")
        if data is None or query.message is None or is_program(query.from_user):
            answer.text = say(Refusal.UNKNOWN, words(language))
            return
        self._handled[id(update)].match = data.match
        press = _press(update.update_id, query, data, language)
        try:
            if data.match == NO_MATCH:
                await self._commands.press(press, _topic(query.message), answer)
            else:
                await self._app.press(press, answer)
        except CORRUPT:
            answer.text, answer.alert = say(Refusal.BROKEN, words(language)), True
            raise

    async def _on_move(self, update: Update, _: CallbackContext[Any, Any, Any, Any]) -> None:
        message = update.message
        if message is None:
            return
        # Both groups tell of it, the old one and the new one, and either may come first.
        if message.migrate_to_chat_id:
            await self._app.move(message.chat.id, message.migrate_to_chat_id, update.update_id)
        elif message.migrate_from_chat_id:
            await self._app.move(message.migrate_from_chat_id, message.chat.id, update.update_id)

    async def _on_membership(self, update: Update, _: CallbackContext[Any, Any, Any, Any]) -> None:
        change = update.my_chat_member
        if change is None or change.chat.type not in _GROUPS:
            return
        if change.old_chat_member.status == ChatMember.LEFT != change.new_chat_member.status:
            await self._commands.greet(change.chat.id, change.from_user.language_code, update.update_id)

    async def _on_error(self, update: object, context: CallbackContext[Any, Any, Any, Any]) -> None:
        # process_update swallows what handlers raise; the entry decides what it means.
        if isinstance(update, Update):
            self._handled[id(update)].error = context.error


def _press(update: int, query: CallbackQuery, data: Data, language: str) -> Press:
    assert query.message is not None, "the caller has looked"
    return Press(
        update=update,
        query=query.id,
        user=query.from_user.id,
        name=query.from_user.full_name or "",  # the library has none for a deleted account
        language=language,
        chat=query.message.chat.id,
        message=query.message.message_id,
        offered=_offers(query.message, query.data),
        data=data,
    )


def _offers(message: MaybeInaccessibleMessage, data: str | None) -> bool:
    if not isinstance(message, Message) or message.reply_markup is None:
        return False
    return any(button.callback_data == data for row in message.reply_markup.inline_keyboard for button in row)


def _topic(message: MaybeInaccessibleMessage) -> int:
    if isinstance(message, Message) and message.is_topic_message:
        return message.message_thread_id or 0
    return 0
