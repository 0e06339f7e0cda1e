"""What a use case decides about a match, before anything is written or said."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from handlers.app.games import Choose
from infra.matches import Match


class Draw(Enum):
    """What the chat should see of a decision."""

    NOTHING = auto()
    """The board stays as it is."""
    CHANGE = auto()
    """The table has something new to see."""
    TURN = auto()
    """Likewise, and the turn has come to others: worth a message that notifies, where the board is far up."""
    ASIDE = auto()
    """Something new to see, not by whoever was to move: the move before may still be on its way to the board."""
    AGAIN = auto()
    """Nothing is new, but the board may be behind."""
    REPEAT = auto()
    """The same update was here before and may have died before drawing."""


class After(Enum):
    """What else is to be done once a decision is saved."""

    LAY_OPEN = auto()
    """Send the deal with its proof."""
    PLAY_AGAIN = auto()
    """Open a table with the same seats."""
    DROP_QUESTION = auto()
    """Delete the message whose button was pressed."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a decision depends on beside the match and the press.

    `now` is Unix seconds; `admin` tells whether the presser runs the chat, None if that was not asked; `choose` picks a
    move for an absent player.
    """

    now: int
    admin: bool | None
    choose: Choose


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision: the match to save (None: nothing changes), a toast for the presser, and what the chat should see.

    `page` is a finished page of the log, to be put away in the same transaction. `needs_admin` asks to judge again,
    knowing whether the presser runs the chat.
    """

    match: Match | None = None
    toast: str = ""
    alert: bool = False
    draw: Draw = Draw.NOTHING
    page: str | None = None
    after: After | None = None
    needs_admin: bool = False
