"""What a store must do; `infra.dynamo` and `infra.sqlite` do it, one contract suite tests both.

Every write is conditional. `version` is the lock: the store raises it, callers never do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from infra.matches import Match


class ConflictError(Exception):
    """Somebody else saved the match first; `winner` is what they saved (None: the match is gone)."""

    def __init__(self, winner: Match | None) -> None:
        super().__init__("the match has been saved by another")
        self.winner = winner


class StoreUnavailableError(Exception):
    """The store did not answer or refused for now; the same call may succeed later."""


class StoreRefusedError(StoreUnavailableError):
    """The store refuses, or something is wrong that nobody has foreseen: it succeeds once its owner has mended that."""


@dataclass(frozen=True, slots=True)
class Chat:
    """What a chat has chosen. `version` is 0 until it is first saved; `language` is empty until chosen.

    `delay` is how long (seconds) a player may keep others waiting before being called; 0 means never.
    `moved_to` is the supergroup that this group became, or 0.
    """

    id: int
    language: str = ""
    delay: int = 180
    moved_to: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True)
class ChatBudget:
    """What the bot has sent to a chat, as a rate limiter remembers it; times are Unix milliseconds, 0 for none.

    `ready_ms` is the time at which, at the chat's steady rate, everything sent so far is paid for, and `asked_ms` the
    same for the share that answers to questions have. Until `paused_ms` Telegram wants nothing here, and until
    `slow_ms` no new message (slow mode).

    While the budget is lent to the match `lent_to` ("": to none), `ready_ms` goes on in that match's own item.
    `payer` is the match that has paid last, and it has been the only one since `since_ms`. `version` is 0 until the
    first save.
    """

    chat: int
    ready_ms: int = 0
    asked_ms: int = 0
    paused_ms: int = 0
    slow_ms: int = 0
    lent_to: str = ""
    payer: str = ""
    since_ms: int = 0
    version: int = 0


class Store(Protocol):
    """Matches, the chats' settings and budgets, and which match a chat (and topic) plays now.

    Every method raises `StoreUnavailableError` where trying again later may help, `StoreRefusedError` where it may help
    once the owner has mended what is wrong, and `CorruptItemError` where an item cannot be read. Whatever else goes
    wrong on the way to what is stored, is one of the first two.
    """

    async def match(self, match_id: str) -> Match | None:
        """The match as last saved (a consistent read), or None."""
        ...

    async def pages(self, match: Match) -> tuple[str, ...]:
        """The coded moves of the match's finished pages, in order: `match.pages` of them."""
        ...

    async def save(self, match: Match, page: str | None = None) -> Match:
        """Write `match` over the version it was loaded at, and return it as saved, one version on.

        With `page`, the same transaction puts it away as page number `match.pages - 1`.
        Raises `ConflictError` where another save came between; nothing is written then. A page that is there already
        is `CorruptItemError`. Pages expire long after the match that they were put away with would.
        """
        ...

    async def open(self, match: Match, replaces: str | None) -> Match:
        """Write a new match and point its chat and topic at it, both or neither.

        `replaces` is the match that the pointer must name now (None: no pointer yet). Raises `ConflictError` with the
        match that the pointer names otherwise (None: it names none, or one that is gone). Repeating it is harmless.
        """
        ...

    async def current(self, chat: int, topic: int) -> str | None:
        """The id of the match that the chat (and topic; 0 where there is none) points at, or None."""
        ...

    async def chat(self, chat: int) -> Chat:
        """The chat's settings, or the usual ones."""
        ...

    async def save_chat(self, chat: Chat) -> Chat:
        """Write settings over the version they were loaded at. Raises `ConflictError` (winner None) otherwise."""
        ...

    async def budget(self, chat: int) -> ChatBudget:
        """The chat's budget, or an unused one."""
        ...

    async def save_budget(self, budget: ChatBudget) -> ChatBudget:
        """Write a budget over the version it was loaded at. Raises `ConflictError` (winner None) otherwise."""
        ...

    async def move_chat(self, match: Match, chat: int) -> Match:
        """The group became the supergroup `chat`: save the match there, pointed at from its new place, all or nothing.

        The old chat's settings go along, unless the new one has its own; a table opened there meanwhile is no longer
        pointed at. Raises `ConflictError` like `save`, where anything of it has changed meanwhile: then `winner` may be
        the very match that was to be moved. Repeating it on the winner is harmless, wherever that is by then.
        """
        ...

    async def due(self, until: int, limit: int) -> tuple[str, ...]:
        """Ids of matches whose `due` is set and at most `until` (Unix seconds), the longest overdue first.

        The list may be behind the last saves by a moment, and may name matches that have expired: load before acting.
        """
        ...

    async def put_off(self, match_id: str, now: int, until: int) -> None:
        """Have a match that is due at `now` come up again at `until` (0: never), whatever state it is in.

        It is for what cannot be looked after now, and must not stand before the others: its version stays, and the next
        save says anew when it is due. Nothing happens where it is no longer due. Times are Unix seconds.
        """
        ...
