"""The toy on the screen: a hand is told to its owner alone, and the buttons show every card there is."""

from collections.abc import Mapping, Sequence

from engine.core import Event
from handlers.ui.captions import Line, ended, told, totals_line
from handlers.ui.languages import Words
from handlers.ui.people import People
from handlers.ui.pictures.canvas import Canvas
from handlers.ui.pictures.palette import CREAM, FELT
from handlers.ui.screen import Button, Rows, Seat, in_rows
from handlers.ui.table import Press
from tests.toy.rules import DECK, Played, View


class ShedScreen:
    def caption(self, view: View, notes: Sequence[str], seats: Sequence[Seat], words: Words) -> str:
        people = People(seats, words)
        if not view.to_move:
            return ended(view, "Shed", [""] * len(seats), (), people)
        moves = [note.split(":") for note in notes if ":" in note]
        lines = [Line(f"{people.name(int(seat))} plays {card}.") for seat, card in moves]
        return told("Shed", lines, (f"{people.mention(view.to_move[0])} plays.", *totals_line(view, people)), people)

    def buttons(self, view: View, legal: Mapping[int, tuple[str, ...]], press: Press, words: Words) -> Rows:
        cards = in_rows([Button(str(card), press(str(card))) for card in sorted({*DECK})], 4)
        return ((Button("My hand", press("card")),), *cards) if legal else ()

    def picture(self, view: View, names: Sequence[str], words: Words) -> bytes:
        canvas = Canvas(960, 120, FELT, ())
        canvas.text(" ".join(map(str, view.played)), (480, 60), 40, CREAM, "m")
        return canvas.encode()

    def notes(self, events: Sequence[Event]) -> tuple[str, ...]:
        return tuple(f"{event.seat}:{event.card}" for event in events if isinstance(event, Played))

    def kept(self, before: Sequence[str], new: Sequence[str], seats: int) -> tuple[str, ...]:
        return (*before, *new)[-max(seats, len(new)) :]

    def toast(self, view: View, seat: int, move: str, words: Words) -> str:
        return f"You have played the {move}."

    def reminder(self, view: View, seat: int, words: Words) -> str:
        return f"You hold {', '.join(map(str, view.hand))}." if view.hand else ""
