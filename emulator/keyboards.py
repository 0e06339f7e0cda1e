"""Inline keyboards, checked as Telegram checks them."""

import json

from emulator.errors import bad_request
from emulator.model import Json

MAX_BUTTONS = 100
MAX_ROW = 8
MAX_DATA_BYTES = 64
MAX_MARKUP_BYTES = 10 * 1024
_ACTIONS = (
    *("url", "callback_data", "web_app", "login_url", "switch_inline_query", "callback_game", "pay"),
    *("switch_inline_query_current_chat", "switch_inline_query_chosen_chat", "copy_text"),
)


def inline_keyboard(markup: Json | None, *, private: bool) -> Json | None:
    """The keyboard as it will stand under the message; None when there is none or it is empty.

    Raises:
        ApiError: for what Telegram refuses.
    """
    if not markup or "inline_keyboard" not in markup:
        return None
    rows = [row for row in markup["inline_keyboard"] if row]
    for row in rows:
        if len(row) > MAX_ROW:
            raise bad_request(f"not in the API: {len(row)} buttons in a row, at most 8", violation=True)
        for button in row:
            _check_button(button, private=private)
    if (
        sum(map(len, rows)) > MAX_BUTTONS
        or len(json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()) > MAX_MARKUP_BYTES
    ):
        raise bad_request("REPLY_MARKUP_TOO_LONG", violation=True)
    return {"inline_keyboard": rows} if rows else None


def _check_button(button: Json, *, private: bool) -> None:
    if not button["text"].strip():
        raise bad_request("not in the API: a button without text", violation=True)
    actions = [name for name in _ACTIONS if name in button]
    if not actions:
        raise bad_request("Text buttons are unallowed in the inline keyboard", violation=True)
    if len(actions) > 1:
        raise bad_request(f"not in the API: a button with {' and '.join(actions)}", violation=True)
    if "callback_data" in button and not 1 <= len(button["callback_data"].encode()) <= MAX_DATA_BYTES:
        raise bad_request("BUTTON_DATA_INVALID", violation=True)
    if "web_app" in button and not private:
        raise bad_request("BUTTON_TYPE_INVALID", violation=True)
    if "url" in button and not button["url"].startswith(("http://", "https://", "tg://")):
        address = button["url"]
        raise bad_request(f"inline keyboard button URL '{address}' is invalid: Wrong HTTP URL", violation=True)
