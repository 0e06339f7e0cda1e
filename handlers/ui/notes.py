"""What the notes of all games share: cards as letters, as positions are written, and the end of a round."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from engine.core import Event, RoundEnded
from engine.notation import up as card_letter
from engine.notation import value
from handlers.ui.captions import Line, number
from handlers.ui.people import People

__all__ = ["card", "card_letter", "round_note", "since", "since_round", "tell_shared"]

_ROUND = re.compile(r"E(\d{1,4})")


def card(letter: str) -> str:
    """The number on the card that a note spells `letter`. Raises CorruptError for other characters."""
    return number(value(letter))


def round_note(event: Event) -> str:
    """The note of a round's end after which another round was dealt; empty for every other event.

    The last round's end needs none: the position tells it.
    """
    if isinstance(event, RoundEnded) and event.view.outcome is None:
        return f"E{event.number}"
    return ""


def tell_shared(note: str, people: People) -> tuple[Line, ...]:
    """The sentence of a note that all games share; nothing for any other note."""
    if found := _ROUND.fullmatch(note):
        return (Line(people.words("note.round", round=found[1]), opens=True),)
    return ()


def since(notes: Sequence[str], begins: Callable[[str], object]) -> tuple[str, ...]:
    """The notes from the last one that `begins` something on; all of them where none does."""
    starts = [index for index, note in enumerate(notes) if begins(note)]
    return tuple(notes[starts[-1] if starts else 0 :])


def since_round(notes: Sequence[str]) -> tuple[str, ...]:
    """The notes from the last end of a round on: what came before happened on another board."""
    return since(notes, _ROUND.fullmatch)
