"""Sample views, dealt without the rules: what matters to a picture is only what may stand in it."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Literal, TypeAlias

from engine.core import Ending, Length, Outcome
from engine.dekal import views as dekal
from engine.grid import Blank, Cell
from engine.skyjo import views as skyjo

Stage: TypeAlias = Literal["start", "middle", "end"]
STAGES: tuple[Stage, ...] = ("start", "middle", "end")
DEKAL_SEATS = range(2, 7)
SKYJO_SEATS = range(2, 9)
NAMES = ("Camille", "Jean-Baptiste", "Zoé", "Müller 77", "Ioánnis", "Anne-Sophie de la Tour", "Łukasz", "Bo")


def _ranks(scores: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(1 + sum(other < score for other in scores) for score in scores)


def _outcome(scores: tuple[int, ...]) -> Outcome:
    return Outcome(scores, _ranks(scores), Ending.ONE_ROUND)


def skyjo_view(seats: int, stage: Stage, *, hundred: bool = False, seed: int = 1) -> skyjo.View:
    """A Skyjo table of `seats`, one of whose columns has left in the middle and at the end."""
    chance = random.Random(f"skyjo {seats} {stage} {seed}")
    deck = [-2] * 5 + [-1] * 10 + [0] * 15 + [value for value in range(1, 13) for _ in range(10)]
    chance.shuffle(deck)
    share = {"start": 2 / 12, "middle": 0.6, "end": 1.0}[stage]
    grids: list[tuple[Cell, ...]] = []
    gone: list[tuple[tuple[int, int], ...]] = []
    for seat in range(seats):
        values = [deck.pop() for _ in range(12)]
        up = set(chance.sample(range(12), round(12 * share)))
        leaves = stage != "start" and seat % 3 == 1
        column = chance.randrange(4)
        cells: list[Cell] = []
        for index, value in enumerate(values):
            if leaves and index % 4 == column:
                cells.append(Blank.GONE)
            else:
                cells.append(value if index in up else Blank.DOWN)
        grids.append(tuple(cells))
        gone.append(((column, chance.randrange(-2, 13)),) if leaves else ())
    scores = tuple(sum(cell for cell in grid if not isinstance(cell, Blank)) for grid in grids)
    over = stage == "end"
    rounds = ((*(12 + 7 * seat for seat in range(seats)),), (*(30 - 3 * seat for seat in range(seats)),))
    totals = tuple(sum(points) for points in zip(*rounds, strict=True)) if hundred else (0,) * seats
    closer = 0 if over else None
    doubled = over and scores[0] > 0 and scores[0] > min(scores)
    if doubled:
        scores = (2 * scores[0], *scores[1:])
    if over:
        totals = tuple(total + score for total, score in zip(totals, scores, strict=True))
    return skyjo.View(
        round=3 if hundred else 1,
        turn=9,
        phase={"start": skyjo.Phase.FLIP, "middle": skyjo.Phase.TURN, "end": skyjo.Phase.OVER}[stage],
        to_move={"start": tuple(range(0, seats, 2)), "middle": (seats - 1,), "end": ()}[stage],
        closer=closer,
        grids=tuple(grids),
        gone=tuple(gone),
        discard=chance.choice(deck),
        pile=len(deck) - 1,
        hand=None,
        length=Length.HUNDRED if hundred else Length.SINGLE,
        rounds=rounds if hundred else (),
        totals=totals,
        scores=scores if over else (),
        doubled=doubled,
        outcome=_outcome(totals) if over else None,
    )


def drawn(view: skyjo.View, hand: int | None = None) -> skyjo.View:
    """`view` after the seat to move has drawn a card."""
    return replace(view, phase=skyjo.Phase.DRAWN, hand=hand)


def dekal_view(seats: int, stage: Stage, *, hundred: bool = False, seed: int = 1) -> dekal.View:
    """A Dékal table of `seats`: secret choices at the start, holes in the middle, removed cards at the end."""
    chance = random.Random(f"dekal {seats} {stage} {seed}")
    deck = [value for value in range(1, 11) for _ in range(10)]
    chance.shuffle(deck)
    share = {"start": 0.0, "middle": 0.5, "end": 1.0}[stage]
    moved = seats // 2
    grids: list[tuple[Cell, ...]] = []
    for seat in range(seats):
        values = [deck.pop() for _ in range(16)]
        if stage == "end":
            values = sorted(values, key=lambda value: value + chance.randrange(3))
        up = set(chance.sample(range(16), round(16 * share)))
        cells: list[Cell] = [value if index in up else Blank.DOWN for index, value in enumerate(values)]
        if stage == "middle" and seat >= moved:
            cells[(5 * seat + seed) % 16] = Blank.GONE
        grids.append(tuple(cells))
    removed = tuple(_pairs(grid) for grid in grids) if stage == "end" else ()
    scores = tuple(
        sum(cell for index, cell in enumerate(grid) if not isinstance(cell, Blank) and index not in gone)
        for grid, gone in zip(grids, removed, strict=False)
    )
    rounds = ((*(12 + 7 * seat for seat in range(seats)),),)
    totals = rounds[0] if hundred else (0,) * seats
    if stage == "end":
        totals = tuple(total + score for total, score in zip(totals, scores, strict=True))
    return dekal.View(
        round=2 if hundred else 1,
        turn={"start": 1, "middle": 9, "end": 16}[stage],
        phase={"start": dekal.Phase.REVEAL, "middle": dekal.Phase.PICK, "end": dekal.Phase.OVER}[stage],
        first=None if stage == "start" else 1,
        to_move={"start": tuple(range(1, seats)), "middle": (moved,), "end": ()}[stage],
        grids=tuple(grids),
        centre=tuple(sorted(chance.randrange(1, 11) for _ in range(seats - moved))) if stage == "middle" else (),
        reserve=100 - 16 * seats,
        chosen=(0,) if stage == "start" else (),
        choice=None,
        length=Length.HUNDRED if hundred else Length.SINGLE,
        rounds=rounds if hundred else (),
        totals=totals,
        scores=scores,
        removed=removed,
        outcome=_outcome(totals) if stage == "end" else None,
    )


def _pairs(grid: tuple[Cell, ...]) -> tuple[int, ...]:
    """The cells with an equal neighbour, in a full grid of 4 by 4."""
    found = set()
    for index, cell in enumerate(grid):
        for step, inside in ((1, index % 4 < 3), (4, index < 12)):
            if inside and grid[index + step] == cell:
                found |= {index, index + step}
    return tuple(sorted(found))
