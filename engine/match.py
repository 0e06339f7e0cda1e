"""From rounds to totals: how long a match goes on and who has won it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core import Ending, Length, NotUnderstoodError, Outcome

TARGET = 100
"""In a match to 100, the total that ends it when some seat has it after a round."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The scores of a match's finished rounds, a tuple of points a seat for each."""

    seats: int
    length: Length
    rounds: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        if any(len(scores) != self.seats for scores in self.rounds):
            raise ValueError("a round has a score for every seat")

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of all finished rounds, a seat."""
        return tuple(map(sum, zip(*self.rounds, strict=True))) if self.rounds else (0,) * self.seats

    @property
    def ending(self) -> Ending | None:
        """Why the match is over after the rounds so far, or None when another round follows."""
        if not self.rounds:
            return None
        if self.length is Length.SINGLE:
            return Ending.ONE_ROUND
        return Ending.HUNDRED_REACHED if max(self.totals) >= TARGET else None

    def outcome(self, *, highest: bool = False) -> Outcome | None:
        """How the match ended, by totals alone: the lowest wins, or the `highest`. None while it goes on."""
        reason = self.ending
        return Outcome(self.totals, ranks(self.totals, highest=highest), reason) if reason else None

    def add(self, scores: Sequence[int]) -> Sheet:
        """The sheet with one more round."""
        return Sheet(self.seats, self.length, (*self.rounds, tuple(scores)))

    def __str__(self) -> str:
        rounds = "/".join(",".join(map(str, scores)) for scores in self.rounds)
        return f"{self.length.value}:{rounds}"


def parse_sheet(text: str, seats: int) -> Sheet:
    """The inverse of `str(sheet)`. Raises `NotUnderstoodError`."""
    length, separator, rounds = text.partition(":")
    try:
        scores = tuple(tuple(map(int, line.split(","))) for line in rounds.split("/")) if rounds else ()
        sheet = Sheet(seats, Length(length), scores)
    except ValueError as error:
        raise NotUnderstoodError(f"no score sheet: {text!r}") from error
    if not separator or str(sheet) != text:
        raise NotUnderstoodError(f"no score sheet: {text!r}")
    return sheet


def ranks(keys: Sequence[int] | Sequence[tuple[int, ...]], *, highest: bool = False) -> tuple[int, ...]:
    """The place of each key, 1 for the lowest (or highest); equal keys share a place, the next stay empty."""
    ordered = sorted(keys, reverse=highest)
    return tuple(ordered.index(key) + 1 for key in keys)
