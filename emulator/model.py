"""Users, chats and messages as plain values, each with its JSON form for keeping."""

from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, TypeVar

Json = dict[str, Any]
ChatType = Literal["private", "group", "supergroup"]
Status = Literal["creator", "administrator", "member", "restricted", "left", "kicked"]

# Telegram's own account in whose name anonymous administrators write.
GROUP_ANONYMOUS_BOT = 1087968824
GENERAL = 1

_T = TypeVar("_T")


@dataclass(slots=True)
class User:
    """A person or the bot; `language_code` is what their app is set to."""

    id: int
    first_name: str
    last_name: str | None = None
    username: str | None = None
    language_code: str | None = None
    is_bot: bool = False
    deleted: bool = False


@dataclass(slots=True)
class Member:
    """Where a user stands in a chat. `rights` matter for administrators, `can_send` for restricted."""

    status: Status
    anonymous: bool = False
    can_send: bool = True
    rights: list[str] = field(default_factory=list)

    @property
    def present(self) -> bool:
        """Whether the user is in the chat now."""
        return self.status not in {"left", "kicked"}

    @property
    def governs(self) -> bool:
        """Whether the user is an administrator or the owner."""
        return self.status in {"creator", "administrator"}


@dataclass(slots=True)
class Topic:
    """A thread of a forum; its id is the id of the message that opened it."""

    id: int
    name: str
    closed: bool = False
    deleted: bool = False


@dataclass(slots=True)
class Chat:
    """A private chat (whose id is the person's), a basic group or a supergroup."""

    id: int
    type: ChatType
    title: str | None = None
    is_forum: bool = False
    members: dict[int, Member] = field(default_factory=dict)
    topics: dict[int, Topic] = field(default_factory=dict)
    last_message_id: int = 0
    migrated_to: int | None = None
    pinned: int | None = None
    deleted: bool = False

    @property
    def is_group(self) -> bool:
        """Whether several people can talk here."""
        return self.type != "private"

    def member(self, user_id: int) -> Member:
        """The user's standing; one who never came counts as having left."""
        return self.members.get(user_id) or Member("left")


@dataclass(slots=True)
class Message:
    """One message. `body` holds its content as the Bot API writes it: text, photo, service fields.

    `reply_markup` is an inline keyboard; `thread` is the topic (or, outside forums, the root of a
    chain of replies), `topic` whether it is a topic.
    """

    chat_id: int
    id: int
    date: int
    sender: int
    body: Json
    sender_chat: int | None = None
    thread: int | None = None
    topic: bool = False
    edit_date: int | None = None
    reply_to: int | None = None
    reply_markup: Json | None = None
    deleted: bool = False


@dataclass(slots=True)
class Answer:
    """What the bot answered to a press: a toast, or an alert to be closed by hand."""

    text: str
    show_alert: bool
    url: str | None = None


@dataclass(slots=True)
class Query:
    """A press on a button. `asked` is in seconds; `answer` is None until the bot answers."""

    id: str
    user_id: int
    chat_id: int
    message_id: int
    data: str
    asked: float
    answer: Answer | None = None


def to_json(thing: Any) -> Json:
    """Any value of this module as JSON types, for keeping."""
    return asdict(thing)


def chat_from_json(kept: Json) -> Chat:
    """The chat that `to_json` wrote; its keys were turned into text by JSON."""
    known = _known(Chat, kept)
    known["members"] = {int(key): Member(**_known(Member, m)) for key, m in kept["members"].items()}
    known["topics"] = {int(key): Topic(**_known(Topic, t)) for key, t in kept["topics"].items()}
    return Chat(**known)


def user_from_json(kept: Json) -> User:
    """The user that `to_json` wrote."""
    return User(**_known(User, kept))


def message_from_json(kept: Json) -> Message:
    """The message that `to_json` wrote."""
    return Message(**_known(Message, kept))


def _known(kind: type[_T], kept: Json) -> Json:
    # A file kept by a newer version may hold more; what is unknown here is left out.
    names = {one.name for one in fields(kind)}  # type: ignore[arg-type]  # only dataclasses come here
    return {name: value for name, value in kept.items() if name in names}
