"""What a press takes of a warm function, against the least that any such bot must do, with the same servers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from bench import press, scenes, stub
from bench.figures import Cost
from bench.press import FLOOR, FLOOR_WITHOUT_TELEGRAM, OURS
from bench.scenes import Scene
from bench.tables import show
from handlers.app.display import board

AIM = 1.5
"""Times the floor's CPU that a press may take without a picture."""


@dataclass(frozen=True, slots=True)
class Warm:
    """One kind of press: what it takes of us, and what the same calls take bare."""

    name: str
    ours: Cost
    floor: Cost


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to measure: every side `repeat` times, so many `rounds` of so many `presses` each."""

    rounds: int = 5
    presses: int = 30
    repeat: int = 2


async def measure(effort: Effort) -> list[Warm]:
    """Every kind of press. Raises AssertionError where the two sides do not ask the servers for the same."""
    secret = await scenes.moving("dekal", secret=True)
    found = [_secret(secret, effort)]
    for game in ("dekal", "skyjo"):
        found += _drawn(await scenes.moving(game, secret=False), effort)
    return found


def _secret(scene: Scene, effort: Effort) -> Warm:
    with stub.running(scene.items) as server:
        ours, floor = (_cost(server, scene, effort, side) for side in (OURS, FLOOR_WITHOUT_TELEGRAM))
        _same(server)
    return Warm(f"{scene.name}, a toast only", ours, floor)


def _drawn(scene: Scene, effort: Effort) -> list[Warm]:
    with stub.running(scene.items) as server:
        cost = partial(_cost, server, scene, effort)
        picture = board(scene.match).picture
        floor, ready, drawn = cost(FLOOR, picture), cost(OURS, picture), cost(OURS)
        _same(server)
    return [Warm(f"{scene.name}, {READY}", ready, floor), Warm(f"{scene.name}, {DRAWN}", drawn, floor)]


READY, DRAWN = "picture ready-made", "picture drawn"


def _cost(server: stub.Running, scene: Scene, effort: Effort, side: str, picture: bytes = b"") -> Cost:
    (key,) = scene.items
    job = press.Job(side, server.url, scene.update, key, picture, effort.rounds, effort.presses)
    costs = [press.measure(job) for _ in range(effort.repeat)]
    return Cost(min(one.cpu for one in costs), min(one.wall for one in costs))


def _same(server: stub.Running) -> None:
    counts = server.counts()
    assert len(set(counts.values())) == 1, f"a press is not one call of each: {counts}"


async def report(effort: Effort) -> list[Warm]:
    """Print the table, and return it."""
    found = await measure(effort)
    show(
        "A warm press (ms)",
        ("press", "CPU", "floor", "ratio", "wall", "floor", "ratio"),
        [
            (
                one.name,
                *(one.ours.cpu, one.floor.cpu, one.ours.cpu / one.floor.cpu),
                *(one.ours.wall, one.floor.wall, one.ours.wall / one.floor.wall),
            )
            for one in found
        ],
        "Floor: Update.de_json, boto3's GetItem and PutItem, the same request by telegram.Bot, picture ready-made.",
        f"Aim: CPU at most {AIM} times the floor without drawing. The servers are one process on loopback.",
    )
    return found
