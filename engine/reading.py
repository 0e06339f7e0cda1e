"""Reading one JSON object strictly, with a plain sentence for each way in which a text is none.

Python's reader is lenient: of a key that stands twice it drops one, and it takes NaN for a number. What two readers
may read differently proves nothing.
"""

from __future__ import annotations

import json
from typing import Any, Final, NoReturn

from engine.core import NotUnderstoodError, quoted

_DIGITS: Final = 20
"""More than any number of a record has: Telegram's ids have 16."""

_LITERALS: Final = ("true", "false", "null", "-")


def read_object(text: str) -> dict[str, Any]:
    """The JSON object that `text` is. Raises `NotUnderstoodError` with one line that says what is wrong."""
    if text.startswith("\ufeff"):
        raise NotUnderstoodError("the record begins with a byte order mark, not with {")
    if not text.strip():
        raise NotUnderstoodError("there is no record: the text is empty")
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_whole)
    except json.JSONDecodeError as error:
        raise NotUnderstoodError(_told(text, error)) from error
    except RecursionError as error:
        raise NotUnderstoodError("the record is no JSON object of ours: it nests too deep") from error
    if not isinstance(value, dict):
        raise NotUnderstoodError(f"a record is one JSON object, not {quoted(value)}")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, value in pairs:
        if key in fields:
            raise NotUnderstoodError(f"duplicate key: {quoted(key)} stands twice, and only one can be meant")
        fields[key] = value
    return fields


def _no_constant(name: str) -> NoReturn:
    raise NotUnderstoodError(f"the record is no JSON: {name} is no number there")


def _whole(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise NotUnderstoodError(f"a number of {len(digits)} digits is in no record")
    return int(digits)


def _told(text: str, error: json.JSONDecodeError) -> str:
    if _ends_early(text, error):
        return "cut short: the text ends before its JSON object does; is the file whole?"
    where = f"line {error.lineno}, column {error.colno}"
    if error.msg == "Extra data":
        return f"something stands behind the record ({where}); a record is one JSON object"
    return f"the record is no JSON: {error.msg} ({where})"


def _ends_early(text: str, error: json.JSONDecodeError) -> bool:
    """Whether more text behind this one could have made it right."""
    rest = text[error.pos :].rstrip()
    return (
        not rest
        or error.msg.startswith("Unterminated string")
        or (error.msg.startswith("Invalid \\u") and '"' not in rest)
        or any(literal.startswith(rest) for literal in _LITERALS)
    )
