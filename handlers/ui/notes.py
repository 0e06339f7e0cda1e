"""What the notes of all games share: cards as letters, as positions are written, and the end of a round."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from engine.core import RoundEnded
from engine.notation import up as card_letter
from engine.notation import value
from handlers.ui.captions import number
from handlers.ui.people import People

__all__ = ["absent_note", "card", "card_letter", "round_note", "since", "since_round", "tell_shared"]

_ROUND = re.compile(r"E(\d{1,4})")
_ABSENT = re.compile(r"A([0-7])")


def card(letter: str) -> str:
    """The number on the card that a note spells `letter`. Raises CorruptError for other characters."""
    return number(value(letter))


def round_note(event: object) -> str:
    """The note of a round's end after which another round was dealt; empty for every other event.

    The last round's end needs none: the position tells it.
    """
    if isinstance(event, RoundEnded) and event.view.outcome is None:
        return f"E{event.number}"
    return ""


def absent_note(seat: int) -> str:
    """The note that the bot plays for `seat` from now on."""
    return f"A{seat}"


def tell_shared(note: str, people: People) -> tuple[str, ...]:
    """The sentence of a note that all games share; nothing for any other note."""
    if found := _ROUND.fullmatch(note):
        return (people.words("note.round", round=found[1]),)
    if (found := _ABSENT.fullmatch(note)) and int(found[1]) < len(people.seats):
        return (people.words("note.absent", name=people.name(int(found[1]))),)
    return ()


def since(notes: Sequence[str], begins: Callable[[str], object]) -> tuple[str, ...]:
    """The notes from the last one that `begins` something on, and who is absent, which no beginning changes."""
    starts = [index for index, note in enumerate(notes) if begins(note)]
    start = starts[-1] if starts else 0
    return (*filter(_ABSENT.fullmatch, notes[:start]), *notes[start:])


def since_round(notes: Sequence[str]) -> tuple[str, ...]:
    """The notes from the last end of a round on: what came before happened on another board."""
    return since(notes, _ROUND.fullmatch)
