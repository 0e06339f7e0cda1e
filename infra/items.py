"""Where each stored thing lies in the one table, what it looks like there and what it weighs.

Both stores keep the same flat items under the same two keys; the spellings are persisted.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from infra.matches import LARGEST, Fields, Item, Match, to_item
from infra.store import Chat, ChatBudget

Key: TypeAlias = tuple[str, str]
"""Partition key and sort key."""

MATCH_SORT_KEY: Final = "match"
"""Every match has this sort key, so that it can be the partition key of the index of what is due."""

PAGE_GRACE: Final = 400 * 24 * 60 * 60
"""Seconds by which a page outlives its match's expiry at that time: the match may be played on and expire later."""

LONGEST_PAGE: Final = 400 * 1024
"""In characters: an item of DynamoDB has no room for more."""

LONGEST_ID: Final = 64
"""In characters: far beyond any id that is written."""

CHAT_SCHEMA: Final = 1
BUDGET_SCHEMA: Final = 1

OWNER_KEY: Final[Key] = ("bot", "owner")
"""Where the bot lies to which all of it belongs."""


def match_key(match_id: str) -> Key:
    """Where a match lies."""
    return f"match#{match_id}", MATCH_SORT_KEY


def page_key(match_id: str, page: int) -> Key:
    """Where a match's finished page lies; pages are counted from 0 and sort in their order."""
    return f"match#{match_id}", f"page#{page:04}"


def chat_key(chat: int) -> Key:
    """Where a chat's settings lie."""
    return f"chat#{chat}", "settings"


def budget_key(chat: int) -> Key:
    """Where a chat's budget lies."""
    return f"chat#{chat}", "budget"


def pointer_key(chat: int, topic: int) -> Key:
    """Where the pointer to the current match of a chat and topic lies."""
    return f"chat#{chat}", f"table#{topic}"


def page_item(match: Match, page: str) -> Item:
    """A page that is put away with `match`."""
    return {"moves": page, "expires": match.expires + PAGE_GRACE if match.expires else 0}


def page_from_item(match_id: str, item: Item) -> str:
    """The coded moves of a page. Raises `CorruptItemError` where there are none."""
    return Fields(f"a page of match {match_id}", item).text("moves", longest=LONGEST_PAGE)


def pointer_item(match_id: str) -> Item:
    """A pointer to a match."""
    return {"match": match_id}


def pointer_from_item(chat: int, item: Item) -> str:
    """The match that a pointer names. Raises `CorruptItemError` where it names none."""
    return Fields(f"a pointer of chat {chat}", item).text("match", longest=LONGEST_ID)


def owner_item(bot: int) -> Item:
    """The bot with this id, as the owner of what is stored beside."""
    return {"bot": bot}


def owner_from_item(item: Item) -> int:
    """The id of the bot that owns the rest. Raises `CorruptItemError` where none is named."""
    return Fields("the owner", item).number("bot")


def chat_to_item(chat: Chat) -> Item:
    """The flat item of a chat's settings, without its keys; what is not chosen is left out."""
    item: Item = {"schema": CHAT_SCHEMA, "version": chat.version, "delay": chat.delay}
    if chat.language:
        item["lang"] = chat.language
    if chat.moved_to:
        item["moved"] = chat.moved_to
    return item


def chat_from_item(chat: int, item: Item) -> Chat:
    """The inverse of `chat_to_item`. Raises `CorruptItemError` for an unknown schema or an impossible value."""
    fields = Fields(f"chat {chat}", item)
    fields.require_schema(CHAT_SCHEMA)
    return Chat(
        id=chat,
        language=fields.text("lang", ""),
        delay=fields.number("delay"),
        moved_to=fields.number("moved", 0, least=-LARGEST),
        version=fields.number("version"),
    )


def budget_to_item(budget: ChatBudget) -> Item:
    """The flat item of a chat's budget, without its keys; what is 0 or empty is left out."""
    optional: Item = {
        "ready": budget.ready_ms,
        "asked": budget.asked_ms,
        "paused": budget.paused_ms,
        "slow": budget.slow_ms,
        "lent": budget.lent_to,
        "payer": budget.payer,
        "since": budget.since_ms,
    }
    kept = {key: value for key, value in optional.items() if value}
    return {"schema": BUDGET_SCHEMA, "version": budget.version, **kept}


def budget_from_item(chat: int, item: Item) -> ChatBudget:
    """The inverse of `budget_to_item`. Raises `CorruptItemError` for an unknown schema or an impossible value."""
    fields = Fields(f"the budget of chat {chat}", item)
    fields.require_schema(BUDGET_SCHEMA)
    return ChatBudget(
        chat=chat,
        ready_ms=fields.number("ready", 0),
        asked_ms=fields.number("asked", 0),
        paused_ms=fields.number("paused", 0),
        slow_ms=fields.number("slow", 0),
        lent_to=fields.text("lent", ""),
        payer=fields.text("payer", ""),
        since_ms=fields.number("since", 0),
        version=fields.number("version"),
    )


def alive(item: Item, now: float) -> bool:
    """Whether an item has not expired at `now` (Unix seconds): a store removes expired items when it finds the time."""
    expires = item.get("expires", 0)
    return not isinstance(expires, int) or expires == 0 or expires > now


def item_bytes(key: Key, item: Item) -> int:
    """What DynamoDB takes the item to weigh, in bytes, keys included.

    Its rule: for every attribute the UTF-8 bytes of the name, and of the value: a text its UTF-8 bytes; a number one
    byte, one more where it is negative, and one for every two significant digits, which are counted in pairs from the
    decimal point, so that 1000 weighs as much as 10 and 100 as much as 1.
    """
    names = {"pk": key[0], "sk": key[1], **item}
    return sum(len(name.encode()) + _value_bytes(value) for name, value in names.items())


def match_bytes(match: Match) -> int:
    """What the match's item weighs, in bytes, as `item_bytes` counts: a save costs one write unit per `WRITE_UNIT`."""
    return item_bytes(match_key(match.id), to_item(match))


def _value_bytes(value: int | str) -> int:
    if isinstance(value, str):
        return len(value.encode())
    pairs, rest = 0, abs(value)
    while rest and rest % 100 == 0:
        rest //= 100
    while rest:
        pairs += 1
        rest //= 100
    return 1 + pairs + (value < 0)
