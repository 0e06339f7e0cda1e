"""What of an update is read: the fields that the bot uses, as Telegram's documentation describes them, and no others.

The library takes any JSON value for any field, so a text where a number belongs would go on into the store; and it
refuses a whole update for one field that it does not know as it is, though nobody here looks at it. So an update is cut
down to the schema below before the library sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from telegram import Bot, ChatMember, Update

LARGEST_ID: Final = 2**53
"""Telegram promises ids of at most 52 significant bits."""

_LATEST: Final = 2**33
"""Unix seconds of some year that nobody here will see."""

_SOMETIME: Final = 1
"""A date for what came without one; 0 would tell the library that the message is out of reach."""

Read: TypeAlias = Callable[[object], Any]
"""What of a JSON value is used. Raises `UnreadableError` for a value that is none of its kind."""


class UnreadableError(Exception):
    """A JSON value is no update that the bot understands; the message names the field, never its value."""


def _checked(kind: str, check: Callable[[Any], bool]) -> Read:
    def read(value: object) -> object:
        if not check(value):
            raise UnreadableError(f"no {kind}")
        return value

    return read


_ID: Final = _checked("id", lambda value: type(value) is int and abs(value) < LARGEST_ID)
_MOMENT: Final = _checked("date", lambda value: type(value) is int and 0 <= value < _LATEST)
_FLAG: Final = _checked("flag", lambda value: isinstance(value, bool))
# Half a surrogate pair can be written in JSON, but nowhere after that.
_TEXT: Final = _checked(
    "text",
    lambda value: isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value),
)


def _maybe(read: Read, otherwise: object = None) -> Read:
    return lambda value: otherwise if value is None else read(value)


def _several(read: Read) -> Read:
    def read_all(value: object) -> list[Any]:
        if not isinstance(value, list):
            raise UnreadableError("no list")
        return [read(one) for one in value]

    return read_all


def _thing(**fields: Read) -> Read:
    """What reads an object by these fields alone; those that come to None are left out."""

    def read(value: object) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise UnreadableError("no object")
        kept = {}
        for name, read_field in fields.items():
            try:
                part = read_field(value.get(name))
            except UnreadableError as error:
                raise UnreadableError(f"{name}: {error}") from None
            if part is not None:
                kept[name] = part
        return kept

    return read


def _forwarded(value: object) -> object:
    """Only that it was forwarded is used, so the library gets the shortest origin there is."""
    return None if value is None else {"type": "hidden_user", "date": _SOMETIME, "sender_user_name": ""}


_USER: Final = _thing(
    id=_ID,
    is_bot=_FLAG,
    first_name=_TEXT,
    last_name=_maybe(_TEXT),
    language_code=_maybe(_TEXT),
)
_CHAT: Final = _thing(id=_ID, type=_TEXT, is_forum=_maybe(_FLAG))
_ENTITY: Final = _thing(type=_TEXT, offset=_ID, length=_ID)
_BUTTON: Final = _thing(text=_TEXT, callback_data=_maybe(_TEXT))
_MESSAGE: Final = _thing(
    message_id=_ID,
    date=_maybe(_MOMENT, _SOMETIME),
    chat=_CHAT,
    text=_maybe(_TEXT),
    entities=_maybe(_several(_ENTITY)),
    sender_chat=_maybe(_CHAT),
    message_thread_id=_maybe(_ID),
    is_topic_message=_maybe(_FLAG),
    migrate_to_chat_id=_maybe(_ID),
    migrate_from_chat_id=_maybe(_ID),
    reply_markup=_maybe(_thing(inline_keyboard=_several(_several(_BUTTON)))),
    forward_origin=_forwarded,
    **{"from": _maybe(_USER)},
)
_SEEN: Final = _thing(status=_TEXT, is_member=_maybe(_FLAG))
_SOMEBODY: Final = {"id": 0, "is_bot": True, "first_name": ""}


def _member(value: object) -> dict[str, Any]:
    """Only whether the bot is in the chat is used, so the library gets the two statuses that need no more."""
    seen = _SEEN(value)
    away = seen["status"] in (ChatMember.LEFT, ChatMember.BANNED) or seen.get("is_member") is False
    return {"status": ChatMember.LEFT if away else ChatMember.MEMBER, "user": _SOMEBODY}


_KINDS: Final[Mapping[str, Read]] = {
    "message": _MESSAGE,
    "callback_query": _thing(
        id=_TEXT,
        message=_maybe(_MESSAGE),
        data=_maybe(_TEXT),
        chat_instance=lambda _: "",  # the library wants one, nobody else
        **{"from": _USER},
    ),
    "my_chat_member": _thing(
        chat=_CHAT,
        date=_maybe(_MOMENT, _SOMETIME),
        old_chat_member=_member,
        new_chat_member=_member,
        **{"from": _USER},
    ),
}

KINDS: Final = tuple(_KINDS)
"""The kinds of updates that the bot asks for."""


def is_update(fields: object) -> bool:
    """Whether a JSON value looks like an update at all."""
    if not isinstance(fields, Mapping):
        return False
    number = fields.get("update_id")
    return type(number) is int and abs(number) < LARGEST_ID


def read(fields: Mapping[str, Any], bot: Bot) -> Update:
    """The update that a JSON object is, as `is_update` says, with nothing but what the bot uses.

    Kinds that the bot has not asked for are left out. Raises `UnreadableError`, also for what the library makes nothing
    of: its own errors may quote the update.
    """
    kept = {"update_id": fields["update_id"]}
    for kind, read_kind in _KINDS.items():
        if kind not in fields:
            continue
        try:
            kept[kind] = read_kind(fields[kind])
        except UnreadableError as error:
            raise UnreadableError(f"{kind}: {error}") from None
    try:
        return Update.de_json(kept, bot)
    except Exception as error:  # noqa: BLE001 - any other would end what reads the updates
        raise UnreadableError(f"the library says {type(error).__name__}") from None
