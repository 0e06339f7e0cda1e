"""What only DynamoDB can do to a store: refuse, keep silent, answer twice, and send a bill."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Self, cast

import pytest
from botocore.exceptions import (
    ClientError,
    ConnectionClosedError,
    ConnectTimeoutError,
    CredentialRetrievalError,
    EndpointConnectionError,
    NoCredentialsError,
    ReadTimeoutError,
)

from infra import aws, dynamo, items
from infra.dynamo import DynamoStore
from infra.matches import WRITE_UNIT, to_item
from infra.store import Chat, ConflictError, StoreRefusedError, StoreUnavailableError
from infra.table import create
from tests.infra.backends import DynamoBackend
from tests.infra.sample import GROUP, SUPERGROUP, table

Call = Callable[[DynamoStore], Awaitable[object]]
READS: dict[str, Call] = {
    "match": lambda store: store.match("m1"),
    "pages": lambda store: store.pages(replace(table(), pages=2)),
    "current": lambda store: store.current(GROUP, 0),
    "chat": lambda store: store.chat(GROUP),
    "due": lambda store: store.due(5, 5),
}
WRITES: dict[str, Call] = {
    "save": lambda store: store.save(table()),
    "save-page": lambda store: store.save(replace(table(), pages=1), "page"),
    "open": lambda store: store.open(table(), None),
    "save-chat": lambda store: store.save_chat(Chat(GROUP)),
    "move-chat": lambda store: store.move_chat(table(), SUPERGROUP),
    "put-off": lambda store: store.put_off("m1", 5, 9),
}
LOCAL = pytest.mark.parametrize("dynamo_table", [pytest.param("local", marks=pytest.mark.java)], indirect=True)
CALLS = [pytest.param(call, id=name) for name, call in (READS | WRITES).items()]


def client_error(code: str, status: int = 400, reasons: tuple[str, ...] = ()) -> ClientError:
    """A DynamoDB error as botocore raises it; `reasons` are the codes of a cancelled transaction's writes."""
    response: dict[str, Any] = {
        "Error": {"Code": code, "Message": "as the service says"},
        "ResponseMetadata": {"HTTPStatusCode": status, "RetryAttempts": 0},
    }
    if reasons:
        response["CancellationReasons"] = [{"Code": reason} for reason in reasons]
    return ClientError(cast("Any", response), "AnyOperation")


@dataclass
class Refusing:
    """A client whose every call raises."""

    error: Exception

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(**_: Any) -> Any:
            raise self.error

        return call


def refusing(error: Exception) -> DynamoStore:
    """A store whose client raises `error`."""
    return DynamoStore(cast("Any", Refusing(error)), "any")


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "error",
    [
        client_error("ProvisionedThroughputExceededException"),
        client_error("ThrottlingException"),
        client_error("RequestLimitExceeded"),
        client_error("TransactionConflictException"),
        client_error("TransactionInProgressException"),
        client_error("InternalServerError", 500),
        client_error("AnyOther", 503),
        client_error("TransactionCanceledException", reasons=("None", "TransactionConflict")),
        client_error("TransactionCanceledException", reasons=("ThrottlingError", "None")),
        ConnectTimeoutError(endpoint_url="http://x"),
        ReadTimeoutError(endpoint_url="http://x"),
        EndpointConnectionError(endpoint_url="http://x"),
        ConnectionClosedError(endpoint_url="http://x"),
    ],
    ids=repr,
)
async def test_what_may_pass_is_unavailability(call: Call, error: Exception) -> None:
    """Throttling, transactions in each other's way, silence and the service's own failures may be tried again."""
    with pytest.raises(StoreUnavailableError) as raised:
        await call(refusing(error))
    assert type(raised.value) is StoreUnavailableError


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "error",
    [
        client_error("AccessDeniedException"),
        client_error("ResourceNotFoundException"),
        client_error("ExpiredTokenException"),
        client_error("UnrecognizedClientException"),
        client_error("KMSAccessDeniedException"),
        client_error("ValidationException"),
        client_error("ACodeOfNextYear"),
        client_error("TransactionCanceledException", reasons=("ValidationError", "None")),
        NoCredentialsError(),
        CredentialRetrievalError(provider="process", error_msg="no such file"),
        RuntimeError("something new"),
    ],
    ids=repr,
)
async def test_what_only_the_owner_can_mend_is_told_apart(call: Call, error: Exception) -> None:
    """No table, no permission, no credentials, and whatever nobody has foreseen: not lost, and loud."""
    with pytest.raises(StoreRefusedError, match="DynamoDB"):
        await call(refusing(error))


