"""People's names, which they choose as they like: in texts, captions, toasts, pictures and calls."""

from __future__ import annotations

import io
from random import Random
from typing import Any

import pytest
from PIL import Image

from emulator.model import Message
from handlers.clock import run_due
from infra.matches import NAME_BYTES, NAMES_BYTES
from testing.group import buttons, text_of
from tests.hostile.scene import Stage, bugs, offering, use_plain_pictures

NAMES: tuple[tuple[str, str | None], ...] = (
    *(
        ("<b>", "</b>"),
        ("</a><a href='tg://user?id=1'>", "x"),
        ("&lt;&amp;", "&#60;"),
        ("<", ">"),
        ("&", None),
        ('"', "'"),
    ),
    *(("{name}", "{0}"), ("%s", "%(name)s"), ("{", "}"), ("\\", "\\n"), ("$x", "${x}")),
    *(("@durov", None), ("/stop", None), ("/stop@tablee_bot", None), ("https://t.me/x", None), ("t.me/x", "#tag $USD")),
    *(("\u202eevil", "\u202d"), ("\u2066\u2067", "\u2069"), ("\u200b", "\u200b"), ("\u3164", None), ("\u00ad", None)),
    *(("a\nb", "c\rd"), ("a\tb", None), ("\u2028", "\u2029"), ("\0", "\x1b[31m"), ("\ufffd", "\ufeff")),
    *(
        ("W" * 64, "W" * 64),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467" * 8, None),
        ("\U0001f1eb\U0001f1f7" * 16, None),
    ),
    *(("Z\u0351\u0352\u0353" * 16, None), ("\u0e01\u0e47\u0e47\u0e47\u0e47", None), ("\u05d0\u05d1 1", "\u0627\u0644")),
    *(("\U00020000" * 20, None), ("\u0ddb\u200d\u0dca", None), ("\ufdfd" * 20, None), ("", None), (" ", " ")),
)
MINE = {"bold", "italic", "code", "text_mention", "bot_command"}


def entities(message: Message) -> list[Any]:
    """The entities of a message."""
    return [*message.body.get("entities", ()), *message.body.get("caption_entities", ())]


def check(stage: Stage) -> None:
    """Every message is Telegram's HTML, and no name has become a link, a command or a mention of anybody else."""
    people = {user.id for user in stage.group.users}
    for message in stage.group.messages():
        for entity in entities(message):
            assert entity["type"] in MINE, (text_of(message), entity)
            if entity["type"] == "bot_command":
                assert "/" in text_of(message)[entity["offset"] :][:1]
                assert text_of(message)[entity["offset"] :].split()[0] in {
                    "/stop.",
                    "/stop",
                    "/dekal",
                    "/skyjo",
                    "/rules",
                }
            if entity["type"] == "text_mention":
                assert entity["user"]["id"] in people
    assert stage.group.telegram.violations == []


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", ["dekal", "skyjo"])
@pytest.mark.parametrize("first", range(0, len(NAMES), 6))
async def test_any_name_may_sit_at_a_table(
    first: int, game: str, language: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six names at a time through a match: table, board, toasts, call, stop, next table, the deal."""
    use_plain_pictures(monkeypatch)
    stage = Stage(6, language=language)
    group = stage.group
    for user, (name, last) in zip(group.users, (NAMES * 2)[first : first + 6], strict=True):
        user.first_name, user.last_name = name, last
    match = await group.start(game)
    assert all(len(player.name.encode()) <= NAME_BYTES for player in match.players)
    assert sum(len(player.name.encode()) for player in match.players) <= NAMES_BYTES
    await group.play_on(Random(first), 40)
    for _ in range(4):
        group.clock.now += 400
        assert group.webhook is not None
        await run_due(group.webhook._bot, int(group.clock.now))
    check(stage)
    match = await group.match()
    toasts = [query.answer.text for query in group.telegram.world.queries.values() if query.answer]
    assert all(len(toast.encode("utf-16-le")) <= 400 for toast in toasts)
    group.clock.now += 60
    await group.write(0, "/stop")
    await group.verb(0, offering(group, "stop yes"), "stop yes")
    await group.verb(1, offering(group, "deal"), "deal")
    await group.verb(5, offering(group, "again"), "again")
    check(stage)
    assert bugs(caplog.records) == []
    assert set(group.statuses) == {200}


async def test_any_name_is_drawn() -> None:
    """Real boards with the worst names are pictures, of one size whatever the names."""
    sizes = set()
    for first in range(0, len(NAMES), 6):
        stage = Stage(6)
        for user, (name, last) in zip(stage.group.users, (NAMES * 2)[first : first + 6], strict=True):
            user.first_name, user.last_name = name, last
        await stage.group.start("skyjo")
        assert buttons(stage.group.live())
        picture = Image.open(io.BytesIO(list(stage.group.telegram.world.files.by_id.values())[-1].content))
        picture.load()
        sizes.add(picture.size)
    assert len(sizes) == 1


async def test_a_nameless_person_has_stopped_the_match(plain_pictures: None) -> None:
    """Who stops a match without a name is still somebody: it was not put away because nobody came."""
    del plain_pictures
    stage = Stage(2)
    await stage.group.start("skyjo")
    stage.group.users[0].first_name = "\u2028"
    stage.group.clock.now += 60
    await stage.group.write(0, "/stop")
    await stage.group.verb(0, stage.group.live(), "stop yes")
    assert "has stopped the match" in text_of(stage.group.live())
