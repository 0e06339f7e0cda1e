"""The store on AWS: the items of the table in DynamoDB, through the low-level client, one request a call.

The client's calls block. The webhook's Lambda instance handles one event at a time, so nobody waits for them but their
caller; where many are cared for at once, they go to threads.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from botocore.exceptions import (
    ChecksumError,
    ClientError,
    HTTPClientError,
    IncompleteReadError,
    ResponseStreamingError,
)
from botocore.exceptions import ConnectionError as BotoConnectionError
from botocore.parsers import ResponseParserError
from botocore.session import Session

from infra import aws, items
from infra.items import Key
from infra.matches import CorruptItemError, Item, Match, from_item, to_item
from infra.store import Chat, ChatBudget, ConflictError, StoreRefusedError, StoreUnavailableError
from infra.table import DUE_INDEX

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Attributes: TypeAlias = dict[str, Any]
"""An item as DynamoDB spells it: `{"version": {"N": "3"}}`."""

DUE_PAGE: Final = 1_000
"""Matches in one answer about what is due: more would come too late for a short time-out."""

FAILED: Final = "ConditionalCheckFailed"
"""DynamoDB's code for a condition that did not hold: as a transaction's reason; alone, with "Exception" after it."""

PASSING: Final = frozenset(
    {
        "InternalFailure",
        "InternalServerError",
        "LimitExceededException",
        "ProvisionedThroughputExceeded",
        "ProvisionedThroughputExceededException",
        "ReplicatedWriteConflictException",
        "RequestLimitExceeded",
        "RequestTimeout",
        "RequestTimeoutException",
        "ServiceUnavailable",
        "Throttling",
        "ThrottlingError",
        "ThrottlingException",
        "TooManyRequestsException",
        "TransactionConflict",
        "TransactionConflictException",
        "TransactionInProgressException",
    }
)
"""Codes of refusals that pass by themselves."""

_LOST: Final = (
    HTTPClientError,
    BotoConnectionError,
    ChecksumError,
    IncompleteReadError,
    ResponseStreamingError,
    ResponseParserError,
)
"""The client's own words for no answer, or for half of one."""

_LONGEST_REASON: Final = 200


def client(region: str | None = None, session: Session | None = None) -> DynamoDBClient:
    """A DynamoDB client for `DynamoStore`; see `infra.aws.client`."""
    return cast("DynamoDBClient", aws.client("dynamodb", region, session))


