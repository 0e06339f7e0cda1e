"""A whole match as a text to read: positions, what each seat sees, what it may play, what happened.

Every step shows the stored position, then what has changed in the common view, then, for every seat, what it sees
beyond that. A leak, a changed deal, spelling or order of moves shows as a difference to the text that is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum
from pathlib import Path
from random import Random
from typing import Any

from engine.core import AnyRules, Length
from engine.registry import GAMES

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Playthrough:
    """Which match to play: a game, a number, a table and a length."""

    game: str
    number: int
    seats: int
    length: Length = Length.SINGLE

    @property
    def path(self) -> Path:
        """Where its text is kept."""
        return FOLDER / f"{self.game}-{self.number}.txt"


PLAYTHROUGHS = (
    Playthrough("dekal", 1, 2),
    Playthrough("dekal", 2, 3),
    Playthrough("skyjo", 1, 2),
    Playthrough("skyjo", 2, 3),
)


def render(play: Playthrough) -> str:
    """The match's text: the same every time, by a seed and moves that come from its name."""
    return "\n".join(_lines(GAMES[play.game], play)) + "\n"


def _lines(rules: AnyRules, play: Playthrough) -> Iterator[str]:
    random = Random(f"{play.game} {play.number}")
    state = rules.start(play.seats, random.randbytes(32), play.length)
    shown: dict[str, str] = {}
    yield f"{play.game}, {play.seats} seats, {play.length.value}"
    number = 0
    while True:
        yield ""
        yield f"{number:>3} {rules.encode(state)}"
        common = _seen(rules.view(state, None)) | {"epoch": str(rules.epoch(state))}
        yield from (f"    {key}: {text}" for key, text in common.items() if shown.get(key) != text)
        for seat in range(play.seats):
            own = _seen(rules.view(state, seat))
            yield from (f"    seat {seat} sees {key}: {text}" for key, text in own.items() if common[key] != text)
            if moves := rules.legal_moves(state, seat):
                yield f"    seat {seat} may: {', '.join(map(rules.move_text, moves))}"
        shown = common
        actors = rules.actors(state)
        if not actors:
            return
        seat = random.choice(actors)
        move = random.choice(rules.legal_moves(state, seat))
        step = rules.apply(state, seat, move)
        yield f"  > {seat} {rules.move_text(move)}"
        yield from (f"    {_event(event)}" for event in step.events)
        state, number = step.state, number + 1


def _seen(view: Any) -> dict[str, str]:
    """A view's fields as texts; a grid's rows behind each other, the seats' grids divided by `|`."""
    texts = {field.name: _text(getattr(view, field.name)) for field in fields(view)}
    grids = [" ".join(_text(cell) for cell in grid) for grid in view.grids]
    return texts | {"grids": " | ".join(grids)}


def _text(value: Any) -> str:
    match value:
        case Enum():
            return str(value.value)
        case tuple():
            return f"({', '.join(map(_text, value))})"
        case _:
            return str(value)


def _event(event: Any) -> str:
    """An event with its fields; the view of a finished round is shown with the position."""
    shown = [f"{field.name}={_text(getattr(event, field.name))}" for field in fields(event) if field.name != "view"]
    return f"{type(event).__name__} {' '.join(shown)}"
