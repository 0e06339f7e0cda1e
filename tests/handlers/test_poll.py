"""The service around long polling: its start, its clock, its end, and what it says to its owner."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import CredentialRetrievalError
from telegram.error import NetworkError

from emulator.request import InProcessRequest
from emulator.telegram import TOKEN, Fault
from handlers import poll
from handlers.clock import PACE_SECONDS
from handlers.outage import StoreGate
from handlers.poll import Service
from infra.settings import SettingsError
from infra.store import Store, StoreRefusedError, StoreUnavailableError
from testing.group import Group
from tests.handlers.polling import PAGE, Odd, Waits, refusal
from tests.handlers.test_clock import TROUBLES, UnheardOfError

ROOT = Path(__file__).parents[2]


class Running:
    """A service in this process, at an emulated Telegram."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, connection: Callable[..., Any] = InProcessRequest) -> None:
        self.group = Group(2)
        self.group.telegram.world.queues.clear()
        self.connection = connection(self.group.telegram)
        self.stop = asyncio.Event()
        self.waits = Waits()
        self.opened: list[Exception] = []
        monkeypatch.setattr(poll, "request", lambda _: self.connection)
        monkeypatch.setattr(poll, "open_store", self.open_store)
        self.service = Service(self.group.settings, self.stop, self.waits)

    async def open_store(self, _settings: object) -> Store:
        """The group's store; the errors in `opened` come first."""
        if self.opened:
            raise self.opened.pop(0)
        return self.group.store

    async def until(self, condition: Callable[[], object]) -> None:
        """Serve until something is so, then stop."""
        async with asyncio.timeout(60):
            running = asyncio.create_task(self.service.run())
            while not (condition() or running.done()):  # noqa: ASYNC110 - a condition of the emulator's, not ours
                await asyncio.sleep(0)
            self.stop.set()
            await running


def answered(running: Running) -> bool:
    """Whether a command that waited at the start has been answered."""
    return len(running.group.messages()) == 1 and not running.group.telegram.world.queues.parcels


async def test_a_start_sets_what_a_webhook_would_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bot is asked for its name once, the webhook goes, menus and descriptions come in every language."""
    running = Running(monkeypatch)
    group = running.group
    group.telegram.people.write(group.users[0], group.chat, "/help")
    await running.until(lambda: answered(running) and len(group.calls("setMyCommands")) == 6)
    assert len(group.calls("getMe")) == len(group.calls("deleteWebhook")) == 1
    assert {call.params.get("language_code", "") for call in group.calls("setMyDescription")} == {"", "en", "fr"}
    assert group.telegram.violations == []
    assert capsys.readouterr().err == "@tablee_bot is listening; Ctrl-C ends it.\n"


async def test_menus_that_telegram_does_not_take_keep_nobody_from_playing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """They are tried again; meanwhile commands are answered."""
    running = Running(monkeypatch)
    group = running.group
    group.telegram.people.write(group.users[0], group.chat, "/help")
    failing = [5]

    def fail(_number: int, method: str, _params: object) -> Fault | None:
        if method != "setMyCommands" or not failing[0]:
            return None
        failing[0] -= 1
        return Fault(429, retry_after=5)

    group.telegram.fault_plan = fail
    await running.until(lambda: answered(running) and not failing[0] and len(group.calls("setMyCommands")) == 11)
    assert [line for line in caplog.messages if line.startswith("menus are not set")]


@pytest.mark.parametrize(
    "trouble",
    [
        NetworkError("Name or service not known"),
        refusal(500, "Internal Server Error"),
        refusal(409, "Conflict"),
        (401, PAGE),
        (200, PAGE),
    ],
    ids=str,
)
async def test_a_start_without_network_is_retried(
    trouble: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With a line each time and longer waits, whatever is in the way."""
    caplog.set_level("CRITICAL", "telegram")
    caplog.set_level("INFO")
    running = Running(monkeypatch, lambda telegram: Odd(telegram, *[trouble] * 3, method="getMe"))
    group = running.group
    group.telegram.people.write(group.users[0], group.chat, "/help")
    await running.until(lambda: answered(running))
    assert answered(running)
    assert running.waits.seconds[:3] == [1, 2, 4]
    lines = [line for line in caplog.messages if line.startswith("Telegram is out of reach; check the network")]
    assert len(lines) == 3
    assert TOKEN not in "".join(lines)


async def test_a_wrong_token_is_told_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Telegram says so three times in a row; fewer than that, or a page of something in between, is a moment's."""
    unauthorized = refusal(401, "Unauthorized")
    running = Running(monkeypatch, lambda telegram: Odd(telegram, *[unauthorized] * 3, method="getMe"))
    with pytest.raises(SettingsError, match="set TELEGRAM_TOKEN to the one from @BotFather"):
        await running.until(lambda: False)
    assert running.waits.seconds == [1, 2]
    some = [unauthorized] * 2 + [(401, PAGE)] + [unauthorized] * 2
    running = Running(monkeypatch, lambda telegram: Odd(telegram, *some, method="getMe"))
    group = running.group
    group.telegram.people.write(group.users[0], group.chat, "/help")
    await running.until(lambda: answered(running))
    assert answered(running)


