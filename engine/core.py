"""What every game shares: cells, errors, outcomes and the `Rules` that a game must satisfy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, Protocol, TypeAlias, TypeVar


class Blank(Enum):
    """A cell of a grid whose card nobody may read; the value is its spelling in a trace."""

    DOWN = "?"
    GONE = "."


Cell: TypeAlias = int | Blank


class Length(Enum):
    """How long a match is; the value is its spelling in a record."""

    SINGLE = "single"
    HUNDRED = "100"


class Reason(Enum):
    """Why a move is refused. Spellings are persisted keys of the language catalogs: never rename one."""

    OVER = "over"
    NO_SUCH_SEAT = "no-such-seat"
    NOT_YOUR_TURN = "not-your-turn"
    ALREADY_CHOSEN = "already-chosen"
    WRONG_PHASE = "wrong-phase"
    NOT_FACE_DOWN = "not-face-down"
    NOT_IN_CENTRE = "not-in-centre"
    NO_WAY_IN = "no-way-in"
    NO_CARD_THERE = "no-card-there"
    NOTHING_TO_DRAW = "nothing-to-draw"
    NOTHING_TO_RETRACT = "nothing-to-retract"


class EngineError(Exception):
    """The base of every error the engine raises on purpose."""


class NotUnderstoodError(EngineError):
    """A text is not written in the notation: whoever wrote it is to blame."""


class NotLegalError(EngineError):
    """A well-written move is against the rules now; `reason` says which rule."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class CorruptError(EngineError):
    """A stored text describes no position that the rules can reach: the store is to blame."""


class Ending(Enum):
    """Why a match ended."""

    ONE_ROUND = "one-round"
    HUNDRED_REACHED = "hundred-reached"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended.

    `totals` has the points a seat. `ranks` has the place a seat, 1 for the best; seats that the rules hold equal
    share a place and the places behind them stay empty (1, 1, 3).
    """

    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    reason: Ending

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place, in seat order."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round is over: the event that carries its last position, seen by everyone, after scoring."""

    number: int
    scores: tuple[int, ...]
    view: Any


StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")


@dataclass(frozen=True, slots=True)
class Step(Generic[StateT]):
    """What a move led to: the next state, and what everyone at the table saw happen, in order."""

    state: StateT
    events: tuple[Any, ...]


class Rules(Protocol[StateT, MoveT]):
    """A game. One value of this protocol stands for it everywhere; `engine.registry.GAMES` lists them.

    Seats are numbered from 0. Every method is pure; those that take a text raise `NotUnderstoodError` where it is
    not in the notation.
    """

    key: str
    min_seats: int
    max_seats: int

    def start(self, seats: int, seed: bytes, length: Length) -> StateT:
        """Deal the first round. `seed` has 32 bytes. Raises ValueError for a table of the wrong size."""
        ...

    def actors(self, state: StateT) -> tuple[int, ...]:
        """Seats that may move now, ascending; none when the match is over."""
        ...

    def legal_moves(self, state: StateT, seat: int) -> tuple[MoveT, ...]:
        """Exactly the moves that `apply` accepts from `seat` now, in a fixed order."""
        ...

    def apply(self, state: StateT, seat: int, move: MoveT) -> Step[StateT]:
        """Play `move`. Raises `NotLegalError` and changes nothing where the rules forbid it."""
        ...

    def retract(self, state: StateT, seat: int) -> StateT:
        """Take back a choice that is still secret, so that the seat may choose again.

        Raises `NotLegalError` where there is none.
        """
        ...

    def epoch(self, state: StateT) -> int:
        """A number that grows exactly when buttons drawn before must stop working."""
        ...

    def outcome(self, state: StateT) -> Outcome | None:
        """How the match ended, or None while it goes on."""
        ...

    def view(self, state: StateT, viewer: int | None) -> Any:
        """What seat `viewer` may know; None is the whole table together, so nobody's secret."""
        ...

    def facts(self, state: StateT) -> dict[str, Any]:
        """The line of a trace for this position, keys as in the record format, without `rounds`."""
        ...

    def parse_move(self, text: str) -> MoveT:
        """The move written `text`."""
        ...

    def move_text(self, move: MoveT) -> str:
        """The inverse of `parse_move`."""
        ...

    def encode(self, state: StateT) -> str:
        """The position as one short line of printable ASCII, the seed included."""
        ...

    def decode(self, text: str) -> StateT:
        """The inverse of `encode`. Raises `CorruptError` for a position that cannot be."""
        ...

    def codes(self) -> tuple[str, ...]:
        """Every move's text, in a fixed order that is never changed: stored moves are indices into it."""
        ...
