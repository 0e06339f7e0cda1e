"""What the captions of all games share: lines that fit, numbers, rankings and totals."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.core import Outcome, View
from handlers.ui.languages import Words
from handlers.ui.people import People
from infra.names import units

CAPTION: Final = 1024
"""Telegram's limit of a caption in UTF-16 units, tags not counted and references counted as one."""

TOAST: Final = 200
NOTES: Final = 5
"""Board, caption and buttons share a phone's screen: more lines of what has happened push the board off it."""

FEW_NOTES: Final = 3
"""The same, below which there are twice as many buttons."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence about what has happened. One that `opens` a round or a turn says why things stand as they do."""

    text: str
    opens: bool = False


MEDALS: Final = ("🥇", "🥈", "🥉")
_TAG = re.compile(r"<[^>]*>")


def visible(text: str) -> int:
    """The length of HTML once Telegram has parsed it, in its units."""
    return units(html.unescape(_TAG.sub("", text)))


def number(value: int) -> str:
    """A whole number with a real minus sign."""
    return str(value).replace("-", "−")


def points(value: int, words: Words) -> str:
    """So many points."""
    return words.plural("points", abs(value), number=number(value))


def paragraphs(*blocks: Sequence[str]) -> str:
    """Blocks of lines, set apart from each other; empty ones leave no trace."""
    return "\n\n".join("\n".join(lines) for lines in blocks if lines)


def fitting(write: Callable[[int], str], most: int) -> str:
    """The first of `write(most)`, `write(most - 1)`, … `write(0)` that fits a caption: whole lines go, never halves."""
    for count in range(most, 0, -1):
        text = write(count)
        if visible(text) <= CAPTION:
            return text
    return write(0)


def last(items: Sequence[str], count: int) -> tuple[str, ...]:
    """The last `count` items."""
    return tuple(items[len(items) - count :])


def told(head: str, lines: Sequence[Line], foot: Sequence[str], people: People, most: int = NOTES) -> str:
    """The caption of a running match: at most `most` lines of what has happened, fewer where there is too much to tell.

    What opens the round or the turn is told whole, and whom the bot plays for as long as it does; of the moves, the
    last are.
    """
    opening = sum(line.opens for line in lines)
    moves = [place for place, line in enumerate(lines) if not line.opens]

    def write(count: int) -> str:
        dropped = moves[: len(moves) - count]
        kept = [line.text for place, line in enumerate(lines) if place not in dropped]
        return paragraphs((head,), (*absent_line(people), *kept), foot)

    text = fitting(write, min(len(moves), max(most - opening, 1)))
    # Eight of the longest names, three times over.
    return text if visible(text) <= CAPTION else paragraphs((head,), absent_line(people), foot)


def absent_line(people: People) -> tuple[str, ...]:
    """Whom the bot plays for; nothing where everybody plays."""
    absent = [seat for seat, who in enumerate(people.seats) if who.absent]
    if not absent:
        return ()
    return (people.words.plural("note.absent", len(absent), names=people.names(absent)),)


def totals_line(view: View, people: People) -> tuple[str, ...]:
    """The totals so far on one line; nothing in the first round."""
    if not view.rounds:
        return ()
    words = people.words
    cards = [
        words("totals.item", name=people.name(seat), total=number(total)) for seat, total in enumerate(view.totals)
    ]
    return (words("totals.line", totals=" · ".join(cards)),)


def ranking(
    outcome: Outcome, rounds: Sequence[Sequence[int]], details: Sequence[str], people: People, count: int
) -> list[str]:
    """A line a seat, best first: place, name, total, the game's own detail, the running totals of the last rounds.

    `details` has a text a seat, perhaps empty; `count` says how many rounds are told.
    """
    words = people.words
    lines = []
    for seat in sorted(range(len(outcome.ranks)), key=lambda seat: (outcome.ranks[seat], seat)):
        score = details[seat] or points(outcome.totals[seat], words)
        line = words("rank.line", place=place(outcome.ranks[seat], words), name=people.name(seat), score=score)
        if len(rounds) > 1 and count:
            line = words("rank.rounds", line=line, totals=running(rounds, seat, count))
        lines.append(line)
    return lines


def running(rounds: Sequence[Sequence[int]], seat: int, count: int) -> str:
    """A seat's total after each of the last `count` rounds."""
    total, totals = 0, []
    for scores in rounds:
        total += scores[seat]
        totals.append(number(total))
    shown = last(totals, count)
    return " → ".join(shown if len(shown) == len(totals) else ("…", *shown))


def place(rank: int, words: Words) -> str:
    """A medal, or the place in figures."""
    return MEDALS[rank - 1] if rank <= len(MEDALS) else words("rank.place", place=rank)


def winners_line(outcome: Outcome, people: People) -> str:
    """Who has won, or who shares it."""
    winners = outcome.winners
    return people.words.plural("winners", len(winners), names=people.names(winners))


def goes_on_below(game: str, words: Words) -> str:
    """The caption of a board whose match has moved on to a newer message; HTML."""
    return words("title.below", game=words(f"game.{game}"))


def ended(
    view: View,
    title: str,
    details: Sequence[str],
    remarks: Sequence[str],
    people: People,
) -> str:
    """The caption below a round's last position: the match's result, or where a match that goes on stands.

    `details` has what the game says of a seat's result instead of its points, a text a seat, perhaps empty.
    """
    words = people.words
    outcome = view.outcome
    if outcome is None:
        return paragraphs((words("title.round-over", game=title, round=view.round),), standings(view, people), remarks)

    def write(count: int) -> str:
        return paragraphs(
            (words("title.over", game=title),),
            (winners_line(outcome, people),),
            ranking(outcome, view.rounds, details, people, count),
            remarks,
        )

    return fitting(write, len(view.rounds))


def standings(view: View, people: People) -> list[str]:
    """A line a seat, the best total first: what the round brought, and the total."""
    words = people.words
    places = view.places
    return [
        words(
            "rank.standing",
            place=place(places[seat], words),
            name=people.name(seat),
            score=number(view.rounds[-1][seat]),
            total=points(view.totals[seat], words),
        )
        for seat in sorted(range(len(places)), key=lambda seat: (places[seat], seat))
    ]
