"""What a press that was done is answered with, where no game speaks for itself: plain text, 200 characters at most."""

from __future__ import annotations

from enum import StrEnum

from handlers.ui.captions import TOAST
from handlers.ui.languages import Words
from handlers.ui.people import clip


class Done(StrEnum):
    """What has been done."""

    JOINED = "joined"
    LEFT = "left"
    ONE_ROUND = "one-round"
    HUNDRED = "hundred"
    STARTED = "started"
    CANCELLED = "cancelled"
    STOPPED = "stopped"
    GOES_ON = "goes-on"
    KEPT_OPEN = "kept-open"
    OPENED_AGAIN = "opened-again"
    DEAL_SENT = "deal-sent"
    DEAL_ABOVE = "deal-above"
    LANGUAGE = "language"
    DELAY = "delay"
    WELCOME_BACK = "welcome-back"


def done(what: Done, words: Words) -> str:
    """The toast for `what`."""
    return clip(words(f"toast.{what}"), TOAST)
