"""How many complete rounds a second each game plays with random legal moves, at four seats, on one core."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import process_time
from typing import TypeVar

from engine.core import AnyRules, Length
from engine.registry import GAMES

T = TypeVar("T")

SEATS = 4
SECONDS = 3.0
FLOORS = {"dekal": 602, "skyjo": 757}
"""Rounds a second of the fastest engine known before this one, on a machine of the same kind."""


def choose(choices: Sequence[T], random: Random) -> T:
    """Any of the choices; half the cost of `Random.choice`, so that the engine is measured and not the dice."""
    return choices[int(random.random() * len(choices))]


def play_round(rules: AnyRules, random: Random) -> int:
    """Play one round to its end and return how many moves it took."""
    state = rules.start(SEATS, random.randbytes(32), Length.SINGLE)
    moves = 0
    while actors := rules.actors(state):
        seat = choose(actors, random)
        state = rules.apply(state, seat, choose(rules.legal_moves(state, seat), random)).state
        moves += 1
    return moves


def main() -> None:
    """Print a line a game."""
    print(f"{'game':8}{'rounds/s':>10}{'moves/s':>10}{'floor':>8}{'ratio':>8}")
    for key, rules in GAMES.items():
        random = Random(key)  # noqa: S311 - the same games every time, no secret
        rounds = moves = 0
        began = process_time()
        while process_time() - began < SECONDS:
            moves += play_round(rules, random)
            rounds += 1
        took = process_time() - began
        rate = rounds / took
        floor = FLOORS.get(key)
        compared = f"{floor:8}{rate / floor:8.2f}" if floor else ""
        print(f"{key:8}{rate:10.0f}{moves / took:10.0f}{compared}")


if __name__ == "__main__":
    main()
