"""Dékal on the screen: words, buttons and notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.core import Event, Length
from engine.dekal.views import Inserted, Phase, Revealed, Side, TieDrawn, View
from engine.grid import COLUMNS, Blank, cell_text
from handlers.ui.captions import TOAST, Line, ended, points, told, totals_line
from handlers.ui.languages import Words
from handlers.ui.notes import card, card_letter, round_note, since, since_round, tell_shared
from handlers.ui.people import People, clip
from handlers.ui.screen import NO_BUTTONS, Button, Rows, Seat, in_rows

ARROWS: Final = {Side.LEFT: "➡️", Side.RIGHT: "⬅️", Side.TOP: "⬇️", Side.BOTTOM: "⬆️"}
"""Which way a card that comes in from a side pushes the others."""

NOBODYS: Final = "·"
_ABSENT = "-"
_REVEALED = "R"
_PICK = re.compile(r"(\d+)([LRTB])")
_NOTE = re.compile(
    r"R(?P<revealed>[A-J]{2,6})|T(?P<tied>[A-J-]{2,6})|S(?P<lot>[*-]{2,6})"
    r"|I(?P<seat>[0-5])(?P<value>[A-J])(?P<side>[LRTB])"
)
_INSERTED = {
    Side.LEFT: "dekal.note.left",
    Side.RIGHT: "dekal.note.right",
    Side.TOP: "dekal.note.top",
    Side.BOTTOM: "dekal.note.bottom",
}
_PUSHED = {
    Side.LEFT: "dekal.toast.left",
    Side.RIGHT: "dekal.toast.right",
    Side.TOP: "dekal.toast.top",
    Side.BOTTOM: "dekal.toast.bottom",
}


class DekalScreen:
    """See `handlers.ui.screen.Screen`."""

    def caption(self, view: View, notes: Sequence[str], seats: Sequence[Seat], words: Words) -> str:
        """See `Screen.caption`."""
        people = People(seats, words)
        title = words("game.dekal")
        if view.phase is Phase.OVER:
            return ended(view, title, _details(view, words), (), people)
        key = "title.turn" if view.length is Length.SINGLE else "title.round-turn"
        head = words(key, game=title, round=view.round, turn=view.turn, last=len(view.grids[0]))
        lines = [line for note in notes for line in _tell(note, people)]
        return told(head, lines, (*_prompt(view, people), *totals_line(view, people)), people)

    def buttons(
        self, view: View, legal: Mapping[int, tuple[str, ...]], press: Callable[[str], str], words: Words
    ) -> Rows:
        """See `Screen.buttons`: every cell for everyone, or a row a value with every way in."""
        del words  # cells, values and arrows read the same everywhere
        match view.phase:
            case Phase.REVEAL:
                return _pad(view, press)
            case Phase.PICK:
                return _ways(legal, press)
            case Phase.OVER:
                return NO_BUTTONS

    def picture(self, view: View, names: Sequence[str], words: Words) -> bytes:
        """See `Screen.picture`."""
        from handlers.ui.pictures import dekal  # noqa: PLC0415 - a cold start that draws nothing pays nothing

        return dekal.draw(view, names, words)

    def notes(self, events: Sequence[Event]) -> tuple[str, ...]:
        """See `Screen.notes`."""
        return since_round([note for event in events if (note := _note(event))])

    def kept(self, before: Sequence[str], new: Sequence[str], seats: int) -> tuple[str, ...]:
        """See `Screen.kept`: a turn's cards and what becomes of them; what is new, in any case."""
        del seats  # a turn has as many moves as there are seats
        if any(note.startswith(_REVEALED) for note in new):
            return tuple(new)
        return since(since_round((*before, *new)), lambda note: note.startswith(_REVEALED))

    def toast(self, view: View, seat: int, move: str, words: Words) -> str:
        """See `Screen.toast`."""
        del seat  # the view is the seat's own
        if pick := _PICK.fullmatch(move):
            return clip(words(_PUSHED[Side(pick[2])], value=pick[1]), TOAST)
        if view.choice is not None and cell_text(view.choice) == move:
            return clip(words("dekal.toast.chosen", cell=move), TOAST)
        return clip(words("dekal.toast.revealed", cell=move), TOAST)

    def reminder(self, view: View, seat: int, words: Words) -> str:
        """See `Screen.reminder`."""
        del seat  # the view is the seat's own
        return "" if view.choice is None else clip(words("dekal.reminder", cell=cell_text(view.choice)), TOAST)


