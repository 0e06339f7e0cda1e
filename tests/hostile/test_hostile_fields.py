"""Every field of every kind of update, replaced by everything that does not belong there."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from emulator.model import Json
from testing.group import data_of, legal
from tests.hostile.scene import Secrets, Stage, bugs, changed, deeds, lines_of, places, playing

DEEP: list[Any] = []
for _ in range(300):
    DEEP = [DEEP]

ODD: list[Any] = [None, True, 1, -1, float("nan"), 2**63, "", "\ud800", "<b>&'x", [], [{}], {}, {"id": 1}]
"""One of each kind, for every day."""

ODDER: list[Any] = [
    *(False, 0, 1.5, float("inf"), 1e308, 2**31, 2**53, -(2**53), 2**64 + 1, -(2**80), 10**4000),
    *("0", "x", "\udfff\ud800", "\0", "\u202e", "/skyjo", "private", "x" * 5000, [[]], [None], {"": []}, DEEP),
]
WAYS = pytest.mark.parametrize("odds", [ODD, pytest.param(ODDER, marks=pytest.mark.long)], ids=["odd", "odder"])


async def press_on_board() -> tuple[Stage, Json]:
    """A legal move."""
    stage = await playing("skyjo", moves=9)
    seat, moves = legal(await stage.group.match())
    board = stage.group.live()
    return stage, stage.press(seat, board, data_of(board, moves[0]))


async def press_on_table() -> tuple[Stage, Json]:
    """Whoever opened the table sets the length; nobody else may."""
    stage = Stage(2)
    await stage.group.write(1, "/dekal")
    return stage, stage.press(1, stage.group.live(), data_of(stage.group.live(), "length 100"))


async def press_on_settings() -> tuple[Stage, Json]:
    """An administrator sets the delay; nobody else may."""
    stage = Stage(2)
    await stage.group.write(0, "/settings")
    return stage, stage.press(0, stage.group.live(), data_of(stage.group.live(), "delay 600"))


async def press_on_what_is_gone() -> tuple[Stage, Json]:
    """A press on a message that has been deleted meanwhile."""
    stage, update = await press_on_board()
    message = update["callback_query"]["message"]
    update["callback_query"]["message"] = {"chat": message["chat"], "message_id": message["message_id"], "date": 0}
    return stage, update


async def command() -> tuple[Stage, Json]:
    """A table is opened in a topic."""
    stage = Stage(2, forum=True)
    thread = stage.group.telegram.people.groups.create_topic(stage.group.chat, stage.group.users[0], "Games")
    await stage.group.settle()
    return stage, stage.typed(1, "/skyjo@tablee_bot now", thread=thread)


async def anonymous_command() -> tuple[Stage, Json]:
    """An administrator writes as the group."""
    stage = Stage(2)
    stage.group.telegram.people.groups.promote(stage.group.users[0], stage.group.chat, anonymous=True)
    return stage, stage.typed(0, "/dekal")


async def membership() -> tuple[Stage, Json]:
    """The bot is added."""
    stage = Stage(2)
    update = stage.taken()
    stage.group.telegram.world.queues.clear()
    if "my_chat_member" not in update:
        stage.group.telegram.people.groups.remove_bot(stage.group.chat, stage.group.users[0])
        stage.group.telegram.people.groups.add_bot(stage.group.chat, stage.group.users[0])
        updates = [parcel.update for parcel in stage.group.telegram.world.queues.parcels.values()]
        stage.group.telegram.world.queues.clear()
        update = [one for one in updates if "my_chat_member" in one][-1]
    return stage, update


async def migration() -> tuple[Stage, Json]:
    """The group becomes a supergroup."""
    stage = Stage(2, supergroup=False)
    await stage.group.start("skyjo")
    stage.group.telegram.people.groups.upgrade(stage.group.chat)
    updates = [parcel.update for parcel in stage.group.telegram.world.queues.parcels.values()]
    stage.group.telegram.world.queues.clear()
    return stage, next(one for one in updates if "migrate_to_chat_id" in one["message"])


Begin = Callable[[], Awaitable[tuple[Stage, Json]]]
PRESSES: tuple[Begin, ...] = (press_on_board, press_on_table, press_on_settings, press_on_what_is_gone)
OTHERS: tuple[Begin, ...] = (command, anonymous_command, membership, migration)

WHO = ("callback_query", "from", "id")
WHERE = ("callback_query", "message", "chat", "id")
WHAT = ("callback_query", "data")


@WAYS
@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.parametrize("begin", PRESSES, ids=lambda begin: begin.__name__)
async def test_a_press_with_an_odd_field_is_the_press_it_was_or_none(
    begin: Begin, odds: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing odd in a press lets it do more than before: it does the same, or nothing; and nothing breaks.

    By another person, in another chat or with other data it is not the same press, and does nothing to the match.
    """
    caplog.set_level(logging.INFO, "tablee")
    stage, update = await begin()
    before, rows = stage.items(), stage.rows()
    assert (await stage.send(update))[0] == 200
    undisturbed = deeds(stage.items())
    assert undisturbed != deeds(before), "the press as it is changes something"
    for path in places(update):
        for odd in odds:
            stage.restore(rows)
            stage.group.clock.now += 10
            status, body = await stage.send(changed(update, path, odd))
            at = (path, repr(odd)[:40])
            assert status in {200, 400}, at
            after = stage.items()
            if path in (WHO, WHAT):
                assert after == before, at
            elif path == WHERE:
                # Another chat has settings of its own.
                assert {key: after.get(key) for key in before} == before, at
            elif after != before:
                assert deeds(after) in (deeds(before), undisturbed), at
            assert not Secrets.of(stage.group).found_in(body), at
    assert bugs(caplog.records) == []
    assert not Secrets.of(stage.group).found_in(lines_of(caplog.records))
    assert stage.group.telegram.violations == []


