"""The scheduler of the race tests sees every order once."""

from __future__ import annotations

from math import comb

from tests.infra.interleaving import Stepping, Task, orders


class Log:
    """Remembers who called."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    async def call(self, name: str) -> str:
        """Note the caller."""
        self.calls.append(name)
        return name


def test_every_order_of_two_tasks_is_run_once() -> None:
    """Two tasks of two calls can be merged in six ways, and all six are seen."""
    worlds: list[Log] = []

    def start() -> list[Task]:
        worlds.append(Log())
        log = Stepping(worlds[-1])

        def task(name: str) -> Task:
            async def twice() -> str:
                await log.call(name)
                return str(await log.call(name))

            return twice

        return [task("a"), task("b")]

    results = list(orders(start))

    assert results == [["a", "b"]] * comb(4, 2)
    assert len({"".join(world.calls) for world in worlds}) == comb(4, 2)


def test_an_exception_is_a_result() -> None:
    """A task that raises does not stop the other."""

    async def fail() -> None:
        raise ValueError("no")

    async def succeed() -> str:
        return "yes"

    for failed, succeeded in orders(lambda: [fail, succeed]):
        assert isinstance(failed, ValueError)
        assert succeeded == "yes"
