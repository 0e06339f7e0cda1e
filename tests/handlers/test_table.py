"""The table message: who sits, who may do what, and what the others are told."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random

import pytest
from telegram.error import BadRequest, Forbidden

from emulator.function_url import function_url_event
from emulator.telegram import Fault
from engine.core import Length
from engine.registry import GAMES
from handlers.ui.languages import words
from infra.matches import Status
from testing.group import SECRET, Group, buttons, data_of, text_of

EN = words("en")
OPENER, ADMIN, OTHER = 1, 0, 2
"""Seats of a group whose first person owns it; the second opens the table."""


async def opened(people: int = 3, game: str = "skyjo") -> Group:
    """A table opened by somebody who runs nothing else."""
    group = Group(people)
    await group.write(OPENER, f"/{game}")
    return group


async def names(group: Group) -> list[str]:
    """Who sits, in order."""
    return [player.name for player in (await group.match()).players]


async def test_joining_and_leaving_are_toasts_and_edits() -> None:
    """No message for either; the table message shows who sits."""
    group = await opened()
    lobby, before = group.live(), len(group.messages())
    assert await group.verb(OTHER, lobby, "join") == EN("toast.joined")
    assert await group.verb(OTHER, lobby, "join") == EN("refusal.already-seated")
    assert "2. Player 2" in text_of(lobby)
    assert await group.verb(OTHER, lobby, "leave") == EN("toast.left")
    assert await group.verb(OTHER, lobby, "leave") == EN("refusal.not-at-table")
    assert "Player 2" not in text_of(lobby)
    assert len(group.messages()) == before
    assert group.telegram.violations == []


@pytest.mark.parametrize("game", GAMES)
async def test_a_full_table(game: str) -> None:
    """All seats of the game can be taken, and not one more."""
    most = GAMES[game].max_seats
    group = Group(most + 1)
    await group.write(0, f"/{game}")
    for seat in range(1, most):
        group.clock.now += 4
        assert await group.verb(seat, group.live(), "join") == EN("toast.joined")
    assert await group.verb(most, group.live(), "join") == EN("refusal.table-full")
    assert len(await names(group)) == most
    group.clock.now += 4
    assert await group.verb(0, group.live(), "start") == EN("toast.started")


async def test_all_may_join_at_the_same_moment() -> None:
    """Eight presses at once: nobody is lost, and in the end the message shows them all."""
    group = Group(8)
    await group.write(0, "/skyjo")
    lobby = group.live()
    for user in group.users[1:]:
        group.telegram.people.press(user, lobby, data_of(lobby, "join"))
    await group.settle()
    assert set(await names(group)) == {f"Player {n}" for n in range(8)}
    assert all(f"Player {n}" in text_of(lobby) for n in range(8))
    assert set(group.statuses) == {200}


@pytest.mark.parametrize("verb", ["length 100", "start", "cancel"])
async def test_what_only_the_opener_and_administrators_may(verb: str) -> None:
    """Others get a toast that names the opener, at the table or not; Telegram is asked who runs the chat."""
    group = await opened()
    refusal = EN.plural("refusal.opener-only-named", 1, names="Player 1")
    assert await group.verb(OTHER, group.live(), verb) == refusal
    await group.verb(OTHER, group.live(), "join")
    assert await group.verb(OTHER, group.live(), verb) == refusal
    assert (await group.match()).status is Status.OPEN
    asked = len(group.calls("getChatMember"))
    assert await group.verb(OPENER, group.live(), verb) != refusal
    assert len(group.calls("getChatMember")) == asked, "nobody is asked about the opener"


@pytest.mark.parametrize("verb", ["length 100", "start", "cancel"])
async def test_an_administrator_may_too(verb: str) -> None:
    """Without sitting at the table."""
    group = await opened()
    await group.verb(OTHER, group.live(), "join")
    await group.verb(ADMIN, group.live(), verb)
    match = await group.match()
    assert (match.status, match.length) != (Status.OPEN, Length.SINGLE)
    assert await names(group) == ["Player 1", "Player 2"]


async def test_the_length_is_shown_and_chosen_once() -> None:
    """The chosen one is marked; choosing it again says that it is."""
    group = await opened()
    assert await group.verb(OPENER, group.live(), "length single") == EN("refusal.same-length")
    assert await group.verb(OPENER, group.live(), "length 100") == EN("toast.hundred")
    assert "✓ To 100 points" in str(group.live().reply_markup)
    assert EN("table.length.100.skyjo") in text_of(group.live())
    assert await group.verb(OPENER, group.live(), "length single") == EN("toast.one-round")
    assert (await group.match()).length is Length.SINGLE


async def test_one_alone_cannot_start() -> None:
    """The toast says how many it takes."""
    group = await opened()
    assert await group.verb(OPENER, group.live(), "start") == EN.plural("refusal.too-few-for", 2)


async def test_a_closed_table_makes_room() -> None:
    """Its message says who closed it and has no buttons; another table may open."""
    group = await opened()
    lobby = group.live()
    assert await group.verb(OPENER, lobby, "cancel") == EN("toast.cancelled")
    assert text_of(lobby) == "Skyjo: Player 1 has closed the table."
    assert buttons(lobby) == []
    assert await group.forge(OTHER, lobby, "match1:0:1:join") == EN("refusal.table-closed")
    await group.write(OTHER, "/dekal")
    assert ((await group.match()).game, await names(group)) == ("dekal", ["Player 2"])


async def test_a_table_passes_on_when_its_opener_leaves() -> None:
    """The next at the table may start; with nobody left, whoever joins next."""
    group = await opened(4)
    await group.verb(OTHER, group.live(), "join")
    await group.verb(OPENER, group.live(), "leave")
    assert (await group.match()).opener == group.users[OTHER].id
    group.clock.now += 20
    assert "Player 2 or an administrator" in text_of(group.live())
    await group.verb(OTHER, group.live(), "leave")
    match = await group.match()
    assert (match.opener, match.players) == (0, ())
    await group.verb(3, group.live(), "join")
    assert (await group.match()).opener == group.users[3].id


async def test_a_table_keeps_no_buttons_once_the_match_runs() -> None:
    """The table message stays, with the promise that the deal is checked by; the board is another message."""
    group = await opened()
    lobby = group.live()
    await group.verb(OTHER, lobby, "join")
    await group.verb(OPENER, lobby, "start")
    assert buttons(lobby) == []
    assert EN("table.length.single") in text_of(lobby)
    assert group.live().id > lobby.id
    assert await group.forge(ADMIN, lobby, "match1:0:1:join") == EN("refusal.running")


async def test_two_openings_at_the_same_moment() -> None:
    """Two containers open a table at once: one message with buttons, and who came second is told."""
    group = Group(2)
    await group.settle()
    group.clock.now += 10
    hands = group.telegram.people
    for seat, game in enumerate(("dekal", "skyjo")):
        hands.write(group.users[seat], group.chat, f"/{game}")
    world = group.telegram.world
    updates = [parcel.update for parcel in world.queues.parcels.values()]
    world.queues.clear()
    assert group.webhook is not None
    answers = await asyncio.gather(*(group.webhook.respond(function_url_event(update, SECRET)) for update in updates))
    assert [answer["statusCode"] for answer in answers] == [200, 200]
    tables = [message for message in group.messages() if buttons(message)]
    told = [message for message in group.messages() if "already open" in text_of(message)]
    assert (len(tables), len(told)) == (1, 1)
    assert len(await names(group)) == 1


@pytest.mark.parametrize("game", GAMES)
async def test_play_again_keeps_seats_and_length(game: str) -> None:
    """Everybody sits as before at a new table with a new secret; whoever pressed may start it."""
    group = Group(3)
    await group.start(game, length="100")
    before = await group.match()
    group.clock.now += 30
    await group.write(0, "/stop")
    await group.verb(0, group.live(), "stop yes")
    group.clock.now += 30
    board = group.live()
    assert await group.verb(2, board, "again") == EN("toast.opened-again")
    match = await group.match()
    assert (match.game, match.players, match.length, match.status) == (
        game,
        before.players,
        Length.HUNDRED,
        Status.OPEN,
    )
    assert match.secret != before.secret
    assert match.opener == group.users[2].id
    assert await group.verb(1, board, "again") == EN("refusal.table-open")
    group.clock.now += 30
    assert await group.verb(2, group.live(), "start") == EN("toast.started")
    assert await group.verb(1, board, "again") == EN("refusal.running")


async def stopped(people: int, game: str = "dekal") -> Group:
    """A match that was stopped, so that it can be played again."""
    group = Group(people)
    await group.start(game)
    group.clock.now += 30
    await group.write(0, "/stop")
    await group.verb(0, group.live(), "stop yes")
    group.clock.now += 60
    return group


async def test_play_again_seats_nobody_who_has_left() -> None:
    """Left, shown out, or no account any more: the others sit as they are called now."""
    group = await stopped(6)
    people, groups = group.telegram.people, group.telegram.people.groups
    groups.leave(group.users[1], group.chat)
    groups.kick(group.users[0], group.users[2], group.chat)
    del group.telegram.world.users[group.users[3].id]
    group.users[4].first_name = "Zoé"
    group.telegram.world.add_user(group.users[4])
    people.write(group.users[0], group.chat, "who is here?")
    assert await group.verb(5, group.live(), "again") == EN("toast.opened-again")
    match = await group.match()
    assert [player.id for player in match.players] == [group.users[seat].id for seat in (0, 4, 5)]
    assert match.opener == group.users[5].id
    assert "1. Player 0\n2. Zoé\n3. Player 5\n" in text_of(group.live())
    assert "Player 5 or an administrator" in text_of(group.live())
    asked = [call.params["user_id"] for call in group.calls("getChatMember")]
    assert sorted(asked) == sorted(user.id for user in group.users if user != group.users[5]), (
        "each once, and not who has pressed"
    )
    assert set(group.statuses) == {200}


@pytest.mark.parametrize(
    "trouble",
    [
        "timeout",
        "reset",
        429,
        500,
        BadRequest("CHAT_ADMIN_REQUIRED"),
        BadRequest("Bad Request: not enough rights to see members"),
        BadRequest("Bad Request: something new"),
        Forbidden("Forbidden: something else"),
        KeyError("status"),
    ],
    ids=repr,
)
async def test_whoever_is_not_told_about_keeps_the_seat(trouble: str | int | Exception) -> None:
    """Whatever Telegram answers: a seat too many is left with one tap, a table that does not open helps nobody."""
    group = await stopped(3)
    group.telegram.fault_plan = lambda _number, method, _body: Fault(trouble) if method == "getChatMember" else None
    assert await group.verb(1, group.live(), "again") == EN("toast.opened-again")
    assert await names(group) == ["Player 0", "Player 1", "Player 2"]
    assert set(group.statuses) == {200}


async def test_a_table_alone_waits_for_others() -> None:
    """Where everybody else has left, whoever has pressed sits there alone, and cannot start."""
    group = await stopped(2)
    group.telegram.people.groups.leave(group.users[1], group.chat)
    await group.verb(0, group.live(), "again")
    assert await names(group) == ["Player 0"]
    assert await group.verb(0, group.live(), "start") == EN.plural("refusal.too-few-for", 2)


async def test_a_stranger_does_not_call_others_to_a_table() -> None:
    """Play again is for those who played."""
    group = Group(3)
    await group.write(0, "/skyjo")
    await group.verb(1, group.live(), "join")
    await group.verb(0, group.live(), "start")
    group.clock.now += 30
    await group.write(0, "/stop")
    await group.verb(0, group.live(), "stop yes")
    assert await group.verb(2, group.live(), "again") == EN("refusal.not-seated")
    assert (await group.match()).status is Status.STOPPED


async def test_a_table_whose_opener_died_is_shown_to_the_next() -> None:
    """Saved but never drawn: who asks for a table later gets that one to see."""
    group = Group(2)
    await group.write(0, "/skyjo")
    match = await group.match()
    await group.store.save(replace(match, shown=replace(match.shown, lobby=0)))
    group.clock.now += 60
    await group.write(1, "/dekal")
    assert (await group.match()).shown.lobby == group.live().id
    assert (await group.match()).id == match.id


async def test_two_press_play_again_at_the_same_moment() -> None:
    """One table, shown once; both know that there is one."""
    group = Group(2)
    await group.start("dekal")
    await group.play(Random(1))
    group.clock.now += 60
    board = group.live()
    for user in group.users:
        group.telegram.people.press(user, board, data_of(board, "again"))
    await group.settle()
    tables = [message for message in group.messages() if any(data.endswith(":join") for data in buttons(message))]
    assert len(tables) == 1
    said = [
        query.answer.text
        for query in group.telegram.world.queries.values()
        if query.data.endswith(":again") and query.answer
    ]
    assert sorted(said) == sorted([EN("toast.opened-again"), EN("refusal.table-open")])
    assert (await group.match()).shown.lobby == tables[0].id


async def test_who_may_start_an_empty_table_is_told() -> None:
    """As long as nobody sits there, whoever joins first: after the opener has left, and at a table of the group."""
    group = await opened()
    await group.verb(OPENER, group.live(), "leave")
    group.clock.now += 10
    assert EN("table.starter.nobody") in text_of(group.live())
    assert await group.verb(OTHER, group.live(), "start") == EN("refusal.nobody-yet")
    await group.verb(OTHER, group.live(), "join")
    group.clock.now += 10
    assert EN("table.starter", name="Player 2") in text_of(group.live())

    group = Group(3)
    group.telegram.people.groups.promote(group.users[0], group.chat, anonymous=True)
    await group.write(0, "/skyjo")
    assert (await group.match()).opener == 0
    assert EN("table.starter.nobody") in text_of(group.live())
    await group.verb(OTHER, group.live(), "join")
    group.clock.now += 10
    assert EN("table.starter", name="Player 2") in text_of(group.live())
