"""The store for one's own machine: the items of the table in one SQLite file, safe across processes and threads.

Every write is one transaction that takes the write lock before it reads (BEGIN IMMEDIATE), so what it has read is
still true when it writes; two writers queue, and the second one sees the first one's version:

    ours:    BEGIN ─ read v7 ─ write v8 ─ COMMIT
    theirs:      BEGIN ······ waits ······ read v8, expected v7 ─ ROLLBACK → conflict, v8 is the winner
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from infra import items
from infra.items import Key
from infra.matches import CorruptItemError, Item, Match, from_item, to_item
from infra.store import Chat, ChatBudget, ConflictError, StoreRefusedError, StoreUnavailableError

APPLICATION_ID: Final = 0x7AB1EE
"""Marks a file as ours in SQLite's header, so that another program's database is never written to."""

USER_VERSION: Final = 1
BUSY_SECONDS: Final = 2.0
"""How long a call waits for another writer before the store counts as unavailable."""

SWEEP_SECONDS: Final = 24 * 3600
"""How often a file that stays open is rid of what has expired."""

TABLE: Final = """
CREATE TABLE items (
    pk TEXT NOT NULL, sk TEXT NOT NULL, version INTEGER NOT NULL, due INTEGER, expires INTEGER NOT NULL,
    item TEXT NOT NULL, PRIMARY KEY (pk, sk)
) WITHOUT ROWID
"""
INDEX: Final = "CREATE INDEX due ON items (due) WHERE due IS NOT NULL"
DUE: Final = "SELECT pk FROM items WHERE due <= ? AND NOT expires BETWEEN 1 AND ? ORDER BY due, pk LIMIT ?"

JOURNALS: Final = ("-wal", "-shm", "-journal")
"""What SQLite appends to a file's name for what it keeps beside it."""

