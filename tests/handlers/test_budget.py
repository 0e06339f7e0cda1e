from hypothesis import given
from hypothesis import strategies as st

from handlers.app.budget import BURST, Budget
from infra.settings import CHAT_BUDGET

COSTS = st.integers(1, 3)
PAUSES = st.integers(0, 40_000)
GROUP_LIMIT = 20
MINUTE_MS = 60_000


@given(st.lists(st.tuples(PAUSES, COSTS), max_size=200))
def test_no_minute_has_more_than_a_group_takes(asked: list[tuple[int, int]]) -> None:
    """Whatever is asked for when, no sixty seconds see more than 20 messages at the usual budget."""
    budget, now, ready = Budget(CHAT_BUDGET), 1_790_000_000_000, 0
    sent: list[int] = []
    for pause, cost in asked:
        now += pause
        start, ready = budget.reserve(ready, now, cost)
        assert start >= now
        sent += [start] * cost
        # Who draws waits until then, and the next asks after that.
        now = start
        assert len([time for time in sent if time > start - MINUTE_MS]) <= GROUP_LIMIT


@given(st.lists(st.tuples(PAUSES, COSTS), max_size=100))
def test_promises_made_while_others_wait_keep_it_too(asked: list[tuple[int, int]]) -> None:
    """Likewise where several ask before the first has drawn."""
    budget, now, ready = Budget(CHAT_BUDGET), 1_790_000_000_000, 0
    sent: list[int] = []
    for pause, cost in asked:
        now += pause // 10
        start, ready = budget.reserve(ready, now, cost)
        sent += [start] * cost
    for time in sent:
        assert len([other for other in sent if time - MINUTE_MS < other <= time]) <= GROUP_LIMIT


def test_a_burst_then_a_steady_rate() -> None:
    """After a pause a few go at once; then one every 3.75 seconds."""
    budget, now, ready = Budget(16), 1_000_000_000, 0
    starts = []
    for _ in range(BURST + 3):
        start, ready = budget.reserve(ready, now, 1)
        starts.append(start - now)
    assert starts == [0, 0, 0, 0, 3750, 7500, 11250]


def test_what_waits_can_be_asked_before() -> None:
    """`has` promises nothing and takes nothing."""
    budget, now = Budget(16), 1_000_000_000
    _, ready = budget.reserve(0, now, BURST - 1)
    assert budget.has(ready, now, 1)
    assert not budget.has(ready, now, 2)
    assert budget.has(ready, now + 3750, 2)


def test_a_pause_does_not_save_up_more_than_a_burst() -> None:
    """A night without a game does not allow a hundred messages at once."""
    budget, now = Budget(16), 1_000_000_000
    _, ready = budget.reserve(0, now, 1)
    later = now + 12 * 3_600_000
    starts = []
    for _ in range(BURST + 1):
        start, ready = budget.reserve(ready, later, 1)
        starts.append(start - later)
    assert starts == [0, 0, 0, 0, 3750]
