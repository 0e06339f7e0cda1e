"""What passes between the players' process and the bot's processes: updates in, calls and outcomes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

Json: TypeAlias = dict[str, Any]

BOT: Final = 7_000_000_001
TOKEN: Final = f"{BOT}:load-token-of-nobody"
USERNAME: Final = "tablee_bot"
SECRET: Final = "secret-of-the-load"


@dataclass(frozen=True, slots=True)
class Where:
    """Where matches are kept: the path of a SQLite file, or the address and table of a DynamoDB."""

    database: str = ""
    endpoint: str = ""
    table: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """A message that the bot has sent or changed: its text, its buttons as Telegram gives them back, its picture.

    `picture` has every player's grid by name, as a trace writes it; empty where the message has none.
    """

    chat: int
    message: int
    text: str
    markup: Json | None
    picture: dict[str, str]


@dataclass(frozen=True, slots=True)
class Deleted:
    """A message that the bot has deleted."""

    chat: int
    message: int


@dataclass(frozen=True, slots=True)
class Toast:
    """What the sender of the press `query` reads."""

    query: str
    text: str


@dataclass(frozen=True, slots=True)
class Handled:
    """An update has been handled, with what HTTP status and at what cost.

    `wall_ms` is its handling time, `cpu_ms` the bot's own part of it; `reads` and `writes` are calls of the store,
    `conflicts` saves that another save came before.
    """

    update: int
    status: int
    wall_ms: float
    cpu_ms: float
    reads: int
    writes: int
    conflicts: int


Report: TypeAlias = Shown | Deleted | Toast | Handled


def command_update(update: int, chat: int, user: int, text: str) -> Json:
    """A person writes a command in a group."""
    entity = {"type": "bot_command", "offset": 0, "length": len(text)}
    message = {"message_id": 1, "date": 1, "chat": chat_json(chat), "from": user_json(user), "text": text}
    return {"update_id": update, "message": message | {"entities": [entity]}}


def press_update(update: int, user: int, shown: Shown, data: str) -> Json:
    """A person presses a button of a message; the press has the update's number for a name."""
    query = {
        "id": str(update),
        "from": user_json(user),
        "chat_instance": "1",
        "message": message_json(shown.chat, shown.message) | {"text": shown.text, "reply_markup": shown.markup},
        "data": data,
    }
    return {"update_id": update, "callback_query": query}


def message_json(chat: int, message: int) -> Json:
    """A message of the bot, as far as the bot looks at one."""
    bot = {"id": BOT, "is_bot": True, "first_name": "Tablée", "username": USERNAME}
    return {"message_id": message, "date": 1, "chat": chat_json(chat), "from": bot}


def chat_json(chat: int) -> Json:
    """A group."""
    return {"id": chat, "type": "supergroup", "title": f"Friends {-chat % 10_000}"}


def user_json(user: int) -> Json:
    """A person who speaks English."""
    return {"id": user, "is_bot": False, "first_name": name_of(user), "language_code": "en"}


def name_of(user: int) -> str:
    """What a person is called: different names at one table."""
    return f"Player {user % 10_000}"
