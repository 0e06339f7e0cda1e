"""Every press that can be written, by everybody, at every kind of moment: only legal moves change anything."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from emulator.model import Chat, Json
from engine.core import EngineError
from handlers.app.games import rules_of, seat_of, state_of
from handlers.app.presses import Data
from handlers.ui.languages import words
from infra.matches import Match, Status
from testing.group import buttons, legal, text_of
from tests.hostile.scene import Stage, bugs, deeds, playing

CELLS = [f"{column}{row}" for row in (1, 2, 3, 4, 5) for column in "abcde"]
MOVES = [
    *CELLS,
    *(f"{value}{side}" for value in range(12) for side in "LRTB"),
    *(f"{verb} {cell}" for verb in ("flip", "take", "keep", "drop") for cell in CELLS),
    *("draw", "card", "0 flip a1", "flip  a1", "FLIP a1", "b3 ", " b3", "draw draw", "7X", "00L", "-1L"),
]
TABLE = ["join", "leave", "start", "cancel", "length single", "length 100", "length 50"]
CUTS = [f"cut {place}" for place in (1, 9, 16)]
NO_CUTS = ["cut 0", "cut 17", "cut 01", "cut  1", "cut", "cut -1", "CUT 1"]
OTHERS = [
    "stop yes",
    "stop no",
    "play on",
    "again",
    "deal",
    "stop",
    "rules dekal",
    "language fr",
    "delay 600",
    "x" * 24,
]
VERBS = [*MOVES, *TABLE, *CUTS, *NO_CUTS, *OTHERS]

OWNER, PLAYER, LAST, STRANGER = range(4)
"""The owner of the group and two more play; a stranger looks on."""


def epoch_of(match: Match) -> int:
    """The moment that the match's buttons belong to."""
    return rules_of(match).epoch(state_of(match)) if match.position else 0


def is_legal(match: Match, user: int, verb: str) -> bool:
    """Whether the rules let this user do this now, from the engine alone."""
    seat = seat_of(match, user)
    if seat is None or match.status is not Status.PLAYING:
        return False
    rules, state = rules_of(match), state_of(match)
    try:
        move = rules.parse_move(verb)
        if seat in rules.chosen(state):
            chosen, state = rules.chosen(state), rules.retract(state, seat)
            assert seat in chosen
            step = rules.apply(state, seat, move)
            return bool(step.state != state_of(match))
        rules.apply(state, seat, move)
    except EngineError:
        return False
    return True


async def scene(game: str, moves: int, *, opened: bool = False) -> Stage:
    """A match of three, and a stranger in the group, after so many moves."""
    stage = Stage(4)
    await stage.group.write(OWNER, f"/{game}")
    for seat in (PLAYER, LAST):
        await stage.group.verb(seat, stage.group.live(), "join")
    if not opened:
        await stage.group.verb(OWNER, stage.group.live(), "start")
        await stage.group.play(Random(moves), moves)
    stage.group.clock.now += 60
    return stage


async def one_has_chosen() -> Stage:
    """Dékal, where one has chosen a card in secret."""
    stage = await scene("dekal", 0)
    await stage.group.move(Random(1))
    return stage


async def card_drawn() -> Stage:
    """Skyjo, where somebody holds a card."""
    stage = await scene("skyjo", 6)
    while state_of(await stage.group.match()).hand is None:
        seat, moves = legal(await stage.group.match())
        await stage.group.verb(seat, stage.group.live(), "draw" if "draw" in moves else moves[0])
    return stage


async def stopped() -> Stage:
    """A match that its opener has stopped."""
    stage = await scene("skyjo", 8)
    await stage.group.write(OWNER, "/stop")
    await stage.group.verb(OWNER, stage.group.live(), "stop yes")
    return stage


SCENES: dict[str, Callable[[], Awaitable[Stage]]] = {
    "open": lambda: scene("skyjo", 0, opened=True),
    "choosing": one_has_chosen,
    "picking": lambda: scene("dekal", 4),
    "flipping": lambda: scene("skyjo", 3),
    "turn": lambda: scene("skyjo", 9),
    "drawn": card_drawn,
    "over": lambda: scene("dekal", 10_000),
    "stopped": stopped,
}


