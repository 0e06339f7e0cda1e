"""What is measured, and how several runs become one figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds: of CPU, and on the wall."""

    cpu: float
    wall: float


def several(one: Mapping[str, Callable[[], Cost]], runs: int) -> dict[str, Cost]:
    """So many runs of each, in turns, after one for the caches of the disk: the least CPU, the median on the wall.

    Others may be using the machine: what they take of it lengthens the wall's time, and CPU's a little.
    """
    costs: dict[str, list[Cost]] = {name: [] for name in one}
    for run in range(runs + 1):
        for name, measured in one.items():
            cost = measured()
            if run:
                costs[name].append(cost)
    return {name: Cost(min(each.cpu for each in of), median(each.wall for each in of)) for name, of in costs.items()}
