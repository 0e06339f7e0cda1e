"""Every section of the bench runs to its end and prints figures; what the figures are is not a test's business."""

from __future__ import annotations

import asyncio

import pytest

from bench import __main__ as bench
from bench import dollars, engine, pictures, stores, warm
from bench.course import Course, play
from bench.dollars import Presses
from bench.figures import Cost, several
from handlers.ui.screens import SCREENS
from infra.matches import WRITE_UNIT
from testing.missing import Missing


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> bench.Run:
    """The least that can be measured at all."""
    monkeypatch.setattr(engine, "SECONDS", 0.01)
    monkeypatch.setattr(pictures, "ROUNDS", 1)
    for name in ("ROUNDS", "CALLS"):
        monkeypatch.setattr(stores, name, 1)
    monkeypatch.setattr(stores, "DynamoDBLocal", _not_here)
    effort = warm.Effort(rounds=1, presses=1, repeat=1)
    return bench.Run(lengths=("single",), most=3, starts=1, built=False, effort=effort)


def _not_here() -> None:
    raise Missing


@pytest.mark.parametrize("section", ["engine", "pictures", "stores", "moves"])
def test_a_section_prints_a_table(section: str, run: bench.Run, capsys: pytest.CaptureFixture[str]) -> None:
    """With its name above."""
    bench.main([section], run)
    printed = capsys.readouterr().out
    assert f"== {section}" in printed
    assert "dekal" in printed
    assert "skyjo" in printed


def test_dollars_follow_from_what_was_measured(run: bench.Run, capsys: pytest.CaptureFixture[str]) -> None:
    """Cold starts, presses and matches are measured once, and their bills added up."""
    bench.main(["press", "cold", "dollars"], run)
    printed = capsys.readouterr().out
    assert printed.count("A warm press") == printed.count("A cold start") == printed.count("Dollars for 1,000") == 1
    for bill in run.dollars:
        parts = (bill.function, bill.requests, bill.table, bill.storage, bill.logs, bill.out)
        assert all(part > 0 for part in parts)
        assert bill.total == pytest.approx(sum(parts))


def test_an_unknown_section_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """In one line, with the names of those that there are."""
    with pytest.raises(SystemExit):
        bench.main(["speed"])
    assert "no such section: speed; there are engine, pictures" in capsys.readouterr().err


async def test_a_course_counts_every_move() -> None:
    """Each is read and written at least once, by a press with a toast; items stay within a write unit."""
    counted: Course = await play("dekal", 2, most=12)
    assert counted.moves == 12
    assert counted.presses > counted.moves
    assert counted.play.reads == 12
    assert counted.clean <= counted.moves == counted.clean + sum(counted.causes.values())
    assert counted.quiet + sum(counted.request_causes.values()) == counted.moves
    assert 0 < counted.stored <= WRITE_UNIT
    assert counted.boards > 0
    shorter = await play("dekal", 2, most=2)
    assert (shorter.table, shorter.play.reads) == (counted.table, 2), "opening costs the same, however long the match"


async def test_a_dearer_press_makes_a_dearer_match() -> None:
    """And more memory, more processor for the same work: what waits is what costs more."""
    counted = await play("skyjo", 2, most=6)
    cheap, dear = Presses(1, 10, 400), Presses(2, 10, 400)
    assert dollars.of_match(counted, dear, 1024).function > dollars.of_match(counted, cheap, 1024).function
    assert dollars.of_match(counted, cheap, 1769).function > dollars.of_match(counted, cheap, 1024).function
    assert dollars.idle(1769, 2).total > 0
    assert dollars.memories() == (1024, 1769)


def test_several_runs_become_one_figure() -> None:
    """The first run is not counted; then the least CPU, and the wall's time in the middle."""
    costs = iter([Cost(0, 0), Cost(5, 50), Cost(3, 90), Cost(4, 10)])
    assert several({"one": lambda: next(costs)}, 3) == {"one": Cost(3, 50)}


def test_screens_are_whole_again_after_a_course() -> None:
    """Only within it are pictures left out."""
    before = dict(SCREENS)
    asyncio.run(play("dekal", 2, most=1))
    assert before == SCREENS
