"""What Telegram's retry can mend is 500, and the retry mends it; all else is 200."""

from __future__ import annotations

import pytest

from emulator.model import Json, Query
from emulator.telegram import Fault
from handlers.ui.languages import words
from infra.matches import Status
from infra.store import StoreUnavailableError
from testing.group import Group, data_of, legal, text_of
from tests.handlers.ticking import tick

EN = words("en")


class Weather:
    """A fault plan: the next `times` calls of a method go wrong."""

    def __init__(self, group: Group) -> None:
        self.method, self.times, self.fault = "", 0, Fault(500)
        group.telegram.fault_plan = self

    def storm(self, method: str, fault: Fault, times: int = 1) -> None:
        """Let it go wrong from now on."""
        self.method, self.times, self.fault = method, times, fault

    def __call__(self, _number: int, method: str, _params: Json) -> Fault | None:
        """What goes wrong with this call."""
        if method != self.method or not self.times:
            return None
        self.times -= 1
        return self.fault


def is_answered(query: Query) -> bool:
    """Whether the presser has read anything."""
    return query.answer is not None


async def wait(group: Group) -> None:
    """Let a minute pass, with all retries in it."""
    end = group.clock.now + 60
    while (due := group.telegram.world.queues.next_time(group.clock.now)) is not None and due <= end:
        group.clock.now = max(group.clock.now, due)
        await group.settle()


FAILED = [Fault(500), Fault(502), Fault(401), Fault(404), Fault(409)]
"""Telegram says that it has not done it."""

LOST = [Fault("timeout"), Fault("timeout", after=True), Fault("reset"), Fault("reset", after=True)]
"""Nobody says whether it was done."""


@pytest.mark.parametrize("fault", FAILED, ids=str)
async def test_a_table_that_could_not_be_shown_is_shown_by_the_retry(fault: Fault) -> None:
    """The table is saved once; the repeated command draws it instead of opening another."""
    group = Group(2)
    weather = Weather(group)
    await group.settle()
    weather.storm("sendMessage", fault)
    await group.write(0, "/skyjo")
    await wait(group)
    assert 500 in group.statuses
    assert group.statuses[-1] == 200
    match = await group.match()
    assert match.id == "match1"
    assert match.shown.lobby == group.live().id
    await group.verb(1, group.live(), "join")
    assert len((await group.match()).players) == 2


@pytest.mark.parametrize("fault", LOST, ids=str)
async def test_a_table_that_was_perhaps_shown_is_shown_by_the_ticker(fault: Fault) -> None:
    """It is not sent five times: within two minutes the ticker shows it, once, and somebody can join."""
    group = Group(2)
    weather = Weather(group)
    await group.settle()
    weather.storm("sendMessage", fault)
    said = len(group.messages())
    await group.write(0, "/skyjo")
    await wait(group)
    assert set(group.statuses) == {200}
    await tick(group, 120)
    assert len(group.messages()) - said == 1 + fault.after
    assert (await group.match()).shown.lobby == group.live().id
    await group.verb(1, group.live(), "join")
    assert len((await group.match()).players) == 2


@pytest.mark.parametrize("fault", [*FAILED, *LOST], ids=str)
async def test_a_move_that_could_not_be_drawn_is_drawn_by_the_ticker(fault: Fault) -> None:
    """It is saved and acknowledged at once, with its toast, and keeps nobody's presses waiting."""
    group = Group(2)
    weather = Weather(group)
    await group.start("skyjo")
    group.clock.now += 60
    weather.storm("editMessageMedia", fault)
    await group.verb(0, group.live(), "flip a1")
    assert set(group.statuses) == {200}
    match = await group.match()
    assert match.position.count("flip") == 1
    await tick(group, 120)
    assert text_of(group.live()).count("Player 0") == 2, "the note and the prompt"
    assert group.telegram.violations == []


@pytest.mark.parametrize("fault", [*FAILED, *LOST], ids=str)
async def test_a_move_that_could_not_be_drawn_is_drawn_by_the_next_press(fault: Fault) -> None:
    """Whoever presses a button of the old board, which is of no use otherwise, has the newest one drawn."""
    group = Group(2)
    weather = Weather(group)
    await group.start("skyjo")
    await group.play(group.random, 6)
    group.clock.now += 60
    board = group.live()
    seat, _ = legal(await group.match())
    old = data_of(board, "take a1")
    weather.storm("editMessageMedia", fault)
    await group.verb(seat, board, "take a1")
    group.clock.now += 6
    edits = len(group.calls("editMessageMedia"))
    await group.forge(1 - seat, board, old)
    assert len(group.calls("editMessageMedia")) == edits + 1
    seat, moves = legal(await group.match())
    await group.verb(seat, group.live(), moves[0])
    assert set(group.statuses) == {200}


async def test_the_drawn_card_is_told_though_the_board_cannot_be_drawn() -> None:
    """Whoever drew a card learns which one."""
    group = Group(2)
    weather = Weather(group)
    await group.start("skyjo")
    await group.play(group.random, 4)
    group.clock.now += 60
    weather.storm("editMessageMedia", Fault(500))
    seat, _ = legal(await group.match())
    assert "You drew" in await group.verb(seat, group.live(), "draw")
    assert set(group.statuses) == {200}


@pytest.mark.parametrize("fault", LOST, ids=str)
async def test_an_answer_that_was_perhaps_given_is_not_given_again(fault: Fault) -> None:
    """Telegram's answers are held back for long: the chat does not read /help five times."""
    group = Group(1)
    weather = Weather(group)
    await group.settle()
    said = len(group.messages())
    weather.storm("sendMessage", fault, times=5)
    await group.write(0, "/help")
    await wait(group)
    assert len(group.messages()) - said == fault.after
    assert set(group.statuses) == {200}


async def test_a_store_that_is_away_is_waited_for() -> None:
    """Without the store nothing is decided: 500 until it is back, then the press counts, once."""
    group = Group(2)
    await group.write(0, "/skyjo")
    store = group.store

    async def away(_match_id: str) -> None:
        raise StoreUnavailableError("planned")

    found = store.match
    store.match = away  # type: ignore[method-assign,assignment] # a store that is down
    hands = group.telegram.people
    query = hands.press(group.users[1], group.live(), data_of(group.live(), "join"))
    await group.settle()
    assert set(group.statuses[-2:]) == {500}
    assert not is_answered(query)
    store.match = found  # type: ignore[method-assign] # and up again
    await wait(group)
    assert query.answer is not None
    assert query.answer.text == EN("toast.joined")
    assert len((await group.match()).players) == 2


async def test_a_command_is_tried_again_even_at_once() -> None:
    """The throttle does not take Telegram's retry for a flood."""
    group = Group(1)
    weather = Weather(group)
    await group.settle()
    weather.storm("sendMessage", Fault(500), times=2)
    await group.write(0, "/help")
    await wait(group)
    assert group.statuses[-1] == 200
    assert text_of(group.messages()[-1]).startswith("Playing")


async def test_what_telegram_refuses_for_good_is_not_sent_again() -> None:
    """A bad request would be as bad the next time: 200, and the queue goes on."""
    group = Group(1)
    weather = Weather(group)
    await group.settle()
    before = len(group.statuses)
    weather.storm("sendMessage", Fault(400))
    await group.write(0, "/help")
    assert group.statuses[before:] == [200]
    group.clock.now += 10
    await group.write(0, "/skyjo")
    assert (await group.match()).status is Status.OPEN
