"""Names are hostile: whatever they hold, every text arrives, and says what it means to."""

from __future__ import annotations

from random import Random

import pytest

from emulator.model import User
from engine.registry import GAMES
from handlers.app.games import rules_of, state_of
from handlers.ui.languages import words
from infra.matches import Status
from testing.group import Group, buttons, text_of
from tests.handlers.ticking import DELAY, calls, tick

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


def called(group: Group, *names: str) -> None:
    """Give the people of a group these names."""
    for user, name in zip(group.users, names, strict=True):
        user.first_name, _, last = name.partition(" ")
        user.last_name = last or None
        group.telegram.world.add_user(user)


async def test_equal_names_are_told_apart_everywhere() -> None:
    """By the number that the seat has in the picture: at the table, in toasts, calls, captions and the ranking."""
    tell = words("en")
    group = Group(3)
    called(group, "Ana", "Bo", "Ana")
    await group.write(0, "/skyjo")
    await group.verb(1, group.live(), "join")
    assert "1. Ana\n2. Bo\n" in text_of(group.live())
    group.clock.now += 10
    await group.verb(2, group.live(), "join")
    assert "1. Ana (1)\n2. Bo\n3. Ana (3)\n" in text_of(group.live())
    assert "Ana (1) or an administrator starts" in text_of(group.live())
    await group.verb(0, group.live(), "leave")
    group.clock.now += 10
    await group.verb(0, group.live(), "join")
    group.clock.now += 10
    assert "1. Bo\n2. Ana (2)\n3. Ana (3)\n" in text_of(group.live())
    await group.verb(1, group.live(), "start")
    group.users[:] = [group.users[1], group.users[2], group.users[0]]
    labels = ["Bo", "Ana (2)", "Ana (3)"]
    await tick(group, DELAY + 60)
    assert "Bo, Ana (2) and Ana (3)" in text_of(calls(group)[-1])
    await group.write(0, "/board")
    await group.play(group.random, 6)
    assert all(f"{label}: " in text_of(group.live()) for label in labels)
    match = await group.play(group.random, 5)
    (actor,) = rules_of(match).actors(state_of(match))
    assert labels[actor] in text_of(group.live())
    toast = await group.verb((actor + 1) % 3, group.live(), "card")
    assert toast == tell.plural("refusal.turn-of", 1, names=labels[actor])
    match = await group.play(group.random)
    assert all(f" {label}: " in text_of(group.live()) for label in labels)


@pytest.mark.parametrize(
    ("names", "stopper", "told"),
    [
        (("Ana", "Ana", "Bo"), 1, "Ana (2)"),
        (("Bo", "Ana", "Ana"), 2, "an administrator"),
        (("Ana", "Ana", "Ana"), 2, "an administrator"),
        (("Ana", "Bo", "Bob"), 2, "Bob"),
        (("Ana", "Bo", "\u3164"), 2, "an administrator"),
    ],
)
async def test_who_has_stopped_is_told_apart(names: tuple[str, ...], stopper: int, told: str) -> None:
    """A player by their number; an administrator who is called like one of them, or not at all, by what they are."""
    group = Group(2)
    group.users.append(group.telegram.people.create_user("Third"))
    called(group, *names)
    group.telegram.people.groups.join(group.users[2], group.chat)
    group.telegram.people.groups.promote(group.users[2], group.chat)
    await group.write(0, "/dekal")
    await group.verb(1, group.live(), "join")
    await group.verb(0, group.live(), "start")
    group.clock.now += 60
    await group.write(stopper, "/stop")
    await group.verb(stopper, group.live(), "stop yes")
    assert text_of(group.live()) == f"Dékal · {told} has stopped the match. Nobody wins."


async def test_long_names_stay_as_long_as_there_is_room() -> None:
    """Two whose first names are the same are told apart by their last names; only at a large table names are cut."""
    group = Group(8)
    alexandras = ("Александра Иванова", "Александра Ильина")
    called(group, *alexandras, *(f"Player {number}" for number in range(3, 9)))
    match = await group.start("skyjo")
    assert [player.name for player in match.players[:2]] == list(alexandras)
    assert all(name in text_of(group.live()) for name in alexandras)
    crowd = Group(8)
    called(crowd, *alexandras * 4)
    match = await crowd.start("skyjo")
    assert {player.name for player in match.players} == {"Александра…"}
    assert all(f"Александра… ({seat})" in text_of(crowd.live()) for seat in range(1, 9))
