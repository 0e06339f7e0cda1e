"""Speaking to Telegram: the few calls the bot makes, and what their failures mean.

A call that has already come true ("message is not modified") is a success; the others are told apart by what the caller
can do about them.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx
from telegram import (
    Bot,
    ChatMember,
    ChatMemberRestricted,
    InlineKeyboardMarkup,
    InputFile,
    InputMediaPhoto,
    ReplyParameters,
    User,
)
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)
from telegram.ext import ExtBot
from telegram.request import BaseRequest, HTTPXRequest

from infra.logs import Metric, count, logger
from infra.proxies import is_loopback, suspect, unusable
from infra.settings import SettingsError

HTML: Final = "HTML"
PICTURE_NAME: Final = "board"
CONNECTIONS: Final = 96
"""At most so many at once: more than the clock has chats that may not answer, so that presses never wait for them."""

READ_SECONDS: Final = 8.0
"""How long Telegram may take to answer: well under the minute after which it sends an update again."""

# Pauses as the library's next version gives them; otherwise it would warn of that at every 429.
os.environ.setdefault("PTB_TIMEDELTA", "true")

_ADMINISTRATORS: Final = ("creator", "administrator")
_ABSENT: Final = ("left", "kicked")


class MessengerError(Exception):
    """Telegram has not done what it was asked to do, and what that means."""


class MessageGoneError(MessengerError):
    """The message was deleted, or is too old to change: a new one must take its place."""


class ChatClosedError(MessengerError):
    """This cannot be sent to this chat now: the bot was removed, blocked or silenced, or has no right to send it."""


class TopicGoneError(ChatClosedError):
    """The chat has no such topic any more: it was deleted, or the chat has no topics any more."""


class RefusedError(MessengerError):
    """Telegram refuses for a reason that nobody has foreseen: the message, the chat, the bot, or something new."""


class ChatMovedError(MessengerError):
    """The group has become a supergroup with the id `chat`."""

    def __init__(self, chat: int) -> None:
        super().__init__(f"the group is now {chat}")
        self.chat = chat


class TelegramUnavailableError(MessengerError):
    """Telegram did not answer, or asks to wait `retry_after` seconds (0: it did not say).

    `perhaps_sent` tells that a new message may have arrived all the same: sending it again might say it twice.
    """

    def __init__(self, why: str, retry_after: int = 0, *, perhaps_sent: bool = False) -> None:
        super().__init__(why)
        self.retry_after = retry_after
        self.perhaps_sent = perhaps_sent


class TokenRefusedError(TelegramUnavailableError):
    """Telegram does not know the bot's token: its owner must mend that, unless it passes by itself."""


# Parts of Telegram's descriptions in lower case, as far as they are needed to tell what can be done about them. What is
# not listed is a `RefusedError`, and costs no more than a line in the log and an alarm.
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
    "there is no caption in the message to edit",
)
_STRANGERS: Final = ("user not found", "member not found", "participant_id_invalid", "user_not_participant")
_TOPIC_GONE: Final = ("message thread not found", "message_thread_invalid", "topic_deleted", "topic_id_invalid")
_CLOSED: Final = (
    "chat not found",
    "chat_id_invalid",
    "channel_private",
    "channel_invalid",
    "group chat was deactivated",
    "topic_closed",
    "not enough rights",
    "have no rights",
    "need administrator rights",
    "_forbidden",
    "_restricted",
    "_required",
    "banned",
    "user is deactivated",
    "peer_id_invalid",
)
_LONGEST_REASON: Final = 200

_NEVER_SENT: Final = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,
    httpx.InvalidURL,
)
"""Failures before the first byte has gone out."""


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

    async def ask_who_i_am(self) -> User:
        """Who the bot is, as Telegram says. Raises the library's errors."""
        return await super().get_me()

    async def raw_updates(self, offset: int, seconds: int, kinds: Sequence[str]) -> Any:
        """The answer to `getUpdates` as it came, so that one update that is beyond the library spoils no other.

        Raises the library's errors.
        """
        asked: dict[str, Any] = {"timeout": seconds, "allowed_updates": list(kinds)}
        if offset:
            asked["offset"] = offset
        return await self._post("getUpdates", asked, read_timeout=seconds + READ_SECONDS)


