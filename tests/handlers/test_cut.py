"""Cutting the deck at the open table: the players' own part in the seed, after the bot has drawn its secret."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random
from typing import Any

import pytest

from engine.core import Length
from engine.record import PLACES, commitment, match_seed
from engine.registry import GAMES
from handlers.app.games import after_move, begin, cuts_of, rules_of, seed_of, state_of
from handlers.ui.languages import words
from infra.items import match_bytes
from infra.matches import NAME_BYTES, WRITE_UNIT, Match, Player, Shown, Status
from testing.group import Group, buttons, text_of

EN = words("en")
OPENER, OTHER, STRANGER = range(3)


async def opened(people: int = 3) -> Group:
    """A table at which the first two sit."""
    group = Group(people)
    await group.write(OPENER, "/skyjo")
    await group.verb(OTHER, group.live(), "join")
    group.clock.now += 20
    return group


async def cuts(group: Group) -> tuple[int, ...]:
    """Where the seats have cut."""
    return cuts_of(await group.match())


async def test_a_cut_is_one_press_and_everybody_sees_it() -> None:
    """A toast for whoever cuts, an edit for the table; another number moves the cut, the same one does not."""
    group = await opened()
    lobby, before = group.live(), len(group.messages())
    assert await group.verb(OTHER, lobby, "cut 7") == EN("toast.cut", place=7)
    assert "2. Player 1 ✂️ 7\n" in text_of(lobby)
    assert await group.verb(OTHER, lobby, "cut 7") == EN("refusal.same-cut")
    assert await group.verb(OPENER, lobby, f"cut {PLACES}") == EN("toast.cut", place=PLACES)
    assert await group.verb(OTHER, lobby, "cut 1") == EN("toast.cut", place=1)
    assert await cuts(group) == (PLACES, 1)
    assert f"1. Player 0 ✂️ {PLACES}\n2. Player 1 ✂️ 1\n" in text_of(lobby)
    assert len(group.messages()) == before
    assert group.telegram.violations == []


async def test_only_who_sits_may_cut_and_only_at_a_place_that_there_is() -> None:
    """Everybody else is told; nothing changes."""
    group = await opened()
    lobby = group.live()
    data = next(data for data in buttons(lobby) if data.endswith(":cut 1"))
    assert await group.press(STRANGER, lobby, data) == EN("refusal.not-at-table")
    for place in ("0", str(PLACES + 1), "-1", "01", "1 ", "x", "", "1.0", "1e0"):
        await group.forge(OTHER, lobby, data.removesuffix("1") + place)
    assert await cuts(group) == (0, 0)
    assert set(group.statuses) == {200}


async def test_who_leaves_takes_their_cut_along() -> None:
    """The others' cuts stay with them, whatever seats they come to; who joins again has not cut."""
    group = await opened()
    await group.verb(STRANGER, group.live(), "join")
    for seat in range(3):
        await group.verb(seat, group.live(), f"cut {seat + 4}")
    await group.verb(OPENER, group.live(), "leave")
    assert await cuts(group) == (5, 6)
    await group.verb(OPENER, group.live(), "join")
    assert await cuts(group) == (5, 6, 0)


async def test_the_last_cut_that_leaves_leaves_a_table_as_it_was() -> None:
    """The seed is then that of a table at which nobody ever cut."""
    group = await opened()
    before = seed_of(await group.match())
    await group.verb(OPENER, group.live(), "cut 9")
    assert seed_of(await group.match()) != before
    await group.verb(OPENER, group.live(), "leave")
    match = await group.match()
    assert seed_of(match) == match_seed(match.secret, [group.users[OTHER].id])


async def test_a_cut_after_the_start_is_too_late() -> None:
    """The deck is dealt from the cuts that the table showed, which it goes on to show."""
    group = await opened()
    lobby = group.live()
    data = next(data for data in buttons(lobby) if data.endswith(":cut 2"))
    await group.verb(OTHER, lobby, "cut 3")
    await group.verb(OPENER, lobby, "start")
    before = await group.match()
    assert await group.forge(OTHER, lobby, data) == EN("refusal.running")
    assert (await group.match()).position == before.position
    assert await cuts(group) == (0, 3)
    assert "1. Player 0\n2. Player 1 ✂️ 3\n" in text_of(lobby)


