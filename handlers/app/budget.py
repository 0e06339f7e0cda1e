"""How often the bot may speak in one chat: a token bucket kept as a single number.

The generic cell rate algorithm: `ready_ms` is the time at which everything sent so far is paid for at the steady rate.
A burst may run ahead of it; nothing is ever refused, only put off.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

BURST: Final = 4
"""Messages at once after a pause. With the usual 16 a minute, no minute has more than the 20 that a group takes."""

_MINUTE_MS: Final = 60_000


@dataclass(frozen=True, slots=True)
class Budget:
    """A rate in messages a minute, and how many may come at once after a pause."""

    per_minute: float
    burst: int = BURST

    @property
    def _interval_ms(self) -> int:
        return max(1, int(_MINUTE_MS / self.per_minute))

    def reserve(self, ready_ms: int, now_ms: int, cost: int) -> tuple[int, int]:
        """Take `cost` messages out of the budget: when they may be sent (Unix ms), and the new `ready_ms`."""
        start = max(now_ms, ready_ms - (self.burst - cost) * self._interval_ms)
        return start, max(ready_ms, start) + cost * self._interval_ms

    def has(self, ready_ms: int, now_ms: int, cost: int) -> bool:
        """Whether `cost` messages may be sent now."""
        return self.reserve(ready_ms, now_ms, cost)[0] <= now_ms
