"""Long polling: what is fetched is handled in order, confirmed when it has been, and nothing ends it."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from telegram.error import TimedOut

from emulator.model import Json
from emulator.request import InProcessRequest
from emulator.telegram import TOKEN, Fault
from handlers import fetching
from handlers.fetching import TRIES, queue_of
from handlers.presence import ALLOWED_UPDATES
from handlers.reading import read
from infra.matches import Status
from infra.sqlite import SqliteStore
from infra.store import Store, StoreRefusedError, StoreUnavailableError
from testing.group import Clock, data_of, text_of
from tests.handlers.polling import CUT_OFF, PAGE, SECRET_WORDS, Odd, Polling, refusal


async def test_a_table_is_opened_and_a_match_begun_by_polling() -> None:
    """Updates are fetched once, handled in order, and answered by requests."""
    polling = Polling(2)
    group = polling.group
    async with polling.bot.application:
        polling.says(0, "/dekal")
        await polling.catch_up()
        assert await polling.press(1, "join") == "You are in!"
        assert await polling.press(0, "start") == "Off you go!"
        assert (await group.match()).status is Status.PLAYING
        assert await polling.press(0, "a1") != ""
    assert [call.source for call in group.calls("answerCallbackQuery")] == ["call"] * 3
    assert group.telegram.violations == []
    first = group.calls("getUpdates")[0]
    assert first.params["allowed_updates"] == list(ALLOWED_UPDATES)


ODD: dict[str, tuple[tuple[int, bytes] | Exception, list[float]]] = {
    "another instance": (refusal(409, "Conflict: terminated by other getUpdates request"), [1, 2, 4]),
    "a webhook": (refusal(409, "Conflict: can't use getUpdates method while webhook is active"), [1, 2, 4]),
    "too many": (refusal(429, "Too Many Requests: retry after 7", retry_after=7), [7, 7, 7]),
    "401": (refusal(401, "Unauthorized"), [1, 2, 4]),
    "404": (refusal(404, "Not Found"), [1, 2, 4]),
    "400": (refusal(400, "Bad Request: something new"), [1, 2, 4]),
    "500": (refusal(500, "Internal Server Error"), [1, 2, 4]),
    "a status that nobody knows": (refusal(599, "Who knows"), [1, 2, 4]),
    "a page with 200": ((200, PAGE), [1, 2, 4]),
    "a page with 401": ((401, PAGE), [1, 2, 4]),
    "a page with 403": ((403, PAGE), [1, 2, 4]),
    "a page with 404": ((404, PAGE), [1, 2, 4]),
    "a page with 502": ((502, PAGE), [1, 2, 4]),
    "an answer that was cut off": ((200, CUT_OFF), [1, 2, 4]),
    "nothing": ((200, b""), [1, 2, 4]),
    "a list": ((200, b"[]"), [1, 2, 4]),
    "no result": ((200, b'{"ok": true}'), [1, 2, 4]),
    "a result that is none": ((200, b'{"ok": true, "result": "our secret"}'), [1, 2, 4]),
    "silence": (TimedOut(), [1, 2, 4]),
    "an error of somebody's": (RuntimeError(f"https://x/bot{TOKEN}/getUpdates"), [1, 2, 4]),
}


@pytest.mark.parametrize("name", ODD)
async def test_whatever_telegram_answers_polling_goes_on(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """It waits longer each time, as long as it was asked to, says so in a line, and nobody's update is lost."""
    answer, waits = ODD[name]
    caplog.set_level(logging.CRITICAL + 1, "telegram")  # as `configure` has it
    caplog.set_level("INFO")
    polling = Polling(2, connection=lambda telegram: Odd(telegram, *[answer] * 3))
    async with polling.bot.application:
        polling.says(0, "/skyjo")
        await polling.catch_up()
        assert polling.waits.seconds == waits
        assert (await polling.group.match()).status is Status.OPEN
    lines = [record.getMessage() for record in caplog.records if "no updates" in record.getMessage()]
    assert len(lines) == 3
    assert caplog.messages.count("updates come again") == 1
    assert TOKEN not in caplog.text.replace(f"RuntimeError: https://x/bot{TOKEN}", "")  # the handler hides that one
    assert SECRET_WORDS not in caplog.text
    assert "Our secret" not in caplog.text


