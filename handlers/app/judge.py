"""The one way in for presses on a match: which decision a verb asks for."""

from __future__ import annotations

from handlers.app import moves, tables
from handlers.app.presses import Press
from handlers.app.verdict import Verdict
from handlers.ui.languages import words
from handlers.ui.refusals import Refusal, say
from infra.matches import Match


def judge(match: Match, press: Press, now: int, admin: bool | None) -> Verdict:
    """What a press leads to. `now` is Unix seconds; `admin`: see `Verdict.needs_admin`. Everything may be forged."""
    if press.chat != match.chat:
        return Verdict(toast=say(Refusal.WRONG_CHAT, words(match.language)))
    if match.shown.drawer == press.update:
        return moves.judge_repeat(match, press)
    verb = press.data.verb
    if verb in tables.VERBS:
        return tables.judge_table(match, press, admin)
    if verb in moves.STOP:
        return moves.judge_stop(match, press, admin)
    if verb in moves.AFTERWARDS:
        return moves.judge_afterwards(match, press)
    return moves.judge_move(match, press, now)
