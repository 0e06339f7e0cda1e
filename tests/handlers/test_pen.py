from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handlers.app.budget import Budget
from handlers.app.pen import LEASE_MS, POST_EDITS, POST_SECONDS, anew, is_lost, sends, take
from handlers.app.verdict import Draw
from infra.matches import Match, Shown, Status

NOW_MS = 1_790_000_000_000
BUDGET = Budget(16)


def match_with(shown: Shown, status: Status = Status.PLAYING) -> Match:
    """A match of which only the drawing matters."""
    return Match(
        id="m", chat=-1, topic=0, language="en", game="skyjo", secret=bytes(32), status=status, shown=shown,
        saved=NOW_MS // 1000 - 60,
    )  # fmt: skip


RECENT = Shown(board=5, posted=NOW_MS // 1000 - 30, look=7)


def test_who_changes_the_board_draws_it_at_once() -> None:
    """With a budget to spend the promise is for now, and the look is a new one."""
    after, start = take(match_with(RECENT), Draw.CHANGE, 11, NOW_MS, BUDGET, contested=False)
    assert start == NOW_MS
    assert (after.shown.look, after.shown.drawer, after.shown.edits, after.shown.until_ms) == (8, 11, 1, 0)


def test_drawing_again_is_no_new_look() -> None:
    """Nothing is new, so buttons keep their data."""
    after, start = take(match_with(RECENT), Draw.AGAIN, 11, NOW_MS, BUDGET, contested=False)
    assert (start, after.shown.look) == (NOW_MS, 7)


def test_one_holds_the_pen() -> None:
    """While another has promised to draw, a change is only counted."""
    held = replace(RECENT, drawer=10, until_ms=NOW_MS + 1)
    after, start = take(match_with(held), Draw.CHANGE, 11, NOW_MS, BUDGET, contested=True)
    assert start is None
    assert (after.shown.look, after.shown.drawer, after.shown.until_ms) == (8, 10, NOW_MS + 1)


def test_a_promise_ends_by_itself() -> None:
    """Whoever died with the pen does not keep the board from being drawn."""
    held = replace(RECENT, drawer=10, until_ms=NOW_MS)
    after, start = take(match_with(held), Draw.CHANGE, 11, NOW_MS, BUDGET, contested=True)
    assert (start, after.shown.drawer, after.shown.until_ms) == (NOW_MS, 11, NOW_MS + LEASE_MS)


@pytest.mark.parametrize(
    ("shown", "moves_down"),
    [
        (RECENT, False),
        (replace(RECENT, edits=POST_EDITS - 1), False),
        (replace(RECENT, edits=POST_EDITS), True),
        (replace(RECENT, posted=NOW_MS // 1000 - POST_SECONDS + 1), False),
        (replace(RECENT, posted=NOW_MS // 1000 - POST_SECONDS), True),
        # Two messages at once would be too many just now.
        (replace(RECENT, edits=POST_EDITS, ready_ms=NOW_MS + 4 * 3750), False),
    ],
)
def test_a_turn_is_posted_anew_where_the_board_is_far_up(shown: Shown, moves_down: bool) -> None:
    """Only when the turn comes to others; a change within a turn edits on."""
    after, _ = take(match_with(shown), Draw.TURN, 11, NOW_MS, BUDGET, contested=False)
    assert (after.shown.board == 0, after.shown.old == 5) == (moves_down, moves_down)
    if moves_down:
        assert (after.shown.edits, after.shown.posted) == (0, NOW_MS // 1000)
        assert after.shown.until_ms == NOW_MS + LEASE_MS, "a new board is visible before its id is saved"
    stays, _ = take(match_with(shown), Draw.CHANGE, 11, NOW_MS, BUDGET, contested=False)
    assert stays.shown.board == 5


def test_without_a_budget_the_promise_is_for_later() -> None:
    """Until then nobody else needs to draw."""
    spent = replace(RECENT, ready_ms=NOW_MS + 5 * 3750)
    after, start = take(match_with(spent), Draw.CHANGE, 11, NOW_MS, BUDGET, contested=False)
    assert start == NOW_MS + 2 * 3750
    assert after.shown.until_ms == start
    waiting, other = take(after, Draw.CHANGE, 12, NOW_MS + 1, BUDGET, contested=False)
    assert other is None
    assert waiting.shown.look == 9


@pytest.mark.parametrize(
    ("status", "shown", "cost"),
    [
        (Status.OPEN, Shown(), 1),
        (Status.OPEN, Shown(lobby=3), 1),
        (Status.OPEN, Shown(old=3), 2),
        (Status.PLAYING, Shown(lobby=3), 2),
        (Status.PLAYING, Shown(board=5), 1),
        (Status.PLAYING, Shown(old=5), 2),
        (Status.OVER, Shown(), 1),
    ],
)
def test_what_drawing_costs(status: Status, shown: Shown, cost: int) -> None:
    """A new message beside an old one that loses its buttons is two."""
    assert sends(status, shown) == cost


def test_posting_anew_remembers_what_loses_its_buttons() -> None:
    """Asking twice before it is drawn forgets neither."""
    once = anew(RECENT)
    assert (once.board, once.old) == (0, 5)
    assert anew(once) == once


def test_a_message_whose_sender_died() -> None:
    """An older one that the match does not know is lost; a newer one may be on its way."""
    assert is_lost(RECENT, 4, NOW_MS)
    assert not is_lost(RECENT, 5, NOW_MS)
    assert not is_lost(RECENT, 6, NOW_MS)
    assert not is_lost(replace(RECENT, old=4), 4, NOW_MS)
    assert not is_lost(replace(RECENT, until_ms=NOW_MS + 1), 4, NOW_MS)


DRAWS = st.sampled_from([Draw.CHANGE, Draw.TURN, Draw.AGAIN])


@given(st.lists(st.tuples(st.integers(0, 20_000), DRAWS, st.booleans(), st.integers(1, 3)), max_size=60))
def test_whatever_happens_somebody_will_draw(course: list[tuple[int, Draw, bool, int]]) -> None:
    """After every change either this update draws, or another has promised to, no later than a lease after it began."""
    match, now = match_with(RECENT), NOW_MS
    for pause, draw, contested, update in course:
        now += pause
        match, start = take(match, draw, update, now, BUDGET, contested=contested)
        if start is None:
            assert match.shown.drawer != update
            assert match.shown.until_ms > now
        else:
            assert match.shown.drawer == update
            assert now <= start < now + 60_000 * 60