async def test_the_wait_has_an_end(caplog: pytest.LogCaptureFixture) -> None:
    """A minute at most, until it works again; the next trouble begins at a second."""
    conflict = refusal(409, "Conflict")
    polling = Polling(1, connection=lambda telegram: Odd(telegram, *[conflict] * 9))
    async with polling.bot.application:
        polling.says(0, "/help")
        await polling.catch_up()
        assert polling.waits.seconds == [1, 2, 4, 8, 16, 32, 60, 60, 60]
        cast("Odd", polling.group.connection).answers += [conflict]
        polling.says(0, "/rules")
        await polling.catch_up()
        assert polling.waits.seconds[9:] == [1]
    assert len(caplog.records) == 10


async def test_an_update_that_cannot_be_read_spoils_no_other(caplog: pytest.LogCaptureFixture) -> None:
    """It is passed, confirmed and told without its content, and the commands before and behind it are obeyed."""
    polling = Polling(1)
    world = polling.group.telegram.world
    async with polling.bot.application:
        polling.says(0, "/help")
        spoilt: dict[str, Callable[[Json], object]] = {
            "a chat of no id": lambda update: update["message"]["chat"].update(id=SECRET_WORDS),
            "a date of next era": lambda update: update["message"].update(date=2**40, text=SECRET_WORDS),
            "no message": lambda update: update.update(message=SECRET_WORDS),
        }
        for spoil in spoilt.values():
            polling.says(0, "/help")
            spoil(list(world.queues.parcels.values())[-1].update)
        polling.says(0, "/rules")
        list(world.queues.parcels.values())[-1].update["message"]["reply_to_message"] = {
            "poll": {"options": SECRET_WORDS}
        }
        await polling.catch_up()
    said = [text_of(message) for message in polling.group.messages()]
    assert len(said) == 2
    assert len([line for line in caplog.messages if line.startswith("an update was ignored")]) == len(spoilt)
    assert SECRET_WORDS not in caplog.text


async def test_what_is_no_update_at_all_is_passed(caplog: pytest.LogCaptureFixture) -> None:
    """Among the updates stands something without a number, and something that is no object."""
    body = b'{"ok": true, "result": [7, null, {"update_id": "our secret"}, {"message": {}}]}'
    polling = Polling(1, connection=lambda telegram: Odd(telegram, (200, body)))
    async with polling.bot.application:
        polling.says(0, "/help")
        await polling.catch_up()
    assert caplog.messages == ["what is no update was ignored"] * 4


