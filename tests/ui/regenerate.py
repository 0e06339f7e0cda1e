"""Writes the golden screens anew: `python -m tests.ui.regenerate`, in a commit that says what changed and why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from engine.core import Length, RoundEnded
from handlers.ui.languages import words
from handlers.ui.screen import Rows, Seat
from handlers.ui.screens import SCREENS
from tests.ui.sample import game, press, seats

GOLDEN = Path(__file__).parent / "golden"
PEOPLE = (*seats(2), Seat(12, "<i>שלום</i>"))
KEPT = ("en", "fr")
"""The languages whose screens are golden; another one need not be."""

SHOWN = {"dekal": range(22), "skyjo": range(15)}
"""Which moves are shown beside the ends of rounds: two turns of either game."""


def _keyboard(rows: Rows) -> str:
    lines = []
    for row in rows:
        cells = (f"[{button.text}|{button.data.removeprefix(press(''))}|{button.style.value}]" for button in row)
        lines.append(" ".join(cells))
    return "\n".join(lines)


def _screens(key: str, language: str) -> Iterator[str]:
    screen, tell = SCREENS[key], words(language)
    notes: tuple[str, ...] = ()
    for number, moment in enumerate(game(key, len(PEOPLE), Length.HUNDRED)):
        events = moment.events
        new = screen.notes(events)
        notes = screen.kept(notes, new, len(PEOPLE)) if new else notes
        ends = [event.view for event in events if isinstance(event, RoundEnded)]
        if number not in SHOWN[key] and not ends:
            continue
        yield f"=== {number}: {moment.seat} {moment.move} {' '.join(new)}"
        yield f"toast: {screen.toast(moment.own, moment.seat, moment.move, tell)}"
        yield f"reminder: {screen.reminder(moment.own, moment.seat, tell)}"
        for view in (*ends, moment.view):
            yield screen.caption(view, notes, PEOPLE, tell)
        yield _keyboard(screen.buttons(moment.view, moment.legal, press, tell))


def golden(key: str, language: str) -> str:
    """Captions, toasts and keyboards of a game's beginning and of the ends of its rounds."""
    return "\n".join(_screens(key, language)) + "\n"


def path(key: str, language: str) -> Path:
    """Where the golden text of a game in a language is kept."""
    return GOLDEN / f"{key}.{language}.txt"


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for each in SCREENS:
        for spoken in KEPT:
            path(each, spoken).write_text(golden(each, spoken), encoding="utf-8")
