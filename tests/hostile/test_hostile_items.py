"""Stored items that cannot be read: one honest word to the chat, an error in the log, and not a byte changed."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from handlers.clock import run_due
from handlers.ui import answers
from handlers.ui.languages import words
from infra import logs
from infra.matches import Status
from testing.group import buttons, text_of
from tests.hostile.scene import Stage, bugs, deeds, playing

MATCH = ("match#match1", "match")
BROKEN = words("en")("refusal.broken")

pytestmark = pytest.mark.usefixtures("plain_pictures")


def edited(**fields: Any) -> Callable[[str], str]:
    """What puts other values (None: none) into an item."""

    def edit(item: str) -> str:
        return json.dumps({key: value for key, value in (json.loads(item) | fields).items() if value is not None})

    return edit


def position(change: Callable[[str], str]) -> Callable[[str], str]:
    """What changes an item's position."""
    return lambda item: json.dumps(json.loads(item) | {"pos": change(json.loads(item)["pos"])})


DAMAGES: dict[str, Callable[[str], str]] = {
    "half an item": lambda item: item[: len(item) // 2],
    "a list": lambda _: "[]",
    "nothing in it": lambda _: "{}",
    "a later schema": edited(schema=2),
    "no schema": edited(schema=None),
    "no position": edited(pos=None),
    "another seed": edited(secret="x" * 43),
    "no secret": edited(secret=None),
    "a card twice": position(lambda text: text.replace("A", "B", 1)),
    "half a position": position(lambda text: text[: len(text) // 2]),
    "nonsense": position(lambda _: "nonsense"),
    "another game's": edited(game="dekal"),
    "a game that is none": edited(game="chess"),
    "a language that is none": edited(lang="tlh"),
    "players less": edited(players="5300000001 Player 0"),
    "players more": edited(players="\n".join(f"{number} x" for number in range(1, 10))),
    "players without ids": edited(players="x\ny\nz"),
    "a status that is none": edited(status="asleep"),
    "a status too early": edited(status="over"),
    "a table, and cards": edited(status="open"),
    "a cut that is none": edited(schema=2, cuts="0z0"),
    "cuts of fewer seats": edited(schema=2, cuts="11"),
    "cuts in an item that knows none": edited(cuts="111"),
    "an absent seat that is none": edited(absent="7"),
    "an absent seat below": edited(absent="-1"),
    "a text for a number": edited(version="9"),
    "a look before the first": edited(look=-1),
    "a look that no button has room for": edited(look=36**8),
    "a time before all times": edited(ready=-1),
    "a time after all times": edited(until=2**63),
    "pages without end": edited(pages=10**9),
    "a text without end": edited(notes="0 7L;" * 10_000),
}


@dataclass(frozen=True, slots=True)
class Told:
    """What a chat was told: toasts of presses and messages."""

    toast: str
    messages: list[str]


async def damaged(name: str) -> Stage:
    """A match in its middle whose item has suffered."""
    stage = await playing("skyjo", 3, 9)
    stage.overwrite(*MATCH, DAMAGES[name](stage.items()[MATCH]))
    stage.group.webhook = None
    return stage


def errors(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """The errors in the log."""
    return [record for record in caplog.records if record.levelno >= logging.ERROR]


def quoted(stage: Stage, line: logging.LogRecord) -> list[str]:
    """What a line, as it is written, shows of the cards and moves in the match's item."""
    told = logs._Readable("%(message)s").format(line)
    kept = re.findall(r'"(?:pos|moves|secret|players)": ?"([^"]*)', stage.items()[MATCH])
    pieces = {piece for text in kept for piece in text.split() if len(piece) > 2}
    return [piece for piece in pieces if piece in told]


@pytest.mark.parametrize("name", [name for name in DAMAGES if name != "another seed"])
async def test_a_press_on_a_broken_match_says_so(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """By a dialog, not a toast that is gone in a second; the log names the match; the item is as it was."""
    stage = await damaged(name)
    before, board, said = stage.items(), stage.group.live(), len(stage.group.messages())
    for data in buttons(board)[:2]:
        caplog.clear()
        query = stage.group.telegram.people.press(stage.group.users[0], board, data)
        await stage.group.settle()
        assert query.answer is not None
        assert (query.answer.text, query.answer.show_alert) == (BROKEN, True)
        (error,) = errors(caplog)
        assert "match1" in error.getMessage()
        assert vars(error)["match"] == "match1"
        assert not error.getMessage().startswith("a bug")
        assert not quoted(stage, error)
    assert (stage.items(), len(stage.group.messages())) == (before, said)
    assert set(stage.group.statuses) == {200}


@pytest.mark.parametrize("command", ["/board", "/stop"])
@pytest.mark.parametrize("name", [name for name in DAMAGES if name != "another seed"])
async def test_a_command_on_a_broken_match_says_so_once(
    name: str, command: str, caplog: pytest.LogCaptureFixture
) -> None:
    """One message, however often it is typed at once; then a new table may be opened, and the broken one stays."""
    stage = await damaged(name)
    before, said = stage.items(), len(stage.group.messages())
    for _ in range(5):
        await stage.group.write(1, command)
    told = stage.group.messages()[said:]
    assert [text_of(message) for message in told] == [answers.broken(words("en"))]
    assert "match1" in errors(caplog)[0].getMessage()
    assert stage.items() == before
    stage.group.clock.now += 60
    await stage.group.write(1, "/dekal")
    match = await stage.group.match()
    assert (match.id, match.status, match.game) == ("match2", Status.OPEN, "dekal")
    assert stage.items()[MATCH] == before[MATCH]
    assert bugs(caplog.records) == []
    assert stage.group.telegram.violations == []


@pytest.mark.parametrize("name", [name for name in DAMAGES if name != "another seed"])
async def test_a_broken_match_stops_no_new_one(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """Whoever opens a table need not know that the last match is broken; the log does."""
    stage = await damaged(name)
    before = stage.items()[MATCH]
    await stage.group.write(2, "/skyjo")
    assert (await stage.group.match()).id == "match2"
    assert stage.items()[MATCH] == before
    assert "match1" in errors(caplog)[0].getMessage()


@pytest.mark.parametrize("name", [name for name in DAMAGES if name != "another seed"])
async def test_the_ticker_passes_a_broken_match(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """It is left as it is, and what comes behind it is looked after."""
    stage = await damaged(name)
    other = stage.group.telegram.people.groups.create("Others", *stage.group.users)
    await stage.group.settle()
    await stage.group.write(0, "/dekal", chat=other)
    before = stage.items()[MATCH]
    stage.group.clock.now += 2 * 3600
    assert stage.group.webhook is not None
    assert await run_due(stage.group.webhook._bot, int(stage.group.clock.now)) == 2
    assert stage.items()[MATCH] == before
    assert "nothing has happened here" in text_of(stage.group.messages(other)[-1])
    assert bugs(caplog.records) == []


async def test_a_deal_from_another_secret_is_what_it_is(caplog: pytest.LogCaptureFixture) -> None:
    """A secret that was exchanged cannot be told before the next shuffle, but the deal no longer verifies: no crash."""
    stage = await damaged("another seed")
    await stage.group.play(stage.group.random)
    await stage.group.verb(0, stage.group.live(), "deal")
    assert [query.answer.text for query in stage.group.telegram.world.queries.values() if query.answer][-1]
    assert bugs(caplog.records) == []


@pytest.mark.parametrize("damage", ["x", "{", "é" * 40, "0" * 400])
@pytest.mark.parametrize("field", ["moves", "notes"])
async def test_damage_beside_the_position_breaks_nothing(
    field: str, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Notes and the log of moves are not needed to play; the log's damage is found, and told, with the deal."""
    stage = await playing("dekal", 2, 9)
    stage.overwrite(*MATCH, edited(**{field: damage})(stage.items()[MATCH]))
    match = await stage.group.play(stage.group.random)
    assert match.status is Status.OVER
    caplog.clear()
    before = stage.items()
    query = stage.group.telegram.people.press(
        stage.group.users[0], stage.group.live(), next(data for data in buttons(stage.group.live()) if "deal" in data)
    )
    await stage.group.settle()
    assert query.answer is not None
    if field == "moves":
        assert (query.answer.text, query.answer.show_alert) == (BROKEN, True)
        assert vars(errors(caplog)[0])["match"] == "match1"
        assert not quoted(stage, errors(caplog)[0])
        assert stage.items() == before
    else:
        assert json.loads(stage.group.document())["moves"]
    assert bugs(caplog.records) == []


@pytest.mark.parametrize("damage", ['{"schema":9,"version":1,"delay":60}', "{", '{"schema":1,"version":1}', "[]"])
async def test_broken_settings_do_not_keep_a_chat_from_playing(damage: str, caplog: pytest.LogCaptureFixture) -> None:
    """The usual settings serve until the item is mended; choosing others is refused, and changes nothing."""
    stage = Stage(2)
    settings = (f"chat#{stage.group.chat.id}", "settings")
    await stage.group.write(0, "/settings")
    await stage.group.verb(0, stage.group.live(), "delay 60")
    stage.overwrite(*settings, damage)
    stage.group.clock.now += 60
    await stage.group.start("skyjo")
    stage.group.clock.now += 60
    await stage.group.write(0, "/settings")
    assert await stage.group.verb(0, stage.group.live(), "delay 600") == words("en")("refusal.busy")
    await stage.group.write(0, "/language")
    assert await stage.group.verb(0, stage.group.live(), "language fr") == words("fr")("refusal.busy")
    assert stage.items()[settings] == damage
    stage.group.clock.now += 60
    await stage.group.write(0, "/board")
    await stage.group.play(stage.group.random, 5)
    stage.group.clock.now += 300
    assert stage.group.webhook is not None
    await run_due(stage.group.webhook._bot, int(stage.group.clock.now))
    assert "waiting for you" in text_of(stage.group.messages()[-1])
    assert bugs(caplog.records) == []


async def test_a_broken_pointer_is_told_and_left(caplog: pytest.LogCaptureFixture) -> None:
    """A pointer that names nothing cannot be replaced by guessing: it is said and logged, and a press still plays."""
    stage = await playing("skyjo", 2, 5)
    pointer = (f"chat#{stage.group.chat.id}", "table#0")
    stage.overwrite(*pointer, '{"match":7}')
    before = deeds(stage.items())
    for command in ("/board", "/skyjo"):
        stage.group.clock.now += 60
        await stage.group.write(0, command)
        assert text_of(stage.group.messages()[-1]) == answers.broken(words("en"))
    assert deeds(stage.items()) == before
    assert errors(caplog)
    assert bugs(caplog.records) == []
