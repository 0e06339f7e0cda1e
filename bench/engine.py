"""How many complete rounds a second each game plays with random legal moves, at four seats, on one core."""

from __future__ import annotations

from random import Random
from time import process_time
from typing import Any

from engine.core import Length, Rules
from engine.registry import GAMES

SEATS = 4
SECONDS = 3.0
FLOORS = {"dekal": 602, "skyjo": 757}
"""Rounds a second of the fastest engine known before this one, on a machine of the same kind."""


def play_round(rules: Rules[Any, Any], random: Random) -> int:
    """Play one round to its end and return how many moves it took."""
    state = rules.start(SEATS, random.randbytes(32), Length.SINGLE)
    moves = 0
    while actors := rules.actors(state):
        seat = random.choice(actors)
        state = rules.apply(state, seat, random.choice(rules.legal_moves(state, seat))).state
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
        print(f"{key:8}{rate:10.0f}{moves / took:10.0f}{FLOORS[key]:8}{rate / FLOORS[key]:8.2f}")


if __name__ == "__main__":
    main()