@dataclass(frozen=True, slots=True)
class Forger:
    """Writes presses as a hand-made client could: any data, on any message of the bot's, in any chat."""

    stage: Stage
    update: Json

    def press(self, user: int, data: str, chat: Chat | None = None) -> Json:
        """A press by a user, in the group or elsewhere."""
        query = self.update["callback_query"]
        where = query["message"]["chat"] if chat is None else {"id": chat.id, "type": chat.type}
        query = query | {
            "from": query["from"] | {"id": user},
            "data": data,
            "message": query["message"] | {"chat": where},
        }
        return {"update_id": next(self.stage.numbers), "callback_query": query}


async def forging(stage: Stage) -> tuple[Forger, Match]:
    """A forger on the board, or the table where there is no board."""
    message = stage.group.live()
    return Forger(stage, stage.press(OWNER, message, buttons(message)[0])), await stage.group.match()


def may_change(stage: Stage, match: Match, user: int, verb: str) -> bool:
    """Whether a press in the right chat and at the right moment may change anything."""
    owner = stage.group.users[OWNER].id
    seated = seat_of(match, user) is not None
    if match.status is Status.OPEN:
        wanted = {"join": not seated, "leave": seated, "stop yes": seated or user == owner}
        mine = user == owner and verb in {"start", "cancel", "length 100"}
        return wanted.get(verb, mine or (seated and verb in CUTS))
    if match.status is Status.PLAYING:
        return is_legal(match, user, verb) or (verb == "stop yes" and (seated or user == owner))
    # Anybody may ask for the proof of a match, and those who played it for another one.
    return verb == "deal" or (verb == "again" and seated)


