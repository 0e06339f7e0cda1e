"""The Bot API's own description, and calls read by it: what is not described is refused."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from emulator.errors import ApiError, bad_request
from emulator.files import Upload
from emulator.model import Json

_FILE = Path(__file__).with_name("bot_api.json")
_SCALARS = {"Integer", "Float", "String", "Boolean", "True", "InputFile"}

# Where Telegram has words of its own for a missing or overlong parameter.
_MISSING = {
    "text": "message text is empty",
    "chat_id": "chat_id is empty",
    "message_id": "message identifier is not specified",
    "photo": "there is no photo in the request",
    "document": "there is no document in the request",
    "callback_query_id": "query is too old and response timeout expired or query ID is invalid",
}
_TOO_LONG = {
    ("answerCallbackQuery", "text"): "MESSAGE_TOO_LONG",
    ("InlineKeyboardButton", "callback_data"): "BUTTON_DATA_INVALID",
}


@cache
def description() -> Json:
    """The description, read once."""
    loaded: Json = json.loads(_FILE.read_text("utf-8"))
    return loaded


def method_name(spelled: str) -> str | None:
    """The method's name as documented; Telegram takes any case. None when there is no such method."""
    return _methods_by_lower().get(spelled.lower())


@cache
def _methods_by_lower() -> dict[str, str]:
    return {name.lower(): name for name in description()["methods"]}


def read_call(method: str, raw: Mapping[str, Any], files: Mapping[str, Upload]) -> Json:
    """The parameters of a call with their true types.

    `raw` holds text (from a form) or JSON values; a file parameter that was uploaded under its own
    name comes out as "attach://name".

    Raises:
        ApiError: for anything the description does not allow.
    """
    described: Json = description()["methods"][method]
    given = {name: value for name, value in raw.items() if value is not None}
    given |= {name: f"attach://{name}" for name in files if name in described and name not in given}
    for name in given:
        if name not in described:
            raise _refuse(f"{method} has no parameter {name}")
    out: Json = {}
    for name, field in described.items():
        required = field.get("required", False)
        # An empty text in a form is the same as none, to Telegram too.
        if name not in given or (required and given[name] == "" and name in _MISSING):
            if required:
                raise bad_request(_MISSING.get(name, f"not in the API: {method} needs {name}"), violation=True)
            continue
        value = _from_form(given[name], field["types"], name)
        out[name] = _value(value, field["types"], name)
        _check_bounds(method, name, out[name], field)
    return out


def _refuse(text: str) -> ApiError:
    return bad_request(f"not in the API: {text}", violation=True)


def _from_form(value: Any, kinds: list[str], name: str) -> Any:
    """A form sends everything as text; objects and lists in it are JSON."""
    if not isinstance(value, str):
        return value
    if "Integer" in kinds and value.removeprefix("-").isdecimal():
        return int(value)
    if "String" in kinds:
        return value
    if "Boolean" in kinds or "True" in kinds:
        return {"true": True, "1": True, "false": False, "0": False}.get(value.lower(), value)
    if set(kinds) <= _SCALARS:
        return value
    try:
        return json.loads(value)
    except ValueError:
        if name == "reply_markup":
            raise bad_request("can't parse reply keyboard markup JSON object", violation=True) from None
        raise bad_request(f"can't parse {name} JSON object", violation=True) from None


def _value(value: Any, kinds: list[str], where: str) -> Any:
    """The value if it is one of the kinds; the first kind's complaint otherwise."""
    complaint: ApiError | None = None
    for kind in kinds:
        try:
            return check_kind(value, kind, where)
        except ApiError as error:
            complaint = complaint or error
    assert complaint is not None
    raise complaint


def check_kind(value: Any, kind: str, where: str) -> Any:
    """The value, if it is of the kind (a name as the description writes it).

    Raises:
        ApiError: it is not; `where` tells which part.
    """
    if kind.startswith("Array of "):
        if not isinstance(value, list):
            raise _refuse(f"{where} is not a list")
        inner = kind.removeprefix("Array of ")
        return [check_kind(one, inner, f"{where}[{number}]") for number, one in enumerate(value)]
    if kind in _SCALARS:
        if not _is_scalar(value, kind):
            raise _refuse(f"{where} is not of type {kind}")
        return value
    return _check_object(value, kind, where)


def _is_scalar(value: Any, kind: str) -> bool:
    match kind:
        case "Integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "Float":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "Boolean":
            return isinstance(value, bool)
        case "True":
            return value is True
        case "InputFile":
            return isinstance(value, str) and value.startswith("attach://")
        case _:
            return isinstance(value, str)


def _check_object(value: Any, kind: str, where: str) -> Any:
    described = description()["types"].get(kind)
    if described is None:
        raise _refuse(f"{where}: {kind} is not among the emulator's types")
    if not isinstance(value, dict):
        raise _refuse(f"{where} is not an object")
    if "subtypes" in described:
        fitting = [sub for sub in described["subtypes"] if _bears_mark_of(value, sub)]
        if not fitting:
            raise _refuse(f"{where} is no {kind}")
        return _value(value, fitting, where)
    fields: Json = described["fields"]
    for name in value:
        if name not in fields:
            raise _refuse(f"{where}: {kind} has no field {name}")
    for name, field in fields.items():
        if name in value:
            _value(value[name], field["types"], f"{where}.{name}")
            _check_bounds(kind, name, value[name], field)
        elif field.get("required"):
            raise _refuse(f"{where}: {kind} needs {name}")
    return value


def _bears_mark_of(value: Json, kind: str) -> bool:
    """Whether the fields that tell a type from its siblings (type, status) have this type's values."""
    fields: Json = description()["types"][kind].get("fields", {})
    marks = {name: field["one_of"] for name, field in fields.items() if field.get("required") and "one_of" in field}
    return all(value.get(name) in allowed for name, allowed in marks.items())


def _check_bounds(owner: str, name: str, value: Any, field: Json) -> None:
    if "one_of" in field and value not in field["one_of"]:
        raise _refuse(f"{owner}.{name} is {value!r}, must be one of {', '.join(field['one_of'])}")
    if "max" not in field or field["unit"] == "parsed":
        return  # lengths after parsing are measured where the text is parsed
    match field["unit"]:
        case "bytes":
            size = len(str(value).encode())
        case "characters":
            size = len(str(value).encode("utf-16-le")) // 2
        case "items":
            size = len(value)
        case _:
            size = value
    if not field.get("min", 0) <= size <= field["max"]:
        words = _TOO_LONG.get((owner, name))
        raise bad_request(
            words or f"not in the API: {owner}.{name} has {size}, allowed {field.get('min', 0)}-{field['max']}",
            violation=True,
        )
