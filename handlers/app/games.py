"""A stored match as the engine sees it: its position, its seed, its record, the ends of its rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, TypeAlias, cast

from engine.core import AnyRules, CorruptError, Event, RoundEnded, View
from engine.log import log_move, pending_size, read_log, without_choice
from engine.notation import seed_text
from engine.record import Record, match_seed
from engine.registry import GAMES
from handlers.ui.languages import LANGUAGES
from handlers.ui.screen import Seat
from handlers.ui.screens import SCREENS
from infra.items import match_bytes
from infra.matches import WRITE_UNIT, CorruptItemError, Match, Status, cut_names

NOTE_SEPARATOR = ";"

CORRUPT: Final = (CorruptItemError, CorruptError)
"""Something stored cannot be read. It stays as it is, for whoever mends the program or the item."""


def rules_of(match: Match) -> AnyRules:
    """The rules of the match's game."""
    return GAMES[match.game]


def state_of(match: Match) -> Any:
    """The position. Raises `CorruptError` where the stored text is none, or one of another number of seats."""
    return _decoded(match.game, len(match.players), f"{seed_text(seed_of(match))} {match.position}")


# One press asks for the same position half a dozen times, and reading it is most of its work.
@lru_cache(maxsize=8)
def _decoded(game: str, seats: int, text: str) -> Any:
    rules = GAMES[game]
    state = rules.decode(text)
    if len(rules.view(state, None).totals) != seats:
        raise CorruptError("the players and the seats disagree")
    return state


def seen(match: Match) -> View:
    """What everyone sees of the position; once the match is stopped, nobody is to act."""
    view: View = rules_of(match).view(state_of(match), None)
    if match.status is not Status.STOPPED:
        return view
    calm: View = replace(cast("Any", view), to_move=())
    return calm


def check(match: Match) -> None:
    """Raise `CorruptItemError` where a match that was read is none that can be played, shown or looked back at.

    The log of its moves is read only where it is needed, and raises there.
    """
    try:
        flaw = _flaw(match)
    except CorruptError:
        # The engine's words quote what it cannot read: hidden cards.
        flaw = "its position cannot be read"
    if flaw:
        raise CorruptItemError(f"match {match.id}: {flaw}")


def _flaw(match: Match) -> str:
    if match.game not in GAMES or match.language not in LANGUAGES:
        return "no such game or language"
    seats = range(len(match.players))
    if len(seats) > GAMES[match.game].max_seats or any(seat not in seats for seat in match.absent):
        return "no such seats"
    if match.status is Status.OPEN:
        return "cards were dealt at an open table" if match.position else ""
    if match.status is Status.STOPPED and not match.position:
        return ""
    is_over = rules_of(match).outcome(state_of(match)) is not None
    return "" if is_over is (match.status is Status.OVER) else "the status and the position disagree"


def position_of(rules: AnyRules, state: Any) -> str:
    """What is stored of a state: its text without the seed, which is its first field in every game."""
    _, _, position = rules.encode(state).partition(" ")
    return position


def seed_of(match: Match) -> bytes:
    """The seed that the table's secret, its players and their cuts give."""
    return match_seed(match.secret, [player.id for player in match.players], cuts_of(match))


def cuts_of(match: Match) -> tuple[int, ...]:
    """The places where the seats have cut the deck, 0 for none."""
    return tuple(player.cut for player in match.players)


def seats_of(match: Match) -> tuple[Seat, ...]:
    """Who sits where, for the screens, and whom the bot plays for."""
    absent = _played_for(match) if match.status is Status.PLAYING else ()
    return tuple(Seat(player.id, player.name, seat in absent, player.cut) for seat, player in enumerate(match.players))


def _played_for(match: Match) -> tuple[int, ...]:
    """The seats that the bot plays for. With nobody left at the table it would play to the end alone, so for none."""
    return match.absent if len(match.absent) < len(match.players) else ()


def seat_of(match: Match, user: int) -> int | None:
    """The seat of a user, or None for one who is not at the table."""
    return next((seat for seat, player in enumerate(match.players) if player.id == user), None)


def begin(match: Match) -> Match:
    """Deal: the open table as a match that is being played; where many sit, the longest names become shorter."""
    state = rules_of(match).start(len(match.players), seed_of(match), match.length)
    position = position_of(rules_of(match), state)
    return replace(match, status=Status.PLAYING, players=cut_names(match.players), position=position)


