"""`python -m bench [section …]`: what things cost, in tables; without a section, everything."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from bench import cold, course, dollars, engine, pictures, stores, warm
from bench.figures import Cost


@dataclass
class Run:
    """One run: what one section has measured, another need not measure again."""

    lengths: tuple[str, ...] = course.LENGTHS
    most: int = 100_000
    starts: int = 7
    built: bool = True
    effort: warm.Effort = field(default_factory=warm.Effort)

    @cached_property
    def cold(self) -> dict[str, Cost]:
        """Cold starts."""
        return asyncio.run(cold.report(self.starts, built=self.built))

    @cached_property
    def warm(self) -> list[warm.Warm]:
        """Warm presses."""
        return asyncio.run(warm.report(self.effort))

    @cached_property
    def moves(self) -> list[course.Course]:
        """Whole matches."""
        return asyncio.run(course.report(self.lengths, self.most))

    @cached_property
    def dollars(self) -> list[dollars.Bill]:
        """Bills, from the three before."""
        deployed = self.cold[cold.DEPLOYED].cpu
        return dollars.report(self.moves, dollars.Presses.of(self.warm, deployed))


SECTIONS: dict[str, Callable[[Run], object]] = {
    "engine": lambda _: engine.main(),
    "pictures": lambda _: pictures.main(),
    "stores": lambda _: stores.main(),
    "cold": lambda run: run.cold,
    "press": lambda run: run.warm,
    "moves": lambda run: run.moves,
    "dollars": lambda run: run.dollars,
}


def main(arguments: list[str] | None = None, run: Run | None = None) -> None:
    """Print the sections that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="What things cost, measured.")
    parser.add_argument("sections", nargs="*", metavar="section", help=", ".join(SECTIONS))
    asked: list[str] = parser.parse_args(arguments).sections
    if unknown := [name for name in asked if name not in SECTIONS]:
        parser.error(f"no such section: {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
    run = run or Run()
    for name in asked or SECTIONS:
        print(f"\n== {name}")
        SECTIONS[name](run)


if __name__ == "__main__":
    main()
