"""What a press that changes nothing is answered with: every reason to refuse, and its sentence."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from engine.core import Reason
from handlers.ui.captions import TOAST
from handlers.ui.languages import Words
from handlers.ui.people import clip, listed


class Refusal(StrEnum):
    """The reasons of the tables around the games; those of the rules are `engine.core.Reason` and the games' own."""

    STALE = "stale"
    NOT_SEATED = "not-seated"
    TABLE_FULL = "table-full"
    ALREADY_SEATED = "already-seated"
    NOT_AT_TABLE = "not-at-table"
    OPENER_ONLY = "opener-only"
    NOBODY_YET = "nobody-yet"
    ADMINS_ONLY = "admins-only"
    ROLE_UNKNOWN = "role-unknown"
    PLAYERS_ONLY = "players-only"
    TOO_FEW = "too-few"
    WRONG_CHAT = "wrong-chat"
    BUSY = "busy"
    NOTHING_TO_REVEAL = "nothing-to-reveal"
    RUNNING = "running"
    TABLE_OPEN = "table-open"
    TABLE_CLOSED = "table-closed"
    STOPPED = "stopped"
    DEAL_LATER = "deal-later"
    NO_MATCH = "no-match"
    UNKNOWN = "unknown"
    BROKEN = "broken"
    SAME_LENGTH = "same-length"
    SAME_CUT = "same-cut"
    YOUR_OWN_TURN = "your-own-turn"


NAMED: Final[dict[str, str]] = {
    Reason.NOT_YOUR_TURN: "refusal.turn-of",
    Reason.ALREADY_CHOSEN: "refusal.waiting-for",
    Refusal.STALE: "refusal.stale-turn-of",
    Refusal.OPENER_ONLY: "refusal.opener-only-named",
}
"""The better sentence where names are known: whose turn it is, who is waited for, who opened the table."""


def say(reason: str, words: Words, *, names: Sequence[str] = (), least: int = 0) -> str:
    """The toast for a reason, plain text of at most 200 characters.

    `names`, as `People.plain` gives them, are whom the sentence is about: who is to act (`not-your-turn`,
    `already-chosen`, `stale`) or the opener (`opener-only`). `least` is how many players a start wants (`too-few`). A
    reason without a sentence of its own is answered as an unknown button.
    """
    if names and reason in NAMED:
        return clip(words.plural(NAMED[reason], len(names), names=listed(names, words)), TOAST)
    if least and reason == Refusal.TOO_FEW:
        return clip(words.plural("refusal.too-few-for", least), TOAST)
    key = f"refusal.{reason}"
    return clip(words(key if key in words else f"refusal.{Refusal.UNKNOWN}"), TOAST)
