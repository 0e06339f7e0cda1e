"""The flat items: exact inverses, refusals, weights, and items of every schema ever released."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import Length
from engine.record import PLACES
from infra import items
from infra.dynamo import _decode, _encode
from infra.matches import (
    CUT_SCHEMA,
    LARGEST,
    LATEST_LOOK,
    MOST_PAGES,
    NAME_BYTES,
    SCHEMA,
    WRITE_UNIT,
    CorruptItemError,
    Item,
    Match,
    Player,
    Shown,
    Status,
    cut_name,
    from_item,
    to_item,
)
from infra.names import one_line
from infra.store import Chat, ChatBudget
from tests.infra.sample import GROUP, playing

FIXTURES = Path(__file__).parent.parent / "fixtures" / "items"

ids = st.integers(-(2**52), 2**52)
amounts = st.integers(0, 10**6)
texts = st.text(st.characters(codec="utf-8"), max_size=40)
chats = st.builds(Chat, ids, texts, amounts, ids, st.integers(0, 10**9))
times = st.integers(0, 2**45)
budgets = st.builds(ChatBudget, ids, times, times, times, times, texts, texts, times, st.integers(0, 10**9))


def plain(kind: type[Any]) -> dict[str, st.SearchStrategy[Any]]:
    """A strategy for each of a dataclass's fields that is a number, a text or a truth value, new ones included."""
    kinds: dict[Any, st.SearchStrategy[Any]] = {"int": st.integers(0, 2**52), "str": texts, "bool": st.booleans()}
    return {field.name: kinds[field.type] for field in fields(kind) if field.type in kinds}


looks = st.integers(0, LATEST_LOOK)
special: dict[str, st.SearchStrategy[Any]] = {
    "id": st.from_regex(r"[0-9A-Za-z_-]{1,12}", fullmatch=True),
    "chat": ids,
    "secret": st.binary(min_size=32, max_size=32),
    "opener": ids,
    "length": st.sampled_from(Length),
    "players": st.lists(st.builds(Player, ids, texts.map(cut_name), st.integers(0, PLACES)), max_size=8).map(tuple),
    "status": st.sampled_from(Status),
    "absent": st.lists(st.integers(0, 7), max_size=8).map(tuple),
    "pages": st.integers(0, MOST_PAGES),
    "shown": st.builds(Shown, **plain(Shown) | {"look": looks, "checked": looks}),
}
matches = st.builds(Match, **plain(Match) | special)


def test_every_field_is_tried() -> None:
    """A field that is added to a match is added to the tests."""
    assert {field.name for field in fields(Match)} == {*plain(Match), *special}
    assert {field.name for field in fields(Shown)} == {*plain(Shown)}
    assert not [name for name in plain(Match) | special if not getattr(playing(), name)]
    assert not [name for name in plain(Shown) if not getattr(playing().shown, name)]


@given(matches)
def test_a_match_and_its_item_are_inverse(match: Match) -> None:
    """Nothing of a match is lost in its item, as such, in SQLite's JSON or in DynamoDB's spelling."""
    item = to_item(match)

    assert from_item(match.id, item) == match
    assert from_item(match.id, json.loads(json.dumps(item))) == match
    assert from_item(match.id, _decode(_encode(items.match_key(match.id), item))) == match


@given(chats)
def test_settings_and_their_item_are_inverse(chat: Chat) -> None:
    """Nothing of the settings is lost either."""
    assert items.chat_from_item(chat.id, items.chat_to_item(chat)) == chat


@given(budgets)
def test_a_budget_and_its_item_are_inverse(budget: ChatBudget) -> None:
    """Nothing of a budget is lost either, in DynamoDB's spelling neither."""
    item = items.budget_to_item(budget)
    assert items.budget_from_item(budget.chat, item) == budget
    assert items.budget_from_item(budget.chat, _decode(_encode(items.budget_key(budget.chat), item))) == budget


@pytest.mark.parametrize(
    "change",
    [
        {"schema": 2},
        {"schema": True},
        {"ready": "1"},
        {"asked": -1},
        {"paused": 1.5},
        {"slow": -5},
        {"lent": 7},
        {"version": None},
    ],
)
def test_an_impossible_budget_is_corruption(change: dict[str, Any]) -> None:
    """Other schemas, other kinds and times before all times raise."""
    item: dict[str, Any] = items.budget_to_item(ChatBudget(GROUP, 1, 2, 3, 4, "m1", "m1", 5, 6)) | change
    with pytest.raises(CorruptItemError):
        items.budget_from_item(GROUP, item)


@given(texts)
def test_names_are_cut_between_characters(name: str) -> None:
    """A stored name fits, is printable, stands on one line, and would not be cut again."""
    cut = cut_name(name)

    assert len(cut.encode()) <= NAME_BYTES
    assert one_line(cut) == cut
    assert cut_name(cut) == cut


