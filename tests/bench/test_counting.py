"""The account that the bench keeps of DynamoDB: every call and unit as AWS would bill it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from bench.counting import Account, CountingStore
from infra import dynamo, table
from infra.items import match_bytes
from infra.matches import Match
from infra.sqlite import SqliteStore
from infra.store import Chat, ChatBudget, ConflictError
from tests.infra import sample

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

NOW = 1_700_000_000


@pytest.fixture
def store() -> CountingStore:
    """A store that has cost nothing yet."""
    return CountingStore(SqliteStore(":memory:", lambda: NOW))


def spent(store: CountingStore) -> Account:
    """What has been spent since the last time."""
    account, store.account = store.account, Account()
    account.largest = 0
    return account


async def opened(store: CountingStore, match: Match | None = None) -> Match:
    """A stored match, at nobody's expense."""
    saved = await store.open(match or replace(sample.playing(), version=0, pages=0), None)
    spent(store)
    return saved


async def test_a_move_is_one_read_and_one_write(store: CountingStore) -> None:
    """Of one unit each, where the item has at most 1,024 bytes and keeps its due time."""
    match = await opened(store)
    await store.match(match.id)
    await store.save(match)
    assert spent(store) == Account(reads=1, writes=1, read_units=1, write_units=1)


async def test_reading_nothing_costs_a_unit(store: CountingStore) -> None:
    """As everything that is looked for."""
    assert await store.match("none") is None
    assert await store.current(sample.GROUP, 0) is None
    assert await store.chat(sample.GROUP) == Chat(sample.GROUP)
    assert await store.budget(sample.GROUP) == ChatBudget(sample.GROUP)
    assert spent(store) == Account(reads=4, read_units=4)


async def test_paying_is_a_read_and_a_write(store: CountingStore) -> None:
    """Of one unit each, whether somebody else was faster or not."""
    first = await store.budget(sample.GROUP)
    await store.save_budget(replace(first, ready_ms=1))
    assert spent(store) == Account(reads=1, read_units=1, writes=1, write_units=1)
    with pytest.raises(ConflictError):
        await store.save_budget(replace(first, ready_ms=2))
    assert spent(store) == Account(writes=1, write_units=1)


@pytest.mark.parametrize(("size", "units"), [(1024, 1), (1025, 2), (2048, 2), (2049, 3)])
async def test_a_write_is_a_unit_for_every_1024_bytes_begun(store: CountingStore, size: int, units: int) -> None:
    """Of the larger of the item before and after."""
    match = await opened(store)
    grown = replace(match, moves=match.moves + "x" * (size - match_bytes(match)))
    grown = await store.save(grown)
    assert spent(store).write_units == units
    await store.save(replace(grown, moves=""))
    assert spent(store).write_units == units


@pytest.mark.parametrize(("before", "after", "units"), [(0, 0, 0), (5, 5, 0), (0, 5, 1), (5, 0, 1), (5, 6, 2)])
async def test_the_index_is_written_where_its_key_changes(
    store: CountingStore, before: int, after: int, units: int
) -> None:
    """A key that goes and a key that comes are a write each."""
    match = await opened(store, replace(sample.playing(), version=0, pages=0, due=before))
    await store.save(replace(match, due=after))
    assert spent(store).index_units == units


async def test_a_transaction_costs_twice(store: CountingStore) -> None:
    """Opening writes a match and its pointer; the end of a round a match and its page."""
    match = await store.open(replace(sample.playing(), version=0, pages=0, due=0), None)
    assert spent(store) == Account(writes=1, write_units=4)
    match = await store.save(replace(match, pages=1), "page")
    assert spent(store) == Account(writes=1, write_units=4)
    await store.pages(match)
    assert spent(store) == Account(reads=1, read_units=1)


async def test_a_write_that_loses_is_paid_for(store: CountingStore) -> None:
    """DynamoDB had to look at the item."""
    match = await opened(store)
    await store.save(match)
    spent(store)
    with pytest.raises(ConflictError):
        await store.save(match)
    assert spent(store) == Account(writes=1, write_units=1)


async def test_a_look_at_what_is_due_is_half_a_unit(store: CountingStore) -> None:
    """The index is read without consistency."""
    assert await store.due(NOW, 100) == ()
    assert spent(store) == Account(reads=1, read_units=0.5)


async def test_accounts_add_up() -> None:
    """All but the largest item, which stays what it is."""
    one, other = Account(1, 2, 3.0, 4, 5, 600), Account(1, 1, 1.5, 1, 1, 700)
    assert one + other == Account(2, 3, 4.5, 5, 6, 700)
    assert one - other == Account(0, 1, 1.5, 3, 4, 600)


@pytest.mark.java
async def test_amazons_own_dynamodb_counts_the_same(local_client: DynamoDBClient) -> None:
    """DynamoDB Local says what each request has consumed; of transactions alone it says twice what AWS bills."""
    table.create(local_client, "counted")
    store = CountingStore(dynamo.DynamoStore(local_client, "counted", lambda: NOW))
    match = await store.open(replace(sample.playing(), version=0, pages=0), None)
    match = await store.save(replace(match, pages=1), "x" * 1500)
    spent(store)
    with consumption(local_client) as consumed:
        for moves, due in (("", 0), ("x" * 900, 0), ("x" * 2000, 7), ("", 8)):
            match = await store.save(replace(match, moves=moves, due=due))
        await store.match(match.id)
        await store.match("none")
        await store.pages(match)
        await store.current(match.chat, match.topic)
        await store.save_chat(await store.chat(match.chat))
        await store.due(NOW, 100)
    assert consumed["reads"] == store.account.read_units
    assert consumed["writes"] == store.account.write_units + store.account.index_units


@contextmanager
def consumption(client: Any) -> Iterator[dict[str, float]]:
    """The units that the client's requests consume within the block, as the service tells them."""
    total = {"reads": 0.0, "writes": 0.0}

    def ask(params: dict[str, Any], **_: Any) -> None:
        params["ReturnConsumedCapacity"] = "TOTAL"

    def note(parsed: dict[str, Any], model: Any, **_: Any) -> None:
        kind = "reads" if model.name in ("GetItem", "Query") else "writes"
        total[kind] += parsed["ConsumedCapacity"]["CapacityUnits"]

    listeners = {"provide-client-params.dynamodb": ask, "after-call.dynamodb": note}
    for event, listener in listeners.items():
        client.meta.events.register(event, listener)
    try:
        yield total
    finally:
        for event, listener in listeners.items():
            client.meta.events.unregister(event, listener)
