"""Which updates are read at all: those whose fields that the bot uses are what Telegram's documentation says.

The library takes any JSON value for any field, so a text where a number belongs would go on into the store. Fields that
nobody here looks at may hold anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from telegram import Bot, Update

LARGEST_ID: Final = 2**53
"""Telegram promises ids of at most 52 significant bits."""

_LATEST: Final = 2**33
"""Unix seconds of some year that nobody here will see."""

Check: TypeAlias = Callable[[object], bool]


class UnreadableError(Exception):
    """A JSON value is no update that the bot understands; the message names the field, never its value."""


def _is_id(value: object) -> bool:
    return type(value) is int and abs(value) < LARGEST_ID


def _is_moment(value: object) -> bool:
    return type(value) is int and 0 <= value < _LATEST


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_text(value: object) -> bool:
    # Half a surrogate pair can be written in JSON, but nowhere after that.
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)


def _maybe(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _several(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


class _Thing:
    """An object with at least these fields, each as its check wants it."""

    def __init__(self, **fields: Check) -> None:
        self._fields = fields

    def __call__(self, value: object) -> bool:
        return isinstance(value, Mapping) and all(check(value.get(name)) for name, check in self._fields.items())


_USER: Final = _Thing(
    id=_is_id,
    is_bot=_is_flag,
    first_name=_is_text,
    last_name=_maybe(_is_text),
    language_code=_maybe(_is_text),
)
_CHAT: Final = _Thing(id=_is_id, type=_is_text)
_ENTITY: Final = _Thing(type=_is_text, offset=_is_id, length=_is_id)
_BUTTON: Final = _Thing(text=_is_text, callback_data=_maybe(_is_text))
_MESSAGE: Final = _Thing(
    message_id=_is_id,
    date=_is_moment,
    chat=_CHAT,
    text=_maybe(_is_text),
    entities=_maybe(_several(_ENTITY)),
    sender_chat=_maybe(_CHAT),
    message_thread_id=_maybe(_is_id),
    is_topic_message=_maybe(_is_flag),
    migrate_to_chat_id=_maybe(_is_id),
    migrate_from_chat_id=_maybe(_is_id),
    reply_markup=_maybe(_Thing(inline_keyboard=_several(_several(_BUTTON)))),
    **{"from": _maybe(_USER)},
)
_MEMBER: Final = _Thing(user=_USER, status=_is_text)
_KINDS: Final[Mapping[str, Check]] = {
    "message": _MESSAGE,
    "callback_query": _Thing(id=_is_text, message=_maybe(_MESSAGE), data=_maybe(_is_text), **{"from": _USER}),
    "my_chat_member": _Thing(
        chat=_CHAT, date=_is_moment, old_chat_member=_MEMBER, new_chat_member=_MEMBER, **{"from": _USER}
    ),
}


def is_update(fields: object) -> bool:
    """Whether a JSON value looks like an update at all."""
    return isinstance(fields, Mapping) and _is_id(fields.get("update_id"))


def read(fields: Mapping[str, Any], bot: Bot) -> Update:
    """The update that a JSON object is. Raises `UnreadableError`."""
    for kind, check in _KINDS.items():
        if kind in fields and not check(fields[kind]):
            raise UnreadableError(f"a {kind} that is none")
    # Kinds that the bot has not asked for are nothing to it, whatever they hold.
    known = {"update_id": fields["update_id"], **{kind: fields[kind] for kind in _KINDS if kind in fields}}
    try:
        return Update.de_json(known, bot)
    except Exception as error:
        raise UnreadableError(f"the library says {type(error).__name__}") from error
