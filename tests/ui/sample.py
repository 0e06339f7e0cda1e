"""Tables, names and whole games for the screens' tests."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from engine.core import AnyRules, Event, Length
from handlers.ui import screens
from handlers.ui.screen import Rows, Seat
from tests.engine.play import RULES
from tests.toy.rules import SHED
from tests.toy.screen import ShedScreen

SCREENS = screens.SCREENS | screens.shown_by(ShedScreen(), SHED)
"""The screens there are, and that of the toy."""

NAMES = ("Ana", "Zoé", "Bo", "Chloé-Marie", "Łukasz", "Διονύσης", "Ed", "Fatou")
HOSTILE = (
    "&" * 24,
    "<b>x</b><a href='tg:'>y<",
    "עברית עברי",
    "👩\u200d👩\u200d👧 😀😀",
    "",
    "@durov /stop evil.com",
    "a\u202eb\u2066c\nd\te",
    "</code></a>&lt;&#60;",
)
"""Eight names of at most 24 bytes each that try to break out of their sentence."""


def seats(count: int, names: tuple[str, ...] = NAMES) -> tuple[Seat, ...]:
    """The first seats of a table, with ids as long as Telegram's get."""
    return tuple(Seat(7_000_000_000_000 + seat, names[seat % len(names)]) for seat in range(count))


@dataclass(frozen=True, slots=True)
class Moment:
    """What a screen is given after a move: the mover, the move, its events, and the position as everyone sees it."""

    state: Any
    seat: int
    move: str
    events: tuple[Event, ...]
    view: Any
    own: Any
    legal: dict[int, tuple[str, ...]]


def game(key: str, count: int, length: Length = Length.SINGLE, seed: int = 0) -> Iterator[Moment]:
    """A whole match of random legal moves, always the same for the same arguments."""
    rules = RULES[key]
    chance = random.Random(f"{key} {count} {length} {seed}")
    state = rules.start(count, sha256(f"{key} {seed}".encode()).digest(), length)
    while actors := rules.actors(state):
        seat = chance.choice(actors)
        move = chance.choice(rules.legal_moves(state, seat))
        step = rules.apply(state, seat, move)
        state = step.state
        view, own = rules.view(state, None), rules.view(state, seat)
        yield Moment(state, seat, rules.move_text(move), step.events, view, own, legal(rules, state))


def legal(rules: AnyRules, state: Any) -> dict[int, tuple[str, ...]]:
    """The move texts of all who are to act."""
    return {actor: tuple(map(rules.move_text, rules.legal_moves(state, actor))) for actor in rules.actors(state)}


def press(move: str) -> str:
    """Callback data as long as the bot's own ever get."""
    return f"0123456789abcdef:1048576:123:{move}"


def flat(rows: Rows) -> list[tuple[str, str]]:
    """The labels and moves of all buttons."""
    return [(button.text, button.data.removeprefix(press(""))) for row in rows for button in row]
