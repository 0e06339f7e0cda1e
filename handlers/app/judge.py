"""The one way in for presses on a match: which decision a verb asks for."""

from __future__ import annotations

from handlers.app import moves, tables
from handlers.app.presses import Press
from handlers.app.verdict import Given, Verdict
from handlers.ui.languages import words
from handlers.ui.refusals import Refusal, say
from infra.matches import Match


def judge(match: Match, press: Press, given: Given) -> Verdict:
    """What a press leads to. Everything in it may be forged."""
    if press.chat != match.chat:
        return Verdict(toast=say(Refusal.WRONG_CHAT, words(match.language)))
    if match.shown.drawer == press.update:
        return moves.judge_repeat(match, press)
    verb = press.data.verb
    if verb in tables.VERBS:
        return tables.judge_table(match, press, given)
    if verb in moves.STOP:
        return moves.judge_stop(match, press, given)
    if verb in moves.AFTERWARDS:
        return moves.judge_afterwards(match, press, given)
    if verb == moves.PLAY_ON:
        return moves.judge_play_on(match, press, given)
    return moves.judge_move(match, press, given)