async def test_the_deal_comes_from_the_cuts_and_the_proof_has_them() -> None:
    """The file that "check the deal" sends verifies with them, and with no others."""
    group = await opened(2)
    for seat, place in ((OPENER, 12), (OTHER, 3)):
        await group.verb(seat, group.live(), f"cut {place}")
    promised = commitment((await group.match()).secret)
    await group.verb(OPENER, group.live(), "start")
    match = await group.play(Random(2))
    ids = [user.id for user in group.users]
    assert seed_of(match) == match_seed(match.secret, ids, [12, 3])
    await group.verb(OTHER, group.live(), "deal")
    caption = text_of(next(message for message in group.messages() if "document" in message.body))
    assert f"cuts {ids[0]},{ids[1]} 12,3" in caption
    proof = json.loads(group.document())
    assert (proof["cuts"], proof["ended"]) == ([12, 3], "over")
    told = verified(proof, promised)
    assert (told.returncode, told.stdout.splitlines()[3], told.stderr) == (0, "cuts: 12, 3", "")
    assert verified(proof | {"cuts": [3, 12]}, promised).returncode == 2


async def test_a_match_without_cuts_is_proved_as_before() -> None:
    """Its file says nothing of cuts; that of a stopped one says that it was stopped."""
    group = await opened(2)
    promised = commitment((await group.match()).secret)
    await group.verb(OPENER, group.live(), "start")
    await group.play(Random(2), 4)
    group.clock.now += 60
    await group.write(OPENER, "/stop")
    await group.verb(OPENER, group.live(), "stop yes")
    group.clock.now += 60
    await group.verb(OTHER, group.live(), "deal")
    proof = json.loads(group.document())
    assert "cuts" not in proof
    told = verified(proof, promised)
    assert (told.returncode, told.stderr) == (2, "unfinished: the match was stopped after move 4\n")
    assert "cuts: none" in told.stdout


def verified(proof: dict[str, Any], promised: str) -> subprocess.CompletedProcess[str]:
    """What `python3 -m engine verify` makes of a proof whose table has shown this commitment."""
    command = [sys.executable, "-m", "engine", "verify", "--commitment", promised]
    given = json.dumps(proof)
    return subprocess.run(command, input=given, capture_output=True, check=False, text=True)  # noqa: S603 - ours


async def test_play_again_draws_its_secret_before_anybody_can_cut() -> None:
    """The seats are known then, so only cuts made afterwards are the players' own: none is taken along."""
    group = await opened(2)
    for seat in (OPENER, OTHER):
        await group.verb(seat, group.live(), "cut 5")
    await group.verb(OPENER, group.live(), "start")
    await group.play(Random(2))
    group.clock.now += 60
    await group.verb(OTHER, group.live(), "again")
    fresh = await group.match()
    assert (fresh.status, cuts_of(fresh)) == (Status.OPEN, (0, 0))
    assert commitment(fresh.secret) in text_of(group.live())
    await group.verb(OPENER, group.live(), "cut 6")
    assert (await group.match()).secret == fresh.secret
    assert await cuts(group) == (6, 0)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_of_the_longest_names_and_eight_cuts_stays_in_one_write_unit(game: str) -> None:
    """Through a whole match to 100, at the largest table."""
    random = Random(game)
    table = Match(
        id="Ue7_pp1Q",
        chat=-1_001_234_567_891,
        topic=1717,
        language="fr",
        game=game,
        secret=random.randbytes(32),
        opener=8_000_000_001,
        length=Length.HUNDRED,
        players=tuple(Player(8_000_000_001 + seat, "x" * NAME_BYTES, PLACES) for seat in range(GAMES[game].max_seats)),
        notes="T1a1FH;T2d3HI;T0c1IL;T1a1FH;T2d3HI;T0c1IL;T1a1FH;T2d3HI",
        shown=Shown(
            board=12_345,
            posted=1_790_000_001,
            edits=321,
            rounds=9,
            look=1234,
            drawer=987_654_321,
            until_ms=1_790_000_000_001,
            ready_ms=1_790_000_000_001,
            call=12_346,
        ),
        version=1234,
        saved=1_790_000_001,
        due=1_790_000_001,
        expires=1_790_000_001,
    )
    match = begin(table)
    heaviest = match_bytes(match)
    while match.status is Status.PLAYING:
        state = state_of(match)
        seat = random.choice(rules_of(match).actors(state))
        move = random.choice(rules_of(match).legal_moves(state, seat))
        match = after_move(match, seat, rules_of(match).move_text(move), random.choice).match
        heaviest = max(heaviest, match_bytes(match))
    assert heaviest <= WRITE_UNIT
