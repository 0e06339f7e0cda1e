"""Speaking to Telegram: the few calls the bot makes, and what their failures mean.

A call that has already come true ("message is not modified") is a success; the others are told apart by what the caller
can do about them.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from telegram import Bot, InlineKeyboardMarkup, InputFile, InputMediaPhoto, ReplyParameters, User
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter
from telegram.ext import ExtBot
from telegram.request import BaseRequest, HTTPXRequest

from infra.logs import Metric, count
from infra.proxies import is_loopback, suspect, unusable
from infra.settings import SettingsError

HTML: Final = "HTML"
PICTURE_NAME: Final = "board"
READ_SECONDS: Final = 8.0
"""How long Telegram may take to answer: well under the minute after which it sends an update again."""

# Pauses as the library's next version gives them; otherwise it would warn of that at every 429.
os.environ.setdefault("PTB_TIMEDELTA", "true")

_ADMINISTRATORS: Final = ("creator", "administrator")


class MessageGoneError(Exception):
    """The message was deleted, or is too old to change: a new one must take its place."""


class ChatClosedError(Exception):
    """Nothing can be sent to this chat now: the bot was removed, blocked or silenced, or the topic is closed."""


class ChatMovedError(Exception):
    """The group has become a supergroup with the id `chat`."""

    def __init__(self, chat: int) -> None:
        super().__init__(f"the group is now {chat}")
        self.chat = chat


class TelegramUnavailableError(Exception):
    """Telegram did not answer, or asks to wait `retry_after` seconds (0: it did not say)."""

    def __init__(self, why: str, retry_after: int = 0) -> None:
        super().__init__(why)
        self.retry_after = retry_after


# Telegram's descriptions in lower case, as far as they are needed to recognise them.
_SUCCESSES: Final = ("message is not modified", "query is too old", "query id is invalid")
_GONE: Final = (
    "message to edit not found",
    "message can't be edited",
    "message to delete not found",
    "message can't be deleted",
    "message_id_invalid",
    "message to be replied not found",
    "there is no media in the message to edit",
    "there is no text in the message to edit",
)
_STRANGERS: Final = ("user not found", "member not found", "participant_id_invalid", "user_not_participant")
_CLOSED: Final = (
    "chat not found",
    "group chat was deactivated",
    "message thread not found",
    "topic_closed",
    "topic_deleted",
    "not enough rights",
    "have no rights",
    "chat_write_forbidden",
    "chat_restricted",
    "chat_send_photos_forbidden",
    "chat_send_plain_forbidden",
    "user is deactivated",
    "peer_id_invalid",
)


def is_private(chat: int) -> bool:
    """Whether a chat id is that of one person's chat with the bot: groups have negative ids."""
    return chat > 0


class KnownBot(ExtBot[None]):
    """A bot that knows who it is: its id stands in its token, its name in the settings, so no getMe is needed."""

    def __init__(self, token: str, username: str, api_url: str, request: BaseRequest) -> None:
        # One connection for everything: left alone, the library makes a second one for polling, and with it reads all
        # certificates once more.
        super().__init__(
            token,
            base_url=f"{api_url}/bot",
            base_file_url=f"{api_url}/file/bot",
            request=request,
            get_updates_request=request,
        )
        identity = User(int(token.partition(":")[0]), username, is_bot=True, username=username)
        identity.set_bot(self)
        self._identity = identity

    @property
    def bot(self) -> User:
        """The bot as a user."""
        return self._identity

    async def get_me(self, *_: Any, **__: Any) -> User:
        """Who the bot is, without asking."""
        return self._identity


def request(api_url: str) -> BaseRequest:
    """The connection to Telegram: few connections, and timeouts short enough to answer Telegram in time.

    Raises `SettingsError` where the environment names a proxy that cannot be used.
    """
    try:
        return HTTPXRequest(
            connection_pool_size=8,
            connect_timeout=READ_SECONDS,
            read_timeout=READ_SECONDS,
            write_timeout=READ_SECONDS,
            media_write_timeout=READ_SECONDS,
            pool_timeout=READ_SECONDS,
            httpx_kwargs={"trust_env": not is_loopback(api_url)},
        )
    except Exception as error:
        # The libraries have no error of their own for this, and quote the address with its password.
        if name := suspect(os.environ):
            raise SettingsError(unusable(name)) from error
        raise


