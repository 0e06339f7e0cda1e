"""The clock's runs: everything that is due has its turn, whatever is the matter with the others."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

import pytest
from botocore.exceptions import ClientError

from emulator.limits import UNLIMITED
from emulator.request import InProcessRequest
from handlers import clock
from handlers.app import times
from handlers.app.app import Looked
from handlers.app.saving import Saved
from handlers.app.verdict import Verdict
from handlers.bootstrap import Bot
from handlers.clock import run_due
from infra import items
from infra.dynamo import DynamoStore, _encode
from infra.items import Key
from infra.matches import CorruptItemError, Item, Match, Status, to_item
from infra.sqlite import SqliteStore
from infra.store import Store, StoreUnavailableError
from infra.table import create
from infra.telegram import ChatClosedError, ChatMovedError, TelegramUnavailableError
from testing.group import NOON, Clock, Group

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

MANY = 10_000
LONG_AGO = int(NOON) - 2 * times.TABLE
SECRET = bytes(range(32))


def table(number: int, chat: int, *, lobby: int = 0, due: int, expires: int = 0) -> Match:
    """A table that was opened long ago, and should be closed."""
    match = Match(f"t{number}", chat, number, "en", "skyjo", SECRET, version=1, saved=LONG_AGO, due=due)
    return replace(match, expires=expires, shown=replace(match.shown, lobby=lobby))


def crowd(chat: int) -> Iterator[tuple[Key, Item]]:
    """Before everybody else, all that can stand in the way: expired for days, and broken in several ways."""
    for number in range(MANY):
        old = to_item(table(number, chat, due=LONG_AGO + number // 10, expires=int(NOON) - 60))
        broken = (
            {"schema": 99, "due": old["due"]},
            {"version": 1, "due": old["due"]},
            old | {"expires": 0, "game": "go"},
        )
        yield items.match_key(f"t{number}"), (old, *broken)[number % 4]


def fill_sqlite(store: SqliteStore, stored: Iterator[tuple[Key, Item]]) -> None:
    """Write items past the store."""
    rows = [
        (*key, item.get("version", 0), item["due"], item.get("expires", 0), json.dumps(item)) for key, item in stored
    ]
    store._db.executemany("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?)", rows)


def fill_dynamo(client: DynamoDBClient, name: str, stored: Iterator[tuple[Key, Item]]) -> None:
    """Likewise, 25 in a request."""
    puts = [{"PutRequest": {"Item": _encode(key, item)}} for key, item in stored]
    for start in range(0, len(puts), 25):
        client.batch_write_item(RequestItems={name: cast("Any", puts[start : start + 25])})


async def tables_closed(group: Group, waiting: list[Match]) -> int:
    """How many of the tables that waited have been closed."""
    found = [await group.store.match(match.id) for match in waiting]
    return sum(match is not None and match.status is Status.STOPPED for match in found)


async def behind(group: Group) -> list[Match]:
    """Twenty tables of a real chat, due after all the others."""
    waiting = []
    for number in range(MANY, MANY + 20):
        message = group.telegram.world.last_message_id
        await group.write(0, "/help")
        lobby = group.messages()[-1].id
        assert lobby > message
        opened = await group.store.open(
            replace(table(number, group.chat.id, lobby=lobby, due=int(NOON)), version=0), None
        )
        waiting.append(opened)
    return waiting


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pauses between chats."""
    monkeypatch.setattr(clock, "PER_SECOND", 1e9)


async def have_their_turn(group: Group) -> None:
    """All that can stand in the way is passed within two runs, and not met again in the next."""
    waiting = await behind(group)
    assert group.webhook is not None
    bot = group.webhook._bot
    now = int(NOON) + 60
    turns = await run_due(bot, now, 3600) + await run_due(bot, now + 60, 3600)
    assert turns >= len(waiting)
    assert await tables_closed(group, waiting) == len(waiting)
    assert await run_due(bot, now + 120, 3600) <= len(waiting)


