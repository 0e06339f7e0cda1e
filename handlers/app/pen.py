"""Who draws the board, and when: one update at a time holds the pen of a match.

The promise to draw is saved with the move itself, so it costs no write of its own:

    A saves look 7, takes the pen   B saves look 8, sees the pen taken, says nothing
    A draws 7, gives the pen back: the save conflicts, A draws 8, gives it back, done

Where only one seat could act, nobody else has buttons to press before the board is drawn, so the pen need not be given
back. A new board is visible before its id is saved, so there it must. So must those who may act at any time, to stop
or to change the language; and as they cannot know whether that one move is still on its way to the board, they post a
new board, which no late edit covers. An update that died with the pen is recognised
when Telegram repeats it; if it never does, the promise ends by itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from handlers.app.budget import Budget
from handlers.app.verdict import Draw
from infra.matches import Match, Shown, Status

LEASE_MS: Final = 10_000
"""How long a drawer may take before others stop counting on it."""

POST_EDITS: Final = 10
"""Edits after which a turn deserves a new message: edits do not notify."""

POST_SECONDS: Final = 600
"""Likewise the age of a board."""


def take(
    match: Match, draw: Draw, update: int, now_ms: int, budget: Budget, *, contested: bool
) -> tuple[Match, int | None]:
    """The match with the pen promised to `update`, and when to draw (Unix ms); None when another is drawing anyway."""
    shown = match.shown
    if draw in (Draw.CHANGE, Draw.TURN, Draw.ASIDE):
        shown = replace(shown, look=shown.look + 1)
    if shown.until_ms > now_ms and shown.drawer != update:
        return replace(match, shown=shown), None
    far_up = draw is Draw.TURN and _far_up(shown, now_ms) and budget.has(shown.ready_ms, now_ms, 2)
    if shown.board and (far_up or (draw is Draw.ASIDE and now_ms < _drawn_ms(match))):
        shown = anew(shown)
    cost = sends(match.status, shown)
    start, ready_ms = budget.reserve(shown.ready_ms, now_ms, cost)
    shown = replace(
        shown,
        drawer=update,
        ready_ms=ready_ms,
        until_ms=_end_of_promise(shown, start, now_ms, contested=contested),
        edits=shown.edits + 1 if shown.board else 0,
        posted=shown.posted if shown.board else start // 1000,
    )
    return replace(match, shown=shown), start


def is_owed(shown: Shown, now_ms: int) -> bool:
    """Whether somebody has promised to draw and has not kept it: they died, or it could not be done."""
    return 0 < shown.until_ms <= now_ms


def _end_of_promise(shown: Shown, start_ms: int, now_ms: int, *, contested: bool) -> int:
    if contested or not shown.board:
        return start_ms + LEASE_MS
    return start_ms if start_ms > now_ms else 0


def _drawn_ms(match: Match) -> int:
    """When the move before has certainly been drawn: a late edit of it must not cover what comes now."""
    return max((match.saved + 1) * 1000, match.shown.until_ms) + LEASE_MS


def hold(match: Match, now_ms: int) -> Match:
    """The match with the pen in the hand of the update that had it before and has come again."""
    return replace(match, shown=replace(match.shown, until_ms=now_ms + LEASE_MS))


def anew(shown: Shown) -> Shown:
    """The board is to be posted again at the bottom of the chat."""
    return replace(shown, board=0, old=shown.board or shown.old)


def is_lost(shown: Shown, message: int, now_ms: int) -> bool:
    """Whether a message with a match's buttons is none that the match knows: its sender died before saving its id.

    Only older messages count, and only while nobody writes a new one, whose id would not be known yet.
    """
    newest = shown.board or shown.lobby
    return shown.until_ms <= now_ms and message < newest and message not in (shown.lobby, shown.old)


def sends(status: Status, shown: Shown) -> int:
    """How many messages and edits drawing the newest look takes."""
    if status is Status.OPEN:
        return 1 if shown.lobby else 1 + bool(shown.old)
    if shown.board:
        return 1
    return 1 + bool(shown.old) + bool(shown.lobby)


def _far_up(shown: Shown, now_ms: int) -> bool:
    return bool(shown.board) and (shown.edits >= POST_EDITS or now_ms // 1000 - shown.posted >= POST_SECONDS)
