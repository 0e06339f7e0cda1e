"""A full table pressing as fast as it can, under Telegram's limits."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Final

import pytest

from tests.resilience.crowd import Crowd
from tests.resilience.simultaneous import shows
from tests.resilience.world import cheap_pictures

BEHIND_SECONDS: Final = 6.0
POSTED_SECONDS: Final = 8.5
"""A new message needs two of the budget, and where that is used up each takes 3.75 seconds to come back."""

SAVED_SECONDS: Final = 1.0


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    cheap_pictures(monkeypatch)
    logging.disable(logging.INFO)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize(
    "minutes", [pytest.param(1.5, id="a while"), pytest.param(10, id="ten minutes", marks=pytest.mark.long)]
)
@pytest.mark.parametrize(("game", "people"), [("skyjo", 8), ("dekal", 6)])
async def test_a_crowd_is_never_told_to_wait(
    game: str, people: int, minutes: float, tell: Callable[[str], None]
) -> None:
    """No 429, no board far behind, no move that waits for a drawing, and the last state is shown in the end."""
    crowd = Crowd(people, seed=1)
    await crowd.seat_all(game)
    crowd.begin()
    await crowd.shared.run(minutes * 60)
    await crowd.end()

    watch, log = crowd.watch, crowd.telegram.log
    tell(
        f"{game}, {people} people, {minutes} minutes: {watch.presses} presses, {len(watch.waits)} saves, "
        f"{len(watch.lags)} looks drawn, at most {max(watch.lags):.1f} s behind, {len(watch.posts)} posted, "
        f"at most {max(watch.posts, default=0):.1f} s behind, saved after at most {max(watch.waits):.2f} s, "
        f"queued for at most {max(watch.queued):.1f} s, {len(log)} requests"
    )
    assert [call for call in log if call.status == 429] == []
    assert crowd.telegram.violations == []
    assert set(crowd.statuses) == {200}
    assert max(watch.waits) < SAVED_SECONDS
    assert max(watch.lags) <= BEHIND_SECONDS
    assert max(watch.posts, default=0) <= POSTED_SECONDS
    assert watch.behind() == []
    match = crowd.current()
    assert match is not None, "something is played"
    assert shows(crowd, match)
