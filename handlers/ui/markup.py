"""Buttons as python-telegram-bot wants them."""

from __future__ import annotations

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from handlers.ui.screen import Button, Rows


def markup(rows: Rows) -> InlineKeyboardMarkup | None:
    """The keyboard of these rows, or None for no buttons."""
    return InlineKeyboardMarkup([[_button(button) for button in row] for row in rows]) if rows else None


def _button(button: Button) -> InlineKeyboardButton:
    return InlineKeyboardButton(
        button.text,
        url=button.url or None,
        callback_data=None if button.url else button.data,
        style=button.style.value or None,
    )
