"""Presses that nobody could make with a finger: every one is answered, none changes anything."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from emulator.model import Message
from handlers.app.games import rules_of, state_of
from handlers.ui.languages import words
from infra.matches import Match, Shown, Status
from testing.group import Group, buttons, data_of, legal

EN = words("en")
VERBS = (
    *(
        "join",
        "leave",
        "start",
        "cancel",
        "length 100",
        "length single",
        "length 7",
        "cut 1",
        "cut 99",
        "again",
        "deal",
        "stop yes",
    ),
    *("stop no", "play on", "card", "draw", "flip a1", "take a1", "keep a1", "drop a1", "flip d9", "a1", "7L", "10T"),
    *("11L", "0L", "e5", "rules dekal", "language fr", "delay 0", " ", "~", "'; DROP TABLE items; --"),
)
SHAPES = (
    "",
    ":",
    "match1",
    "match1:0:0:",
    "match1:0:0:\n",
    "match1:-1:0:draw",
    "x" * 64,
    "\0",
    "é" * 32,
    "match1:0:0:é",
)


def game_of(match: Match) -> Match:
    """What must not change; a press on an old board may have it drawn again."""
    return replace(match, shown=Shown(), version=0, saved=0, expires=0)


async def unchanged(group: Group, seat: int, message: Message, data: str) -> str:
    """The toast of a forged press, after which the match is what it was."""
    before = await group.match()
    toast = await group.forge(seat, message, data)
    assert group.statuses[-1] == 200
    assert game_of(await group.match()) == game_of(before)
    assert group.telegram.violations == []
    return toast


@pytest.mark.parametrize("data", SHAPES)
async def test_data_of_any_other_shape(data: str) -> None:
    """What no button of ours carries."""
    group = Group(2)
    await group.start("skyjo")
    assert await unchanged(group, 0, group.live(), data) == EN("refusal.unknown")


@pytest.mark.parametrize("match_id", ["match9", "MATCH1", "_", "-" * 16, "settings", "chat"])
async def test_matches_that_are_not_there(match_id: str) -> None:
    """Any id in the right shape."""
    group = Group(2)
    await group.start("skyjo")
    assert await unchanged(group, 0, group.live(), f"{match_id}:0:0:draw") == EN("refusal.no-match")


@pytest.mark.parametrize("game", ["dekal", "skyjo"])
async def test_who_does_not_play_changes_nothing(game: str) -> None:
    """A member of the chat without a seat presses every button there is, and some there are not."""
    group = Group(3)
    await group.write(0, f"/{game}")
    await group.verb(1, group.live(), "join")
    await group.verb(0, group.live(), "start")
    board = group.live()
    for data in buttons(board):
        assert await unchanged(group, 2, board, data) == EN("refusal.not-seated")
    prefix = buttons(board)[0].rpartition(":")[0]
    for verb in VERBS:
        assert await unchanged(group, 2, board, f"{prefix}:{verb}") != ""


@pytest.mark.parametrize("where", ["group", "private"])
async def test_presses_from_another_chat(where: str) -> None:
    """A button copied into another chat does nothing there, whoever presses it, even the opener in private."""
    group = Group(2)
    await group.start("skyjo")
    data = data_of(group.live(), "flip a1")
    hands = group.telegram.people
    other = group.private(0) if where == "private" else hands.groups.create("Elsewhere", *group.users)
    await group.write(0, "/help", chat=other)
    message = group.messages(other)[-1]
    for one in (data, *(f"match1:0:0:{verb}" for verb in ("stop yes", "cancel", "join", "again", "deal", "play on"))):
        assert await unchanged(group, 0, message, one) == EN("refusal.wrong-chat")
    assert group.messages(other)[-1] is message


@pytest.mark.parametrize("game", ["dekal", "skyjo"])
async def test_any_verb_from_a_player_at_any_moment(game: str) -> None:
    """Moves that are not legal now, from who plays: refused, with a toast."""
    group = Group(2)
    await group.start(game)
    random = Random(11)
    for _ in range(12):
        match, board = await group.match(), group.live()
        seat, moves = legal(match)
        prefix = buttons(board)[0].rpartition(":")[0]
        # The opener may stop, and the others' legal moves are theirs to press.
        for verb in set(VERBS) - {*moves, "stop yes"}:
            for other in range(2):
                if other != seat and verb in choices(match, other):
                    continue
                assert await unchanged(group, other, board, f"{prefix}:{verb}") != ""
        await group.move(random)
    assert set(group.statuses) == {200}


def choices(match: Match, seat: int) -> list[str]:
    """What a seat may do now, choosing anew included."""
    rules, state = rules_of(match), state_of(match)
    if seat in rules.chosen(state):
        state = rules.retract(state, seat)
    return [rules.move_text(move) for move in rules.legal_moves(state, seat)]


@pytest.mark.parametrize(
    ("ended", "refusal"),
    [("over", "refusal.over"), ("stopped", "refusal.stopped"), ("cancelled", "refusal.table-closed")],
)
async def test_presses_on_a_match_that_has_ended(ended: str, refusal: str) -> None:
    """Old buttons tell that it is over; the table's, that it is closed."""
    group = Group(2)
    if ended == "cancelled":
        await group.write(0, "/skyjo")
        old, data = group.live(), buttons(group.live())
        await group.verb(0, old, "cancel")
    else:
        await group.start("skyjo")
        old, data = group.live(), buttons(group.live())
        if ended == "over":
            await group.play(Random(1))
        else:
            group.clock.now += 30
            await group.write(0, "/stop")
            await group.verb(0, group.live(), "stop yes")
    group.clock.now += 30
    said = {await unchanged(group, 1, old, one) for one in data}
    assert said == {EN(refusal)}


async def test_a_message_too_old_to_be_seen() -> None:
    """Telegram names a message that the bot can no longer reach: the move counts, and the board is posted anew."""
    group = Group(2)
    await group.start("skyjo")
    board, data = group.live(), data_of(group.live(), "flip a1")
    group.clock.now += 3 * 24 * 3600
    toast = await group.forge(0, board, data)
    assert toast.startswith("a1:")
    assert group.live().id > board.id
    match = await group.match()
    assert (match.status, match.shown.board) == (Status.PLAYING, group.live().id)
    assert group.statuses[-1] == 200


async def test_a_forged_answer_deletes_no_message() -> None:
    """The answer to "stop?" deletes its question only, not whatever message it is said to hang on."""
    group = Group(2)
    await group.start("skyjo")
    board = group.live()
    await group.forge(0, board, "match1:0:0:stop no")
    assert not board.deleted
    assert (await group.match()).status is Status.PLAYING
