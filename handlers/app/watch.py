"""What the clock does to a match that is due: call who keeps others waiting, repair, close, archive. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from handlers.app import times
from handlers.app.games import rules_of, seats_of, state_of
from handlers.app.moves import PLAY_ON
from handlers.app.pen import is_owed
from handlers.app.presses import maker
from handlers.app.verdict import Draw, Verdict
from handlers.ui import waiting
from handlers.ui.languages import words
from handlers.ui.screen import Rows
from infra.matches import Match, Status


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at a match leads to; `call` asks for a message to those who keep others waiting."""

    verdict: Verdict
    call: bool = False


def look_at(match: Match, now: int, delay: int) -> Look:
    """Judge a match that is due. `now` is Unix seconds; `delay` is the chat's patience in seconds, 0 for no calls."""
    if not match.due or match.due > now:
        return Look(Verdict())
    idle = now - match.saved
    match match.status:
        case Status.OPEN if idle >= times.TABLE:
            return Look(_closed(match, now))
        case Status.OPEN:
            # Whoever opened it may not have been able to show it.
            draw = Draw.AGAIN if is_owed(match.shown, now * 1000) else Draw.NOTHING
            due = now + times.LOOK if draw is Draw.AGAIN else match.saved + times.TABLE
            return Look(Verdict(replace(match, due=due), draw=draw))
        case Status.PLAYING if idle >= times.ARCHIVE:
            return Look(_closed(match, now))
        case Status.PLAYING:
            return _waiting(match, now, idle, delay)
        case _ if (_is_sure(match) and not is_owed(match.shown, now * 1000)) or idle >= times.ARCHIVE:
            return Look(Verdict(replace(match, due=0)))
        case _:
            return Look(Verdict(replace(match, due=now + _again(times.LOOK, idle)), draw=Draw.AGAIN))


def _closed(match: Match, now: int) -> Verdict:
    return Verdict(replace(match, status=Status.STOPPED, due=now + times.LOOK), draw=Draw.CHANGE)


def _waiting(match: Match, now: int, idle: int, delay: int) -> Look:
    call = bool(delay) and idle >= delay and not match.shown.call
    pause = min(max(idle, times.LOOK), times.RAREST_LOOK)
    if delay and idle < delay:
        pause = delay - idle
    if not _is_sure(match):
        # Whoever moves meanwhile leaves it at that, so it must not be later than the next call may be.
        pause = min(pause, _again(min(times.SURE, delay or times.SURE), idle))
    if call:
        # The call may get lost.
        pause = min(pause, times.SURE)
    looked = replace(match, due=now + max(1, pause))
    if call:
        looked = replace(looked, patience=match.saved + times.PATIENCE * delay)
    # While people play, they see to the board themselves, as long as they can.
    behind = is_owed(match.shown, now * 1000) or (idle >= times.LOOK and not _is_sure(match))
    return Look(Verdict(looked, draw=Draw.AGAIN if behind else Draw.NOTHING), call)


def _again(pause: int, idle: int) -> int:
    """When to try again to draw: after `pause` seconds, more rarely where that has been of no use for long."""
    return min(max(pause, idle // 10), times.RAREST_LOOK)


def _is_sure(match: Match) -> bool:
    """Whether the ticker has drawn the board since it last changed: a failure may have left it behind."""
    return match.shown.checked == match.shown.look


def made_sure(match: Match, look: int) -> Match:
    """The match after the ticker has drawn this look of it; one that has ended need not be looked after any more."""
    sure = replace(match, shown=replace(match.shown, checked=look))
    return sure if match.status in (Status.OPEN, Status.PLAYING) else replace(sure, due=0)


def call_of(match: Match) -> tuple[str, Rows]:
    """The message that calls those to act, and its button for the others."""
    tell, rules, state = words(match.language), rules_of(match), state_of(match)
    press = maker(match.id, rules.epoch(state), match.shown.look)
    actors = rules.actors(state)
    return waiting.call_text(actors, seats_of(match), tell), waiting.call_buttons(press(PLAY_ON), tell)
