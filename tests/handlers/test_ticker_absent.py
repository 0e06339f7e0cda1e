"""Playing on without those who keep others waiting: when, by whom, and until they are back."""

from __future__ import annotations

from random import Random

import pytest

from emulator.model import Message
from handlers.app.games import rules_of, state_of
from handlers.ui.languages import words
from infra.matches import Status
from testing.group import Group, buttons, text_of
from tests.handlers.ticking import DELAY, called, calls, playing, tick
from tests.hostile.scene import use_plain_pictures

EN = words("en")


@pytest.fixture(autouse=True)
def _plain_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    use_plain_pictures(monkeypatch)


async def playing_on(group: Group) -> tuple[Message, int, list[int]]:
    """A call has been made: its message, a seat that is not waited for, and those that are."""
    await tick(group, DELAY + 60)
    actors = list(rules_of(await group.match()).actors(state_of(await group.match())))
    others = [seat for seat in range(len((await group.match()).players)) if seat not in actors]
    return calls(group)[-1], others[0], actors


async def test_playing_on_has_its_time() -> None:
    """Before twice the delay a toast says in how many minutes; the awaited and strangers are refused; then it works."""
    group = await playing("skyjo")
    stranger = group.telegram.people.create_user("Stranger")
    group.telegram.people.groups.join(stranger, group.chat)
    group.users.append(stranger)
    call, other, (actor,) = await playing_on(group)
    match = await group.match()
    minutes = -(-(match.patience - int(group.clock.now)) // 60)
    assert await group.verb(other, call, "play on") == EN.plural("waiting.too-early", minutes)
    assert await group.verb(actor, call, "play on") == EN("refusal.your-own-turn")
    assert await group.verb(3, call, "play on") == EN("refusal.not-seated")
    assert (await group.match()).absent == ()
    group.clock.now = match.patience - 1
    assert await group.verb(other, call, "play on") == EN.plural("waiting.too-early", 1)
    group.clock.now = match.patience
    assert await group.verb(other, call, "play on") == EN.plural("waiting.played-on", 1)
    assert (await group.match()).absent == (actor,)
    assert call.deleted
    assert set(group.statuses) == {200}
    assert group.telegram.violations == []


async def test_the_bot_plays_until_they_are_back() -> None:
    """The seat's moves are legal ones, made as soon as they are due, until its player presses anything again."""
    group = await playing("skyjo")
    call, other, (actor,) = await playing_on(group)
    random = Random(3)
    group.clock.now += 2 * DELAY
    await group.verb(other, call, "play on")
    for _ in range(12):
        match = await group.match()
        assert actor not in rules_of(match).actors(state_of(match))
        assert match.absent == (actor,)
        assert EN.plural("note.absent", 1, names=f"Player {actor}") in text_of(group.live())
        await group.move(random)
    board = group.live()
    toast = await group.press(actor, board, buttons(board)[0])
    assert toast == EN("toast.welcome-back") or (await group.match()).absent == ()
    assert (await group.match()).absent == ()
    group.clock.now += 30
    assert "🤖" not in text_of(group.live())
    while actor not in rules_of(await group.match()).actors(state_of(await group.match())):
        await group.move(random)
    assert (await group.play(random)).status is Status.OVER


async def test_several_are_absent_in_a_secret_choice() -> None:
    """Dékal: the bot chooses for all who are waited for, and the round goes on."""
    group = Group(5)
    await group.start("dekal")
    for seat in (0, 1):
        await group.verb(seat, group.live(), "a1")
    await tick(group, 2 * DELAY + 120)
    (call,) = calls(group)
    assert await group.verb(0, call, "play on") == EN.plural("waiting.played-on", 1)
    match = await group.match()
    assert match.absent == (2, 3, 4)
    assert rules_of(match).actors(state_of(match)) in {(0,), (1,)}
    assert EN.plural("note.absent", 3, names="Player 2, Player 3 and Player 4") in text_of(group.live())
    assert (await group.play(Random(1))).status is Status.OVER


async def test_all_but_one_are_absent() -> None:
    """Whoever is left plays the match to its end against the bot; nobody is left: the bot does not play alone."""
    group = Group(3)
    await group.start("skyjo")
    board = group.live()
    await group.verb(0, board, "flip a1")
    await group.verb(0, board, "flip a2")
    await tick(group, 2 * DELAY + 120)
    await group.verb(0, calls(group)[-1], "play on")
    match = await group.match()
    assert match.absent == (1, 2)
    assert rules_of(match).actors(state_of(match)) == (0,)
    await tick(group, 2 * DELAY + 120)
    assert called(calls(group)[-1]) == {group.users[0].id}
    assert await group.verb(1, calls(group)[-1], "play on") == EN.plural("waiting.played-on", 1)
    match = await group.match()
    assert match.absent == (0, 2)
    assert rules_of(match).actors(state_of(match)) == (1,)
    assert (await group.play(Random(1))).status is Status.OVER


async def test_who_asks_too_early_is_back_all_the_same() -> None:
    """An absent player who presses "play on" has come back, even where it is too early for that."""
    group = await playing("skyjo", 3)
    call, other, (actor,) = await playing_on(group)
    group.clock.now += 2 * DELAY
    await group.verb(other, call, "play on")
    await tick(group, DELAY + 60)
    await group.verb(actor, calls(group)[-1], "play on")
    assert (await group.match()).absent == ()


async def test_who_comes_back_is_no_longer_played_for_below_the_board() -> None:
    """Even where the press that brought them back was no move."""
    group = await playing("skyjo", 3)
    call, other, (actor,) = await playing_on(group)
    group.clock.now += 2 * DELAY
    await group.verb(other, call, "play on")
    assert "🤖" in text_of(group.live())
    group.clock.now += 30
    assert await group.verb(actor, group.live(), "card") == EN("toast.welcome-back")
    assert "🤖" not in text_of(group.live())