@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.parametrize("name", SCENES)
async def test_only_legal_presses_change_anything(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """Every verb by every user: it changes what is stored exactly where the rules and the table let it."""
    stage = await SCENES[name]()
    forger, match = await forging(stage)
    rows, before, epoch = stage.rows(), stage.items(), epoch_of(match)
    for user in stage.group.users:
        for verb in VERBS:
            data = str(Data(match.id, epoch, match.shown.look, verb))
            stage.group.clock.now += 20
            status, body = await stage.send(forger.press(user.id, data))
            assert status == 200
            allowed = may_change(stage, match, user.id, verb)
            assert (stage.items() != before) is allowed, (user.first_name, verb, body)
            if stage.items() != before:
                stage.restore(rows)
    assert bugs(caplog.records) == []
    assert stage.group.telegram.violations == []


def elsewhere(match: Match, other: Match) -> Iterator[tuple[str, dict[str, Any]]]:
    """Data that names another match or moment."""
    epoch = epoch_of(match)
    yield "another chat's match", {"match": other.id, "epoch": epoch_of(other)}
    yield "no match", {"match": "nowhere"}
    yield "the chat itself", {"match": "-"}
    for wrong in {0, 1, epoch - 1, epoch + 1, 36**8 - 1} - {epoch, -1}:
        yield "another moment", {"epoch": wrong}


@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.parametrize("name", ["choosing", "picking", "flipping", "turn", "drawn"])
async def test_a_move_counts_in_its_match_and_moment_only(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """Every move with another chat's match, an unknown one or another moment in its data changes nothing at all."""
    stage = await SCENES[name]()
    match = await stage.group.match()
    away = stage.group.telegram.people.groups.create("Others", *stage.group.users[:3])
    await stage.group.settle()
    await stage.group.write(OWNER, f"/{match.game}", chat=away)
    forger, _ = await forging(stage)
    pointed = await stage.group.store.current(away.id, 0)
    other = await stage.group.store.match(pointed or "")
    assert other is not None
    await stage.group.verb(PLAYER, stage.group.live(away), "join")
    await stage.group.verb(LAST, stage.group.live(away), "join")
    await stage.group.verb(OWNER, stage.group.live(away), "start")
    before = stage.items()
    seat, moves = legal(match)
    for user in (stage.group.users[seat], stage.group.users[STRANGER]):
        for verb in (*moves, "card", *TABLE, *OTHERS):
            data = Data(match.id, epoch_of(match), match.shown.look + 9, verb)
            for why, wrong in elsewhere(match, other):
                if verb in OTHERS + TABLE and "epoch" in wrong and "match" not in wrong:
                    continue  # not bound to a moment
                stage.group.clock.now += 20
                assert (await stage.send(forger.press(user.id, str(replace(data, **wrong)))))[0] == 200
                assert stage.items() == before, (why, verb, wrong)
    assert bugs(caplog.records) == []


@pytest.mark.usefixtures("plain_pictures")
async def test_a_press_from_another_chat_is_refused_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Every verb, from a private chat and another group, by the match's own players: a toast, a line, no change.

    The line says which chat it came from; the toast says nothing about the other chat, not even its language.
    """
    stage = await scene("skyjo", 6)
    stage.group.telegram.people.groups.create("Others", *stage.group.users)
    other = list(stage.group.telegram.world.chats.values())[-1]
    await stage.group.settle()
    forger, match = await forging(stage)
    before = stage.items()
    for chat in (other, stage.group.private(PLAYER)):
        for verb in VERBS:
            caplog.clear()
            data = str(Data(match.id, epoch_of(match), match.shown.look, verb))
            update = forger.press(stage.group.users[PLAYER].id, data, chat)
            update["callback_query"]["from"]["language_code"] = "fr"
            status, body = await stage.send(update)
            assert status == 200
            assert json.loads(body)["text"] == words("fr")("refusal.wrong-chat")
            assert stage.items() == before
            line = next(record for record in caplog.records if "press from chat" in record.getMessage())
            assert str(chat.id) in line.getMessage()
            assert vars(line)["match"] == match.id


@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.parametrize("verb", ["rules dekal", "language fr", "delay 600", "stop no", "play on"])
async def test_a_forged_press_spoils_no_message(verb: str) -> None:
    """What changes or deletes the message that it is on does so only where that message has the button."""
    stage = await scene("skyjo", 9)
    forger, match = await forging(stage)
    shown = [(message.id, text_of(message), buttons(message)) for message in stage.group.messages()]
    for name in ("-", match.id):
        data = str(Data(name, 0, 0, verb))
        for seat in (OWNER, PLAYER, STRANGER):
            stage.group.clock.now += 60
            assert (await stage.send(forger.press(stage.group.users[seat].id, data)))[0] == 200
    assert [(message.id, text_of(message), buttons(message)) for message in stage.group.messages()] == shown
    assert stage.group.telegram.violations == []


@pytest.mark.usefixtures("plain_pictures")
async def test_data_of_any_shape_is_data_or_none() -> None:
    """Data that is too long, empty, in other scripts, or nearly right changes nothing and is answered."""
    stage = await playing("skyjo", moves=9)
    forger, match = await forging(stage)
    good = str(Data(match.id, epoch_of(match), match.shown.look, "card"))
    odd = ["", ":", ":::", good[:-1], good + ":", good.upper(), good.replace(":", "::"), f" {good}", f"{good}\n"]
    odd += [
        good * 20,
        "x" * 4096,
        "٣:٣:٣:draw",
        "−:0:0:draw",
        "\0",
        "match1",
        f"{match.id}:{'z' * 9}:0:draw",
        "🎴" * 16,
    ]
    odd += [
        good[:cut] + odd_one + good[cut:] for cut in range(len(good)) for odd_one in ("\0", "é", ":", "'", "\u202e")
    ]
    before = deeds(stage.items())
    for data in odd:
        for user in stage.group.users:
            status, body = await stage.send(forger.press(user.id, data))
            assert status == 200
            assert "answerCallbackQuery" in body
            assert deeds(stage.items()) == before, data
