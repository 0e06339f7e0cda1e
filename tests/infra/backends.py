"""The places that the store contract is tested on: each makes stores over the same items, and tampers with them."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from uuid import uuid4

from infra.dynamo import DynamoStore, _decode, _encode, _encode_key
from infra.items import Key
from infra.matches import Item
from infra.sqlite import SqliteStore
from infra.store import Store
from infra.table import create

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


@dataclass
class Clock:
    """A clock that tests set: Unix seconds."""

    now: float = 1_700_000_000.0

    def __call__(self) -> float:
        """The time it is."""
        return self.now


class Backend(Protocol):
    """Where stores keep their items."""

    clock: Clock

    def store(self) -> Store:
        """A new store over the same items, as another process would have it."""
        ...

    def put(self, key: Key, item: Item) -> None:
        """Write an item past the store."""
        ...

    def get(self, key: Key) -> Item | None:
        """Read an item past the store."""
        ...


class SqliteBackend:
    """One SQLite file."""

    def __init__(self, path: Path) -> None:
        self.clock = Clock()
        self._path = path
        self._stores: list[SqliteStore] = []

    def store(self) -> Store:
        """See `Backend.store`."""
        self._stores.append(SqliteStore(self._path, self.clock))
        return self._stores[-1]

    def put(self, key: Key, item: Item) -> None:
        """See `Backend.put`."""
        columns = (*key, item.get("version", 0), item.get("due"), item.get("expires", 0), json.dumps(item))
        db = sqlite3.connect(self._path)
        db.execute("REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?)", columns)
        db.commit()
        db.close()

    def get(self, key: Key) -> Item | None:
        """See `Backend.get`."""
        db = sqlite3.connect(self._path)
        row = db.execute("SELECT item FROM items WHERE pk = ? AND sk = ?", key).fetchone()
        db.close()
        return None if row is None else dict(json.loads(row[0]))

    def close(self) -> None:
        """Let the file go."""
        for store in self._stores:
            store.close()


class DynamoBackend:
    """One new table behind a DynamoDB client."""

    def __init__(self, client: DynamoDBClient) -> None:
        self.clock = Clock()
        self.client = client
        self.table = f"tablee-{uuid4().hex}"
        create(client, self.table)

    def store(self) -> Store:
        """See `Backend.store`."""
        return DynamoStore(self.client, self.table, self.clock)

    def put(self, key: Key, item: Item) -> None:
        """See `Backend.put`."""
        self.client.put_item(TableName=self.table, Item=_encode(key, item))

    def get(self, key: Key) -> Item | None:
        """See `Backend.get`."""
        answer = self.client.get_item(TableName=self.table, Key=_encode_key(key), ConsistentRead=True)
        return _decode(answer["Item"]) if "Item" in answer else None
