"""Keeping a flood of commands from becoming a flood of answers."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final, TypeVar

from handlers.app.budget import Budget

REST_MS: Final = 3_000
ANSWERS: Final = Budget(6, burst=5)
"""What a chat is answered beside its boards, whatever it asks: a few at once, then one every ten seconds."""

_REMEMBERED: Final = 1_000
Key = TypeVar("Key", bound=Hashable)


class Throttle:
    """Lets the same thing through once every few seconds, and so many things a minute in one chat.

    It remembers for the life of the process only: a second container may answer once more, which does no harm.
    """

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._last: dict[Hashable, tuple[int, int]] = {}
        self._ready: dict[int, tuple[int, int]] = {}

    def allows(self, what: Hashable, update: int) -> bool:
        """Whether `what` may happen now; if so, it has happened. The same update may always try again."""
        now = self._now_ms()
        last, by = self._last.get(what, (-REST_MS, None))
        if now - last < REST_MS and by != update:
            return False
        _remember(self._last, what, (now, update))
        return True

    def has_room(self, chat: int, update: int) -> bool:
        """Whether the chat may have one more answer; if so, it has had it. The same update may always try again."""
        ready_ms, by = self._ready.get(chat, (0, None))
        if by == update:
            return True
        now = self._now_ms()
        if not ANSWERS.has(ready_ms, now, 1):
            return False
        _remember(self._ready, chat, (ANSWERS.reserve(ready_ms, now, 1)[1], update))
        return True


def _remember(memory: dict[Key, tuple[int, int]], key: Key, value: tuple[int, int]) -> None:
    memory.pop(key, None)
    memory[key] = value
    if len(memory) > _REMEMBERED:
        memory.pop(next(iter(memory)))
