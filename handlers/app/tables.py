"""Decisions about an open table: who joins, leaves, cuts the deck, sets the length, starts, cancels. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.core import Length
from engine.record import PLACES
from engine.registry import GAMES
from handlers.app import times
from handlers.app.games import begin, seat_of, seats_of
from handlers.app.presses import Press
from handlers.app.verdict import Draw, Given, Verdict
from handlers.ui import table
from handlers.ui.languages import words
from handlers.ui.lookalikes import alike
from handlers.ui.people import People, visible
from handlers.ui.refusals import Refusal, say
from handlers.ui.toasts import Done, done
from infra.matches import Match, Player, Status, cut_name

LENGTHS: Final = {f"length {length.value}": length for length in Length}
CUTS: Final = {f"cut {place}": place for place in range(1, PLACES + 1)}
VERBS: Final = ("join", "leave", "start", "cancel", *LENGTHS, *CUTS)


def judge_table(match: Match, press: Press, given: Given) -> Verdict:
    """What a press on a table message leads to."""
    verb = press.data.verb
    if match.status is not Status.OPEN:
        reason = Refusal.RUNNING if match.status is Status.PLAYING else Refusal.TABLE_CLOSED
        return Verdict(toast=say(reason, words(match.language)))
    match verb:
        case "join":
            return _join(match, press)
        case "leave":
            return _leave(match, press)
        case cut if cut in CUTS:
            return _cut(match, press)
        case _:
            if not may_run(match, press.user, given.admin):
                return refused_or_ask(match, given.admin)
            return _run(match, press, given.now)


def may_run(match: Match, user: int, admin: bool | None) -> bool:
    """Whether a user may start, stop and set the table: its opener, and who runs the chat."""
    return user == match.opener or bool(admin)


def refused_or_ask(match: Match, admin: bool | None) -> Verdict:
    """Ask whether the presser runs the chat, or refuse when that is known."""
    if admin is None:
        return Verdict(needs_admin=True)
    people, opener = People(seats_of(match), words(match.language)), seat_of(match, match.opener)
    if opener is None:
        return Verdict(toast=say(Refusal.NOBODY_YET, people.words))
    return Verdict(toast=say(Refusal.OPENER_ONLY, people.words, names=[people.plain(opener)]))


def _join(match: Match, press: Press) -> Verdict:
    tell = words(match.language)
    if seat_of(match, press.user) is not None:
        return Verdict(toast=say(Refusal.ALREADY_SEATED, tell))
    if len(match.players) >= GAMES[match.game].max_seats:
        return Verdict(toast=say(Refusal.TABLE_FULL, tell))
    joined = replace(
        match,
        players=(*match.players, Player(press.user, cut_name(press.name))),
        opener=match.opener or press.user,
    )
    return Verdict(joined, toast=done(Done.JOINED, tell), draw=Draw.CHANGE)


def _leave(match: Match, press: Press) -> Verdict:
    tell = words(match.language)
    if seat_of(match, press.user) is None:
        return Verdict(toast=say(Refusal.NOT_AT_TABLE, tell))
    players = tuple(player for player in match.players if player.id != press.user)
    opener = match.opener
    if opener == press.user:
        # The table passes on, so that it never waits for one who has gone.
        opener = players[0].id if players else 0
    return Verdict(replace(match, players=players, opener=opener), toast=done(Done.LEFT, tell), draw=Draw.CHANGE)


def _cut(match: Match, press: Press) -> Verdict:
    """The place stays with the player, so that whoever leaves takes their cut along."""
    tell, seat, place = words(match.language), seat_of(match, press.user), CUTS[press.data.verb]
    if seat is None:
        return Verdict(toast=say(Refusal.NOT_AT_TABLE, tell))
    player = match.players[seat]
    if player.cut == place:
        return Verdict(toast=say(Refusal.SAME_CUT, tell))
    players = (*match.players[:seat], replace(player, cut=place), *match.players[seat + 1 :])
    return Verdict(replace(match, players=players), toast=table.cut_toast(place, tell), draw=Draw.CHANGE)


def _run(match: Match, press: Press, now: int) -> Verdict:
    tell, verb = words(match.language), press.data.verb
    if verb == "cancel":
        return Verdict(closed(match, press, now), toast=done(Done.CANCELLED, tell), draw=Draw.CHANGE)
    if verb == "start":
        fewest = GAMES[match.game].min_seats
        if len(match.players) < fewest:
            return Verdict(toast=say(Refusal.TOO_FEW, tell, least=fewest))
        begun = replace(begin(match), due=now + times.LOOK)
        return Verdict(begun, toast=done(Done.STARTED, tell), draw=Draw.CHANGE)
    length = LENGTHS[verb]
    if length is match.length:
        return Verdict(toast=say(Refusal.SAME_LENGTH, tell))
    toast = done(Done.ONE_ROUND if length is Length.SINGLE else Done.HUNDRED, tell)
    return Verdict(replace(match, length=length), toast=toast, draw=Draw.CHANGE)


def closed(match: Match, press: Press, now: int) -> Match:
    """The match stopped for good by the presser; the ticker makes sure that the chat sees it."""
    # No moves are told of a stopped match.
    return replace(match, status=Status.STOPPED, closed_by=_closer(match, press), notes="", due=now + times.LOOK)


def _closer(match: Match, press: Press) -> str:
    """Who closes a table or a match, told apart from everybody at the table."""
    people, seat = People(seats_of(match), words(match.language)), seat_of(match, press.user)
    if seat is not None:
        return people.label(seat)
    name = visible(cut_name(press.name))
    known = [visible(player.name) for player in match.players]
    # Nobody but administrators may do so without a seat.
    if not name or any(alike(name, other) for other in (*known, *map(people.label, range(len(known))))):
        return people.words("player.administrator")
    return name
