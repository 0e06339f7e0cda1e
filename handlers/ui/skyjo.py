"""Skyjo on the screen: words, buttons and notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.core import Event, Length
from engine.grid import COLUMNS, Blank, Cell, cell_text, parse_cell
from engine.skyjo.views import Closed, ColumnGone, Drew, Dropped, Flipped, Phase, Placed, Started, View
from handlers.ui.captions import FEW_NOTES, NOTES, TOAST, Line, ended, number, told, totals_line
from handlers.ui.languages import Words
from handlers.ui.notes import card, card_letter, round_note, since_round, tell_shared
from handlers.ui.people import People, clip, listed
from handlers.ui.screen import NO_BUTTONS, Button, Rows, Seat, Style, in_rows

FACE_DOWN: Final = "🎴"
NOTHING: Final = "·"
LOOK: Final = "card"
"""What a button asks for that only reminds its presser of the card in hand."""

_ROWS = 3
_CELL = "[a-d][1-3]"
_CARD = "[A-LOYZ]"
_NOTE = re.compile(
    rf"F(?P<flipped>[0-7])(?P<shown>{_CARD})|S(?P<starts>[0-7])|M(?P<shuffles>[0-7])|Z(?P<closes>[0-7])"
    rf"|C(?P<clears>[0-7])(?P<column>[a-d])(?P<triple>{_CARD})"
    rf"|(?P<how>[TKX])(?P<seat>[0-7])(?P<cell>{_CELL})(?P<value>{_CARD})(?P<other>{_CARD})"
)
_OPENS = re.compile("[EFS]")
"""Notes of how a round began: the end of the one before, the first cards, who plays first."""

_MOVED = {"T": "skyjo.note.take", "K": "skyjo.note.keep", "X": "skyjo.note.drop"}
_DONE = {"take": "skyjo.toast.take", "keep": "skyjo.toast.keep", "drop": "skyjo.toast.drop"}


class SkyjoScreen:
    """See `handlers.ui.screen.Screen`."""

    def caption(self, view: View, notes: Sequence[str], seats: Sequence[Seat], words: Words) -> str:
        """See `Screen.caption`."""
        people = People(seats, words)
        title = words("game.skyjo")
        if view.phase is Phase.OVER:
            return ended(view, title, [""] * len(view.grids), _remarks(view, people), people)
        key = "title.game" if view.length is Length.SINGLE else "title.round"
        head = words(key, game=title, round=view.round)
        most = FEW_NOTES if view.phase is Phase.DRAWN else NOTES
        foot = (*_prompt(view, people), *totals_line(view, people))
        return told(head, _tell_all(notes, people), foot, people, most)

    def buttons(
        self, view: View, legal: Mapping[int, tuple[str, ...]], press: Callable[[str], str], words: Words
    ) -> Rows:
        """See `Screen.buttons`: pads of three rows, with the current player's cards once it is somebody's turn."""
        moves = {move for texts in legal.values() for move in texts}
        match view.phase:
            case Phase.FLIP:
                labels = [cell_text(cell) if f"flip {cell_text(cell)}" in moves else NOTHING for cell in _CELLS]
                return _pad("flip", labels, press, Style.PLAIN)
            case Phase.TURN:
                return _turn(view, moves, press, words)
            case Phase.DRAWN:
                return _drawn(view, moves, press, words)
            case Phase.OVER:
                return NO_BUTTONS

    def picture(self, view: View, names: Sequence[str], words: Words) -> bytes:
        """See `Screen.picture`."""
        from handlers.ui.pictures import skyjo  # noqa: PLC0415 - a cold start that draws nothing pays nothing

        return skyjo.draw(view, names, words)

    def notes(self, events: Sequence[Event]) -> tuple[str, ...]:
        """See `Screen.notes`."""
        return since_round([note for event in events if (note := _note(event))])

    def kept(self, before: Sequence[str], new: Sequence[str], seats: int) -> tuple[str, ...]:
        """See `Screen.kept`: a move a seat, and how the round began until some have followed."""
        notes = since_round((*before, *new))
        opening = [note for note in notes if _OPENS.match(note)]
        moves = [note for note in notes if not _OPENS.match(note)]
        begins = any(_OPENS.match(note) for note in new) or len(moves) <= FEW_NOTES
        return (*(opening if begins else ()), *moves[-min(max(FEW_NOTES, seats, len(new)), NOTES) :])

    def toast(self, view: View, seat: int, move: str, words: Words) -> str:
        """See `Screen.toast`; a move may have begun another round, so the view need not show what it did."""
        verb, _, cell = move.partition(" ")
        if verb == "draw":
            return self.reminder(view, seat, words)
        if verb == "flip":
            shown = view.grids[seat][parse_cell(cell, _ROWS)]
            key = "skyjo.toast.flip-more" if view.phase is Phase.FLIP and seat in view.to_move else "skyjo.toast.flip"
            return clip(words(key, cell=cell, value=_label(shown)), TOAST)
        gone = [column for column, _ in view.gone[seat]]
        if parse_cell(cell, _ROWS) % COLUMNS in gone:
            return clip(words("skyjo.toast.column", column=cell[0]), TOAST)
        return clip(words(_DONE[verb], cell=cell), TOAST)

    def reminder(self, view: View, seat: int, words: Words) -> str:
        """See `Screen.reminder`."""
        del seat  # the view is the seat's own
        return "" if view.hand is None else clip(words("skyjo.reminder", value=number(view.hand)), TOAST)


_CELLS: Final = range(_ROWS * COLUMNS)


def _prompt(view: View, people: People) -> list[str]:
    if not view.to_move:
        return []
    words = people.words
    if view.phase is Phase.FLIP:
        names = people.mentions(view.to_move)
        return [words.plural("skyjo.prompt.flip", len(view.to_move), names=names)]
    name = people.mention(view.to_move[0])
    if view.phase is Phase.TURN:
        prompt = words("skyjo.prompt.turn", name=name, discard=number(view.discard))
    else:
        prompt = words("skyjo.prompt.drawn", name=name)
    return [prompt] if view.closer is None else [words("skyjo.prompt.last", name=people.name(view.closer)), prompt]


def _remarks(view: View, people: People) -> tuple[str, ...]:
    if view.closer is None or not view.doubled:
        return ()
    return (people.words("skyjo.doubled", name=people.name(view.closer), score=number(view.scores[view.closer])),)


def _label(cell: Cell) -> str:
    match cell:
        case Blank.DOWN:
            return FACE_DOWN
        case Blank.GONE:
            return NOTHING
        case _:
            return number(cell)


def _pad(verb: str, labels: Sequence[str], press: Callable[[str], str], style: Style) -> Rows:
    """Three rows of four. A blank keeps its move, so that the refusal tells its presser why it is blank."""
    buttons = [
        Button(label, press(f"{verb} {cell_text(cell)}"), style=Style.PLAIN if label == NOTHING else style)
        for cell, label in enumerate(labels)
    ]
    return in_rows(buttons, COLUMNS)


def _header(text: str, press: Callable[[str], str]) -> tuple[Button, ...]:
    return (Button(text, press(LOOK)),)


def _turn(view: View, moves: set[str], press: Callable[[str], str], words: Words) -> Rows:
    rows: Rows = ()
    if "draw" in moves:
        label = words.plural("skyjo.button.draw", view.pile)
        rows = ((Button(label, press("draw"), style=Style.PRIMARY),),)
    labels = [_label(cell) for cell in view.grids[view.to_move[0]]]
    header = _header(words("skyjo.button.take", discard=number(view.discard)), press)
    return (*rows, header, *_pad("take", labels, press, Style.PLAIN))


def _drawn(view: View, moves: set[str], press: Callable[[str], str], words: Words) -> Rows:
    grid = view.grids[view.to_move[0]]
    keep = _pad("keep", [_label(cell) for cell in grid], press, Style.PRIMARY)
    rows: Rows = (_header(words("skyjo.button.keep"), press), *keep)
    if not any(move.startswith("drop ") for move in moves):
        return rows
    labels = [FACE_DOWN if cell is Blank.DOWN else NOTHING for cell in grid]
    drop = [row for row in _pad("drop", labels, press, Style.DANGER) if any(button.text != NOTHING for button in row)]
    return (*rows, _header(words("skyjo.button.drop"), press), *drop)


def _note(event: Event) -> str:
    match event:
        case Flipped(seat=seat, value=value):
            return f"F{seat}{card_letter(value)}"
        case Started(seat=seat):
            return f"S{seat}"
        case Drew(seat=seat, reshuffled=True):
            return f"M{seat}"
        case Placed(seat=seat, cell=cell, value=value, replaced=replaced, taken=taken):
            how = "T" if taken else "K"
            return f"{how}{seat}{cell_text(cell)}{card_letter(value)}{card_letter(replaced)}"
        case Dropped(seat=seat, value=value, cell=cell, turned=turned):
            return f"X{seat}{cell_text(cell)}{card_letter(value)}{card_letter(turned)}"
        case ColumnGone(seat=seat, column=column, value=value):
            return f"C{seat}{cell_text(column)[0]}{card_letter(value)}"
        case Closed(seat=seat):
            return f"Z{seat}"
        case _:
            # A card drawn needs no note: the phase tells it, and which card it is nobody may know.
            return round_note(event)


def _tell_all(notes: Sequence[str], people: People) -> list[Line]:
    """Sentences of notes; first cards turned up one after the other share a line."""
    lines: list[Line] = []
    flips: dict[int, list[str]] = {}
    for note in (*notes, ""):
        found = _NOTE.fullmatch(note)
        if found and found["flipped"]:
            if int(found["flipped"]) < len(people.seats):
                flips.setdefault(int(found["flipped"]), []).append(card(found["shown"]))
            continue
        if flips:
            lines.append(Line(_flips(flips, people), opens=True))
            flips = {}
        lines.extend(_tell(found, people) if found else tell_shared(note, people))
    return lines


def _flips(flips: Mapping[int, Sequence[str]], people: People) -> str:
    words = people.words
    items = [words("card.of", name=people.name(seat), value=listed(values, words)) for seat, values in flips.items()]
    return words("skyjo.note.flipped", cards=" · ".join(items))


def _tell(found: re.Match[str], people: People) -> tuple[Line, ...]:
    words = people.words
    seat = int(found["starts"] or found["shuffles"] or found["closes"] or found["clears"] or found["seat"])
    if seat >= len(people.seats):
        return ()
    name = people.name(seat)
    if found["starts"]:
        return (Line(words("skyjo.note.starts", name=name), opens=True),)
    if found["shuffles"]:
        return (Line(words("skyjo.note.reshuffled", name=name)),)
    if found["closes"]:
        return (Line(words("skyjo.note.closed", name=name)),)
    if found["clears"]:
        triple = card(found["triple"])
        return (Line(words("skyjo.note.column", name=name, column=found["column"], value=triple)),)
    key, value, other = _MOVED[found["how"]], card(found["value"]), card(found["other"])
    return (Line(words(key, name=name, cell=found["cell"], value=value, other=other)),)