class Held(InProcessRequest):
    """A way to Telegram on which calls that send are held back until `release`."""

    def __init__(self, telegram: Any) -> None:
        super().__init__(telegram)
        self.held: set[int] = set()
        self.release = asyncio.Event()

    async def do_request(self, url: str, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """Carry out a request, later where it is held."""
        data = kwargs.get("request_data")
        if data is not None and data.parameters.get("chat_id") in self.held:
            await self.release.wait()
        return await super().do_request(url, *args, **kwargs)


def handled(polling: Polling, count: int) -> bool:
    """Whether so many updates are handled and not confirmed."""
    return len(polling.poller._handled) == count


async def test_an_update_is_confirmed_when_it_has_been_handled() -> None:
    """While one is being handled, others are fetched, handled, and confirmed no sooner; each is handled once."""
    polling = Polling(2, connection=Held)
    group, held = polling.group, cast("Held", polling.group.connection)
    queues = group.telegram.world.queues
    others = [group.telegram.people.groups.create(f"Others {n}", *group.users) for n in range(3)]
    queues.clear()
    async with polling.bot.application:
        held.held = {group.chat.id}
        polling.says(0, "/skyjo")
        await polling.until(lambda: polling.poller._open)
        for count, other in enumerate(others, 1):
            group.telegram.people.write(group.users[1], other, "/help")
            await polling.until(partial(handled, polling, count))
        assert len(queues.parcels) == 4, "they come after one that is open"
        held.release.set()
        await polling.catch_up()
    assert [len(group.messages(chat)) for chat in (group.chat, *others)] == [1, 1, 1, 1]


async def test_a_process_that_dies_leaves_its_updates_to_the_next() -> None:
    """Before it has saved: the next one does what was wanted. After: the next one does it no second time."""
    polling = Polling(2, connection=Held)
    group, held = polling.group, cast("Held", polling.group.connection)
    async with polling.bot.application:
        held.held = {group.chat.id}
        polling.says(0, "/skyjo")
        await polling.until(lambda: polling.poller._open)
        await polling.die()
    held.release.set()
    polling.again()
    async with polling.bot.application:
        await polling.catch_up()
        assert len(group.messages()) == 1
        held.release.clear()
        query = group.telegram.people.press(group.users[1], group.live(), data_of(group.live(), "join"))
        opened = await group.match()
        while (await group.match()).version == opened.version:
            await polling.until(lambda: polling.poller._open)
            await asyncio.sleep(0)
        await polling.die()
    held.release.set()
    polling.again()
    async with polling.bot.application:
        await polling.catch_up()
    assert len((await group.match()).players) == 2
    assert query.answer is not None
    assert "Player 1" in text_of(group.live())


async def test_nothing_is_kept_of_what_is_done() -> None:
    """Neither a queue nor a number, however many people have pressed."""
    polling = Polling(30)
    async with polling.bot.application:
        for seat in range(30):
            polling.says(seat, "/help")
        polling.says(0, "/skyjo")
        await polling.catch_up()
        board = polling.group.live()
        for user in polling.group.users:
            polling.group.telegram.people.press(user, board, data_of(board, "join"))
        await polling.catch_up()
        await polling.until(lambda: not polling.poller._handled)
    poller = polling.poller
    assert not poller._lanes
    assert not poller._open
    assert not poller._tasks


async def test_a_toast_that_got_lost_does_not_end_the_polling() -> None:
    """The press counts, and the next is handled."""
    polling = Polling(2)
    group = polling.group
    async with polling.bot.application:
        polling.says(0, "/dekal")
        await polling.catch_up()
        group.telegram.fault_plan = lambda _n, method, _p: Fault(500) if method == "answerCallbackQuery" else None
        lobby = group.live()
        group.telegram.people.press(group.users[1], lobby, data_of(lobby, "join"))
        await polling.catch_up()
        assert len((await group.match()).players) == 2
        polling.says(0, "/help")
        await polling.catch_up()
        assert text_of(group.messages()[-1]).startswith("Playing")


async def test_a_command_that_telegram_does_not_take_is_tried_again() -> None:
    """After a while that grows, as long as Telegram asks, and not for ever; other chats' updates go on."""
    polling = Polling(2)
    group = polling.group
    other = group.telegram.people.groups.create("Others", *group.users)

    def fail(_number: int, method: str, params: Json) -> Fault | None:
        ours = method == "sendMessage" and params["chat_id"] == str(group.chat.id)
        return Fault(429, retry_after=3) if ours else None

    async with polling.bot.application:
        await polling.catch_up()
        group.telegram.fault_plan = fail
        polling.says(0, "/help")
        group.telegram.people.write(group.users[1], other, "/help")
        await polling.catch_up()
        assert polling.waits.seconds == [3, 3, 4, 8, 16]
        assert text_of(group.messages(other)[-1]).startswith("Playing")
        group.telegram.fault_plan = None
        polling.says(0, "/rules")
        await polling.catch_up()
    assert len(group.messages()) == 1


def told_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The lines about the store."""
    return [line for line in caplog.messages if "matches" in line or "SQLite" in line or "tried again" in line]


async def test_a_file_that_is_held_loses_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Presses wait as long as it takes, in silence; there is a line when it begins and a line when it ends."""
    caplog.set_level("INFO")
    path = tmp_path / "x.db"
    with closing(SqliteStore(path, Clock(), busy_seconds=0)) as store, closing(sqlite3.connect(path)) as other:
        polling = Polling(3, store=store)
        async with polling.bot.application:
            polling.says(0, "/skyjo")
            await polling.catch_up()
            board = polling.group.live()
            other.execute("BEGIN IMMEDIATE")
            for user in polling.group.users[1:]:
                polling.group.telegram.people.press(user, board, data_of(board, "join"))
            await polling.until(lambda: len(polling.waits.seconds) >= 20)
            assert len(polling.group.telegram.world.queues.parcels) == 2
            assert len(told_of(caplog)) == 1
            other.rollback()
            await polling.catch_up()
            assert len((await polling.group.match()).players) == 3
    assert len(told_of(caplog)) == 2
    assert told_of(caplog)[0].startswith("matches cannot be read or kept, so everything waits: SQLite")
    assert told_of(caplog)[1] == "matches can be read and kept again"
    assert polling.waits.seconds[:8] == [1, 2, 4, 8, 16, 32, 60, 60]


class Failing:
    """A store whose `method` raises `error`, for as long as that is set."""

    def __init__(self, inner: Store, method: str, error: Exception) -> None:
        self._inner = inner
        self._method = method
        self.error: Exception | None = error

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method = getattr(self._inner, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            if self.error and name == self._method:
                raise self.error
            return await method(*args, **kwargs)

        return call


@pytest.mark.parametrize("error", [StoreUnavailableError("busy"), StoreRefusedError("too big")])
async def test_one_update_that_the_store_refuses_holds_up_no_other(error: Exception) -> None:
    """The store works for everybody else, so it is tried a few times and then passed."""
    failing = Failing(SqliteStore(":memory:", Clock()), "open", error)
    polling = Polling(2, store=cast("Store", failing))
    async with polling.bot.application:
        polling.says(0, "/skyjo")
        polling.group.telegram.people.write(polling.group.users[1], polling.group.private(1), "/help")
        await polling.catch_up()
        assert len(polling.waits.seconds) == TRIES - 1
        assert len(polling.group.messages(polling.group.private(1))) == 1


async def test_a_bug_ends_one_update_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error in the polling itself is logged, and what is behind has its turn."""
    polling = Polling(1)
    async with polling.bot.application:
        process = polling.bot.updates.process

        async def fail_once(update: Any) -> Any:
            monkeypatch.setattr(type(polling.bot.updates), "process", staticmethod(process))
            raise KeyError(update)

        monkeypatch.setattr(type(polling.bot.updates), "process", staticmethod(fail_once))
        polling.says(0, "/help")
        polling.says(0, "/rules")
        await polling.catch_up()
    assert len(polling.group.messages()) == 1


async def test_draining_finishes_what_has_been_begun() -> None:
    """What is being handled is handled and confirmed; what waits behind it is left to the next process."""
    polling = Polling(2, connection=Held)
    group, held = polling.group, cast("Held", polling.group.connection)
    held.held = {group.chat.id}
    async with polling.bot.application:
        polling.says(0, "/help")
        polling.says(0, "/rules")
        await polling.until(lambda: len(polling.poller._open) == 2)
        draining = asyncio.create_task(polling.poller.drain(3600))
        for _ in range(10):
            await asyncio.sleep(0)
        assert not draining.done()
        held.release.set()
        await draining
    assert len(group.messages()) == 1
    (left,) = group.telegram.world.queues.parcels.values()
    assert left.update["message"]["text"] == "/rules"
    polling.again()
    async with polling.bot.application:
        await polling.catch_up()
    assert len(group.messages()) == 2


async def test_draining_has_an_end() -> None:
    """What hangs is left unconfirmed; so is what waits for a next try."""
    polling = Polling(2, connection=Held)
    group, held = polling.group, cast("Held", polling.group.connection)
    held.held = {group.chat.id}
    async with polling.bot.application:
        polling.says(0, "/help")
        await polling.until(lambda: polling.poller._open)
        await polling.poller.drain(0.01)
        assert not polling.poller._tasks
        assert len(group.telegram.world.queues.parcels) == 1
    polling.again()
    held.release.set()
    async with polling.bot.application:
        group.telegram.fault_plan = lambda _n, method, _p: Fault(500) if method == "sendMessage" else None
        await polling.until(lambda: polling.waits.seconds)
        await polling.poller.drain(3600)
        assert len(group.telegram.world.queues.parcels) == 1
    polling.again()
    group.telegram.fault_plan = None
    async with polling.bot.application:
        await polling.catch_up()
    assert len(group.messages()) == 1


async def test_the_last_confirmation_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    """Then the updates come again, and are known."""
    polling = Polling(1)
    async with polling.bot.application:
        polling.says(0, "/help")
        await polling.until(lambda: polling.poller._handled)
        polling.group.telegram.fault_plan = lambda *_: Fault(500)
        await polling.poller.drain(3600)
    assert caplog.messages[-1].startswith("the last updates could not be confirmed")


async def test_what_keeps_its_order() -> None:
    """A person's presses and a chat's messages, each among themselves."""
    polling = Polling(2)
    group = polling.group
    async with polling.bot.application:
        polling.says(0, "/dekal")
        await polling.catch_up()
        group.telegram.people.press(group.users[1], group.live(), data_of(group.live(), "join"))
        polling.says(0, "/help")
        found = await polling.inbox.fetch(0, 0)
        queues = [queue_of(read(fields, polling.bot.application.bot)) for fields in found]
    assert queues == [("user", group.users[1].id), ("chat", group.chat.id)]


def test_the_waits_are_short_enough() -> None:
    """Nobody's press waits noticeably for another's, and a server that ends itself is asked again in time."""
    assert fetching.PAUSE_SECONDS < 0.5
    assert fetching.POLL_SECONDS < 50