class DynamoStore:
    """A `Store` in the DynamoDB table called `table`, which is shaped as in `infra.table`.

    `clock` gives Unix seconds; what has expired by it is treated as absent, though DynamoDB may take days to remove it.
    With `threads` the event loop goes on while a request is answered.
    """

    def __init__(
        self,
        client: DynamoDBClient,
        table: str,
        clock: Callable[[], float] = time.time,
        *,
        threads: bool = False,
    ) -> None:
        self._client = client
        self._table = table
        self._clock = clock
        self._ask: Callable[..., Awaitable[Any]] = asyncio.to_thread if threads else _at_once

    def go_on_with(self, client: DynamoDBClient) -> None:
        """Use another client from now on: one reads credentials when it is made, and may keep them for ever."""
        self._client = client

    async def claim(self, bot: int, *, take_over: bool = False) -> int:
        """Keep the table for a bot; the bot whose it is then: the first that has claimed it, or that has taken it over.

        Two bots with one table would look after each other's matches, and neither could show them.
        """
        put = self._put(items.OWNER_KEY, items.owner_item(bot), None)
        if take_over:
            put["ConditionExpression"] += " OR bot <> :bot"
            put["ExpressionAttributeValues"] = {":bot": _value(bot)}
        found = await self._write(put)
        return bot if found is None else items.owner_from_item(found)

    async def match(self, match_id: str) -> Match | None:
        """See `Store.match`."""
        item = await self._get(items.match_key(match_id))
        return None if item is None else self._living(match_id, item)

    async def pages(self, match: Match) -> tuple[str, ...]:
        """See `Store.pages`."""
        if not match.pages:
            return ()
        (pk, first), (_, last) = items.page_key(match.id, 0), items.page_key(match.id, match.pages - 1)
        found: list[str] = []
        start: Attributes = {}
        while True:
            with _answers():
                answer = await self._ask(
                    self._client.query,
                    TableName=self._table,
                    KeyConditionExpression="pk = :pk AND sk BETWEEN :first AND :last",
                    ExpressionAttributeValues={":pk": {"S": pk}, ":first": {"S": first}, ":last": {"S": last}},
                    ConsistentRead=True,
                    **start,
                )
            found += (items.page_from_item(match.id, _decode(item)) for item in answer["Items"])
            if "LastEvaluatedKey" not in answer:
                break
            start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
        if len(found) != match.pages:
            raise CorruptItemError(f"match {match.id}: {len(found)} of its {match.pages} pages are there")
        return tuple(found)

    async def save(self, match: Match, page: str | None = None) -> Match:
        """See `Store.save`.

        Two who loaded the same version both write on condition that it still is the stored one; DynamoDB carries out
        one write after the other, so the later one's condition fails, and the answer brings what the earlier wrote:

            ours:    get v7 ─────────────── put v8 if v7 ✗ (v8) → judge again on v8
            theirs:      get v7 ─ put v8 if v7 ✓
        """
        saved = replace(match, version=match.version + 1)
        put = self._put(items.match_key(match.id), to_item(saved), match.version)
        if page is None:
            winner = await self._write(put)
        else:
            key = items.page_key(match.id, match.pages - 1)
            failed = await self._transact({"Put": put}, {"Put": self._put(key, items.page_item(saved, page), None)})
            if 1 in failed and 0 not in failed:
                raise CorruptItemError(f"match {match.id}: page {match.pages - 1} is there already")
            winner = failed.get(0)
        if winner is not None:
            raise ConflictError(self._living(match.id, winner))
        return saved

    async def open(self, match: Match, replaces: str | None) -> Match:
        """See `Store.open`.

        Two who open a table in the same chat both find the same pointer, and write on condition that it still names
        what they found; match and pointer are one transaction, so the loser leaves no match behind:

            ours:    pointer = m1 ─────────────── [put m2, pointer m1 → m2] ✗ (pointer = m3) → m3 is the winner
            theirs:      pointer = m1 ─ [put m3, pointer m1 → m3] ✓
        """
        saved = replace(match, version=match.version + 1)
        put = self._put(items.match_key(match.id), to_item(saved), None)
        pointer = items.pointer_key(match.chat, match.topic)
        failed = await self._transact({"Put": put}, {"Put": self._point(pointer, match.id, replaces)})
        if not failed:
            return saved
        stored, pointing = failed.get(0), failed.get(1)
        named = items.pointer_from_item(match.chat, pointing) if pointing else None
        if named == match.id and stored == to_item(saved):
            # Ours already: an earlier call wrote it, and its answer was lost.
            return saved
        if 1 not in failed:
            named = match.id
        raise ConflictError(None if named is None else await self.match(named))

    async def current(self, chat: int, topic: int) -> str | None:
        """See `Store.current`."""
        item = await self._get(items.pointer_key(chat, topic))
        return None if item is None else items.pointer_from_item(chat, item)

    async def chat(self, chat: int) -> Chat:
        """See `Store.chat`."""
        item = await self._get(items.chat_key(chat))
        return Chat(chat) if item is None else items.chat_from_item(chat, item)

    async def save_chat(self, chat: Chat) -> Chat:
        """See `Store.save_chat`."""
        saved = replace(chat, version=chat.version + 1)
        if await self._write(self._put_chat(saved)) is not None:
            raise ConflictError(None)
        return saved

    async def budget(self, chat: int) -> ChatBudget:
        """See `Store.budget`."""
        item = await self._get(items.budget_key(chat))
        return ChatBudget(chat) if item is None else items.budget_from_item(chat, item)

    async def save_budget(self, budget: ChatBudget) -> ChatBudget:
        """See `Store.save_budget`."""
        saved = replace(budget, version=budget.version + 1)
        put = self._put(items.budget_key(budget.chat), items.budget_to_item(saved), budget.version or None)
        if await self._write(put) is not None:
            raise ConflictError(None)
        return saved

    async def move_chat(self, match: Match, chat: int) -> Match:
        """See `Store.move_chat`.

        What is to be moved is read first, then written in one transaction on condition that nothing of it has changed
        meanwhile; a change of any of it (a save of the match, settings, a new table) makes the caller begin again.
        """
        if match.chat == chat:
            return match
        saved = replace(match, chat=chat, version=match.version + 1)
        old_key, new_key = items.pointer_key(match.chat, match.topic), items.pointer_key(chat, match.topic)
        named, settled = await self.current(match.chat, match.topic), await self.current(chat, match.topic)
        old, new = await self.chat(match.chat), await self.chat(chat)
        writes = [
            {"Put": self._put(items.match_key(match.id), to_item(saved), match.version)},
            {"Put": self._point(new_key, match.id, settled)},
            {"Put": self._put_chat(replace(old, moved_to=chat, version=old.version + 1))},
        ]
        if named == match.id:
            condition = self._condition("#match = :match", {"#match": "match"}, {":match": named})
            writes.append({"Delete": {"TableName": self._table, "Key": _encode_key(old_key), **condition}})
        if old.version and not new.version:
            writes.append({"Put": self._put_chat(replace(old, id=chat, moved_to=0, version=1))})
        failed = await self._transact(*writes)
        if failed:
            winner = failed.get(0)
            raise ConflictError(await self.match(match.id) if winner is None else self._living(match.id, winner))
        return saved

    async def due(self, until: int, limit: int) -> tuple[str, ...]:
        """See `Store.due`. The index follows the table within a fraction of a second, not at once."""
        found: list[str] = []
        start: Attributes = {}
        while len(found) < limit:
            with _answers():
                answer = await self._ask(
                    self._client.query,
                    TableName=self._table,
                    IndexName=DUE_INDEX,
                    KeyConditionExpression="sk = :match AND due <= :until",
                    ExpressionAttributeValues={":match": {"S": items.MATCH_SORT_KEY}, ":until": {"N": str(until)}},
                    Limit=min(limit - len(found), DUE_PAGE),
                    **start,
                )
            found += (item["pk"]["S"].removeprefix("match#") for item in answer["Items"])
            if "LastEvaluatedKey" not in answer:
                break
            start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
        return tuple(found)

    async def put_off(self, match_id: str, now: int, until: int) -> None:
        """See `Store.put_off`."""
        values: Attributes = {":now": {"N": str(now)}, **({":until": {"N": str(until)}} if until else {})}
        try:
            with _answers():
                await self._ask(
                    self._client.update_item,
                    TableName=self._table,
                    Key=_encode_key(items.match_key(match_id)),
                    UpdateExpression="SET due = :until" if until else "REMOVE due",
                    ConditionExpression="due <= :now",
                    ExpressionAttributeValues=values,
                )
        except ClientError as error:
            if error.response["Error"]["Code"] != FAILED + "Exception":
                raise

    def _living(self, match_id: str, item: Item) -> Match | None:
        """The match of a stored item; None where it has expired or there is no item (an empty one)."""
        return from_item(match_id, item) if item and items.alive(item, self._clock()) else None

    async def _get(self, key: Key) -> Item | None:
        with _answers():
            answer = await self._ask(
                self._client.get_item, TableName=self._table, Key=_encode_key(key), ConsistentRead=True
            )
        return _decode(answer["Item"]) if "Item" in answer else None

    async def _write(self, put: Attributes) -> Item | None:
        """Carry out one conditional put; return None, or where its condition failed the item found (empty: none).

        An attempt may be carried out although its answer is lost; the client then tries again, and that attempt fails
        on its own earlier write. So where there was more than one attempt, finding exactly what we wrote is success.
        """
        try:
            with _answers():
                await self._ask(self._client.put_item, **put)
        except ClientError as error:
            if error.response["Error"]["Code"] != FAILED + "Exception":
                raise
            found = cast("Attributes", error.response.get("Item", {}))
            if error.response["ResponseMetadata"]["RetryAttempts"] and found == put["Item"]:
                return None
            return _decode(found)
        return None

    async def _transact(self, *writes: Attributes) -> dict[int, Item]:
        """Carry out all writes or none; return the items (empty: none) found by the writes whose conditions failed.

        The client gives every call a token of its own, by which DynamoDB knows a repeated attempt for the same.
        """
        try:
            with _answers():
                await self._ask(self._client.transact_write_items, TransactItems=writes)
        except ClientError as error:
            failed = {
                number: _decode(reason.get("Item", {}))
                for number, reason in enumerate(_reasons(error))
                if reason.get("Code") == FAILED
            }
            if failed:
                return failed
            raise
        return {}

    def _put(self, key: Key, item: Item, version: int | None) -> Attributes:
        """A put on condition that the item is stored at `version` (None: that there is none)."""
        if version is None:
            condition = self._condition("attribute_not_exists(pk)", {}, {})
        else:
            condition = self._condition("#version = :version", {"#version": "version"}, {":version": version})
        return {"TableName": self._table, "Item": _encode(key, item), **condition}

    def _put_chat(self, chat: Chat) -> Attributes:
        version = chat.version - 1
        return self._put(items.chat_key(chat.id), items.chat_to_item(chat), version or None)

    def _point(self, key: Key, match_id: str, replaces: str | None) -> Attributes:
        """A put of a pointer on condition that it names `replaces` (None: that there is none)."""
        put = self._put(key, items.pointer_item(match_id), None)
        if replaces is not None:
            put.update(self._condition("#match = :match", {"#match": "match"}, {":match": replaces}))
        return put

    def _condition(self, expression: str, names: Mapping[str, str], values: Item) -> Attributes:
        condition: Attributes = {"ConditionExpression": expression, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
        if names:
            condition["ExpressionAttributeNames"] = names
            condition["ExpressionAttributeValues"] = {name: _value(value) for name, value in values.items()}
        return condition


async def _at_once(request: Callable[..., Any], **arguments: Any) -> Any:
    return request(**arguments)


@contextmanager
def _answers() -> Iterator[None]:
    """Turn every failure of a call into what can be done about it; a condition that did not hold is left as it is.

    - `PASSING` and what AWS calls its own failure: it passes.
    - No answer, or half of one: `_LOST`; it passes.
    - All else: the owner must look at it, for no press was at fault. No table, no permission, credentials that are
      missing or expired, a key of KMS, a request that AWS takes for wrong, or something that nobody has foreseen.
    """
    try:
        yield
    except ClientError as error:
        codes = _codes(error)
        # Where a condition failed too, trying again would not help.
        if FAILED in codes or FAILED + "Exception" in codes:
            raise
        told = f"DynamoDB refused: {', '.join(sorted(codes))}"
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        if codes & PASSING or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise StoreUnavailableError(told) from error
        raise StoreRefusedError(f"{told} ({error.operation_name}; {_words(error)})") from error
    except _LOST as error:
        raise StoreUnavailableError(f"DynamoDB did not answer: {type(error).__name__}") from error
    except Exception as error:
        raise StoreRefusedError(f"DynamoDB cannot be asked: {type(error).__name__} ({error})") from error


def _words(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Message", ""))[:_LONGEST_REASON]


def _codes(error: ClientError) -> set[str]:
    """DynamoDB's codes for a refusal; those of its reasons where it cancelled a transaction."""
    codes = {str(reason.get("Code")) for reason in _reasons(error)} - {"None"}
    return codes or {str(error.response.get("Error", {}).get("Code", "no code"))}


def _reasons(error: ClientError) -> Sequence[Mapping[str, Any]]:
    """Why a transaction was cancelled, a reason a write; empty for any other error."""
    reasons: Sequence[Mapping[str, Any]] = error.response.get("CancellationReasons", ())
    return reasons


def _value(value: int | str) -> Attributes:
    return {"S": value} if isinstance(value, str) else {"N": str(value)}


def _encode_key(key: Key) -> Attributes:
    return {"pk": {"S": key[0]}, "sk": {"S": key[1]}}


def _encode(key: Key, item: Item) -> Attributes:
    return _encode_key(key) | {name: _value(value) for name, value in item.items()}


def _decode(attributes: Mapping[str, Mapping[str, Any]]) -> Item:
    """The flat item, without its keys. Raises `CorruptItemError` for what is neither a text nor a whole number."""
    item: Item = {}
    try:
        for name, value in attributes.items():
            item[name] = value["S"] if "S" in value else int(value["N"])
    except (KeyError, ValueError) as error:
        raise CorruptItemError(f"{attributes.get('pk')} {name}: neither a text nor a whole number") from error
    item.pop("pk", None)
    item.pop("sk", None)
    return item