@pytest.mark.usefixtures("no_pauses")
async def test_ten_thousand_obstacles_in_a_file() -> None:
    """SQLite: what has expired is not listed at all, what is broken is put off, and the tables behind are closed."""
    with closing(SqliteStore(":memory:", Clock())) as store:
        group = Group(2, store=store, allowance=UNLIMITED, budget=1e6)
        fill_sqlite(store, crowd(group.chat.id))
        await have_their_turn(group)


@pytest.mark.long
@pytest.mark.java
@pytest.mark.usefixtures("no_pauses")
async def test_ten_thousand_obstacles_in_a_table(local_client: DynamoDBClient) -> None:
    """DynamoDB, which takes its time to remove what has expired: it leaves the index when it is first met."""
    group = Group(2, allowance=UNLIMITED, budget=1e6)
    create(local_client, "crowded")
    group.store = DynamoStore(local_client, "crowded", group.clock, threads=True)
    fill_dynamo(local_client, "crowded", crowd(group.chat.id))
    await have_their_turn(group)


@dataclass
class Looks:
    """An app whose looks go as `fates` says, by match: an error to raise, or "hang"; and when each is due."""

    due: dict[str, int]
    fates: dict[str, object] = field(default_factory=dict)
    looked: list[str] = field(default_factory=list)

    async def look(self, match_id: str) -> Looked:
        """Look at a match: it is due an hour later, and nothing need be said."""
        self.looked.append(match_id)
        fate = self.fates.get(match_id)
        if fate == "hang":
            await asyncio.Event().wait()
        if isinstance(fate, Exception):
            raise fate
        self.due[match_id] += 3600
        return Looked(Saved(cast("Any", None), Verdict(), None), call=False)


class Dues:
    """The store of `Looks`, as far as a run uses it."""

    def __init__(self, looks: Looks) -> None:
        self._looks = looks

    async def due(self, until: int, limit: int) -> tuple[str, ...]:
        """See `Store.due`."""
        found = sorted((due, name) for name, due in self._looks.due.items() if due <= until)
        return tuple(name for _, name in found[:limit])

    async def put_off(self, match_id: str, now: int, until: int) -> None:
        """See `Store.put_off`."""
        if self._looks.due[match_id] <= now:
            self._looks.due[match_id] = until or 2**60


def bot_of(looks: Looks, store: object | None = None) -> Bot:
    """A bot that is nothing but this."""
    nothing = cast("Any", None)
    return Bot(nothing, nothing, nothing, cast("Any", looks), cast("Store", store or Dues(looks)))


class UnheardOfError(Exception):
    """An error that no list names."""


def denied() -> ClientError:
    """What AWS says to whoever may not."""
    said: Any = {
        "Error": {"Code": "AccessDeniedException", "Message": "no"},
        "ResponseMetadata": {"HTTPStatusCode": 400},
    }
    return ClientError(said, "GetItem")


TROUBLES = [
    UnheardOfError("x"),
    CorruptItemError("x"),
    ChatClosedError("x"),
    ChatMovedError(-1),
    TelegramUnavailableError("x"),
    StoreUnavailableError("x"),
    TimeoutError(),
    KeyError("x"),
    RecursionError(),
    MemoryError(),
    sqlite3.DatabaseError("x"),
    denied(),
]


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: type(trouble).__name__)
async def test_whatever_a_look_raises_the_next_has_its_turn(trouble: Exception) -> None:
    """The error is logged, the match put off, and in the next run it stands behind whoever waits by then."""
    looks = Looks({"a": 1, "b": 2, "c": 3}, {"a": trouble})
    bot = bot_of(looks)
    assert await run_due(bot, 100) == 3
    assert looks.looked == ["a", "b", "c"]
    looks.due["d"] = 101
    assert await run_due(bot, 101) == 1
    assert looks.looked[3:] == ["d"]
    del looks.fates["a"]
    assert await run_due(bot, 100 + times.BROKEN) == 4
    assert looks.due["a"] > 3600, "and when it is mended it is looked after as before"


