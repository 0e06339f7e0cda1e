"""What the clock does: calls, playing on, closing, repairing, archiving; and what it costs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any, cast

import pytest

from emulator.telegram import Fault
from handlers.app import times
from handlers.clock import PACE_SECONDS, run_due
from handlers.ticker import EVERY_SECONDS
from handlers.ui.languages import words
from infra.matches import Status
from infra.sqlite import SqliteStore
from infra.store import Store
from testing.group import Clock, Group, buttons, legal, text_of
from tests.handlers.ticking import DELAY, awaited, called, calls, playing, tick
from tests.hostile.scene import use_plain_pictures

EN = words("en")


@pytest.fixture(autouse=True)
def _plain_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    use_plain_pictures(monkeypatch)


class Counting:
    """A store that counts its calls."""

    def __init__(self, inner: SqliteStore) -> None:
        self._inner = inner
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method = getattr(self._inner, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            self.calls.append(name)
            return await method(*args, **kwargs)

        return call


async def test_what_is_not_due_costs_nothing() -> None:
    """Fifty matches in the middle of play: one query, and not one match is read."""
    store = Counting(SqliteStore(":memory:", Clock()))
    group = Group(2, store=cast("Store", store))
    groups = [group.telegram.people.groups.create(f"Friends {n}", *group.users) for n in range(50)]
    await group.settle()
    for chat in groups:
        await group.write(0, "/skyjo", chat=chat)
    # A new table is looked at once, to see that it is shown.
    await tick(group, 60)
    store.calls.clear()
    assert await tick(group) == 0
    assert store.calls == ["due"]


async def test_one_due_match_costs_a_few_calls() -> None:
    """A look at an open table that was just joined: the query, a read, the settings, a save."""
    clock = Clock()
    store = Counting(SqliteStore(":memory:", clock))
    group = Group(2, store=cast("Store", store))
    await group.write(0, "/skyjo")
    group.clock.now += times.TABLE - 10
    clock.now = group.clock.now
    await group.verb(1, group.live(), "join")
    group.clock.now += 20
    store.calls.clear()
    assert await tick(group) == 1
    assert store.calls == ["due", "match", "chat", "save"]


@pytest.mark.parametrize("people", [1, 2])
async def test_an_open_table_is_closed_after_an_hour(people: int) -> None:
    """Nobody has come for an hour: the message says so, its buttons go, and a press is told that it is closed."""
    group = Group(people)
    await group.write(0, "/skyjo")
    table = group.live()
    data = buttons(table)[0]
    await tick(group, times.TABLE - 120)
    assert (await group.match()).status is Status.OPEN
    await tick(group, 240)
    assert (await group.match()).status is Status.STOPPED
    assert text_of(table) == "Skyjo: nothing has happened here for an hour, so the table is closed."
    assert buttons(table) == []
    assert await group.forge(0, table, data) == EN("refusal.table-closed")
    await tick(group, 600)
    assert (await group.match()).due == 0


async def test_joining_keeps_a_table_open() -> None:
    """The hour is counted from the last who came."""
    group = Group(2)
    await group.write(0, "/skyjo")
    await tick(group, times.TABLE - 300)
    await group.verb(1, group.live(), "join")
    await tick(group, times.TABLE - 300)
    assert (await group.match()).status is Status.OPEN
    await tick(group, 600)
    assert (await group.match()).status is Status.STOPPED


@pytest.mark.parametrize("game", ["dekal", "skyjo"])
async def test_who_keeps_others_waiting_is_called_once(game: str) -> None:
    """After the delay a new message mentions exactly those who are to act; a second one comes only in another turn."""
    group = await playing(game)
    match, count = await group.match(), len(group.messages())
    await tick(group, DELAY - 60)
    assert calls(group) == []
    await tick(group, 120)
    (call,) = calls(group)
    assert called(call) == awaited(group, match)
    assert group.messages()[count:] == [call]
    await tick(group, 3600)
    assert calls(group) == [call]
    seat, moves = legal(match)
    board = group.telegram.world.message(group.chat.id, (await group.match()).shown.board)
    assert board is not None
    await group.verb(seat, board, moves[0])
    later = await group.match()
    await tick(group, DELAY + 120)
    assert (await group.match()).position == later.position
    if awaited(group, later) != awaited(group, match) or game == "skyjo":
        assert called(calls(group)[-1]) == awaited(group, later)
    assert group.telegram.violations == []


async def test_a_secret_choice_is_waited_for_by_name() -> None:
    """Dékal: those who have not chosen are called, those who have are not; the others' choices reset nothing."""
    group = Group(4)
    await group.start("dekal")
    seat, moves = legal(await group.match())
    await group.verb(seat, group.live(), moves[0])
    await tick(group, DELAY + 60)
    (call,) = calls(group)
    assert called(call) == {user.id for user in group.users} - {group.users[seat].id}