@pytest.mark.parametrize("schema", [0, CUT_SCHEMA + 1, -1, str(SCHEMA), str(CUT_SCHEMA), True, None])
def test_another_schema_is_not_guessed_at(schema: Any) -> None:
    """Unknown schemas raise, a missing one as well."""
    changed = {} if schema is None else {"schema": schema}
    match, chat = to_item(playing()), items.chat_to_item(Chat(GROUP))
    del match["schema"], chat["schema"]

    with pytest.raises(CorruptItemError):
        from_item("m2", match | changed)
    with pytest.raises(CorruptItemError):
        items.chat_from_item(GROUP, chat | changed)


def test_a_deck_that_was_cut_is_not_read_by_who_knows_no_cuts() -> None:
    """Its schema is another, so that a version before leaves it alone; without any cut the item is as it always was."""
    cut = to_item(playing())
    whole = to_item(replace(playing(), players=tuple(replace(player, cut=0) for player in playing().players)))
    assert (cut["schema"], cut["cuts"]) == (CUT_SCHEMA, "g03")
    assert whole == {key: value for key, value in cut.items() if key != "cuts"} | {"schema": SCHEMA}
    for item in (cut | {"schema": SCHEMA}, whole | {"schema": CUT_SCHEMA}):
        with pytest.raises(CorruptItemError):
            from_item("m2", item)


@pytest.mark.parametrize("key", sorted(to_item(playing())))
def test_a_value_of_another_kind_is_corruption(key: str) -> None:
    """A number where a text belongs, a text where a number does, and neither, raise for every attribute."""
    good = to_item(playing())[key]
    kinds: list[Any] = ["x" if isinstance(good, int) else 5, None, 1.5, True, [], {}]
    for bad in kinds:
        item: dict[str, Any] = to_item(playing()) | {key: bad}
        with pytest.raises(CorruptItemError):
            from_item("m2", item)


@pytest.mark.parametrize("key", ["schema", "chat", "lang", "game", "secret", "players", "status", "version", "saved"])
def test_what_must_be_there_must_be_there(key: str) -> None:
    """A match without one of its unconditional attributes is corruption."""
    item = to_item(playing())
    del item[key]
    with pytest.raises(CorruptItemError):
        from_item("m2", item)


@pytest.mark.parametrize(
    ("key", "value"),
    [("secret", "not hexadecimal"), ("players", "Zoë 7"), ("status", "asleep"), ("len", "99"), ("absent", "0,b")]
    + [("cuts", cuts) for cuts in ("g0", "g033", "h03", "G03", "-03", "g0\n", "")],
)
def test_an_impossible_value_is_corruption(key: str, value: str) -> None:
    """A text of the right kind that says nothing we ever write raises."""
    with pytest.raises(CorruptItemError):
        from_item("m2", to_item(playing()) | {key: value})


NUMBERS = sorted(key for key, value in to_item(playing()).items() if isinstance(value, int) and key != "schema")
TEXTS = sorted(key for key, value in to_item(playing()).items() if isinstance(value, str))
SIGNED = ("chat", "opener")
"""Ids of groups are negative, and a group may stand for a person."""


@pytest.mark.parametrize("key", NUMBERS)
def test_a_number_out_of_range_is_corruption(key: str) -> None:
    """Nothing is counted below 0, and no id or time is beyond what Telegram and clocks give."""
    for bad in (LARGEST + 1, 2**63, -LARGEST - 1, *(() if key in SIGNED else (-1,))):
        with pytest.raises(CorruptItemError, match=key):
            from_item("m2", to_item(playing()) | {key: bad})


def test_a_look_or_a_page_that_no_key_has_room_for_is_corruption() -> None:
    """A button's data and a page's key have so many digits and no more."""
    for key, most in (("look", LATEST_LOOK), ("checked", LATEST_LOOK), ("pages", MOST_PAGES), ("proved", 1)):
        from_item("m2", to_item(playing()) | {key: most})
        with pytest.raises(CorruptItemError, match=key):
            from_item("m2", to_item(playing()) | {key: most + 1})


@pytest.mark.parametrize("key", TEXTS)
def test_a_text_that_is_far_too_long_is_corruption(key: str) -> None:
    """A match's item is one write unit; a text that is longer alone is none of ours."""
    with pytest.raises(CorruptItemError):
        from_item("m2", to_item(playing()) | {key: "7" * (WRITE_UNIT + 1)})


