"""Words for those who keep others waiting, and for those who wait."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from handlers.ui.captions import TOAST
from handlers.ui.languages import Words
from handlers.ui.people import People, clip
from handlers.ui.screen import Button, Rows, Seat

DELAYS: Final = (0, 60, 180, 600, 86_400)
"""After how many seconds a chat may have a player called; 0 is never."""

_MINUTE: Final = 60


def call_text(waited_for: Sequence[int], seats: Sequence[Seat], words: Words) -> str:
    """The message that calls the seats that are waited for, HTML; the mentions notify them."""
    names = People(seats, words).mentions(waited_for)
    return words.plural("waiting.call", len(waited_for), names=names)


def call_buttons(data: str, words: Words) -> Rows:
    """The button below a call: play on without them."""
    return ((Button(words("waiting.button.play-on"), data),),)


def too_early(seconds: int, words: Words) -> str:
    """The toast for those who want to play on too early: in how many minutes they may."""
    return clip(words.plural("waiting.too-early", -(-seconds // _MINUTE)), TOAST)


def played_on(count: int, words: Words) -> str:
    """The toast for whoever let the bot play for so many players."""
    return clip(words.plural("waiting.played-on", count), TOAST)


def settings_text(delay: int, words: Words) -> str:
    """What `/settings` says: how long this chat waits before it calls a player; HTML."""
    return words("settings.delay", choice=words(f"settings.delay.{delay}"))


def settings_buttons(press: Callable[[str], str], delay: int, words: Words) -> Rows:
    """A button a delay, the chosen one marked: `press("delay 180")` and so on."""
    buttons = []
    for seconds in DELAYS:
        label = words(f"settings.delay.{seconds}")
        label = words("table.button.chosen", label=label) if seconds == delay else label
        buttons.append(Button(label, press(f"delay {seconds}")))
    return tuple(buttons[:1]), tuple(buttons[1:4]), tuple(buttons[4:])
