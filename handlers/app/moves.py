"""Decisions about a match that is played or over: moves, reminders, stopping, what comes afterwards. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from engine.core import NotLegalError, NotUnderstoodError, Reason, RoundEnded
from handlers.app.games import after_move, rules_of, seat_of, state_of, with_notes
from handlers.app.pen import anew
from handlers.app.presses import Press
from handlers.app.tables import closed, may_run, refused_or_ask
from handlers.app.verdict import After, Draw, Verdict
from handlers.ui.languages import words
from handlers.ui.refusals import Refusal, say
from handlers.ui.screens import SCREENS
from handlers.ui.toasts import Done, done
from infra.matches import Match, Status

SETTLED_SECONDS: Final = 5
"""After a save this old the board should be drawn; a press on an older look means that it is not."""

REMINDER: Final = "card"
STOP: Final = ("stop yes", "stop no")
AFTERWARDS: Final = {"again": After.PLAY_AGAIN, "deal": After.LAY_OPEN}


def judge_repeat(match: Match, press: Press) -> Verdict:
    """The same update again: what it was for has been saved; it may have died before it was drawn."""
    after = After.LAY_OPEN if press.data.verb == "deal" else None
    seat = seat_of(match, press.user)
    toast = _reminder(match, seat) if seat is not None and match.status is Status.PLAYING else ""
    return Verdict(toast=toast, draw=Draw.NOTHING if after else Draw.REPEAT, after=after)


def judge_move(match: Match, press: Press, now: int) -> Verdict:
    """What a press on a board leads to. `now` is Unix seconds."""
    tell = words(match.language)
    if match.status is not Status.PLAYING:
        return _behind(match, press, now, say(_ended(match), tell))
    seat = seat_of(match, press.user)
    if seat is None:
        return Verdict(toast=say(Refusal.NOT_SEATED, tell))
    if press.data.verb == REMINDER:
        return Verdict(toast=_reminder(match, seat) or _refused(match, Reason.NOT_YOUR_TURN.value))
    rules, before = rules_of(match), state_of(match)
    if press.data.epoch != rules.epoch(before):
        return _behind(match, press, now, _reminder(match, seat) or _refused(match, Refusal.STALE))
    try:
        played, state, events, page = after_move(match, seat, press.data.verb)
    except NotLegalError as error:
        return _behind(match, press, now, _refused(match, error.reason.value))
    except NotUnderstoodError:
        return Verdict(toast=say(Refusal.UNKNOWN, tell))
    screen = SCREENS[match.game]
    toast = screen.toast(rules.view(state, seat), seat, press.data.verb, tell)
    if played.position == match.position:
        return Verdict(toast=toast)
    notes = screen.notes(events)
    draw = Draw.NOTHING
    if notes or rules.epoch(state) != rules.epoch(before):
        draw = Draw.TURN if rules.actors(state) != rules.actors(before) else Draw.CHANGE
    played = with_notes(played, notes)
    if _new_round(events, played):
        played = replace(played, shown=anew(played.shown))
    return Verdict(played, toast=toast, draw=draw, page=page)


def judge_stop(match: Match, press: Press, admin: bool | None) -> Verdict:
    """What a press on the question whether to stop leads to."""
    if not may_run(match, press.user, admin):
        return refused_or_ask(match, admin)
    tell = words(match.language)
    if match.status not in (Status.OPEN, Status.PLAYING):
        return Verdict(toast=say(_ended(match), tell), after=After.DROP_QUESTION)
    if press.data.verb == "stop no":
        return Verdict(toast=done(Done.GOES_ON, tell), after=After.DROP_QUESTION)
    return Verdict(closed(match, press), toast=done(Done.STOPPED, tell), draw=Draw.CHANGE, after=After.DROP_QUESTION)


def judge_afterwards(match: Match, press: Press) -> Verdict:
    """What a press below a finished board leads to."""
    tell = words(match.language)
    if match.status in (Status.OPEN, Status.PLAYING):
        return Verdict(toast=say(Refusal.DEAL_LATER, tell))
    after = AFTERWARDS[press.data.verb]
    if after is After.LAY_OPEN:
        if match.proved:
            return Verdict(toast=done(Done.DEAL_SENT, tell))
        shown = replace(match.shown, drawer=press.update)
        return Verdict(replace(match, proved=True, shown=shown), toast=done(Done.DEAL_SENT, tell), after=after)
    return Verdict(toast=done(Done.OPENED_AGAIN, tell), after=after)


def _behind(match: Match, press: Press, now: int, toast: str) -> Verdict:
    """A press that changes nothing; it was on an old look although the newest should long be drawn: draw it again."""
    lost = press.data.look < match.shown.look and now - match.saved >= SETTLED_SECONDS
    return Verdict(toast=toast, draw=Draw.AGAIN if lost else Draw.NOTHING)


def _reminder(match: Match, seat: int) -> str:
    view = rules_of(match).view(state_of(match), seat)
    return SCREENS[match.game].reminder(view, seat, words(match.language))


def _refused(match: Match, reason: str) -> str:
    """The reason, with the names of those who are to act."""
    names = [match.players[seat].name for seat in rules_of(match).actors(state_of(match))]
    return say(reason, words(match.language), names=names)


def _ended(match: Match) -> str:
    return Reason.OVER.value if match.status is Status.OVER else Refusal.STOPPED


def _new_round(events: tuple[Any, ...], played: Match) -> bool:
    return played.status is Status.PLAYING and any(isinstance(event, RoundEnded) for event in events)