def request(api_url: str) -> BaseRequest:
    """The way to Telegram: connections as they are needed, and timeouts short enough to answer Telegram in time.

    Raises `SettingsError` where the environment names a proxy that cannot be used.
    """
    try:
        return HTTPXRequest(
            connection_pool_size=CONNECTIONS,
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

    Every method raises a `MessengerError` where it fails, however that comes about, and nothing else.
    """

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def send_text(
        self, chat: int, topic: int, text: str, buttons: InlineKeyboardMarkup | None = None, reply_to: int = 0
    ) -> int:
        """Send a message and return its id. `reply_to` is a message of the chat, or 0."""
        async with meaning(sends=True):
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
        async with meaning(sends=True):
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
        async with meaning(sends=True):
            await self._bot.send_document(
                chat,
                InputFile(content, name),
                caption=caption,
                parse_mode=HTML,
                message_thread_id=topic or None,
            )

    async def edit_text(self, chat: int, message: int, text: str, buttons: InlineKeyboardMarkup | None) -> None:
        """Give a text message another text and other buttons."""
        async with meaning():
            await self._bot.edit_message_text(
                text, chat, message, parse_mode=HTML, reply_markup=buttons, disable_web_page_preview=True
            )

    async def edit_picture(
        self, chat: int, message: int, picture: bytes, caption: str, buttons: InlineKeyboardMarkup | None
    ) -> None:
        """Give a message another picture, caption and buttons."""
        async with meaning():
            media = InputMediaPhoto(picture, caption=caption, parse_mode=HTML, filename=PICTURE_NAME)
            await self._bot.edit_message_media(media, chat, message, reply_markup=buttons)

    async def close_picture(self, chat: int, message: int, caption: str) -> None:
        """Give a message with a picture another caption and take its buttons away."""
        async with meaning():
            await self._bot.edit_message_caption(chat, message, caption=caption, parse_mode=HTML)

    async def strip_buttons(self, chat: int, message: int) -> None:
        """Take a message's buttons away."""
        async with meaning():
            await self._bot.edit_message_reply_markup(chat, message)

    async def delete(self, chat: int, message: int) -> None:
        """Delete one of the bot's own messages."""
        async with meaning():
            await self._bot.delete_message(chat, message)

    async def answer(self, query: str, text: str, *, alert: bool = False) -> None:
        """Answer a press with a toast, or with a dialog; too late is no failure."""
        async with meaning():
            await self._bot.answer_callback_query(query, text or None, show_alert=alert or None)

    async def is_administrator(self, chat: int, user: int) -> bool | None:
        """Whether a user runs the chat; None where Telegram does not tell: groups may hide their members from bots.

        Raises `TelegramUnavailableError`.
        """
        try:
            member = await self._member(chat, user)
        except (ChatClosedError, RefusedError, MessageGoneError, ChatMovedError) as error:
            logger.warning("nobody tells who runs the chat: %s", error, extra={"chat": chat})
            return None
        return member is not None and member.status in _ADMINISTRATORS

    async def name_of_member(self, chat: int, user: int) -> str | None:
        """What a user who is in the chat is called there; None for one who is not."""
        member = await self._member(chat, user)
        if member is None or member.status in _ABSENT:
            return None
        # Whoever may not do everything may also have left.
        if isinstance(member, ChatMemberRestricted) and not member.is_member:
            return None
        return member.user.full_name

    async def _member(self, chat: int, user: int) -> ChatMember | None:
        """A user's standing in the chat; None where Telegram knows no such member."""
        try:
            async with meaning():
                return await self._bot.get_chat_member(chat, user)
        except (ChatClosedError, RefusedError, MessageGoneError) as error:
            if not any(part in str(error).lower() for part in _STRANGERS):
                raise
        return None


class Inbox:
    """What people send, as long polling fetches it. Every method raises a `MessengerError` where it fails."""

    def __init__(self, bot: KnownBot, kinds: Sequence[str]) -> None:
        self._bot = bot
        self._kinds = kinds

    async def username(self) -> str:
        """The name of the bot whose token this is, as Telegram says."""
        name: str | None = None
        async with meaning():
            name = (await self._bot.ask_who_i_am()).username
        return name or ""

    async def open(self) -> None:
        """Have updates kept for fetching: while a webhook is set Telegram hands out nothing here."""
        async with meaning():
            await self._bot.delete_webhook()

    async def fetch(self, offset: int, seconds: int) -> list[Any]:
        """The updates from `offset` on (0: from the first), as JSON has them; waits up to `seconds` for one.

        Those before `offset` are confirmed: they never come again.
        """
        found: Any = None
        async with meaning():
            found = await self._bot.raw_updates(offset, seconds, self._kinds)
        if not isinstance(found, list):
            raise TelegramUnavailableError("the answer holds no updates")
        return found


@asynccontextmanager
async def meaning(*, sends: bool = False) -> AsyncIterator[None]:
    """Turn whatever goes wrong with a call into what it means here, and swallow what is no failure.

    `sends` tells that the call makes a new message.
    """
    count(Metric.REQUESTS)
    try:
        yield
    except Exception as error:
        meant = _meaning_of(error, sends=sends)
        if meant is not None:
            raise meant from error


def _meaning_of(error: Exception, *, sends: bool) -> MessengerError | None:
    cause = error.__cause__
    match error:
        case RetryAfter():
            count(Metric.FLOODED)
            pause = error.retry_after
            seconds = pause if isinstance(pause, int) else int(pause.total_seconds())
            return TelegramUnavailableError("Telegram asks to wait", seconds)
        case ChatMigrated():
            return ChatMovedError(error.new_chat_id)
        case TelegramError() if isinstance(cause, TelegramError):
            # An error page of something in between, whose words say nothing.
            return TelegramUnavailableError(f"{type(error).__name__}, from something that is not Telegram")
        case TelegramError() if isinstance(cause, ValueError):
            # A page with status 200, or an answer that was cut off.
            return TelegramUnavailableError("an answer that cannot be read", perhaps_sent=sends)
        case BadRequest() | Forbidden():
            return _refusal(str(error)[:_LONGEST_REASON], forbidden=isinstance(error, Forbidden))
        case InvalidToken():
            return TokenRefusedError("Telegram does not know the bot's token")
        case Conflict():
            return TelegramUnavailableError("Telegram says that another is at it")
        case TimedOut() | NetworkError() if cause is not None or isinstance(error, TimedOut):
            perhaps = sends and not isinstance(cause, _NEVER_SENT)
            why = f"{type(error).__name__} ({type(cause).__name__})"
            return TelegramUnavailableError(why, perhaps_sent=perhaps)
        case NetworkError():
            return TelegramUnavailableError(str(error)[:_LONGEST_REASON])
        case _:
            # The answer is none that the library understands. Its words may quote it, and it may come after success.
            logger.warning("an answer of Telegram's is beyond the library", exc_info=error)
            return TelegramUnavailableError(f"{type(error).__name__} in the library", perhaps_sent=sends)


def _refusal(said: str, *, forbidden: bool) -> MessengerError | None:
    """What it means that Telegram refuses with these words; None where that is no failure."""
    words = said.lower()

    def has(parts: Sequence[str]) -> bool:
        return any(part in words for part in parts)

    if has(_SUCCESSES):
        return None
    if has(_GONE):
        return MessageGoneError(said)
    if has(_TOPIC_GONE):
        return TopicGoneError(said)
    return ChatClosedError(said) if forbidden or has(_CLOSED) else RefusedError(said)
