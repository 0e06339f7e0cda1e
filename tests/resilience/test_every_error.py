"""Every error that can come from outside, at every call of every use case: nothing is lost, and life goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from emulator.model import Json, Member
from infra import logs
from infra.matches import Status
from infra.store import StoreRefusedError, StoreUnavailableError
from tests.resilience.errors import (
    as_dynamo_tells,
    as_sqlite_tells,
    aws_errors,
    sqlite_errors,
    telegram_errors,
)
from tests.resilience.outside import Happening, Point
from tests.resilience.script import COMMAND_PAUSE, PAUSE, Step, perform
from tests.resilience.simultaneous import shows
from tests.resilience.world import GAME, Memory, World, cheap_pictures

Steps = list[tuple[int, str]]

TABLE: Final[Steps] = [(0, "/skyjo"), (1, "join")]
SKYJO: Final[Steps] = [*TABLE, (0, "start")]
DEKAL: Final[Steps] = [(0, "/dekal"), (1, "join"), (0, "start")]
FLIPPED: Final[Steps] = [*SKYJO, (0, "flip a1"), (0, "flip a2"), (1, "flip a1")]
STOPPED: Final[Steps] = [*FLIPPED, (0, "/stop"), (0, "stop yes")]

CASES: Final[dict[str, tuple[Steps, str, int]]] = {
    "open": ([], "/skyjo", 0),
    "open where one is open": (TABLE, "/dekal", 2),
    "join": (TABLE, "join", 2),
    "leave": (TABLE, "leave", 1),
    "cut": (TABLE, "cut 7", 1),
    "length": (TABLE, "length 100", 0),
    "cancel": (TABLE, "cancel", 0),
    "cancel by an administrator": (TABLE, "cancel", 2),
    "start": (TABLE, "start", 0),
    "the first flip": (SKYJO, "flip a1", 0),
    "the last flip": ([*FLIPPED, (1, "flip b2")][:-1], "flip b2", 1),
    "a secret choice": (DEKAL, "a1", 0),
    "the last secret choice": ([*DEKAL, (0, "a1")], "a1", 1),
    "board": (SKYJO, "/board", 1),
    "board of a table": (TABLE, "/board", 1),
    "stop": (SKYJO, "/stop", 1),
    "stop yes": ([*SKYJO, (1, "/stop")], "stop yes", 1),
    "stop yes by an administrator": ([*SKYJO, (1, "/stop")], "stop yes", 2),
    "stop no": ([*SKYJO, (1, "/stop")], "stop no", 1),
    "language": (SKYJO, "/language", 1),
    "choose a language": ([*SKYJO, (1, "/language")], "language fr", 1),
    "settings": (SKYJO, "/settings", 1),
    "choose a delay": ([*SKYJO, (2, "/settings")], "delay 600", 2),
    "rules": ([], "/rules", 0),
    "a game's rules": ([(0, "/rules")], "rules dekal", 0),
    "help": ([], "/help", 0),
    "hello": ([], "/start", 0),
    "deal": (STOPPED, "deal", 0),
    "again": (STOPPED, "again", 1),
    "a button of no use": (FLIPPED, "flip b1", 0),
    "the ticker calls": (SKYJO, "tick 200", 0),
    "the ticker closes": (TABLE, "tick 3700", 0),
    "the ticker archives": (FLIPPED, "tick 700000", 0),
    "the ticker makes sure": (STOPPED, "tick 61", 0),
}
"""What was before, what is done, and by whom; seat 2 runs the chat."""

ANSWERS: Final = ("stop", "language", "settings", "rules", "help", "hello", "open where one is open")
"""Commands that only answer: nothing is saved for them."""


@pytest.fixture(autouse=True)
def _as_in_life(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pictures are cheap, and the library logs nothing, as wherever the bot runs."""
    cheap_pictures(monkeypatch)
    library = logging.getLogger("telegram")
    library.setLevel(logging.CRITICAL + 1)
    yield
    library.setLevel(logging.NOTSET)


def written(records: list[logging.LogRecord]) -> str:
    """The lines as they are written."""
    form = logs._Readable("%(levelname)s %(message)s")
    return "\n".join(form.format(record) for record in records)