@WAYS
@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.parametrize("begin", OTHERS, ids=lambda begin: begin.__name__)
async def test_an_odd_field_in_any_other_update_breaks_nothing(
    begin: Begin, odds: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    """Commands, being added, moving: each is taken or refused; a command changes nothing that was there."""
    caplog.set_level(logging.INFO, "tablee")
    stage, update = await begin()
    before, rows = stage.items(), stage.rows()
    for path in places(update):
        for odd in odds:
            stage.restore(rows)
            stage.group.clock.now += 60
            status, body = await stage.send(changed(update, path, odd))
            at = (path, repr(odd)[:40])
            assert status in {200, 400}, at
            if begin is not migration:
                after = stage.items()
                assert {key: after.get(key) for key in before} == before, at
            assert not Secrets.of(stage.group).found_in(body), at
    assert bugs(caplog.records) == []
    assert not Secrets.of(stage.group).found_in(lines_of(caplog.records) + stage.said())
    assert stage.group.telegram.violations == []


@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.parametrize("begin", [*PRESSES, *OTHERS], ids=lambda begin: begin.__name__)
async def test_a_field_may_be_missing(begin: Begin, caplog: pytest.LogCaptureFixture) -> None:
    """Each field left out, one at a time: taken or refused, never a failure."""
    stage, update = await begin()
    rows = stage.rows()
    for path in list(places(update)):
        if not path or isinstance(path[-1], int):
            continue
        less = json.loads(json.dumps(update))
        part: Any = less
        for key in path[:-1]:
            part = part[key]
        del part[path[-1]]
        stage.restore(rows)
        stage.group.clock.now += 60
        assert (await stage.send(less))[0] in {200, 400}, path
        if path in (WHO, WHERE, WHAT):
            assert stage.rows() == rows
    assert bugs(caplog.records) == []
    assert stage.group.telegram.violations == []


def test_every_place_is_found() -> None:
    """The enumeration reaches into lists and objects, down to the buttons of a message that a press is on."""
    assert list(places({"a": [0, {"b": 1}]})) == [(), ("a",), ("a", 0), ("a", 1), ("a", 1, "b")]