@pytest.mark.parametrize(
    "key",
    [*(("chat", key) for key in ("delay", "moved", "version")), *(("budget", key) for key in ("ready", "version"))],
)
def test_settings_and_budgets_have_ranges_too(key: tuple[str, str]) -> None:
    """Out of range is corruption for them as well; so is a text that is far too long, or a pointer's or page's."""
    kind, name = key
    good: dict[str, Any] = (
        items.chat_to_item(Chat(GROUP, "fr", 5, 6, 7))
        if kind == "chat"
        else items.budget_to_item(ChatBudget(GROUP, 1, 2, 3, 4, "m1", "m1", 5, 6))
    )
    read = items.chat_from_item if kind == "chat" else items.budget_from_item
    read(GROUP, good)
    for bad in (LARGEST + 1, -LARGEST - 1):
        with pytest.raises(CorruptItemError, match=name):
            read(GROUP, good | {name: bad})
    with pytest.raises(CorruptItemError):
        read(GROUP, good | {"lang" if kind == "chat" else "lent": "x" * 5000})
    with pytest.raises(CorruptItemError):
        items.pointer_from_item(GROUP, {"match": "x" * 5000})
    with pytest.raises(CorruptItemError):
        items.page_from_item("m2", {"moves": "x" * 500_000})


@pytest.mark.parametrize("user", ["1_0", " 7", "٣", "+7", "0x7", "7" * 5000, "-", ""])
def test_a_players_id_is_written_in_one_way(user: str) -> None:
    """Python reads more as a number than we ever write."""
    with pytest.raises(CorruptItemError):
        from_item("m2", to_item(playing()) | {"players": f"{user} Ana"})


@pytest.mark.parametrize("key", sorted(to_item(playing())))
def test_corruption_names_what_is_wrong_and_not_what_stands_there(key: str) -> None:
    """An item holds hidden cards: no word of the error, or of one behind it, quotes a field."""
    for mark in ("MARK", "7 MARK", ["MARK"], {"MARK": 1}, 987654321987654321):
        item: dict[str, Any] = to_item(playing()) | {key: mark}
        try:
            from_item("m2", item)
        except CorruptItemError as error:
            behind: BaseException | None = error
            while behind is not None:
                assert "MARK" not in str(behind)
                assert "987654321987654321" not in str(behind)
                behind = behind.__cause__ or (None if behind.__suppress_context__ else behind.__context__)


@pytest.mark.parametrize("attributes", [{"a": {"N": "1.5"}}, {"a": {"N": "1E9"}}, {"a": {"B": b""}}, {"a": {"L": []}}])
def test_other_kinds_of_dynamodb_attributes_are_corruption(attributes: dict[str, dict[str, Any]]) -> None:
    """Only texts and whole numbers were ever written."""
    with pytest.raises(CorruptItemError):
        _decode(attributes)


@pytest.mark.parametrize(
    ("item", "weight"),
    [
        ({}, 0),
        ({"ab": "xyz"}, 5),
        ({"é": "é"}, 4),
        ({"n": 0}, 2),
        ({"n": 7}, 3),
        ({"n": 99}, 3),
        ({"n": 100}, 3),
        ({"n": 101}, 4),
        ({"n": -5}, 4),
        ({"n": 1_700_000_000}, 3),
        ({"n": 1_700_000_001}, 7),
    ],
)
def test_weights(item: Item, weight: int) -> None:
    """Names and texts weigh their UTF-8 bytes, numbers a byte and one for every two significant digits."""
    keys = len("pkskps")
    assert items.item_bytes(("p", "s"), item) == keys + weight


def test_a_match_weighs_its_item_and_keys() -> None:
    """`match_bytes` counts the keys as well."""
    match = playing()
    assert items.match_bytes(match) == items.item_bytes(("match#m2", "match"), to_item(match))


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.json")), ids=lambda path: path.stem)
def test_released_items_are_read(path: Path) -> None:
    """Every item that a released version has written is read, and written back as it was."""
    stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    pk, sk = stored.pop("pk"), stored.pop("sk")
    kind, _, name = pk.partition("#")
    if sk == items.MATCH_SORT_KEY:
        match = from_item(name, stored)
        assert items.match_key(match.id) == (pk, sk)
        assert to_item(match) == stored
    elif sk == "settings":
        chat = items.chat_from_item(int(name), stored)
        assert items.chat_key(chat.id) == (pk, sk)
        assert items.chat_to_item(chat) == stored
    elif (pk, sk) == items.OWNER_KEY:
        assert items.owner_item(items.owner_from_item(stored)) == stored
    elif sk == "budget":
        budget = items.budget_from_item(int(name), stored)
        assert items.budget_key(budget.chat) == (pk, sk)
        assert items.budget_to_item(budget) == stored
    elif kind == "chat":
        pointed = items.pointer_from_item(int(name), stored)
        assert items.pointer_key(int(name), int(sk.partition("#")[2])) == (pk, sk)
        assert items.pointer_item(pointed) == stored
    else:
        assert items.page_from_item(name, stored)
        assert items.page_key(name, int(sk.partition("#")[2])) == (pk, sk)


def test_there_are_released_items() -> None:
    """The fixtures are found."""
    assert len(list(FIXTURES.glob("*.json"))) >= 6
