"""What every screen is made of, and what a game must bring to be shown.

A screen turns views and events into words, buttons and a picture. Notes are events in a few characters, kept with the
match so that a board can be drawn again without its past.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeAlias, TypeVar

from engine.core import Event, View
from handlers.ui.languages import Words


class Style(Enum):
    """Telegram's colours for buttons."""

    PLAIN = ""
    PRIMARY = "primary"
    SUCCESS = "success"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Button:
    """An inline button: its label, and the callback data or the address that it opens."""

    text: str
    data: str = ""
    url: str = ""
    style: Style = Style.PLAIN


Rows: TypeAlias = tuple[tuple[Button, ...], ...]
NO_BUTTONS: Rows = ()


def in_rows(buttons: Sequence[Button], width: int) -> Rows:
    """The buttons in their order, `width` of them in a row."""
    return tuple(tuple(buttons[start : start + width]) for start in range(0, len(buttons), width))


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits on a seat, for words: a Telegram user id and a name, hostile as names are.

    The bot plays for whoever is `absent`. `cut` is the place where they have cut the deck, 0 where they have not.
    """

    id: int
    name: str
    absent: bool = False
    cut: int = 0


ViewT_contra = TypeVar("ViewT_contra", bound=View, contravariant=True)


class Screen(Protocol[ViewT_contra]):
    """How one game is shown: the one that has such views.

    `handlers.ui.screens.SCREENS` has a screen for every game in `engine.registry.GAMES`.
    """

    def caption(self, view: ViewT_contra, notes: Sequence[str], seats: Sequence[Seat], words: Words) -> str:
        """The caption below the picture, HTML of at most 1024 characters once parsed.

        The turn, who is to act (mentioned, so that Telegram notifies them), the last moves (`notes`, oldest first); at
        the end the ranking, and the totals round by round.
        """
        ...

    def buttons(
        self, view: ViewT_contra, legal: Mapping[int, tuple[str, ...]], press: Callable[[str], str], words: Words
    ) -> Rows:
        """The buttons of a running match, for everybody to see. `press` makes callback data of a move's text.

        `legal` has the move texts a seat to move. Where these depend on what the table may not know, such as a hand,
        the buttons must not.
        """
        ...

    def picture(self, view: ViewT_contra, names: Sequence[str], words: Words) -> bytes:
        """The board as an encoded image of at most 80 kB; `names` has one a seat, which may be equal or empty.

        A view in which nobody is to move, though the match is not over, is that of a match that was stopped.
        """
        ...

    def notes(self, events: Sequence[Event]) -> tuple[str, ...]:
        """What the table should read of these events, each in a few ASCII characters without `;`."""
        ...

    def kept(self, before: Sequence[str], new: Sequence[str], seats: int) -> tuple[str, ...]:
        """Which notes a table of `seats` should still read once `new` ones, at least one, have joined those before."""
        ...

    def toast(self, view: ViewT_contra, seat: int, move: str, words: Words) -> str:
        """What the mover reads on the screen's edge after `move`; `view` is what the seat sees now. Up to 200 long."""
        ...

    def reminder(self, view: ViewT_contra, seat: int, words: Words) -> str:
        """What a seat that presses again is told of its own secret (its choice, its drawn card), or an empty text."""
        ...