@pytest.mark.parametrize("delay", [0, 60, 600, 86_400])
async def test_the_chat_chooses_the_delay(delay: int) -> None:
    """Off: nobody is ever called. Otherwise after that time, give or take the minute in which the ticker comes."""
    group = await playing("skyjo", 2)
    await group.write(0, "/settings")
    await group.verb(0, group.live(), f"delay {delay}")
    seat, moves = legal(await group.match())
    board = group.telegram.world.message(group.chat.id, (await group.match()).shown.board)
    assert board is not None
    await group.verb(seat, board, moves[0])
    moved = group.clock.now
    step = max(60, delay // 20)
    while group.clock.now < moved + max(2 * delay, 4 * 3600) and not calls(group):
        group.clock.now += step
        await tick(group)
    if not delay:
        assert calls(group) == []
    else:
        assert delay <= group.clock.now - moved <= delay + times.SURE + step
        assert (await group.match()).patience == int(moved) + 2 * delay


async def move_on(group: Group) -> None:
    """Whoever is to move does, on the match's board, which need not be the newest message."""
    match = await group.match()
    board = group.telegram.world.message(group.chat.id, match.shown.board)
    assert board is not None
    seat, moves = legal(match)
    await group.verb(seat, board, moves[0])


async def delayed(delay: int) -> Group:
    """A match in a chat that has chosen this delay."""
    group = await playing("skyjo", 2)
    await group.write(0, "/settings")
    assert "at most a minute after the time chosen" in text_of(group.live())
    await group.verb(0, group.live(), f"delay {delay}")
    return group


@pytest.mark.parametrize("pace", [PACE_SECONDS, EVERY_SECONDS])
@pytest.mark.parametrize("moment", [0, 1, 7, 14])
async def test_a_call_is_at_most_a_pace_late(pace: int, moment: int) -> None:
    """Whenever between two runs the move was made: a minute's delay is called after 75 s at most on a laptop."""
    group = await delayed(60)
    run = group.clock.now
    await tick(group, 60 * pace, pace)
    run += 60 * pace
    group.clock.now = run + moment * pace // 15
    await move_on(group)
    moved, before = (await group.match()).saved, len(calls(group))
    while len(calls(group)) == before:
        run += pace
        group.clock.now = run
        await tick(group)
    assert 60 <= run - moved <= 60 + pace


@pytest.mark.parametrize("runs", [5, 8, 11])
async def test_a_call_is_not_late_after_a_board_that_could_not_be_drawn(runs: int) -> None:
    """The ticker failed to draw just before somebody moved: the next player is called in time all the same."""
    group = await delayed(60)
    await move_on(group)
    group.telegram.fault_plan = lambda *_: Fault("timeout")
    await tick(group, runs * PACE_SECONDS, PACE_SECONDS)
    group.telegram.fault_plan = None
    await move_on(group)
    moved, before = (await group.match()).saved, len(calls(group))
    await tick(group, 60 + PACE_SECONDS - (group.clock.now - moved), PACE_SECONDS)
    assert len(calls(group)) == before + 1


async def test_a_call_that_got_lost_is_made_soon() -> None:
    """A day's delay: the call could not be sent, and comes within minutes of the end of the trouble."""
    group = await delayed(86_400)
    await move_on(group)
    await tick(group, 86_400 - 60)
    group.telegram.fault_plan = lambda _n, method, _p: Fault("reset") if method == "sendMessage" else None
    await tick(group, 600)
    group.telegram.fault_plan = None
    assert calls(group) == []
    await tick(group, times.SURE + 60)
    assert len(calls(group)) == 1


async def test_the_board_that_a_failure_left_behind_is_drawn() -> None:
    """Telegram was out of reach when a move was made, and nobody presses again: within minutes the board is right."""
    group = await playing("skyjo", 2)
    match = await group.match()
    before = text_of(group.live())
    seat, moves = legal(match)
    group.telegram.fault_plan = lambda _n, method, _p: Fault(500) if method.startswith(("edit", "send")) else None
    group.telegram.people.press(
        group.users[seat], group.live(), next(d for d in buttons(group.live()) if d.endswith(moves[0]))
    )
    await group.settle()
    await tick(group, 120)
    assert text_of(group.live()) == before
    assert (await group.match()).position != match.position
    group.telegram.world.queues.clear()
    group.telegram.fault_plan = None
    await tick(group, times.SURE + 60)
    board = group.telegram.world.message(group.chat.id, (await group.match()).shown.board)
    assert board is not None
    assert text_of(board) != before
    edits = len(group.calls("editMessageMedia"))
    group.clock.now += 60
    await tick(group, 3600)
    assert len(group.calls("editMessageMedia")) == edits, "and it is drawn no more often than needed"


@pytest.mark.parametrize("ending", ["over", "stopped", "closed"])
async def test_the_end_that_a_failure_has_hidden_is_shown(ending: str) -> None:
    """The last board of a match is drawn later, too, however long Telegram was out of reach."""
    group = await playing("skyjo", 2)
    if ending == "closed":
        group = Group(2)
        await group.write(0, "/skyjo")
    down = {"edit", "send", "dele"}

    def broken(_number: int, method: str, _params: object) -> Fault | None:
        return Fault("timeout") if method[:4] in down else None

    match ending:
        case "over":
            await group.play(Random(1))
            group.telegram.world.messages[group.chat.id][(await group.match()).shown.board].body["caption"] = "old"
        case "stopped":
            group.clock.now += 60
            await group.write(0, "/stop")
            group.telegram.fault_plan = broken
            group.telegram.people.press(
                group.users[0], group.live(), next(d for d in buttons(group.live()) if "yes" in d)
            )
            await group.settle()
            group.telegram.world.queues.clear()
        case _:
            group.telegram.fault_plan = broken
    await tick(group, times.TABLE + 1800)
    group.telegram.fault_plan = None
    await tick(group, times.RAREST_LOOK)
    match = await group.match()
    shown = group.telegram.world.message(group.chat.id, match.shown.board or match.shown.lobby)
    assert shown is not None
    told = {"over": "the match is over", "stopped": "has stopped the match", "closed": "nothing has happened"}[ending]
    assert told in text_of(shown)
    assert match.due == 0


async def test_a_match_untouched_for_a_week_is_put_away() -> None:
    """Its board says so and offers no move, and a new table may be opened."""
    group = await playing("skyjo", 2)
    board = group.live()
    data = buttons(board)[0]
    for _ in range(8 * 24):
        group.clock.now += 3600
        await tick(group)
    match = await group.match()
    assert (match.status, match.closed_by, match.due) == (Status.STOPPED, "", 0)
    shown = group.telegram.world.message(group.chat.id, match.shown.board)
    assert shown is not None
    assert "nobody has played for a week" in text_of(shown)
    assert [data.rsplit(":", 1)[1] for data in buttons(shown)] == ["again", "deal"]
    # The first board is too old to be changed; what is left of its buttons plays no more.
    assert await group.forge(0, board, data) == EN("refusal.stopped")
    await group.write(0, "/skyjo")
    assert (await group.match()).status is Status.OPEN
    assert group.telegram.violations == []


async def test_a_bot_that_was_removed_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    """Nothing can be sent: the match waits, other matches are looked after, and it is not tried every minute."""
    group = await playing("skyjo", 2)
    group.telegram.people.groups.remove_bot(group.chat, group.users[0])
    await group.settle()
    other = group.telegram.people.groups.create("Others", *group.users)
    await group.settle()
    await group.write(0, "/dekal", chat=other)
    looked = await tick(group, times.TABLE + 120)
    assert looked < 30
    assert "nothing has happened here" in text_of(group.messages(other)[-1])
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    group.telegram.people.groups.add_bot(group.chat, group.users[0])
    await group.settle()
    await tick(group, times.TABLE)
    assert calls(group)


@pytest.mark.parametrize("kind", ["timeout", "reset", 500, 429])
async def test_telegram_out_of_reach(kind: str | int, caplog: pytest.LogCaptureFixture) -> None:
    """Every kind of failure is for a moment only: the call and the board come when it is over."""
    group = await playing("skyjo", 2)
    group.telegram.fault_plan = lambda *_: Fault(kind)
    await tick(group, 900)
    assert calls(group) == []
    group.telegram.fault_plan = None
    await tick(group, times.TABLE)
    assert len(calls(group)) == 1
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_two_tickers_at_once_call_once() -> None:
    """Two that run at the same moment: one calls, closes or draws, the other finds it done."""
    group = await playing("skyjo", 3)
    group.clock.now += DELAY + 60
    assert group.webhook is not None
    bots = [group.webhook._bot, group.bot()]
    await bots[1].application.initialize()
    await asyncio.gather(*(run_due(bot, int(group.clock.now)) for bot in bots))
    assert len(calls(group)) == 1


async def test_a_press_beside_the_ticker() -> None:
    """A move made while the ticker looks: it counts, and who has just moved is not called."""
    group = await playing("skyjo", 3)
    group.clock.now += DELAY + 60
    match = await group.match()
    seat, moves = legal(match)
    board = group.live()
    assert group.webhook is not None
    bot = group.webhook._bot
    press = group.telegram.people.press(
        group.users[seat], board, next(d for d in buttons(board) if d.endswith(moves[0]))
    )
    await asyncio.gather(group.settle(), run_due(bot, int(group.clock.now)))
    assert press.answer is not None
    later = await group.match()
    assert later.position != match.position
    assert later.shown.look > match.shown.look
    shown = group.telegram.world.message(group.chat.id, later.shown.board)
    assert shown is not None
    await tick(group, 120)
    assert group.telegram.violations == []


async def test_broken_matches_hold_up_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """They stay as they are; each is told of once a day, and what comes behind them has its turn."""
    group = Group(2)
    await group.write(0, "/skyjo")
    assert isinstance(group.store, SqliteStore)
    rows = [(f"match#broken{n}", "match", 1, 1000 + n, 0, "{}") for n in range(120)]
    group.store._db.executemany("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?)", rows)
    await tick(group, times.TABLE + 300)
    assert (await group.match()).status is Status.STOPPED
    for days in (1, 2):
        told = [record for record in caplog.records if "left as it is" in record.getMessage()]
        assert len(told) == days * len(rows)
        group.clock.now += times.BROKEN
        await tick(group)
    assert group.store._db.execute("SELECT count(*) FROM items WHERE item = '{}'").fetchone() == (len(rows),)


async def test_what_is_gone_is_passed() -> None:
    """A match that was due and is no longer stored is nothing to look after."""
    group = Group(2)
    await group.write(0, "/skyjo")
    assert group.webhook is not None
    assert await group.webhook._bot.app.look("nowhere") is None
    assert group.telegram.violations == []