_HELD: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_PASSING: Final = (*_HELD, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_SCHEMA)
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class UnusableDatabaseError(OSError):
    """The file cannot be the store: `path` and `why`, in one line."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path} cannot be used as the database: {why}")
        self.path = path
        self.why = why


class SqliteStore:
    """A `Store` in the file at `path`, which is made with its folder; ":memory:" lasts as long as the store.

    The file holds the secrets of running matches, so only its owner may read it. `clock` gives Unix seconds; what has
    expired by it is treated as absent, and removed when the file is opened and once a day. `bot` is the id of the bot
    whose matches these are: the first one that opens the file keeps it (0: whoever keeps it may).
    Raises `UnusableDatabaseError` where the file cannot be made, written or understood, or is another bot's, and
    `StoreUnavailableError` where another program holds it.
    """

    def __init__(
        self,
        path: Path | str,
        clock: Callable[[], float] = time.time,
        busy_seconds: float = BUSY_SECONDS,
        bot: int = 0,
    ) -> None:
        self._clock = clock
        self._swept = 0.0
        # One connection for all threads, one at a time: SQLite would serialise the writers anyway.
        self._lock = threading.Lock()
        try:
            if str(path) != ":memory:":
                _make(Path(path))
            self._db = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise UnusableDatabaseError(str(path), str(error)) from error
        try:
            self._prepare(str(path), bot)
        except (sqlite3.Error, CorruptItemError) as error:
            self._db.close()
            if isinstance(error, sqlite3.Error) and error.sqlite_errorcode & 0xFF in _HELD:
                raise StoreUnavailableError(f"{path} is held by another program: {error}") from error
            raise UnusableDatabaseError(str(path), str(error)) from error
        except UnusableDatabaseError:
            self._db.close()
            raise

    def close(self) -> None:
        """Let the file go; the store is of no use afterwards."""
        self._db.close()

    async def match(self, match_id: str) -> Match | None:
        """See `Store.match`."""
        with self._answers():
            return self._match(match_id)

    async def pages(self, match: Match) -> tuple[str, ...]:
        """See `Store.pages`."""
        with self._answers():
            found = [self._stored(items.page_key(match.id, page)) for page in range(match.pages)]
        return tuple(items.page_from_item(match.id, item or {}) for item in found)

    async def save(self, match: Match, page: str | None = None) -> Match:
        """See `Store.save`."""
        saved = replace(match, version=match.version + 1)
        with self._transaction():
            self._require_version(match)
            self._put(items.match_key(match.id), to_item(saved))
            if page is not None:
                self._put_page(saved, page)
        return saved

    async def open(self, match: Match, replaces: str | None) -> Match:
        """See `Store.open`."""
        saved = replace(match, version=match.version + 1)
        item, pointer = to_item(saved), items.pointer_key(match.chat, match.topic)
        with self._transaction():
            named = self._pointer(match.chat, match.topic)
            stored = self._stored(items.match_key(match.id))
            if named == match.id and stored == item:
                return saved
            if named != replaces:
                raise ConflictError(None if named is None else self._match(named))
            if stored is not None:
                raise ConflictError(self._match(match.id))
            self._put(items.match_key(match.id), item)
            self._put(pointer, items.pointer_item(match.id))
        return saved

    async def current(self, chat: int, topic: int) -> str | None:
        """See `Store.current`."""
        with self._answers():
            return self._pointer(chat, topic)

    async def chat(self, chat: int) -> Chat:
        """See `Store.chat`."""
        with self._answers():
            return self._chat(chat)

    async def save_chat(self, chat: Chat) -> Chat:
        """See `Store.save_chat`."""
        with self._transaction():
            if self._chat(chat.id).version != chat.version:
                raise ConflictError(None)
            return self._put_chat(chat)

    async def budget(self, chat: int) -> ChatBudget:
        """See `Store.budget`."""
        with self._answers():
            return self._budget(chat)

    async def save_budget(self, budget: ChatBudget) -> ChatBudget:
        """See `Store.save_budget`."""
        saved = replace(budget, version=budget.version + 1)
        with self._transaction():
            if self._budget(budget.chat).version != budget.version:
                raise ConflictError(None)
            self._put(items.budget_key(budget.chat), items.budget_to_item(saved))
        return saved

    async def move_chat(self, match: Match, chat: int) -> Match:
        """See `Store.move_chat`."""
        if match.chat == chat:
            return match
        saved = replace(match, chat=chat, version=match.version + 1)
        with self._transaction():
            self._require_version(match)
            self._put(items.match_key(match.id), to_item(saved))
            if self._pointer(match.chat, match.topic) == match.id:
                self._delete(items.pointer_key(match.chat, match.topic))
            self._put(items.pointer_key(chat, match.topic), items.pointer_item(match.id))
            old, new = self._chat(match.chat), self._chat(chat)
            if old.version and not new.version:
                self._put_chat(replace(old, id=chat, moved_to=0, version=0))
            self._put_chat(replace(old, moved_to=chat))
        return saved

    async def due(self, until: int, limit: int) -> tuple[str, ...]:
        """See `Store.due`."""
        # Sweeping can wait for whoever holds the file.
        with suppress(StoreUnavailableError):
            self._sweep_daily()
        with self._answers():
            rows = self._db.execute(DUE, (until, int(self._clock()), limit))
            return tuple(pk.removeprefix("match#") for (pk,) in rows)

    async def put_off(self, match_id: str, now: int, until: int) -> None:
        """See `Store.put_off`."""
        with self._answers():
            # The item itself stays as it is: it may be one that nobody can read.
            self._db.execute(
                "UPDATE items SET due = ? WHERE pk = ? AND sk = ? AND due <= ?",
                (until or None, *items.match_key(match_id), now),
            )

    def _prepare(self, path: str, bot: int) -> None:
        # One transaction, so that what another process makes meanwhile is seen whole or not at all.
        self._db.execute("BEGIN")
        application, version, filled = map(self._pragma, ("application_id", "user_version", "schema_version"))
        self._db.execute("COMMIT")
        if application != APPLICATION_ID and (application or filled):
            raise UnusableDatabaseError(path, "it belongs to another program")
        if version > USER_VERSION:
            raise UnusableDatabaseError(path, "a newer version of this program made it")
        if path != ":memory:":
            # SQLite makes its journals as readable as the file is.
            _keep_private(path)
        # With a write-ahead log readers go on while somebody writes. SQLite does not wait for the lock that the change
        # takes, so where others are busy it is left to them; nothing but speed depends on it.
        with suppress(sqlite3.OperationalError):
            self._db.execute("PRAGMA journal_mode = WAL")
        # Even a crash of the machine leaves what was committed.
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("BEGIN IMMEDIATE")
        # Asked again under the lock: another process may have made the table meanwhile.
        if self._pragma("user_version") == 0:
            self._db.execute(TABLE)
            self._db.execute(INDEX)
            self._db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self._db.execute(f"PRAGMA user_version = {USER_VERSION}")
        if bot:
            self._claim(path, bot)
        self._sweep()
        self._db.execute("COMMIT")

    def _claim(self, path: str, bot: int) -> None:
        """Keep the file for one bot: two would look after each other's matches, and neither could show them."""
        item = self._stored(items.OWNER_KEY)
        owner = bot if item is None else items.owner_from_item(item)
        if owner != bot:
            raise UnusableDatabaseError(path, f"it is the bot {owner}'s; give the bot {bot} a file of its own")
        if item is None:
            self._put(items.OWNER_KEY, items.owner_item(bot))

    def _sweep_daily(self) -> None:
        if self._clock() - self._swept >= SWEEP_SECONDS:
            with self._transaction():
                self._sweep()

    def _sweep(self) -> None:
        self._swept = self._clock()
        self._db.execute("DELETE FROM items WHERE expires BETWEEN 1 AND ?", (int(self._swept),))

    def _pragma(self, name: str) -> int:
        (value,) = self._db.execute(f"PRAGMA {name}").fetchone()
        return int(value)

    @contextmanager
    def _answers(self) -> Iterator[None]:
        """Turn every failure into what can be done about it: what others hold passes, all else is the owner's."""
        with self._lock:
            try:
                yield
            except (ConflictError, CorruptItemError):
                raise
            except sqlite3.Error as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF in _PASSING:
                    raise StoreUnavailableError(f"SQLite: {error}") from error
                raise StoreRefusedError(f"SQLite cannot go on: {type(error).__name__} ({error})") from error
            except Exception as error:
                # Its words may quote what was to be stored.
                raise StoreRefusedError(f"SQLite cannot go on: {type(error).__name__}") from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._answers():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def _stored(self, key: Key) -> Item | None:
        row = self._db.execute("SELECT item FROM items WHERE pk = ? AND sk = ?", key).fetchone()
        if row is None:
            return None
        try:
            item = json.loads(row[0])
        except (ValueError, TypeError, RecursionError):
            # The decoder's error quotes the item.
            raise CorruptItemError(f"{key[0]} {key[1]}: no JSON") from None
        if not isinstance(item, dict):
            raise CorruptItemError(f"{key[0]} {key[1]}: not an item")
        return item

    def _match(self, match_id: str) -> Match | None:
        item = self._stored(items.match_key(match_id))
        if item is None or not items.alive(item, self._clock()):
            return None
        return from_item(match_id, item)

    def _pointer(self, chat: int, topic: int) -> str | None:
        item = self._stored(items.pointer_key(chat, topic))
        return None if item is None else items.pointer_from_item(chat, item)

    def _chat(self, chat: int) -> Chat:
        item = self._stored(items.chat_key(chat))
        return Chat(chat) if item is None else items.chat_from_item(chat, item)

    def _budget(self, chat: int) -> ChatBudget:
        item = self._stored(items.budget_key(chat))
        return ChatBudget(chat) if item is None else items.budget_from_item(chat, item)

    def _require_version(self, match: Match) -> None:
        """Raise `ConflictError` unless the stored match, expired or not, is the one that `match` was loaded as."""
        row = self._db.execute("SELECT version FROM items WHERE pk = ? AND sk = ?", items.match_key(match.id))
        if row.fetchone() != (match.version,):
            raise ConflictError(self._match(match.id))

    def _put(self, key: Key, item: Item) -> None:
        columns = (*key, item.get("version", 0), item.get("due"), item.get("expires", 0))
        text = json.dumps(item, ensure_ascii=False, separators=(",", ":"))
        self._db.execute("REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?)", (*columns, text))

    def _put_page(self, match: Match, page: str) -> None:
        key = items.page_key(match.id, match.pages - 1)
        if self._stored(key) is not None:
            raise CorruptItemError(f"match {match.id}: page {match.pages - 1} is there already")
        self._put(key, items.page_item(match, page))

    def _put_chat(self, chat: Chat) -> Chat:
        saved = replace(chat, version=chat.version + 1)
        self._put(items.chat_key(chat.id), items.chat_to_item(saved))
        return saved

    def _delete(self, key: Key) -> None:
        self._db.execute("DELETE FROM items WHERE pk = ? AND sk = ?", key)


def _make(path: Path) -> None:
    """Make the file where it is missing, so that from its first moment on it is its owner's alone."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def _keep_private(path: str) -> None:
    """Take the file and its journals from everybody but their owner."""
    for file in map(Path, (path, *(path + journal for journal in JOURNALS))):
        # A file system without such rights, or another owner's file, is theirs to judge.
        with suppress(OSError):
            if file.stat().st_mode & _OTHERS:
                file.chmod(0o600)