async def test_a_failed_condition_outweighs_a_passing_reason() -> None:
    """Where one write of a transaction has lost its race for good, it is a conflict whatever befell the others."""
    store = refusing(
        client_error("TransactionCanceledException", reasons=("ConditionalCheckFailed", "TransactionConflict"))
    )
    with pytest.raises(ConflictError):
        await store.save(replace(table(), pages=1), "page")


@dataclass
class Line:
    """The line to DynamoDB: notes every request, and loses the answers of the next `losses` (that are `loses`)."""

    backend: DynamoBackend
    losses: int = 0
    loses: str = ""
    requests: list[tuple[str, bytes]] = field(default_factory=list)
    after_loss: Callable[[], None] = lambda: None
    _forwarding: bool = False

    def __call__(self, request: Any, event_name: str, **_: Any) -> Any:
        """What botocore calls before a request goes out: an answer stands for the real one, None sends the request."""
        if self._forwarding:
            return None
        operation = event_name.rpartition(".")[2]
        self.requests.append((operation, request.body))
        if not self.losses or self.loses not in {"", operation}:
            return None
        self.losses -= 1
        self._forwarding = True
        # moto answers by a hook of its own; for a real server the request is sent here.
        client: Any = self.backend.client
        if client.meta.events.emit_until_response(event_name, request=request)[1] is None:
            client._endpoint.http_session.send(request)
        self.after_loss()
        self._forwarding = False
        raise ReadTimeoutError(endpoint_url=request.url)

    @property
    def operations(self) -> list[str]:
        """The names of the requests so far."""
        return [name for name, _ in self.requests]


