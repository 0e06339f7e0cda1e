"""How often a bot may write: 20 a minute in a group, 1 a second in a chat with bursts, 30 a second in all.

Sends and edits share these; answers to presses are free.
"""

import math
from collections import deque
from dataclasses import dataclass

MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class Allowance:
    """The numbers; None where there is no limit. `chat_burst` is how many may come at once in one chat."""

    group_per_minute: int | None = 20
    chat_burst: int | None = 5
    overall_per_second: int | None = 30


UNLIMITED = Allowance(None, None, None)


class Flood:
    """Counts what was written, and when the next may be."""

    def __init__(self, allowance: Allowance) -> None:
        self.allowance = allowance
        self._minute: dict[int, deque[float]] = {}
        self._second: deque[float] = deque()
        self._bucket: dict[int, tuple[float, float]] = {}

    def spend(self, chat_id: int, now: float) -> int:
        """Count one message or edit; 0, or the whole seconds to wait when it is one too many.

        What is refused is not counted.
        """
        wait = max(self._minute_wait(chat_id, now), self._burst_wait(chat_id, now), self._overall_wait(now))
        if wait > 0:
            return max(1, math.ceil(wait))
        self._minute.setdefault(chat_id, deque()).append(now)
        self._second.append(now)
        tokens, _ = self._tokens(chat_id, now)
        self._bucket[chat_id] = (tokens - 1, now)
        return 0

    def _minute_wait(self, chat_id: int, now: float) -> float:
        limit = self.allowance.group_per_minute
        if limit is None or chat_id > 0:
            return 0
        times = self._minute.setdefault(chat_id, deque())
        while times and times[0] <= now - MINUTE:
            times.popleft()
        return times[-limit] + MINUTE - now if len(times) >= limit else 0

    def _tokens(self, chat_id: int, now: float) -> tuple[float, float]:
        burst = self.allowance.chat_burst or 0
        tokens, since = self._bucket.get(chat_id, (float(burst), now))
        return min(burst, tokens + now - since), now

    def _burst_wait(self, chat_id: int, now: float) -> float:
        if self.allowance.chat_burst is None:
            return 0
        tokens, _ = self._tokens(chat_id, now)
        # A hair's breadth of rounding is no reason to refuse.
        return max(0.0, 1 - tokens - 1e-9)

    def _overall_wait(self, now: float) -> float:
        limit = self.allowance.overall_per_second
        if limit is None:
            return 0
        while self._second and self._second[0] <= now - 1:
            self._second.popleft()
        return self._second[-limit] + 1 - now if len(self._second) >= limit else 0
