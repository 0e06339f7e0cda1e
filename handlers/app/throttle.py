"""Keeping a flood of commands from becoming a flood of answers."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final, TypeVar

from handlers.app.budget import Budget

REST_MS: Final = 3_000
BURST: Final = 5
SHARE: Final = 6 / 16
"""The part of a chat's budget that answers may have beside boards."""

_REMEMBERED: Final = 1_000
Key = TypeVar("Key", bound=Hashable)


class Throttle:
    """Lets the same thing through once every few seconds, and a few things at once and so many a minute of each kind.

    It remembers for the life of the process only: a second container may answer once more, which does no harm.
    """

    def __init__(self, now_ms: Callable[[], int], chat_budget: float) -> None:
        self._now_ms = now_ms
        self._answers = Budget(chat_budget * SHARE, burst=BURST)
        self._last: dict[Hashable, tuple[int, int]] = {}
        self._ready: dict[Hashable, tuple[int, int]] = {}

    def allows(self, what: Hashable, update: int) -> bool:
        """Whether `what` may happen now; if so, it has happened. The same update may always try again."""
        now = self._now_ms()
        last, by = self._last.get(what, (-REST_MS, None))
        if now - last < REST_MS and by != update:
            return False
        _remember(self._last, what, (now, update))
        return True

    def has_room(self, kind: Hashable, update: int) -> bool:
        """Whether one more answer of a kind may be given; if so, it has been. The same update may always try again."""
        ready_ms, by = self._ready.get(kind, (0, None))
        if by == update:
            return True
        now = self._now_ms()
        if not self._answers.has(ready_ms, now, 1):
            return False
        _remember(self._ready, kind, (self._answers.reserve(ready_ms, now, 1)[1], update))
        return True


def _remember(memory: dict[Key, tuple[int, int]], key: Key, value: tuple[int, int]) -> None:
    memory.pop(key, None)
    memory[key] = value
    if len(memory) > _REMEMBERED:
        memory.pop(next(iter(memory)))