class Trial(World):
    """A world that notes what each try of an update came to."""

    def __init__(self) -> None:
        super().__init__(3)
        self.tries: list[tuple[int, Any]] = []
        self.chat.members[self.users[2].id] = Member("administrator")

    async def deliver(self, update: Json) -> tuple[int, str]:
        """Hand over an update, and note what it came to."""
        answer = await super().deliver(update)
        self.tries.append((answer[0], self.deeds()))
        return answer

    def deeds(self) -> Any:
        """What people have decided, of matches and of the chat, without ids."""
        match = self.current()
        rows = self.rows()
        kept = [(sk, item.get("lang"), item.get("delay")) for (_, sk), item in rows.items() if sk == "settings"]
        if match is None:
            return kept
        item = rows[f"match#{match.id}", "match"]
        pages = sorted(row["moves"] for (_, sk), row in rows.items() if sk.startswith("page"))
        return kept, [(name, item.get(name)) for name in GAME if name != "proved"], pages

    async def act(self, text: str, seat: int) -> None:
        """Do what a case does."""
        if text.startswith("tick"):
            self.clock.now += int(text.split()[1])
            # On Lambda such a run is one that failed; the next one is a minute later.
            with suppress(StoreUnavailableError):
                await self.tick()
        else:
            await perform(self, Step(seat, text))

    async def two_minutes(self) -> None:
        """Let the ticker run at once and in each of the next two minutes."""
        for _ in range(3):
            await self.tick()
            self.clock.now += 60


@dataclass(slots=True)
class Case:
    """A use case, ready to be disturbed."""

    name: str
    trial: Trial
    memory: Memory
    before: Any
    after: Any
    calls: list[str]
    said: int
    seen: tuple[Any, ...] = field(default=())

    @property
    def act(self) -> tuple[str, int]:
        """What is done, and by whom."""
        _, text, seat = CASES[self.name]
        return text, seat


async def case_of(name: str) -> Case:
    """Play up to a use case, and once through it undisturbed."""
    trial = Trial()
    await trial.settle()
    trial.clock.now += COMMAND_PAUSE
    steps, text, seat = CASES[name]
    for who, what in steps:
        await perform(trial, Step(who, what))
    trial.clock.now += 20
    memory, before = trial.remember(), trial.deeds()
    trial.gate.reset()
    said = len(trial.messages())
    await trial.act(text, seat)
    calls, after = [*trial.gate.calls], trial.deeds()
    assert set(trial.statuses) == {200}
    await trial.two_minutes()
    return Case(name, trial, memory, before, after, calls, len(trial.messages()) - said, trial.own())


async def disturb(case: Case, point: Point, caplog: pytest.LogCaptureFixture) -> None:
    """Do it with one call going wrong, and check what must hold whatever went wrong."""
    trial, wrong = case.trial, point.trouble
    trial.restore(case.memory)
    trial.tries.clear()
    caplog.clear()
    said = len(trial.messages())
    trial.gate.reset(point)
    await trial.act(*case.act)
    assert len(trial.gate.calls) > point.call, "the trouble has been met"
    is_press = not case.act[0].startswith(("/", "tick"))
    statuses = [status for status, _ in trial.tries]
    assert set(statuses) <= {200, 500}
    lines = written(caplog.records)
    assert "what Ana wrote" not in lines
    if statuses:
        status, deeds = trial.tries[0]
        saved = deeds != case.before
        # Whether a save was carried out nobody knows where its answer is lost; and nothing but a repeated press brings
        # the chosen language to the match too.
        unknown = isinstance(wrong, StoreUnavailableError) and (point.after or case.name == "choose a language")
        if is_press and saved and not unknown:
            assert status == 200, "a saved press is acknowledged"
        if isinstance(wrong, StoreUnavailableError) and not saved and case.after != case.before:
            assert status == 500, "what could not be saved is asked for again"
        assert statuses[-1] == 200, "and in the end it is done"
    asked = [query for query in trial.telegram.world.queries.values() if query.answer is None]
    assert asked == [], "every press is answered"
    await trial.two_minutes()
    await _check_end(case, point, said)
    assert not [line for line in lines.splitlines() if line.startswith("ERROR a bug")], lines


async def _check_end(case: Case, point: Point, said: int) -> None:
    trial = case.trial
    call = case.calls[point.call]
    if case.name in ANSWERS:
        assert len(trial.messages()) - said <= case.said + point.after, "an answer is not given twice"
    if call != "getChatMember":
        assert trial.deeds() == case.after, "nothing is lost"
    match = trial.current()
    if match is not None and match.status is not Status.STOPPED:
        assert shows(trial, match), "the chat shows it"
    # And what comes afterwards works.
    trial.clock.now += COMMAND_PAUSE
    trial.tries.clear()
    await trial.write(1, "/board")
    assert [status for status, _ in trial.tries] == [200]
    match = trial.current()
    if match is not None and match.status in (Status.OPEN, Status.PLAYING):
        assert shows(trial, match)
        assert match.shown.until_ms <= trial.clock.ms()
    trial.clock.now += PAUSE


TELEGRAM: Final[dict[str, Happening]] = telegram_errors()
MOVED: Final = ("telegram.ChatMigrated", "400 with a migration")
"""The chat that these name is none of the emulator's; `tests/handlers/test_trouble.py` has one that is."""

