"""What every game shares: errors, events, outcomes and the `Rules` that a game must satisfy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, Final, Generic, Never, Protocol, TypeAlias, TypeVar

from engine.chance import SEED_BYTES


class Length(Enum):
    """How long a match is; the value is its spelling in a record."""

    SINGLE = "single"
    HUNDRED = "100"


class Reason(StrEnum):
    """Why a move is refused in any game; games have reasons of their own beside these (`Rules.reasons`).

    Spellings are keys of the language catalogs.
    """

    OVER = "over"
    NO_SUCH_SEAT = "no-such-seat"
    NOT_YOUR_TURN = "not-your-turn"
    ALREADY_CHOSEN = "already-chosen"
    WRONG_PHASE = "wrong-phase"
    NOTHING_TO_RETRACT = "nothing-to-retract"


_QUOTED: Final = 60


def quoted(text: object) -> str:
    """What was given, as Python writes it and in one line, but not more than some 60 characters of it."""
    whole = repr(text)
    return whole if len(whole) <= _QUOTED else f"{whole[:_QUOTED]}…"


class EngineError(Exception):
    """The base of every error the engine raises on purpose."""


class NotUnderstoodError(EngineError):
    """A text is not written in the notation: whoever wrote it is to blame."""


class NotLegalError(EngineError):
    """A well-written move is against the rules now; `reason` says which rule: a `Reason`, or one of the game's own."""

    def __init__(self, reason: StrEnum) -> None:
        super().__init__(reason.value.replace("-", " "))
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


class View(Protocol):
    """What the views of all games have in common; see each game's `views` for the rest."""

    @property
    def round(self) -> int:
        """The round that lies on the table, from 1."""
        ...

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that may act, ascending."""
        ...

    @property
    def rounds(self) -> tuple[tuple[int, ...], ...]:
        """The scores of the finished rounds, a score a seat each."""
        ...

    @property
    def totals(self) -> tuple[int, ...]:
        """Their sums, a seat."""
        ...

    @property
    def places(self) -> tuple[int, ...]:
        """The place a seat by these, 1 for the best, as in `Outcome`: whether high or low is good is the game's."""
        ...

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended."""
        ...


StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
ViewT = TypeVar("ViewT", bound=View)


class Event:
    """Something that everyone at the table saw happen. Each game's `views` has its own kinds."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class RoundEnded(Event, Generic[ViewT]):
    """A round is over: the event that carries its last position, seen by everyone, after scoring."""

    number: int
    scores: tuple[int, ...]
    view: ViewT


@dataclass(frozen=True, slots=True)
class Step(Generic[StateT]):
    """What a move led to: the next state, and what everyone at the table saw happen, in order."""

    state: StateT
    events: tuple[Event, ...]


def _nobody(state: object) -> tuple[int, ...]:
    del state
    return ()


def _nothing_to_retract(state: object, seat: int) -> Never:
    del state, seat
    raise NotLegalError(Reason.NOTHING_TO_RETRACT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Generic[StateT, MoveT, ViewT]):
    """A game. One value of this class stands for it everywhere; `engine.registry.GAMES` lists them.

    Seats are numbered from 0. Every function is pure.

    - `deal(seats, seed, length)` deals the first round; ask `start` for it, which looks at seats and seed before.
    - `actors(state)`: seats that may move now, ascending; none when the match is over.
    - `legal_moves(state, seat)`: exactly the moves that `apply` accepts from `seat` now, in a fixed order.
    - `apply(state, seat, move)` raises `NotLegalError` and changes nothing where the rules forbid the move.
    - `reasons`: the game's own reasons to refuse a move, if any, beside `Reason`; none shares a spelling with those.
    - `chosen(state)`: the seats that have made a secret choice which they may still change, ascending; none in a game
      without such choices.
    - `retract(state, seat)` takes such a choice back, so that the seat may choose again. Raises `NotLegalError` where
      there is none.
    - `epoch(state)`: a number that grows exactly when buttons drawn before must stop working.
    - `outcome(state)`: how the match ended, or None while it goes on.
    - `view(state, viewer)`: what a seat may know; None is the whole table together, so nobody's secret.
    - `facts(state)`: what a trace tells of this game's positions beside what every `View` has, as JSON values.
    - `moves`: every move by its text, in an order that is never changed: stored moves are indices into it.
    - `encode(state)`: the position as one line of printable ASCII, the seed first; `decode` is its inverse and raises
      `CorruptError` for a position that cannot be.
    """

    key: str
    min_seats: int
    max_seats: int
    deal: Callable[[int, bytes, Length], StateT]
    actors: Callable[[StateT], tuple[int, ...]]
    legal_moves: Callable[[StateT, int], tuple[MoveT, ...]]
    apply: Callable[[StateT, int, MoveT], Step[StateT]]
    reasons: tuple[StrEnum, ...] = ()
    chosen: Callable[[StateT], tuple[int, ...]] = _nobody
    retract: Callable[[StateT, int], StateT] = _nothing_to_retract
    epoch: Callable[[StateT], int]
    outcome: Callable[[StateT], Outcome | None]
    view: Callable[[StateT, int | None], ViewT]
    facts: Callable[[StateT], dict[str, Any]]
    moves: Mapping[str, MoveT]
    encode: Callable[[StateT], str]
    decode: Callable[[str], StateT]
    _texts: Mapping[MoveT, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_texts", {move: text for text, move in self.moves.items()})

    def start(self, seats: int, seed: bytes, length: Length) -> StateT:
        """The first round of a match, dealt; `seed` has 32 bytes.

        Raises:
            ValueError: a table or a seed of the wrong size.
        """
        if not self.min_seats <= seats <= self.max_seats or len(seed) != SEED_BYTES:
            raise ValueError(
                f"{self.key} wants {self.min_seats} to {self.max_seats} seats and a seed of {SEED_BYTES} bytes"
            )
        return self.deal(seats, seed, length)

    def move_text(self, move: MoveT) -> str:
        """The text of a move that is in `moves`."""
        return self._texts[move]

    def parse_move(self, text: str) -> MoveT:
        """The move written `text`. Raises `NotUnderstoodError`."""
        try:
            return self.moves[text]
        except KeyError:
            raise NotUnderstoodError(f"no move of {self.key}: {quoted(text)}") from None


AnyRules: TypeAlias = Rules[Any, Any, Any]
"""The rules of some game, where only what all games share is asked for."""
