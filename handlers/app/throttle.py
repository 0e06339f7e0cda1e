"""Keeping a flood of commands from becoming a flood of answers."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final

REST_MS: Final = 3_000
_REMEMBERED: Final = 1_000


class Throttle:
    """Lets the same thing through once every few seconds.

    It remembers for the life of the process only: a second container may answer once more, which does no harm.
    """

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._last: dict[Hashable, tuple[int, int]] = {}

    def allows(self, what: Hashable, update: int) -> bool:
        """Whether `what` may happen now; if so, it has happened. The same update may always try again."""
        now = self._now_ms()
        last, by = self._last.get(what, (-REST_MS, None))
        if now - last < REST_MS and by != update:
            return False
        self._last.pop(what, None)
        self._last[what] = now, update
        if len(self._last) > _REMEMBERED:
            self._last.pop(next(iter(self._last)))
        return True