FEW: Final = (
    *("httpx.ConnectError", "httpx.ReadTimeout", "telegram.Conflict", "KeyError in the connection"),
    *("401", "404", "409", "429", "500", "a page with 200", "a page with 403", "half a message with 200"),
    *("400 chat not found", "400 not enough rights to send photos to the chat", "400 a refusal of next year"),
    *("400 message thread not found", "400 MESSAGE_ID_INVALID", "403 bot was kicked from the supergroup chat"),
)
"""One for each meaning that an answer of Telegram's can have, or two."""

STORE: Final[dict[str, Exception]] = {
    "unavailable": StoreUnavailableError("throttled"),
    "refused": StoreRefusedError("no such table"),
}


async def _run(case: Case, points: Iterator[Point], caplog: pytest.LogCaptureFixture) -> int:
    """Disturb a case at all points; every failure is reported, not the first alone."""
    broken, tried = [], 0
    for point in points:
        tried += 1
        try:
            await disturb(case, point, caplog)
        except AssertionError as error:
            what = next((name for name, one in {**TELEGRAM, **STORE}.items() if one is point.trouble), point.trouble)
            broken.append((case.name, point.call, case.calls[point.call], what, point.after, str(error)[:300]))
    assert not broken, "\n".join(map(str, broken))
    return tried


def _points(calls: list[str], telegram: Iterator[str], store: list[Exception]) -> Iterator[Point]:
    """Each of these errors at each call, before it takes effect and after."""
    names = list(telegram)
    for number, call in enumerate(calls):
        if call.startswith("store."):
            for error in store:
                yield Point(number, error)
                if call.removeprefix("store.") in ("save", "save_chat", "open", "move_chat", "save_budget"):
                    yield Point(number, error, after=True)
        else:
            for name in names:
                yield Point(number, TELEGRAM[name])
                if not name.startswith("4") or name == "409":
                    yield Point(number, TELEGRAM[name], after=True)


@pytest.mark.parametrize("name", CASES)
async def test_an_error_of_each_kind_at_every_call(
    name: str, caplog: pytest.LogCaptureFixture, tell: Callable[[str], None]
) -> None:
    """Nothing is lost, what is saved is acknowledged, and the next update works."""
    case = await case_of(name)
    tried = await _run(case, _points(case.calls, iter(FEW), list(STORE.values())), caplog)
    tell(f"{name}: {tried} points at {case.calls}")


METHODS: Final = {
    "sendMessage": "open",
    "editMessageText": "join",
    "sendPhoto": "start",
    "editMessageMedia": "the first flip",
    "deleteMessage": "stop no",
    "sendDocument": "deal",
    "getChatMember": "stop yes by an administrator",
}


@pytest.mark.parametrize("method", METHODS)
async def test_every_error_of_telegrams(method: str, caplog: pytest.LogCaptureFixture) -> None:
    """Every class of httpx and of the library, every refusal and every odd answer, at each method once."""
    case = await case_of(METHODS[method])
    number = case.calls.index(method)
    points = (Point(number, TELEGRAM[name]) for name in TELEGRAM if name not in MOVED)
    assert await _run(case, points, caplog) > 150


async def test_every_error_of_the_stores_is_told_as_one_of_two() -> None:
    """Whatever botocore or sqlite3 raise, the bot hears of what passes or of what the owner must mend."""
    for name, error in aws_errors().items():
        told = as_dynamo_tells(error)
        assert isinstance(told, StoreUnavailableError), name
    for name, error in sqlite_errors().items():
        told = as_sqlite_tells(error)
        assert isinstance(told, StoreUnavailableError), name


OWNERS: Final = (
    "AccessDenied",
    "ResourceNotFound",
    "ExpiredToken",
    "UnrecognizedClient",
    "KMS",
    "Validation",
    "NextYear",
)


def test_what_the_owner_must_mend_is_told_apart() -> None:
    """No table, no permission, no valid credentials, no key: an error in the log, and the alarm."""
    told = {name: as_dynamo_tells(error) for name, error in aws_errors().items()}
    for part in (*OWNERS, "NoCredentials", "CredentialRetrieval", "TokenRetrieval", "ProfileNotFound", "NoRegion"):
        found = [error for name, error in told.items() if part in name]
        assert found, part
        assert all(isinstance(error, StoreRefusedError) for error in found), part
    for part in ("Throttl", "ProvisionedThroughput", "TransactionConflict", "Timeout", "AWS's 5", "EndpointConnection"):
        found = [error for name, error in told.items() if part in name and "Unknown" not in name]
        assert found, part
        assert not any(isinstance(error, StoreRefusedError) for error in found), part