Choose: TypeAlias = Callable[[tuple[Any, ...]], Any]
"""How the bot picks one of the moves of a seat whose player is absent."""


def played_by_bot(rules: AnyRules, state: Any, absent: Sequence[int], choose: Choose) -> tuple[int, Any] | None:
    """A seat and a move of it that the bot plays: one without an alternative, or one for a player who is absent."""
    for seat in rules.actors(state):
        moves = rules.legal_moves(state, seat)
        if len(moves) == 1 or seat in absent:
            return seat, moves[0] if len(moves) == 1 else choose(moves)
    return None


@dataclass(frozen=True, slots=True)
class Played:
    """What a move has led to.

    `state` is the match's position; `events` is what everyone saw, `notes` what the table should read of it. `page` is
    the finished page of the log, if this move has finished one: at the end of a round, or where the item would outgrow
    one write unit.
    """

    match: Match
    state: Any
    events: tuple[Event, ...]
    notes: tuple[str, ...]
    page: str | None


def after_move(match: Match, seat: int, text: str, choose: Choose) -> Played:
    """Play a move, and all moves of the bot that follow. A secret choice is changed by choosing again.

    Raises `NotLegalError` and `NotUnderstoodError`.
    """
    rules = rules_of(match)
    state, log = state_of(match), match.moves
    move = rules.parse_move(text)
    if seat in rules.chosen(state):
        log = without_choice(rules, state, log, seat)
        state = rules.retract(state, seat)
    return _play(match, state, log, (seat, move), choose)


def after_leaving(match: Match, choose: Choose) -> Played:
    """Play the moves of the seats that have just become absent, and all moves of the bot that follow."""
    state = state_of(match)
    return _play(match, state, match.moves, played_by_bot(rules_of(match), state, match.absent, choose), choose)


def _play(match: Match, state: Any, log: str, following: tuple[int, Any] | None, choose: Choose) -> Played:
    rules = rules_of(match)
    absent = _played_for(match)
    events: tuple[Event, ...] = ()
    page: str | None = None
    while following is not None:
        log += log_move(rules, state, *following)
        step = rules.apply(state, *following)
        state, events = step.state, events + step.events
        if any(isinstance(event, RoundEnded) for event in step.events) and rules.outcome(state) is None:
            page, log = (page or "") + log, ""
        following = played_by_bot(rules, state, absent, choose)
    notes = SCREENS[match.game].notes(events)
    played = _with_notes(replace(match, position=position_of(rules, state), moves=log), notes)
    if rules.outcome(state) is not None:
        played = replace(played, status=Status.OVER)
    if page is None and match_bytes(played) > WRITE_UNIT - _ROOM:
        settled = len(log) - pending_size(rules, state)
        page, log = log[:settled], log[settled:]
    if page is not None:
        played = replace(played, moves=log, pages=match.pages + 1)
    return Played(played, state, events, notes, page)


_ROOM = 48
"""Bytes left for what a save adds to the item after the move was written down."""


def record_of(match: Match, pages: Sequence[str]) -> Record:
    """The match's record. Raises `CorruptError` where its log cannot be played."""
    moves = tuple((seat, text) for seat, text, _, _ in _replayed(match, pages))
    return Record(match.game, len(match.players), seed_of(match), match.length, moves)


def round_ends(match: Match, pages: Sequence[str]) -> tuple[View, ...]:
    """The last positions of the finished rounds, found by replaying them."""
    seen = (event for _, _, _, events in _replayed(match, pages) for event in events)
    return tuple(event.view for event in seen if isinstance(event, RoundEnded))


def _replayed(match: Match, pages: Sequence[str]) -> Iterator[tuple[int, str, Any, tuple[Event, ...]]]:
    """Every move of the match from the first deal on, as `read_log` gives them."""
    rules = rules_of(match)
    dealt = rules.start(len(match.players), seed_of(match), match.length)
    return read_log(rules, dealt, "".join(pages) + match.moves)


def _with_notes(match: Match, new: Sequence[str]) -> Match:
    """The match with new notes behind those of the old ones that are still to be read."""
    if not new:
        return match
    kept = SCREENS[match.game].kept(notes_of(match), new, len(match.players))
    return replace(match, notes=NOTE_SEPARATOR.join(kept))


def notes_of(match: Match) -> tuple[str, ...]:
    """The notes, oldest first."""
    return tuple(filter(None, match.notes.split(NOTE_SEPARATOR)))