async def test_putting_off_may_fail_too(caplog: pytest.LogCaptureFixture) -> None:
    """Then the match stays where it is, and the others have their turn all the same."""
    looks = Looks({"a": 1, "b": 2}, {"a": UnheardOfError("x")})

    class Stubborn(Dues):
        async def put_off(self, match_id: str, now: int, until: int) -> None:
            raise UnheardOfError(match_id, now, until)

    assert await run_due(bot_of(looks, Stubborn(looks)), 100) == 2
    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"]


async def test_an_outage_is_told_once() -> None:
    """Where the store answers nobody, a run ends after a few; a single match's silence ends nothing."""
    names = [f"m{number:03}" for number in range(100)]
    silence = StoreUnavailableError("no answer")
    looks = Looks(dict.fromkeys(names, 1), dict.fromkeys(names, silence))
    with pytest.raises(StoreUnavailableError):
        await run_due(bot_of(looks), 100)
    assert len(looks.looked) < clock.LOOKS + clock.OUTAGE
    looks = Looks(dict.fromkeys(names, 1), dict.fromkeys(names[::2], silence))
    assert await run_due(bot_of(looks), 100) == len(names)


async def test_what_a_run_has_no_time_for_comes_first_in_the_next(caplog: pytest.LogCaptureFixture) -> None:
    """A run ends when its time is up, with whatever hangs; those that had no turn are then before those that had."""
    names = [f"m{number:03}" for number in range(200)]
    half = 100
    looks = Looks({name: number for number, name in enumerate(names)}, dict.fromkeys(names[half : half + 100], "hang"))
    assert await run_due(bot_of(looks), 1000, 1.0) == half
    assert caplog.messages == ["time is up: 100 of 200 that are due wait for the next run"]
    looks.fates.clear()
    looks.looked.clear()
    assert await run_due(bot_of(looks), 1000) == half
    assert looks.looked == names[half:]


async def test_chats_that_do_not_answer_hold_up_only_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speaking in one chat has its time; those that were silent come last from then on."""
    monkeypatch.setattr(clock, "CHAT_SECONDS", 0.5)
    monkeypatch.setattr(clock, "CHATS", 1)
    monkeypatch.setattr(clock, "PER_SECOND", 1e9)
    group = Group(2, allowance=UNLIMITED)
    chats = [group.telegram.people.groups.create(f"Friends {n}", *group.users) for n in range(4)]
    await group.settle()
    for chat in chats:
        await group.write(0, "/skyjo", chat=chat)
    silent = {chat.id for chat in chats[:2]}
    asked: list[int] = []

    class Gated(InProcessRequest):
        async def do_request(self, url: str, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
            chat = kwargs["request_data"].parameters["chat_id"]
            asked.append(chat)
            if chat in silent:
                await asyncio.Event().wait()
            return await super().do_request(url, *args, **kwargs)

    group.connection = Gated(group.telegram)
    bot = group.bot()
    await bot.application.initialize()
    group.clock.now += times.TABLE + 60
    assert await run_due(bot, int(group.clock.now)) == 4
    assert asked == [chat.id for chat in chats]
    assert bot.silent == silent
    asked.clear()
    group.clock.now += times.SURE
    other = group.telegram.people.groups.create("Others", *group.users)
    await group.settle()
    await group.write(0, "/skyjo", chat=other)
    group.clock.now += times.TABLE + 60
    await run_due(bot, int(group.clock.now))
    assert asked[0] == other.id, "whoever is silent comes last"
    assert set(asked[1:]) == silent
    silent.clear()
    group.clock.now += times.RAREST_LOOK
    await run_due(bot, int(group.clock.now))
    assert bot.silent == set()
    for chat in chats:
        assert "nothing has happened here" in str(group.messages(chat)[-1].body)
