"""Whole matches in which a process dies, or a call fails, at every single place where that can happen."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from tests.resilience.courses import AUTHORS
from tests.resilience.outside import Point, deaths, failures
from tests.resilience.script import Author, Course, Trials, course_of
from tests.resilience.world import PLENTY, World, cheap_pictures

PEOPLE: Final = {"manners": 3}


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    cheap_pictures(monkeypatch)
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


async def _trials(name: str, author: Author, budget: float = PLENTY) -> Trials:
    world = World(PEOPLE.get(name, 2), budget=budget)
    world.loose = budget < PLENTY
    return Trials(world, await course_of(world, author))


def _kinds(course: Course) -> list[int]:
    """The first step of each kind: the same word that leads to the same calls."""
    seen: dict[tuple[str, ...], int] = {}
    for number, (step, calls) in enumerate(zip(course.steps, course.calls, strict=True)):
        word = re.sub(r"\d+[LRTB]|[a-d][1-4]", "move", step.text)
        seen.setdefault((word, *calls), number)
    return list(seen.values())


async def _run(
    trials: Trials, steps: list[int], points: Callable[[list[str]], list[Point]], caplog: pytest.LogCaptureFixture
) -> int:
    """Try all points of these steps; every failure is reported, not the first alone."""
    broken = []
    for number in steps:
        for point in points(trials.course.calls[number]):
            try:
                await trials.disturb(number, point)
            except AssertionError as error:
                calls = trials.course.calls[number]
                broken.append((number, trials.course.steps[number], point, calls[point.call], str(error)[:200]))
    bugs = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert broken == []
    assert bugs == []
    assert trials.world.telegram.violations == []
    return trials.points


def _tell(tell: Callable[[str], None], **numbers: Any) -> None:
    tell(", ".join(f"{name}: {value}" for name, value in numbers.items()))


@pytest.mark.parametrize("name", ["skyjo", "dekal", "manners"])
@pytest.mark.parametrize("points", [deaths, failures])
async def test_every_kind_of_update_survives_every_point(
    name: str,
    points: Callable[[list[str]], list[Point]],
    caplog: pytest.LogCaptureFixture,
    tell: Callable[[str], None],
) -> None:
    """Wherever it breaks, the match ends as if undisturbed: for one update of each kind, at each of its calls."""
    trials = await _trials(name, AUTHORS[name])
    tried = await _run(trials, _kinds(trials.course), points, caplog)
    _tell(tell, course=name, what=points.__name__, points=tried, orphans=trials.orphans)
    assert tried > {"skyjo": 80, "dekal": 60, "manners": 150}[name]


@pytest.mark.long
@pytest.mark.parametrize("name", AUTHORS)
@pytest.mark.parametrize("points", [deaths, failures])
async def test_every_update_survives_every_point(
    name: str,
    points: Callable[[list[str]], list[Point]],
    caplog: pytest.LogCaptureFixture,
    tell: Callable[[str], None],
) -> None:
    """Wherever it breaks, the match ends as if undisturbed: for every update, at each of its calls."""
    trials = await _trials(name, AUTHORS[name])
    tried = await _run(trials, list(range(len(trials.course.steps))), points, caplog)
    _tell(tell, course=name, what=points.__name__, points=tried, orphans=trials.orphans)
    assert tried > 250


@pytest.mark.parametrize("name", ["skyjo", "dekal"])
async def test_every_point_is_survived_while_the_budget_is_short(
    name: str, caplog: pytest.LogCaptureFixture, tell: Callable[[str], None]
) -> None:
    """Likewise where updates wait before they draw: they answer early, sleep, and read again what has been saved."""
    trials = await _trials(name, AUTHORS[name], budget=16)
    waiting = [number for number in _kinds(trials.course) if "answerCallbackQuery" in trials.course.calls[number]]
    tried = await _run(trials, waiting, lambda calls: deaths(calls) + failures(calls), caplog)
    _tell(tell, course=name, what="waiting", points=tried, orphans=trials.orphans)
    assert tried > 20