def _details(view: View, words: Words) -> list[str]:
    """In a match of one round, cards left break ties, so they are told."""
    if view.length is not Length.SINGLE:
        return [""] * len(view.grids)
    return [
        words(
            "dekal.result",
            points=points(total, words),
            cards=words.plural("dekal.cards-left", len(grid) - len(gone)),
        )
        for total, grid, gone in zip(view.totals, view.grids, view.removed, strict=True)
    ]


def _prompt(view: View, people: People) -> tuple[str, ...]:
    if not view.to_move:
        return ()
    if view.phase is Phase.REVEAL:
        names = people.mentions(view.to_move)
        return (people.words.plural("dekal.prompt.reveal", len(view.to_move), names=names),)
    return (people.words("dekal.prompt.pick", name=people.mention(view.to_move[0])),)


def _pad(view: View, press: Callable[[str], str]) -> Rows:
    """Whoever has chosen may choose again, so every seat's face-down cards count, not only those still to choose."""
    cells = range(len(view.grids[0]))
    open_to = {cell for cell in cells if any(grid[cell] is Blank.DOWN for grid in view.grids)}
    buttons = [Button(cell_text(cell) if cell in open_to else NOBODYS, press(cell_text(cell))) for cell in cells]
    return in_rows(buttons, COLUMNS)


def _ways(legal: Mapping[int, tuple[str, ...]], press: Callable[[str], str]) -> Rows:
    rows: dict[str, list[Button]] = {}
    for move in (move for moves in legal.values() for move in moves):
        if pick := _PICK.fullmatch(move):
            rows.setdefault(pick[1], []).append(Button(f"{pick[1]} {ARROWS[Side(pick[2])]}", press(move)))
    return tuple(map(tuple, rows.values()))


def _note(event: Event) -> str:
    """One letter a seat: its card, `-` where it took no part, `*` where no card decided."""
    match event:
        case Revealed(values=values):
            return _REVEALED + "".join(map(card_letter, values))
        case TieDrawn(seats=seats, values=values):
            drawn = dict(zip(seats, map(card_letter, values), strict=True)) if values else dict.fromkeys(seats, "*")
            return ("T" if values else "S") + "".join(drawn.get(seat, _ABSENT) for seat in range(max(seats) + 1))
        case Inserted(seat=seat, value=value, side=side):
            return f"I{seat}{card_letter(value)}{side.value}"
        case _:
            return round_note(event)


def _tell(note: str, people: People) -> tuple[Line, ...]:
    """The sentence of a note; nothing for a note that this version does not write."""
    words = people.words
    found = _NOTE.fullmatch(note)
    if not found:
        return tell_shared(note, people)
    if found["seat"]:
        seat = int(found["seat"])
        key = _INSERTED[Side(found["side"])]
        if seat >= len(people.seats):
            return ()
        return (Line(words(key, name=people.name(seat), value=card(found["value"]))),)
    by_seat = found["revealed"] or found["tied"] or found["lot"]
    if len(by_seat) > len(people.seats):
        return ()
    told = {seat: letter for seat, letter in enumerate(by_seat) if letter != _ABSENT}
    if found["lot"]:
        return (Line(words("dekal.note.lot", names=people.names(told)), opens=True),)
    items = [words("card.of", name=people.name(seat), value=card(letter)) for seat, letter in told.items()]
    key = "dekal.note.tie" if found["tied"] else "dekal.note.revealed"
    return (Line(words(key, cards=" · ".join(items)), opens=True),)
