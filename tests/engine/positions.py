"""Positions written by hand: grids as the rules print them, every other card of the deck put where it does no harm.

Rows are separated by `/`, cells by blanks: `7` lies face up, `(7)` face down, `.` is empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from engine.core import Length
from engine.dekal import codec as dekal_codec
from engine.dekal import model as dekal_model
from engine.dekal.views import Phase as DekalPhase
from engine.match import Sheet
from engine.skyjo import codec as skyjo_codec
from engine.skyjo import model as skyjo_model
from engine.skyjo.views import Phase as SkyjoPhase

SEED = bytes(range(32))


def _cells(text: str) -> list[str]:
    return text.replace("/", " ").split()


def dekal_grid(text: str) -> tuple[int, ...]:
    """A grid of Dékal."""
    return tuple(0 if c == "." else -int(c[1:-1]) if c.startswith("(") else int(c) for c in _cells(text))


def dekal_position(grids: Sequence[str], *, reserve: Sequence[int] = (), **fields: Any) -> dekal_model.State:
    """A position of Dékal; the turn follows from the face-down cards.

    Cards that stand nowhere else lie behind `reserve`, or `aside` when the reserve is `short`.
    """
    rows = tuple(map(dekal_grid, grids))
    centre = tuple(sorted(fields.pop("centre", ())))
    phase, short = fields.pop("phase", DekalPhase.REVEAL), fields.pop("short", False)
    down = sum(card < 0 for card in rows[0])
    left = Counter(dekal_model.DECK)
    left.subtract([*(abs(card) for grid in rows for card in grid if card), *centre, *reserve])
    assert min(left.values()) >= 0, "more cards of a value than there are"
    rest = tuple(sorted(left.elements()))
    state = dekal_model.State(
        seed=SEED,
        sheet=Sheet(len(rows), fields.pop("length", Length.SINGLE), fields.pop("rounds", ())),
        turn=dekal_model.TURNS - down + (phase is DekalPhase.REVEAL),
        phase=phase,
        opener=fields.pop("opener", None),
        first=fields.pop("first", None),
        picks=fields.pop("picks", 0),
        grids=rows,
        choices=fields.pop("choices", (None,) * len(rows)),
        centre=centre,
        reserve=tuple(reserve) if short else (*reserve, *rest),
        aside=rest if short else (),
    )
    assert not fields
    assert dekal_codec.decode(dekal_codec.encode(state)) == state
    return state


def skyjo_grid(text: str, gone: dict[int, int] | None = None) -> skyjo_model.Grid:
    """A grid of Skyjo; `gone` has the values of the columns that have left it."""
    cells = _cells(text)
    cards = [(gone or {})[cell % 4] if c == "." else int(c.strip("()")) for cell, c in enumerate(cells)]
    down = sum(1 << cell for cell, c in enumerate(cells) if c.startswith("("))
    empty = sum(1 << cell for cell, c in enumerate(cells) if c == ".")
    return skyjo_model.Grid(tuple(cards), down, empty)


def skyjo_position(
    grids: Sequence[str | skyjo_model.Grid], *, discards: Sequence[int], pile: Sequence[int] = (), **fields: Any
) -> skyjo_model.State:
    """A position of Skyjo; cards that stand nowhere else lie behind `pile`, or under `discards` when `used_up`."""
    rows = tuple(skyjo_grid(grid) if isinstance(grid, str) else grid for grid in grids)
    hand, used_up = fields.pop("hand", None), fields.pop("used_up", False)
    there = [card for grid in rows for cell, card in enumerate(grid.cards) if not grid.gone >> cell & 1]
    left = Counter(skyjo_model.DECK)
    left.subtract([*there, *discards, *pile, *([] if hand is None else [hand])])
    assert min(left.values()) >= 0, "more cards of a value than there are"
    # Descending, so that a shuffle has something to sort.
    rest = tuple(sorted(left.elements(), reverse=True))
    state = skyjo_model.State(
        seed=SEED,
        sheet=Sheet(len(rows), fields.pop("length", Length.SINGLE), fields.pop("rounds", ())),
        turn=fields.pop("turn", 9),
        phase=fields.pop("phase", SkyjoPhase.TURN),
        seat=fields.pop("seat", 0),
        hand=hand,
        closer=fields.pop("closer", None),
        grids=rows,
        discards=(*rest, *discards) if used_up else tuple(discards),
        pile=tuple(pile) if used_up else (*pile, *rest),
        reshuffles=fields.pop("reshuffles", 0),
    )
    assert not fields
    assert skyjo_codec.decode(skyjo_codec.encode(state)) == state
    return state