async def test_a_wrong_name_is_told_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is changed; upper case and lower case are the same to Telegram."""
    running = Running(monkeypatch)
    running.group.telegram.world.bot.username = "Other_bot"
    with pytest.raises(SettingsError, match=r"^set TELEGRAM_BOT_USERNAME to Other_bot"):
        await running.until(lambda: False)
    assert running.group.calls("deleteWebhook") == []
    running = Running(monkeypatch)
    running.group.telegram.world.bot.username = "Tablee_BOT"
    running.group.telegram.people.write(running.group.users[0], running.group.chat, "/help")
    await running.until(lambda: answered(running))
    assert answered(running)


async def test_a_store_that_cannot_be_opened_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Credentials that cannot be had, a file that is held: a line, and one when it works."""
    caplog.set_level("INFO", "tablee")
    running = Running(monkeypatch)
    missing = CredentialRetrievalError(provider="custom-process", error_msg="No such file: 'aws-vault'")
    running.opened = [missing, missing, StoreUnavailableError("held"), UnheardOfError("x")]
    group = running.group
    group.telegram.people.write(group.users[0], group.chat, "/help")
    await running.until(lambda: answered(running))
    assert answered(running)
    lines = [line for line in caplog.messages if "matches" in line]
    assert len(lines) == 2
    assert "No such file: 'aws-vault'" in lines[0]
    assert lines[1] == "matches can be read and kept again"


async def test_a_store_that_fails_at_the_start_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """No table, a token that has expired: likewise; nothing is taken from Telegram before."""
    caplog.set_level("INFO", "tablee")
    running = Running(monkeypatch)
    group = running.group
    group.telegram.people.write(group.users[0], group.chat, "/help")
    due, failures = group.store.due, [StoreRefusedError("DynamoDB refused: ResourceNotFoundException")] * 4

    async def failing(until: int, limit: int) -> tuple[str, ...]:
        if failures:
            assert group.calls() == []
            raise failures.pop()
        return await due(until, limit)

    monkeypatch.setattr(group.store, "due", failing)
    await running.until(lambda: answered(running))
    assert answered(running)
    assert len([line for line in caplog.messages if "matches" in line]) == 2


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: type(trouble).__name__)
async def test_nothing_ends_the_clock(
    trouble: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever a run of it raises, the next one comes, and polling goes on meanwhile."""
    caplog.set_level("INFO", "tablee")
    runs: list[int] = []

    async def run_due(_bot: object, now: int) -> int:
        runs.append(now)
        if len(runs) <= 3:
            raise trouble
        return 0

    monkeypatch.setattr(poll, "run_due", run_due)
    running = Running(monkeypatch)
    group = running.group
    await running.until(lambda: len(runs) > 3)
    assert len(runs) > 3
    if isinstance(trouble, StoreUnavailableError):
        assert running.waits.seconds.count(PACE_SECONDS) >= 3
    else:
        assert len([record for record in caplog.records if record.levelname in ("ERROR", "WARNING")]) >= 3
    assert group.telegram.violations == []


async def test_a_cancellation_that_nobody_meant_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that lets one escape: the clock is begun anew, as after any error."""
    runs: list[int] = []

    async def run_due(_bot: object, now: int) -> int:
        runs.append(now)
        if len(runs) == 1:
            raise asyncio.CancelledError
        return 0

    monkeypatch.setattr(poll, "run_due", run_due)
    running = Running(monkeypatch)
    await running.until(lambda: len(runs) > 1)
    assert len(runs) > 1


async def test_the_clock_waits_for_the_store(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """While the store is out of reach there is one line, however many runs would have come."""
    caplog.set_level("INFO", "tablee")
    running = Running(monkeypatch)
    store, failures = running.group.store, [0]
    due = store.due

    async def failing(until: int, limit: int) -> tuple[str, ...]:
        failures[0] += 1
        if 2 < failures[0] < 40:
            raise StoreRefusedError("ExpiredTokenException")
        return await due(until, limit)

    monkeypatch.setattr(store, "due", failing)
    await running.until(lambda: failures[0] > 42)
    assert [line for line in caplog.messages if "matches" in line or "Expired" in line] == [
        "matches cannot be read or kept, so everything waits: ExpiredTokenException",
        "matches can be read and kept again",
    ]


async def test_many_wait_for_the_store_together(caplog: pytest.LogCaptureFixture) -> None:
    """One asks, all go on; and where nothing is wrong nobody waits, and nothing is said."""
    caplog.set_level("INFO", "tablee")
    group, waits = Group(1), Waits()
    gate = StoreGate(group.store, waits)
    assert not await gate.check()
    real, failures = group.store.put_off, [3]

    async def failing(match_id: str, now: int, until: int) -> None:
        failures[0] -= 1
        if failures[0] >= 0:
            raise StoreUnavailableError("busy")
        await real(match_id, now, until)

    group.store.put_off = failing  # type: ignore[method-assign]
    assert await asyncio.gather(*(gate.check() for _ in range(9))) == [True] * 9
    assert waits.seconds == [1, 2, 4]
    assert len(caplog.messages) == 2


async def test_a_store_may_look_anew_at_what_was_mended() -> None:
    """Before every try but the first; where that fails, it is one more failure."""
    group, waits, renewals = Group(1), Waits(), []

    def renew() -> None:
        renewals.append(1)
        if len(renewals) == 2:
            raise UnheardOfError("x")

    async def failing(match_id: str, now: int, until: int) -> None:
        assert (match_id, now, until) == ("", 0, 0)
        if len(renewals) < 4:
            raise StoreRefusedError("expired")

    group.store.put_off = failing  # type: ignore[method-assign]
    assert await StoreGate(group.store, waits, renew).check()
    assert len(renewals) == len(waits.seconds) == 4


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
