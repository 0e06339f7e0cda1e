"""What the notes of all games share: cards as letters, as positions are written, and the end of a round."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.core import RoundEnded
from engine.notation import up as card_letter
from engine.notation import value
from handlers.ui.captions import number
from handlers.ui.languages import Words

__all__ = ["card", "card_letter", "round_note", "since_round", "tell_round"]

_ROUND = re.compile(r"E(\d{1,4})")


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


def tell_round(note: str, words: Words) -> tuple[str, ...]:
    """The sentence of a round's end; nothing for any other note."""
    found = _ROUND.fullmatch(note)
    return (words("note.round", round=found[1]),) if found else ()


def since_round(notes: Sequence[str]) -> tuple[str, ...]:
    """The notes from the last end of a round on: what came before happened on another board."""
    starts = [index for index, note in enumerate(notes) if _ROUND.fullmatch(note)]
    return tuple(notes[starts[-1] if starts else 0 :])
