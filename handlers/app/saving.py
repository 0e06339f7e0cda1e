"""The one place that writes a match and tries again when another was faster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from handlers.app import times
from handlers.app.budget import Budget
from handlers.app.games import rules_of, state_of
from handlers.app.pen import hold, take
from handlers.app.verdict import Draw, Verdict
from infra.logs import Metric, count
from infra.matches import Match, Shown, Status
from infra.store import ConflictError, Store

TRIES: Final = 5
SOON_MS: Final = 10_000


class BusyError(Exception):
    """Others were faster five times in a row; the presser may try again."""


class MatchGoneError(Exception):
    """The match is no longer stored."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A match as it is stored now, and the verdict that led there.

    `start_ms` is when this update has promised to draw the board (Unix ms), None where it need not.
    """

    match: Match
    verdict: Verdict
    start_ms: int | None


class Saver:
    """Judges, saves on condition that nobody else has, and judges again what somebody else saved."""

    def __init__(self, store: Store, budget: Budget, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._budget = budget
        self._now_ms = now_ms

    async def change(
        self, match: Match, judge: Callable[[Match], Verdict], update: int, *, touch: bool = True
    ) -> Saved:
        """Carry a verdict out. `judge` may be called several times and must be pure.

        `touch` is False where no person has changed anything: the match stays as idle as it was.

        Raises `BusyError`, `MatchGoneError` and what the store raises.
        """
        for _ in range(TRIES):
            verdict = judge(match)
            following, start_ms = self._with_pen(match, verdict, update)
            if following is None:
                return Saved(match, verdict, start_ms)
            try:
                # Drawing the same look again is nobody's doing.
                touched = touch and verdict.match is not None
                saved = await self._store.save(self.stamped(following) if touched else following, verdict.page)
            except ConflictError as conflict:
                if conflict.winner is None:
                    raise MatchGoneError(match.id) from conflict
                match = conflict.winner
                count(Metric.CONFLICTS)
                continue
            return Saved(saved, verdict, start_ms)
        raise BusyError(match.id)

    def promised(self, match: Match, verdict: Verdict, update: int) -> Saved:
        """A match that has never been saved, stamped and with the pen in the hand of `update`."""
        following, start_ms = self._with_pen(match, verdict, update)
        return Saved(self.stamped(following or match), verdict, start_ms)

    def _with_pen(self, match: Match, verdict: Verdict, update: int) -> tuple[Match | None, int | None]:
        now_ms = self._now_ms()
        if verdict.draw is Draw.NOTHING:
            return verdict.match, None
        if verdict.draw is Draw.REPEAT:
            return hold(verdict.match or match, now_ms), now_ms
        contested = verdict.draw in (Draw.AGAIN, Draw.ASIDE) or is_contested(match)
        return take(verdict.match or match, verdict.draw, update, now_ms, self._budget, contested=contested)

    def soon(self, shown: Shown, cost: int) -> bool:
        """Whether `cost` messages could be sent within a few seconds from now."""
        now_ms = self._now_ms()
        return self._budget.reserve(shown.ready_ms, now_ms, cost)[0] <= now_ms + SOON_MS

    def stamped(self, match: Match) -> Match:
        """The match with the times of a save made now."""
        now = self._now_ms() // 1000
        return replace(match, saved=now, expires=now + times.KEEP)


def is_contested(match: Match) -> bool:
    """Whether several people may change the match at the same moment: at an open table, or when several may act."""
    if match.status is Status.OPEN or not match.position:
        return True
    return len(rules_of(match).actors(state_of(match))) > 1
