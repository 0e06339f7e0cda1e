"""A store that keeps an account of what DynamoDB would bill for the calls made of it.

DynamoDB's rules: a consistent read is one read unit for every 4,096 bytes begun, a look into an index half of one; a
write is one write unit for every 1,024 bytes begun of the larger of the item before and after it, twice that within a
transaction, also where its condition fails; and an index that holds keys alone is written only when its key changes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import ceil

from infra import items
from infra.items import item_bytes, match_bytes
from infra.matches import WRITE_UNIT, Match
from infra.store import Chat, ChatBudget, ConflictError, Store

READ_UNIT = 4096
KEY_BYTES = 60
"""About what a match weighs in the index of what is due."""


@dataclass(slots=True)
class Account:
    """Calls and units so far. `largest` is the most bytes that a saved match has had."""

    reads: int = 0
    writes: int = 0
    read_units: float = 0.0
    write_units: int = 0
    index_units: int = 0
    largest: int = 0

    def __sub__(self, other: Account) -> Account:
        """What has come since `other`; `largest` is the later one."""
        difference = {field.name: getattr(self, field.name) - getattr(other, field.name) for field in fields(self)}
        return Account(**difference | {"largest": self.largest})

    def __add__(self, other: Account) -> Account:
        """Both together; `largest` is the larger one."""
        total = {field.name: getattr(self, field.name) + getattr(other, field.name) for field in fields(self)}
        return Account(**total | {"largest": max(self.largest, other.largest)})


class CountingStore:
    """A `Store` that passes every call on to another and notes what it would cost in `account`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, Match] = {}
        self._settled: dict[int, Chat] = {}
        self.account = Account()

    async def match(self, match_id: str) -> Match | None:
        """See `Store.match`."""
        match = await self._store.match(match_id)
        self._read(match_bytes(match) if match else 0)
        return match

    async def pages(self, match: Match) -> tuple[str, ...]:
        """See `Store.pages`."""
        pages = await self._store.pages(match)
        if match.pages:
            self._read(sum(_page_bytes(match, number, page) for number, page in enumerate(pages)))
        return pages

    async def save(self, match: Match, page: str | None = None) -> Match:
        """See `Store.save`."""
        self.account.writes += 1
        try:
            saved = await self._store.save(match, page)
        except ConflictError:
            self._write(self._bytes(match.id), transaction=page is not None)
            raise
        self._put(saved, transaction=page is not None)
        if page is not None:
            self._write(_page_bytes(saved, saved.pages - 1, page), transaction=True)
        return saved

    async def open(self, match: Match, replaces: str | None) -> Match:
        """See `Store.open`."""
        self.account.writes += 1
        pointer = item_bytes(items.pointer_key(match.chat, match.topic), items.pointer_item(match.id))
        self._write(pointer, transaction=True)
        try:
            saved = await self._store.open(match, replaces)
        except ConflictError:
            self._write(match_bytes(match), transaction=True)
            raise
        self._put(saved, transaction=True)
        return saved

    async def current(self, chat: int, topic: int) -> str | None:
        """See `Store.current`."""
        named = await self._store.current(chat, topic)
        self._read(item_bytes(items.pointer_key(chat, topic), items.pointer_item(named)) if named else 0)
        return named

    async def chat(self, chat: int) -> Chat:
        """See `Store.chat`."""
        found = await self._store.chat(chat)
        self._read(_chat_bytes(found) if found.version else 0)
        return found

    async def save_chat(self, chat: Chat) -> Chat:
        """See `Store.save_chat`."""
        self.account.writes += 1
        saved = await self._store.save_chat(chat)
        before = self._settled.get(chat.id)
        self._write(max(_chat_bytes(saved), _chat_bytes(before) if before else 0))
        self._settled[chat.id] = saved
        return saved

    async def budget(self, chat: int) -> ChatBudget:
        """See `Store.budget`."""
        found = await self._store.budget(chat)
        self._read(_budget_bytes(found) if found.version else 0)
        return found

    async def save_budget(self, budget: ChatBudget) -> ChatBudget:
        """See `Store.save_budget`. Before and after, its item is far smaller than a write unit."""
        self.account.writes += 1
        self._write(_budget_bytes(budget))
        return await self._store.save_budget(budget)

    async def move_chat(self, match: Match, chat: int) -> Match:
        """See `Store.move_chat`. It happens once in a chat's life, and counts as the most writes that it may have."""
        moved = await self._store.move_chat(match, chat)
        for _ in range(4):
            self._read(0)
        self.account.writes += 1
        self._put(moved, transaction=True)
        for _ in range(4):
            self._write(0, transaction=True)
        return moved

    async def due(self, until: int, limit: int) -> tuple[str, ...]:
        """See `Store.due`."""
        found = await self._store.due(until, limit)
        self.account.reads += 1
        self.account.read_units += max(1, ceil(len(found) * KEY_BYTES / READ_UNIT)) / 2
        return found

    async def put_off(self, match_id: str, now: int, until: int) -> None:
        """See `Store.put_off`."""
        await self._store.put_off(match_id, now, until)
        self.account.writes += 1
        self._write(self._bytes(match_id))
        self.account.index_units += 2

    def _read(self, size: int) -> None:
        self.account.reads += 1
        self.account.read_units += max(1, ceil(size / READ_UNIT))

    def _write(self, size: int, *, transaction: bool = False) -> None:
        self.account.write_units += max(1, ceil(size / WRITE_UNIT)) * (2 if transaction else 1)

    def _bytes(self, match_id: str) -> int:
        return match_bytes(self._known[match_id]) if match_id in self._known else 0

    def _put(self, match: Match, *, transaction: bool) -> None:
        before = self._known.get(match.id)
        self._write(max(match_bytes(match), self._bytes(match.id)), transaction=transaction)
        due = before.due if before else 0
        if match.due != due:
            # Another sort key: what stands in the index goes, and what is to stand there comes.
            self.account.index_units += bool(due) + bool(match.due)
        self._known[match.id] = match
        self.account.largest = max(self.account.largest, match_bytes(match))


def _page_bytes(match: Match, number: int, page: str) -> int:
    return item_bytes(items.page_key(match.id, number), items.page_item(match, page))


def _chat_bytes(chat: Chat) -> int:
    return item_bytes(items.chat_key(chat.id), items.chat_to_item(chat))


def _budget_bytes(budget: ChatBudget) -> int:
    return item_bytes(items.budget_key(budget.chat), items.budget_to_item(budget))
