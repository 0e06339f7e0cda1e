"""Everything that Telegram knows: people, chats, messages, files, presses, updates that wait."""

import hashlib
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from emulator.errors import bad_request
from emulator.files import Files
from emulator.model import GROUP_ANONYMOUS_BOT, Chat, Json, Member, Message, Query, User
from emulator.queues import DAY, PRESS_LIFE, Parcel, QueueKey, Queues

# Presses are answered within this many seconds or not at all.
ANSWER_TIME = 15.0
# Older messages can be neither edited nor deleted by the bot, in seconds.
EDIT_TIME = 48 * 3600
# What a bot that names no kinds of updates does not get.
_UNASKED = {"chat_member", "message_reaction", "message_reaction_count"}


@dataclass(slots=True)
class Webhook:
    """Where updates go and with which secret; an empty address means that the bot polls."""

    url: str = ""
    secret: str | None = None
    allowed: list[str] = field(default_factory=list)
    max_connections: int = 40
    last_error: str | None = None
    last_error_date: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """Something changed: `kind` is user, chat, message, file, counters, settings, press or answer."""

    kind: str
    thing: Any


class World:
    """The state, and the few steps that every change takes.

    `now` gives seconds since 1970; `bot` is the bot's account; `listeners` hear of every change.
    """

    def __init__(self, now: Callable[[], float], bot: User) -> None:
        self.now = now
        self.bot = bot
        anonymous = User(GROUP_ANONYMOUS_BOT, "Group", None, "GroupAnonymousBot", is_bot=True)
        self.users: dict[int, User] = {bot.id: bot, anonymous.id: anonymous}
        self.chats: dict[int, Chat] = {}
        self.messages: dict[int, dict[int, Message]] = {}
        self.queries: dict[str, Query] = {}
        self.files = Files(partial(self.tell, "file"))
        self.queues = Queues()
        self.webhook = Webhook()
        # Command menus and descriptions by what they are for; see methods.settings.
        self.settings: dict[str, Any] = {}
        # Private chats and basic groups number their messages together, per account.
        self.last_message_id = 0
        self.last_update_id = 500_000_000
        self.listeners: list[Callable[[Change], None]] = []
        self.privacy = True
        # As with a Bot API server of one's own; Telegram's wants HTTPS.
        self.http_webhooks = False
        self._query_numbers = itertools.count(1)

    def tell(self, kind: str, thing: Any) -> None:
        """Let the listeners know of a change."""
        for listener in self.listeners:
            listener(Change(kind, thing))

    # -- finding

    def message(self, chat_id: int, message_id: int) -> Message | None:
        """The message, unless it was deleted or never was."""
        found = self.messages.get(chat_id, {}).get(message_id)
        return None if found is None or found.deleted else found

    def present(self, chat_id: int) -> list[Message]:
        """The messages that stand in a chat, oldest first."""
        return [one for one in self.messages.get(chat_id, {}).values() if not one.deleted]

    def chat(self, chat_id: int) -> Chat:
        """The chat.

        Raises:
            ApiError: there is none.
        """
        found = self.chats.get(chat_id)
        if found is None:
            raise bad_request("chat not found")
        return found

    def bot_member(self, chat: Chat) -> Member:
        """Where the bot stands in the chat."""
        return chat.member(self.bot.id)

    def chat_instance(self, chat_id: int) -> str:
        """The number that names a chat without giving its id away."""
        digest = hashlib.sha256(f"{self.bot.id}:{chat_id}".encode()).digest()
        return str(int.from_bytes(digest[:8], "big", signed=True))

    # -- changing

    def add_user(self, user: User) -> User:
        """Let a user exist, or take over a changed one."""
        self.users[user.id] = user
        self.tell("user", user)
        return user

    def put_chat(self, chat: Chat) -> Chat:
        """Let a chat exist, or note that it changed."""
        self.chats[chat.id] = chat
        self.messages.setdefault(chat.id, {})
        self.tell("chat", chat)
        return chat

    def post(self, chat: Chat, sender: int, body: Json, **more: Any) -> Message:
        """Write a message into a chat under the next free id; `more` are fields of `Message`."""
        if chat.type == "supergroup":
            chat.last_message_id += 1
            number = chat.last_message_id
        else:
            self.last_message_id += 1
            number = self.last_message_id
        message = Message(chat.id, number, int(self.now()), sender, body, **more)
        self.messages[chat.id][number] = message
        self.tell("message", message)
        self.tell("chat" if chat.type == "supergroup" else "counters", chat)
        return message

    def changed(self, message: Message) -> None:
        """Note that a message was edited or deleted."""
        self.tell("message", message)

    def open_query(self, user_id: int, message: Message, data: str) -> Query:
        """A press on a button, from now on waiting for its answer."""
        seed = f"{user_id}:{next(self._query_numbers)}:{self.now()}".encode()
        name = str(int.from_bytes(hashlib.sha256(seed).digest()[:8], "big") >> 1)
        query = Query(name, user_id, message.chat_id, message.id, data, self.now())
        for old in [one.id for one in self.queries.values() if one.asked < self.now() - DAY]:
            del self.queries[old]
        self.queries[name] = query
        self.tell("press", query)
        return query

    # -- updates

    def send_update(self, kind: str, content: Json, queue: QueueKey) -> None:
        """Put an update on its way to the bot, unless it does not want this kind."""
        allowed = self.webhook.allowed
        if kind not in allowed if allowed else kind in _UNASKED:
            return
        self.last_update_id += 1
        now = self.now()
        life = PRESS_LIFE if kind == "callback_query" else DAY
        self.tell("counters", None)
        self.queues.put(Parcel({"update_id": self.last_update_id, kind: content}, queue, now + life, now))
