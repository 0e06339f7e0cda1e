"""What nobody may know is nowhere: not in answers, pictures, buttons, captions, files or log lines."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from emulator.function_url import function_url_event
from engine.registry import GAMES
from handlers.app.games import position_of, rules_of, state_of
from handlers.app.presses import Data
from infra.matches import Match, Status
from testing.group import buttons, legal
from tests.engine.hidden import HIDDEN
from tests.hostile.scene import Secrets, Stage, lines_of, playing
from tests.hostile.test_hostile_presses import OTHERS, TABLE, Forger, epoch_of


def uploads(stage: Stage) -> bytes:
    """Every picture and file that was sent."""
    return b"\n".join(kept.content for kept in stage.group.telegram.world.files.by_id.values())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("length", ["single", pytest.param("100", marks=pytest.mark.long)])
async def test_secrets_are_kept_until_the_end(
    game: str, length: str, caplog: pytest.LogCaptureFixture, plain_pictures: None
) -> None:
    """A whole match: the secret, the seed and the position are in nothing that leaves, until the deal is laid open."""
    del plain_pictures
    caplog.set_level(logging.DEBUG, "tablee")
    caplog.set_level(logging.INFO)
    stage = Stage(3)
    await stage.group.start(game, length=length)
    positions = set()
    match, random = await stage.group.match(), Random(4)
    while match.status is Status.PLAYING:
        positions.add(match.position)
        await stage.group.play_on(random, 3)
        match = await stage.group.match()
    told = stage.said() + lines_of(caplog.records)
    answers = "".join(query.answer.text for query in stage.group.telegram.world.queries.values() if query.answer)
    secrets = Secrets.of(stage.group, match)
    assert secrets.found_in(told + answers) == []
    assert not [position for position in positions if position in told]
    assert not [secret for secret in secrets.texts if secret.encode() in uploads(stage)]
    await stage.group.verb(0, stage.group.live(), "deal")
    laid_open = json.loads(stage.group.document())
    assert (laid_open["secret"], laid_open["commitment"] in told) == (match.secret.hex(), True)
    assert Secrets.of(stage.group).found_in(stage.said() + lines_of(caplog.records)) == []


async def with_stranger(game: str, moves: int) -> Stage:
    """A match of three, and somebody in the group who does not play."""
    stage = await playing(game, 3, moves)
    stranger = stage.group.telegram.people.create_user("Stranger")
    stage.group.telegram.people.groups.join(stranger, stage.group.chat)
    stage.group.users.append(stranger)
    await stage.group.settle()
    return stage


async def heard(stage: Stage, match: Match, position: str, viewer: int | None) -> list[Any]:
    """All that leaves the bot while everybody asks it everything that decides nothing, from this position on.

    Presses of the viewer if there is one, otherwise of a stranger, with all the table's words and all moves at a moment
    that has gone; then the board anew.
    """
    group = stage.group
    await group.store.save(replace(match, position=position))
    stored = await group.match()
    group.webhook = None
    board = group.live()
    user = group.users[-1 if viewer is None else viewer]
    forger = Forger(stage, stage.press(0, board, buttons(board)[0]))
    start, out = len(group.telegram.log), []
    verbs = ["card", *(data.rsplit(":", 1)[1] for data in buttons(board)), *TABLE, *OTHERS]
    for verb in verbs:
        if verb in {"stop yes", "again", "deal"}:
            continue
        group.clock.now += 20
        data = Data(match.id, 0 if verb != "card" else epoch_of(stored), 36**6, verb)
        out.append(await stage.send(forger.press(user.id, str(data))))
    group.clock.now += 60
    await stage.send(stage.typed(len(group.users) - 1, "/board"))
    group.clock.now += 60
    calls = [(call.method, call.params) for call in list(group.telegram.log)[start:]]
    pictures = [kept.content for kept in group.telegram.world.files.by_id.values()][-1:]
    return [*map(without_ids, out), without_ids(calls), pictures]


def without_ids(value: Any) -> str:
    """What was said, without the ids that differ from one time to the next."""
    return re.sub(r"(message_id|callback_query_id)(\W+)\d+", r"\1", repr(value))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("moves", [0, 1, 5, 12, 13, 30, 31])
async def test_what_is_hidden_makes_no_difference(
    game: str, moves: int, caplog: pytest.LogCaptureFixture, plain_pictures: None
) -> None:
    """Two positions that a viewer may not tell apart: everything the bot says to that viewer and the table is equal.

    For every seat as the viewer, who may know its own choice or drawn card, and for somebody who does not play.
    """
    del plain_pictures
    caplog.set_level(logging.INFO, "tablee")
    stage = await with_stranger(game, moves)
    match, rows = await stage.group.match(), stage.rows()
    for viewer in (None, 0, 1, 2):
        both = []
        for state in (state_of(match), HIDDEN[game].other(state_of(match), viewer, Random(moves))):
            stage.restore(rows)
            caplog.clear()
            told = await heard(stage, match, position_of(rules_of(match), state), viewer)
            both.append([*told, lines_of(caplog.records)])
        assert both[0] == both[1], viewer


async def test_a_difference_would_be_noticed(plain_pictures: None) -> None:
    """Whoever has drawn a card is told another one, and everybody sees another card that lies open."""
    del plain_pictures
    stage = await with_stranger("skyjo", 9)
    while (state := state_of(await stage.group.match())).hand is None:
        seat, moves = legal(await stage.group.match())
        await stage.group.verb(seat, stage.group.live(), "draw" if "draw" in moves else moves[0])
    match, rows = await stage.group.match(), stage.rows()
    held = replace(state, hand=state.pile[0], pile=(state.hand, *state.pile[1:]))
    seen = replace(state, discards=(*state.discards[:-1], state.pile[0]), pile=(state.discards[-1], *state.pile[1:]))
    for other, viewer in ((held, state.seat), (seen, None)):
        both = []
        for one in (state, other):
            stage.restore(rows)
            both.append(await heard(stage, match, position_of(rules_of(match), one), viewer))
        assert both[0] != both[1]


@pytest.mark.parametrize("game", GAMES)
async def test_the_real_board_shows_nothing_hidden(game: str) -> None:
    """The picture itself, its caption and its buttons are the same whatever lies face down."""
    stage = await playing(game, 3, 7)
    match = await stage.group.match()
    shown = []
    for seed in (1, 2):
        state = HIDDEN[game].other(state_of(match), None, Random(seed))
        match = await stage.group.store.save(replace(match, position=position_of(rules_of(match), state)))
        stage.group.clock.now += 60
        await stage.group.write(0, "/board")
        board = stage.group.live()
        picture = list(stage.group.telegram.world.files.by_id.values())[-1].content
        shown.append((board.body["caption"], buttons(board), picture))
        match = await stage.group.match()
    assert shown[0] == shown[1]


async def test_secrets_are_in_no_error(caplog: pytest.LogCaptureFixture, plain_pictures: None) -> None:
    """Telegram out of reach, the store damaged, the secret header wrong: nothing of ours stands in what is said."""
    del plain_pictures
    stage = await playing("skyjo", 3, 9)
    match = await stage.group.match()
    secrets = Secrets.of(stage.group, match)
    board = stage.group.live()
    press = stage.press(0, board, buttons(board)[0])
    wrong = ("", "x", "a-secret-of-the-webhooK", "\u00e9", "\ud800", "a-secret-of-the-webhook ")
    said = [await stage.send_event(function_url_event(press, secret)) for secret in wrong]
    assert {status for status, _ in said} == {401}
    item = stage.items()["match#match1", "match"]
    for damaged in (item[:-1], item.replace('"pos":"', '"pos":"x'), item.replace('"schema":1', '"schema":9'), "[]"):
        stage.overwrite("match#match1", "match", damaged)
        said.append(await stage.send(press))
    assert secrets.found_in(repr(said) + lines_of(caplog.records)) == []
