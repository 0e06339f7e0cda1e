"""Long polling: the same bot for people without AWS."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from emulator.model import Json
from emulator.telegram import TOKEN, Fault
from handlers.poll import Poller, queue_of
from handlers.presence import ALLOWED_UPDATES
from infra.matches import Status
from testing.group import Group, data_of, text_of

ROOT = Path(__file__).parents[2]


class Polling:
    """A group whose bot fetches its updates itself, as long as there are any."""

    def __init__(self, people: int) -> None:
        self.group = Group(people)
        self.bot = self.group.bot()
        self.poller = Poller(self.bot)

    async def catch_up(self) -> None:
        """Poll until nothing waits and everything is handled."""
        world = self.group.telegram.world
        async with asyncio.timeout(60):
            polling = asyncio.create_task(self.poller.run())
            while world.queues.parcels or self.poller._running:
                await asyncio.sleep(0)
                if polling.done():
                    polling.result()
            polling.cancel()

    async def press(self, seat: int, verb: str) -> str:
        """Somebody presses a button; the toast that they read."""
        board = self.group.live()
        query = self.group.telegram.people.press(self.group.users[seat], board, data_of(board, verb))
        await self.catch_up()
        assert query.answer is not None
        return query.answer.text


async def test_a_table_is_opened_and_a_match_begun_by_polling() -> None:
    """Updates are fetched once, handled in order, and answered by requests."""
    polling = Polling(2)
    group = polling.group
    async with polling.bot.application:
        group.telegram.people.write(group.users[0], group.chat, "/dekal")
        await polling.catch_up()
        assert await polling.press(1, "join") == "You are in!"
        assert await polling.press(0, "start") == "Off you go!"
        assert (await group.match()).status is Status.PLAYING
        assert await polling.press(0, "a1") != ""
    assert [call.source for call in group.calls("answerCallbackQuery")] == ["call"] * 3
    assert group.telegram.violations == []
    first = group.calls("getUpdates")[0]
    assert first.params["allowed_updates"] == list(ALLOWED_UPDATES)


async def test_a_toast_that_got_lost_does_not_end_the_polling() -> None:
    """The press counts, and the next is handled."""
    polling = Polling(2)
    group = polling.group

    def lose_toasts(_number: int, method: str, _params: Json) -> Fault | None:
        return Fault(500) if method == "answerCallbackQuery" else None

    async with polling.bot.application:
        group.telegram.people.write(group.users[0], group.chat, "/dekal")
        await polling.catch_up()
        group.telegram.fault_plan = lose_toasts
        lobby = group.live()
        group.telegram.people.press(group.users[1], lobby, data_of(lobby, "join"))
        await polling.catch_up()
        assert len((await group.match()).players) == 2
        group.telegram.people.write(group.users[0], group.chat, "/help")
        await polling.catch_up()
        assert text_of(group.messages()[-1]).startswith("Playing")


async def test_what_keeps_its_order() -> None:
    """A person's presses and a chat's messages, each among themselves."""
    polling = Polling(2)
    group = polling.group
    group.telegram.world.queues.clear()
    group.telegram.people.write(group.users[0], group.chat, "/dekal")
    await polling.bot.application.initialize()
    await polling.catch_up()
    group.telegram.people.press(group.users[1], group.live(), data_of(group.live(), "join"))
    updates = await polling.bot.application.bot.get_updates()
    assert [queue_of(update) for update in updates] == [("user", group.users[1].id)]
    group.telegram.people.write(group.users[0], group.chat, "/help")
    updates = await polling.bot.application.bot.get_updates(offset=updates[-1].update_id + 1)
    assert [queue_of(update) for update in updates] == [("chat", group.chat.id)]
    await polling.bot.application.shutdown()


GOOD = {"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_BOT_USERNAME": "tablee_bot"}


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({}, "set TELEGRAM_TOKEN"),
        ({"TELEGRAM_TOKEN": "letters"}, "set TELEGRAM_TOKEN"),
        ({"TELEGRAM_TOKEN": TOKEN}, "set TELEGRAM_BOT_USERNAME"),
        (GOOD | {"TELEGRAM_CHAT_BUDGET": "many"}, "set TELEGRAM_CHAT_BUDGET"),
        (GOOD | {"TELEGRAM_API_URL": "ftp://x"}, "set TELEGRAM_API_URL"),
        (GOOD | {"DATABASE": "."}, "."),
        (GOOD | {"TABLE_NAME": "t"}, "set AWS_DEFAULT_REGION"),
        (GOOD | {"TABLE_NAME": "t", "AWS_DEFAULT_REGION": "no region"}, "set AWS_DEFAULT_REGION"),
        (GOOD | {"TABLE_NAME": "t", "AWS_PROFILE": "nobody"}, "correct AWS_PROFILE"),
    ],
)
def test_wrong_settings_are_one_line(environment: dict[str, str], says: str, tmp_path: Path) -> None:
    """Exit status 2, and a line that says what to set; no traceback, and no token."""
    done = subprocess.run(
        [sys.executable, "-m", "handlers.poll"],
        env={"PYTHONPATH": str(ROOT), "AWS_CONFIG_FILE": "none"} | environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert says in done.stderr
    assert TOKEN not in done.stderr
