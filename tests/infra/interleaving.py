"""A deterministic scheduler: run coroutines step by step, in every order that there is.

A step ends where a coroutine is about to make an outside call (`Stepping` makes every method of an object such a
place). Nothing runs at the same time; which coroutine takes the next step is what is enumerated.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterator, Sequence
from typing import Any, TypeAlias

Task: TypeAlias = Callable[[], Coroutine[Any, Any, Any]]


class _Pause:
    """Awaited, it gives the turn back to the scheduler."""

    def __await__(self) -> Generator[None, None, None]:
        yield


class Stepping:
    """Wraps an object with async methods: before each call, the scheduler decides who goes on."""

    def __init__(self, inner: object) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method = getattr(self._inner, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            await _Pause()
            return await method(*args, **kwargs)

        return call


def finish(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine that waits for nothing to its end, and return what it returns."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("the coroutine waits for something")


def run(tasks: Sequence[Task], order: Sequence[int]) -> tuple[list[Any], list[int]]:
    """Run `tasks` together; at the n-th decision, the `order[n]`-th of the unfinished ones goes on (0 once used up).

    What a task does before its first call touches nothing outside, so it is done before the first decision.
    Returns what each returned (or the exception that it raised) and how many could be chosen at each decision.
    """
    running = {number: task() for number, task in enumerate(tasks)}
    results: list[Any] = [None] * len(tasks)

    def step(number: int) -> None:
        try:
            running[number].send(None)
        except StopIteration as end:
            results[number] = end.value
        except Exception as error:  # noqa: BLE001 (the test judges what was raised)
            results[number] = error
        else:
            return
        del running[number]

    for number in list(running):
        step(number)
    options: list[int] = []
    while running:
        options.append(len(running))
        choice = order[len(options) - 1] if len(options) <= len(order) else 0
        step(list(running)[choice])
    return results, options


def orders(start: Callable[[], Sequence[Task]]) -> Iterator[list[Any]]:
    """The results of `run` for every possible order; `start` makes a fresh world and its tasks for each."""
    order: list[int] = []
    while True:
        results, options = run(start(), order)
        yield results
        order += [0] * (len(options) - len(order))
        while order and order[-1] + 1 == options[len(order) - 1]:
            order.pop()
        if not order:
            return
        order[-1] += 1
