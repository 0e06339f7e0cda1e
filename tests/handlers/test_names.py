"""Names are hostile: whatever they hold, every text arrives, and says what it means to."""

from __future__ import annotations

from random import Random

import pytest

from engine.registry import GAMES
from infra.local.model import User
from infra.matches import Status
from tests.group import Group, buttons, text_of

NAMES = (
    ("<b>Bold</b>", "<a href='x'>&amp;</a>"),
    ("</b></i>", "&lt;script&gt;"),
    ("W" * 64, "M" * 64),
    ("🃏" * 32, "👩‍👩‍👧‍👦" * 8),
    ("\u202etsrif ton", "\u2066\u2067x"),
    ("شيرين", "عبد الله"),
    ("@tablee_bot", "/stop t.me/x #y"),
    ("\u3164", ""),
)


def named(group: Group) -> None:
    """Give everybody in the group a hostile name."""
    for number, user in enumerate(group.users):
        first, last = NAMES[number % len(NAMES)]
        user.first_name, user.last_name = first, last or None
        group.telegram.world.add_user(user)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", ["en", "fr"])
async def test_a_match_of_hostile_names(game: str, language: str) -> None:
    """From table to ranking, everything is written as it should be, and only the players are linked."""
    group = Group(GAMES[game].max_seats, language=language)
    named(group)
    await group.start(game)
    random = Random(2)
    for _ in range(30):
        await group.move(random)
        await group.verb(random.randrange(len(group.users)), group.live(), verb_of(buttons(group.live())[-1]))
    group.clock.now += 60
    await group.write(0, "/stop")
    await group.verb(0, group.live(), "stop yes")
    assert (await group.match()).status is Status.STOPPED
    assert group.telegram.violations == []
    assert set(group.statuses) == {200}
    for message in group.messages():
        assert linked(message.body) <= {user.id for user in group.users}
        # Marks that turn text around them never come through; what we isolate ourselves is closed again.
        assert not set(text_of(message)) & set("\u202a\u202b\u202d\u202e\u2066\u2067")
        assert text_of(message).count("\u2068") == text_of(message).count("\u2069")


def verb_of(data: str) -> str:
    """The verb at the end of a button's data."""
    return data.rsplit(":", 1)[1]


def linked(body: dict[str, object]) -> set[int]:
    """Who is mentioned; nothing in a name becomes a link of its own."""
    entities = body.get("entities", body.get("caption_entities", []))
    assert isinstance(entities, list)
    found = {entity["user"]["id"] for entity in entities if entity["type"] == "text_mention"}
    assert {entity["type"] for entity in entities} <= {"text_mention", "bold", "italic", "code"} | COMMANDS
    return found


COMMANDS = {"bot_command"}
"""Our own texts name commands; no name does, as `test_no_name_is_a_command` shows."""


@pytest.mark.parametrize("name", NAMES, ids=[str(number) for number in range(len(NAMES))])
async def test_no_name_is_a_command(name: tuple[str, str]) -> None:
    """Neither a command nor a user name nor an address in a name becomes one in the table message."""
    group = Group(2)
    group.users[0].first_name, group.users[0].last_name = name[0], name[1] or None
    group.telegram.world.add_user(group.users[0])
    await group.write(0, "/skyjo")
    entities = group.live().body.get("entities", [])
    assert {entity["type"] for entity in entities} <= {"bold", "code"}
    assert 1 <= len(text_of(group.live()).split("1. ")[1].splitlines()[0]) <= 40


@pytest.mark.parametrize("name", NAMES, ids=[str(number) for number in range(len(NAMES))])
async def test_toasts_with_any_name_fit(name: tuple[str, str]) -> None:
    """Toasts are plain text of at most 200 characters: whose turn it is, who opened the table."""
    group = Group(3)
    user: User = group.users[0]
    user.first_name, user.last_name = name[0], name[1] or None
    group.telegram.world.add_user(user)
    await group.write(0, "/skyjo")
    assert 1 <= len(await group.verb(1, group.live(), "start")) <= 200
    await group.verb(1, group.live(), "join")
    await group.verb(0, group.live(), "start")
    for _ in range(5):
        await group.move(Random(1))
        for seat in range(3):
            assert 1 <= len(await group.verb(seat, group.live(), verb_of(buttons(group.live())[-1]))) <= 200
    assert group.telegram.violations == []