@pytest.fixture
def line(dynamo_table: DynamoBackend, monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    """The line of the `dynamo_table` fixture's client, without the waits between attempts."""
    monkeypatch.setattr("time.sleep", lambda _: None)
    made = Line(dynamo_table)
    events = dynamo_table.client.meta.events
    events.register_first("before-send.dynamodb", made)
    yield made
    events.unregister("before-send.dynamodb", made)


@pytest.fixture
def store(dynamo_table: DynamoBackend, line: Line) -> DynamoStore:  # noqa: ARG001 (the line is laid first)
    """A store on the table."""
    made = dynamo_table.store()
    assert isinstance(made, DynamoStore)
    return made


async def test_an_open_whose_answer_is_lost_has_happened_once(store: DynamoStore, line: Line) -> None:
    """The client's second attempt finds the first one's work and counts as its success."""
    line.losses = 1
    opened = await store.open(table(), None)

    assert line.operations == ["TransactWriteItems"] * 2
    assert await store.match("m1") == opened == replace(table(), version=1)


async def test_a_save_whose_answer_is_lost_has_happened_once(store: DynamoStore, line: Line) -> None:
    """A save that failed only on its own earlier attempt is a success."""
    opened = await store.open(table(), None)
    line.losses = 1
    saved = await store.save(replace(opened, moves="a"))

    assert line.operations[-2:] == ["PutItem"] * 2
    assert await store.match("m1") == saved == replace(opened, moves="a", version=2)


@LOCAL
async def test_a_page_turn_whose_answer_is_lost_has_happened_once(store: DynamoStore, line: Line) -> None:
    """DynamoDB knows the repeated transaction by its token (moto does not) and says that it is done."""
    opened = await store.open(table(), None)
    line.losses = 1
    saved = await store.save(replace(opened, pages=1), "page 0")

    assert line.operations[-2:] == ["TransactWriteItems"] * 2
    assert line.requests[-1] == line.requests[-2]
    assert b"ClientRequestToken" in line.requests[-1][1]
    assert await store.match("m1") == saved
    assert await store.pages(saved) == ("page 0",)


async def test_settings_whose_answer_is_lost_are_saved_once(store: DynamoStore, line: Line) -> None:
    """The same for a chat's settings."""
    line.losses = 1
    saved = await store.save_chat(Chat(GROUP, language="fr"))

    assert await store.chat(GROUP) == saved == Chat(GROUP, language="fr", version=1)


@LOCAL
async def test_a_move_whose_answer_is_lost_has_happened_once(store: DynamoStore, line: Line) -> None:
    """The same for a group that became a supergroup."""
    opened = await store.open(table(), None)
    line.losses, line.loses = 1, "TransactWriteItems"
    moved = await store.move_chat(opened, SUPERGROUP)

    assert line.losses == 0
    assert await store.match("m1") == moved
    assert await store.current(SUPERGROUP, 0) == "m1"


async def test_a_read_whose_answer_is_lost_is_repeated(store: DynamoStore, line: Line) -> None:
    """The caller hears nothing of a lost answer to a read."""
    opened = await store.open(table(), None)
    line.losses = 1

    assert await store.match("m1") == opened
    assert line.operations[-2:] == ["GetItem"] * 2


async def test_a_lost_answer_overtaken_by_another_save_is_a_conflict(
    dynamo_table: DynamoBackend, store: DynamoStore, line: Line
) -> None:
    """Where somebody saved on top of our save before the second attempt, their match is the winner, ours within it."""
    opened = await store.open(table(), None)
    ours = replace(opened, moves="a", version=2)
    theirs = replace(ours, moves="ab", version=3)
    line.losses = 1
    line.after_loss = lambda: dynamo_table.put(items.match_key("m1"), to_item(theirs))

    with pytest.raises(ConflictError) as caught:
        await store.save(replace(opened, moves="a"))
    assert caught.value.winner == theirs


async def test_putting_off_whose_answer_is_lost_has_happened(store: DynamoStore, line: Line) -> None:
    """The second attempt finds nothing due any more, and that is what was wanted."""
    await store.open(replace(table(), due=5), None)
    line.losses = 1
    await store.put_off("m1", 5, 9)
    assert await store.due(5, 10) == ()
    assert await store.due(9, 10) == ("m1",)


async def test_a_loop_goes_on_while_threads_wait(dynamo_table: DynamoBackend) -> None:
    """With threads every call leaves the loop to others, and does what it does without."""
    store = DynamoStore(dynamo_table.client, dynamo_table.table, dynamo_table.clock, threads=True)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    opened = await store.open(replace(table(), due=5), None)
    with pytest.raises(ConflictError):
        await store.save(replace(opened, version=9))
    await store.put_off("m1", 2**31, 1)
    assert await asyncio.gather(*(store.match("m1") for _ in range(20))) == [replace(opened, due=1)] * 20
    assert await store.due(1, 10) == ("m1",)
    beside.cancel()
    assert turns > 5


async def test_what_is_due_is_read_in_several_answers(store: DynamoStore) -> None:
    """One answer may hold less than was asked for (1 MB at most); what is left is asked for until it is enough."""
    for number in range(5):
        await store.open(replace(table(f"m{number}", topic=number), due=number + 1), None)
    store._client = cast("Any", Sparing(store._client))
    assert await store.due(9, 10) == ("m0", "m1", "m2", "m3", "m4")
    assert await store.due(9, 3) == ("m0", "m1", "m2")


class Sparing:
    """A client whose queries bring two items at most, as if they were large."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def query(self, **asked: Any) -> Any:
        """The answer to a query."""
        return self._inner.query(**asked | {"Limit": min(2, asked["Limit"])})


async def test_a_table_belongs_to_one_bot(store: DynamoStore, line: Line) -> None:
    """The first that claims it, whose lost answer changes nothing; who is deployed may take it over."""
    line.losses = 1
    assert await store.claim(17) == 17
    assert [await store.claim(bot) for bot in (17, 18)] == [17, 17]
    assert [await store.claim(18, take_over=True) for _ in range(2)] == [18, 18]
    assert await store.claim(17) == 18


async def test_attempts_are_few(store: DynamoStore, line: Line) -> None:
    """When no attempt is answered the caller hears so soon."""
    line.losses = 99
    with pytest.raises(StoreUnavailableError):
        await store.match("m1")
    assert len(line.requests) == aws.ATTEMPTS


async def test_a_move_costs_one_read_and_one_write(store: DynamoStore, line: Line) -> None:
    """Loading is one consistent GetItem, saving one PutItem, and a lost race brings the winner without another read."""
    opened = await store.open(table(), None)
    line.requests.clear()
    loaded = await store.match("m1")
    assert loaded == opened
    await store.save(opened)
    with pytest.raises(ConflictError):
        await store.save(opened)

    assert line.operations == ["GetItem", "PutItem", "PutItem"]
    assert b'"ConsistentRead": true' in line.requests[0][1]


async def test_every_read_of_the_table_is_consistent(store: DynamoStore, line: Line) -> None:
    """Only the index, which cannot be read consistently, is not."""
    await store.match("m1")
    await store.current(GROUP, 0)
    await store.chat(GROUP)
    match = await store.save(replace(await store.open(table(), None), pages=1), "page")
    await store.pages(match)
    reads = [body for name, body in line.requests if name in {"GetItem", "Query"}]

    assert len(reads) == 4
    assert all(b'"ConsistentRead": true' in body for body in reads)


async def test_many_pages_are_read_in_several_answers(store: DynamoStore, line: Line) -> None:
    """Pages beyond what one answer holds (1 MB) are fetched with further requests."""
    match = await store.open(table(), None)
    pages = [str(number) * 390_000 for number in range(4)]
    for number, page in enumerate(pages):
        match = await store.save(replace(match, pages=number + 1), page)
    line.requests.clear()

    assert await store.pages(match) == tuple(pages)
    assert set(line.operations) == {"Query"}
    assert len(line.operations) > 1


class Bill:
    """Adds up the write units that DynamoDB says it counted, for the table and for its index."""

    def __init__(self, backend: DynamoBackend) -> None:
        self.table = self.index = 0.0
        self._events: Any = backend.client.meta.events

    def __enter__(self) -> Self:
        """Begin to ask for the bill."""
        self._events.register("provide-client-params.dynamodb", self._ask, unique_id="ask")
        self._events.register("after-call.dynamodb", self._note, unique_id="note")
        return self

    def __exit__(self, *_: object) -> None:
        """Ask no more."""
        self._events.unregister("provide-client-params.dynamodb", unique_id="ask")
        self._events.unregister("after-call.dynamodb", unique_id="note")

    @staticmethod
    def _ask(params: dict[str, Any], **_: Any) -> dict[str, Any]:
        return params | {"ReturnConsumedCapacity": "INDEXES"}

    def _note(self, parsed: dict[str, Any], **_: Any) -> None:
        consumed = parsed["ConsumedCapacity"]
        for one in consumed if isinstance(consumed, list) else [consumed]:
            self.table += one["Table"]["CapacityUnits"]
            for index in one.get("GlobalSecondaryIndexes", {}).values():
                self.index += index["CapacityUnits"]


@LOCAL
async def test_a_save_that_leaves_due_alone_costs_one_write_unit(dynamo_table: DynamoBackend) -> None:
    """The index is paid for when `due` is set, changed or taken away, and not otherwise."""
    store = dynamo_table.store()
    match = await store.open(replace(table(), due=100), None)
    costs = []
    for due in (100, 200, 0, 0, 300):
        with Bill(dynamo_table) as bill:
            match = await store.save(replace(match, due=due, moves=match.moves + "x"))
        costs.append((bill.table, bill.index))

    assert costs == [(1, 0), (1, 2), (1, 1), (1, 0), (1, 1)]


@LOCAL
@pytest.mark.parametrize("number", [0, 5, -5, 10, 100, 101, 1010, -4_000_123, 1_700_000_000, 1_700_000_002_345])
def test_items_weigh_what_dynamodb_says(dynamo_table: DynamoBackend, number: int) -> None:
    """An item of 1,024 bytes by our count costs one write unit, and two with a byte more."""
    key = items.match_key("m1")
    room = WRITE_UNIT - items.item_bytes(key, {"n": number, "é": ""})
    costs = []
    for length in (room, room + 1):
        with Bill(dynamo_table) as bill:
            dynamo_table.put(key, {"n": number, "é": "x" * length})
        costs.append(bill.table)

    assert costs == [1, 2]


def test_the_client_obeys_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Endpoint and region are boto3's usual variables."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-north-1")
    client = dynamo.client()

    assert client.meta.endpoint_url == "http://127.0.0.1:1"
    assert client.meta.region_name == "eu-north-1"
    client.close()


def test_making_a_table_again_is_harmless(dynamo_table: DynamoBackend) -> None:
    """A table that is there stays as it is, with what is in it."""
    dynamo_table.put(("a", "b"), {"n": 1})
    create(dynamo_table.client, dynamo_table.table)

    assert dynamo_table.get(("a", "b")) == {"n": 1}