class Messenger:
    """What the bot says. All texts and captions are HTML; `topic` is 0 where the chat has none.

    Every method raises `ChatClosedError`, `ChatMovedError` or `TelegramUnavailableError`; those that change a message,
    `MessageGoneError` too.
    """

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def send_text(
        self, chat: int, topic: int, text: str, buttons: InlineKeyboardMarkup | None = None, reply_to: int = 0
    ) -> int:
        """Send a message and return its id. `reply_to` is a message of the chat, or 0."""
        async with _meaning():
            message = await self._bot.send_message(
                chat,
                text,
                parse_mode=HTML,
                reply_markup=buttons,
                message_thread_id=topic or None,
                reply_parameters=ReplyParameters(reply_to, allow_sending_without_reply=True) if reply_to else None,
                disable_web_page_preview=True,
            )
            return message.message_id

    async def send_picture(
        self, chat: int, topic: int, picture: bytes, caption: str, buttons: InlineKeyboardMarkup | None
    ) -> int:
        """Send a picture with a caption and return the message's id."""
        async with _meaning():
            message = await self._bot.send_photo(
                chat,
                InputFile(picture, PICTURE_NAME),
                caption=caption,
                parse_mode=HTML,
                reply_markup=buttons,
                message_thread_id=topic or None,
            )
            return message.message_id

    async def send_file(self, chat: int, topic: int, name: str, content: bytes, caption: str) -> None:
        """Send a file with a caption."""
        async with _meaning():
            await self._bot.send_document(
                chat,
                InputFile(content, name),
                caption=caption,
                parse_mode=HTML,
                message_thread_id=topic or None,
            )

    async def edit_text(self, chat: int, message: int, text: str, buttons: InlineKeyboardMarkup | None) -> None:
        """Give a text message another text and other buttons."""
        async with _meaning():
            await self._bot.edit_message_text(
                text, chat, message, parse_mode=HTML, reply_markup=buttons, disable_web_page_preview=True
            )

    async def edit_picture(
        self, chat: int, message: int, picture: bytes, caption: str, buttons: InlineKeyboardMarkup | None
    ) -> None:
        """Give a message another picture, caption and buttons."""
        async with _meaning():
            media = InputMediaPhoto(picture, caption=caption, parse_mode=HTML, filename=PICTURE_NAME)
            await self._bot.edit_message_media(media, chat, message, reply_markup=buttons)

    async def close_picture(self, chat: int, message: int, caption: str) -> None:
        """Give a message with a picture another caption and take its buttons away."""
        async with _meaning():
            await self._bot.edit_message_caption(chat, message, caption=caption, parse_mode=HTML)

    async def strip_buttons(self, chat: int, message: int) -> None:
        """Take a message's buttons away."""
        async with _meaning():
            await self._bot.edit_message_reply_markup(chat, message)

    async def delete(self, chat: int, message: int) -> None:
        """Delete one of the bot's own messages."""
        async with _meaning():
            await self._bot.delete_message(chat, message)

    async def answer(self, query: str, text: str, *, alert: bool = False) -> None:
        """Answer a press with a toast, or with a dialog; too late is no failure."""
        async with _meaning():
            await self._bot.answer_callback_query(query, text or None, show_alert=alert or None)

    async def is_administrator(self, chat: int, user: int) -> bool:
        """Whether a user runs the chat."""
        try:
            async with _meaning():
                member = await self._bot.get_chat_member(chat, user)
                return member.status in _ADMINISTRATORS
        except BadRequest as error:
            if any(part in str(error).lower() for part in _STRANGERS):
                return False
            raise


@asynccontextmanager
async def _meaning() -> AsyncIterator[None]:
    """Turn Telegram's errors into what they mean here, and swallow those that are none."""
    count(Metric.REQUESTS)
    try:
        yield
    except RetryAfter as error:
        count(Metric.FLOODED)
        seconds = error.retry_after if isinstance(error.retry_after, int) else int(error.retry_after.total_seconds())
        raise TelegramUnavailableError("Telegram asks to wait", seconds) from error
    except ChatMigrated as error:
        raise ChatMovedError(error.new_chat_id) from error
    except Forbidden as error:
        raise ChatClosedError(str(error)) from error
    except BadRequest as error:
        said = str(error).lower()
        if any(part in said for part in _SUCCESSES):
            return
        if any(part in said for part in _GONE):
            raise MessageGoneError(str(error)) from error
        if any(part in said for part in _CLOSED):
            raise ChatClosedError(str(error)) from error
        raise
    except NetworkError as error:
        raise TelegramUnavailableError(str(error)) from error
