"""What a match weighs in its store: one write unit, whoever sits at the table."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random

import pytest

from engine.core import Length
from engine.registry import GAMES
from handlers.app.games import rules_of, state_of
from handlers.app.judge import judge
from handlers.app.presses import Data, Press
from handlers.app.verdict import Given
from infra.items import match_bytes
from infra.matches import NAME_BYTES, WRITE_UNIT, Match, Player, Shown, Status, cut_name
from testing.group import NOON

NOW = int(NOON) + 1
NAMES = {
    "long": ("Александра Иванова-Сергеевна",) * 8,
    "of all kinds": (
        "名" * 32,
        "x" * 64,
        "👩\u200d👩\u200d👧" * 9,
        "Ζαχαρούλα Παπαδοπούλου",
        "",
        "Ed",
        "é" * 30,
        "ש" * 30,
    ),
}
TABLES = [(key, count) for key, rules in GAMES.items() for count in range(rules.min_seats, rules.max_seats + 1)]


def table(game: str, names: tuple[str, ...]) -> Match:
    """An open table that has been shown for long, in a chat and with people whose ids are long, at an odd second."""
    shown = {field.name: 123_457 for field in fields(Shown)}
    times = {"posted": NOW, "until_ms": NOW * 1000 + 1, "ready_ms": NOW * 1000 + 1, "drawer": 987_654_321}
    return Match(
        id="Ue7_pp1Q",
        chat=-1_001_234_567_891,
        topic=171_717,
        language="fr",
        game=game,
        secret=bytes(32),
        opener=8_000_000_001,
        length=Length.HUNDRED,
        players=tuple(Player(8_000_000_001 + seat, cut_name(name)) for seat, name in enumerate(names)),
        shown=Shown(**(shown | times)),
        version=4321,
        saved=NOW,
        due=NOW,
        expires=NOW,
    )


def pressed(match: Match, seat: int, verb: str) -> Press:
    """A press of a seat's player on the newest board."""
    rules = rules_of(match)
    epoch = rules.epoch(state_of(match)) if match.position else 0
    data = Data(match.id, epoch, match.shown.look, verb)
    player = match.players[seat]
    return Press(1, "1", player.id, player.name, "fr", match.chat, 1, offered=True, data=data)


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize(("game", "count"), TABLES)
def test_an_item_is_one_write_unit_whatever_the_names(game: str, count: int, names: tuple[str, ...]) -> None:
    """At the table, in every position of a match to 100 points, with absent players, and once it is stopped."""
    random = Random(f"{game} {count}")
    given = Given(NOW, admin=False, choose=random.choice)
    match = table(game, names[:count])
    assert all(len(player.name.encode()) <= NAME_BYTES for player in match.players)
    assert weight_of_the_stopped(match, given) <= WRITE_UNIT
    started = judge(match, pressed(match, 0, "start"), given).match
    assert started is not None
    match = started
    while match.status is Status.PLAYING:
        assert weight_of_the_stopped(match, given) <= WRITE_UNIT
        called = replace(match, patience=NOW, absent=tuple(range(count - 1)))
        assert match_bytes(called) <= WRITE_UNIT
        rules, state = rules_of(match), state_of(match)
        seat = random.choice(rules.actors(state))
        move = rules.move_text(random.choice(rules.legal_moves(state, seat)))
        following = judge(match, pressed(match, seat, move), given).match
        assert following is not None
        # What the pen and the ticker write again.
        match = replace(following, due=NOW, shown=replace(following.shown, call=123_457))
    assert match_bytes(match) <= WRITE_UNIT


def weight_of_the_stopped(match: Match, given: Given) -> int:
    """What a match weighs once the player with the longest name has stopped it."""
    seat = len(match.players) - 1
    stopped = judge(match, pressed(match, seat, "stop yes"), given).match
    assert stopped is not None
    return max(match_bytes(stopped), match_bytes(match))
