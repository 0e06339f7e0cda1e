"""Decisions about a match that is played or over: moves, reminders, stopping, what comes afterwards. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.core import Event, NotLegalError, NotUnderstoodError, Reason, RoundEnded
from handlers.app import times
from handlers.app.games import Played, after_leaving, after_move, rules_of, seat_of, seats_of, state_of
from handlers.app.pen import anew
from handlers.app.presses import Press
from handlers.app.tables import closed, may_run
from handlers.app.verdict import After, Draw, Given, Verdict
from handlers.ui import waiting
from handlers.ui.languages import words
from handlers.ui.people import People
from handlers.ui.refusals import Refusal, say
from handlers.ui.screens import SCREENS
from handlers.ui.toasts import Done, done
from infra.matches import Match, Status

PLAY_ON: Final = "play on"
REMINDER: Final = "card"
STOP: Final = ("stop yes", "stop no")
QUESTIONS: Final = (*STOP, PLAY_ON)
"""The verbs that stand in messages of their own, neither on tables nor on boards."""

AFTERWARDS: Final = {"again": After.PLAY_AGAIN, "deal": After.LAY_OPEN}


def judge_repeat(match: Match, press: Press) -> Verdict:
    """The same update again: what it was for has been saved; it may have died before it was drawn."""
    after = After.LAY_OPEN if press.data.verb == "deal" else None
    seat = seat_of(match, press.user)
    toast = _reminder(match, seat) if seat is not None and match.status is Status.PLAYING else ""
    return Verdict(toast=toast, draw=Draw.NOTHING if after else Draw.REPEAT, after=after)


def judge_move(match: Match, press: Press, given: Given) -> Verdict:
    """What a press on a board leads to."""
    tell = words(match.language)
    if match.status is not Status.PLAYING:
        return _behind(match, press, given.now, say(_ended(match), tell))
    seat = seat_of(match, press.user)
    if seat is None:
        return Verdict(toast=say(Refusal.NOT_SEATED, tell))
    if seat not in match.absent:
        return _move(match, seat, press, given)
    # Whoever presses anything has come back.
    back = _back(match, seat)
    verdict = _move(back, seat, press, given)
    if not verdict.match:
        verdict = replace(verdict, match=back, toast=done(Done.WELCOME_BACK, tell))
    # The table reads who is played for, and they need not be those who are to move.
    return replace(verdict, draw=Draw.ASIDE) if verdict.draw in (Draw.NOTHING, Draw.AGAIN) else verdict


def _back(match: Match, seat: int) -> Match:
    """The match with a player who plays again."""
    return replace(match, absent=tuple(other for other in match.absent if other != seat))


def _move(match: Match, seat: int, press: Press, given: Given) -> Verdict:
    tell = words(match.language)
    if press.data.verb == REMINDER:
        nothing = Refusal.NOTHING_TO_REVEAL if seat in rules_of(match).actors(state_of(match)) else Reason.NOT_YOUR_TURN
        return Verdict(toast=_reminder(match, seat) or _refused(match, nothing))
    rules = rules_of(match)
    if press.data.epoch != rules.epoch(state_of(match)):
        return _behind(match, press, given.now, _reminder(match, seat) or _refused(match, Refusal.STALE))
    try:
        played = after_move(match, seat, press.data.verb, given.choose)
    except NotLegalError as error:
        return _behind(match, press, given.now, _refused(match, error.reason))
    except NotUnderstoodError:
        return Verdict(toast=say(Refusal.UNKNOWN, tell))
    toast = SCREENS[match.game].toast(rules.view(played.state, seat), seat, press.data.verb, tell)
    if played.match.position == match.position:
        return Verdict(toast=toast)
    return _played(match, played, toast, given.now)


def _played(match: Match, played: Played, toast: str, now: int) -> Verdict:
    """The verdict of a position that has changed: what the table reads, and whether it sees anything at all."""
    rules, before, following = rules_of(match), state_of(match), played.match
    draw = Draw.NOTHING
    if played.notes or rules.epoch(played.state) != rules.epoch(before):
        draw = Draw.TURN if rules.actors(played.state) != rules.actors(before) else Draw.CHANGE
        following = replace(following, patience=0, shown=replace(following.shown, call=0))
    ticker_rests = match.shown.checked == match.shown.look
    if following.status is Status.OVER or ticker_rests:
        following = replace(following, due=now + times.LOOK)
    if _new_round(played.events, following):
        following = replace(following, shown=anew(following.shown))
    return Verdict(following, toast=toast, draw=draw, page=played.page)


def judge_play_on(match: Match, press: Press, given: Given) -> Verdict:
    """What a press on "play on without them" leads to: the bot plays for those who are to act until they are back."""
    tell, seat = words(match.language), seat_of(match, press.user)
    if seat is None:
        return Verdict(toast=say(Refusal.NOT_SEATED, tell))
    if match.status is not Status.PLAYING or press.data.epoch != rules_of(match).epoch(state_of(match)):
        return Verdict(toast=say(Refusal.STALE, tell), after=After.DROP_QUESTION)
    waited_for = rules_of(match).actors(state_of(match))
    if seat in waited_for:
        return Verdict(toast=say(Refusal.YOUR_OWN_TURN, tell))
    if not match.patience or given.now < match.patience:
        back = _back(match, seat)
        toast = waiting.too_early(max(1, match.patience - given.now), tell)
        return Verdict(toast=toast) if back == match else Verdict(back, toast=toast, draw=Draw.ASIDE)
    gone = replace(match, absent=tuple(sorted({*match.absent, *waited_for} - {seat})))
    left = set(gone.absent) - set(match.absent)
    verdict = _played(match, after_leaving(gone, given.choose), waiting.played_on(len(left), tell), given.now)
    return replace(verdict, after=After.DROP_QUESTION)


def judge_stop(match: Match, press: Press, given: Given) -> Verdict:
    """What a press on the question whether to stop leads to: those at the table may, and who runs the chat."""
    tell, is_open = words(match.language), match.status is Status.OPEN
    if not is_open and match.status is not Status.PLAYING:
        return Verdict(toast=say(_ended(match), tell), after=After.DROP_QUESTION)
    if seat_of(match, press.user) is None and not may_run(match, press.user, given.admin):
        return Verdict(needs_admin=True) if given.admin is None else Verdict(toast=say(Refusal.PLAYERS_ONLY, tell))
    if press.data.verb == "stop no":
        return Verdict(toast=done(Done.KEPT_OPEN if is_open else Done.GOES_ON, tell), after=After.DROP_QUESTION)
    toast = done(Done.CANCELLED if is_open else Done.STOPPED, tell)
    return Verdict(closed(match, press, given.now), toast=toast, draw=Draw.ASIDE, after=After.DROP_QUESTION)


def judge_afterwards(match: Match, press: Press, given: Given) -> Verdict:
    """What a press below a finished board leads to."""
    tell = words(match.language)
    if match.status in (Status.OPEN, Status.PLAYING):
        return Verdict(toast=say(Refusal.DEAL_LATER, tell))
    after = AFTERWARDS[press.data.verb]
    if after is After.LAY_OPEN:
        if not match.position:
            # The table was closed before any card was dealt; only a forged press asks.
            return Verdict(toast=say(Refusal.TABLE_CLOSED, tell))
        # Whoever was to send it may have died; asking once a minute floods nobody.
        if match.proved and given.now - match.saved < times.DEAL_AGAIN:
            return Verdict(toast=done(Done.DEAL_ABOVE, tell))
        shown = replace(match.shown, drawer=press.update)
        return Verdict(replace(match, proved=True, shown=shown), toast=done(Done.DEAL_SENT, tell), after=after)
    if seat_of(match, press.user) is None:
        return Verdict(toast=say(Refusal.NOT_SEATED, tell))
    return Verdict(toast=done(Done.OPENED_AGAIN, tell), after=after)


def _behind(match: Match, press: Press, now: int, toast: str) -> Verdict:
    """A press that changes nothing; it was on an old look although the newest should long be drawn: draw it again."""
    # Until what was sent last is paid for, whoever presses an old button again and again has nothing drawn.
    rested = now - match.saved >= times.SETTLED and match.shown.ready_ms <= now * 1000
    lost = press.data.look < match.shown.look and rested
    return Verdict(toast=toast, draw=Draw.AGAIN if lost else Draw.NOTHING)


def _reminder(match: Match, seat: int) -> str:
    view = rules_of(match).view(state_of(match), seat)
    return SCREENS[match.game].reminder(view, seat, words(match.language))


def _refused(match: Match, reason: str) -> str:
    """The reason, with the names of those who are to act."""
    people = People(seats_of(match), words(match.language))
    return say(reason, people.words, names=[people.plain(seat) for seat in rules_of(match).actors(state_of(match))])


def _ended(match: Match) -> str:
    return Reason.OVER if match.status is Status.OVER else Refusal.STOPPED


def _new_round(events: tuple[Event, ...], played: Match) -> bool:
    return played.status is Status.PLAYING and any(isinstance(event, RoundEnded) for event in events)
