"""A match between start and end: what is told to whom, and where the board is."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.core import View as AnyView
from engine.grid import Blank
from engine.skyjo.views import View
from handlers.app.games import rules_of, state_of
from handlers.app.pen import POST_EDITS
from handlers.app.times import ARCHIVE
from handlers.ui.languages import words
from handlers.ui.screens import SCREENS
from infra.matches import Match, Status
from testing.group import Group, buttons, legal, text_of
from tests.handlers.ticking import tick

EN = words("en")


def boards(group: Group) -> list[int]:
    """The ids of the pictures that have been posted."""
    return [message.id for message in group.messages() if "photo" in message.body]


def turn_of(match: Match) -> int:
    """The only seat to move."""
    (seat,) = rules_of(match).actors(state_of(match))
    return seat


def hand_of(match: Match, viewer: int | None) -> int | None:
    """The card just drawn, as a seat or (None) the table sees it."""
    view = rules_of(match).view(state_of(match), viewer)
    assert isinstance(view, View)
    return view.hand


async def skyjo_turn(people: int = 2) -> tuple[Group, int]:
    """Skyjo once everybody has turned two cards up, and whose turn it is."""
    group = Group(people)
    await group.start("skyjo")
    while len(rules_of(match := await group.match()).actors(state_of(match))) > 1 or "flip" in legal(match)[1][0]:
        await group.move(group.random)
    return group, turn_of(match)


async def test_a_secret_choice_shows_nothing_and_can_be_changed() -> None:
    """Dékal's choices cost no edit until the last has chosen; then one edit turns all cards up."""
    group = Group(3)
    await group.start("dekal")
    board = group.live()
    group.clock.now += 30
    calls, caption = len(group.calls("editMessageMedia")), text_of(board)
    for seat, cell in ((0, "a1"), (1, "b2"), (0, "c3"), (1, "d4"), (0, "a2")):
        assert await group.verb(seat, board, cell) == EN("dekal.toast.chosen", cell=cell)
    assert await group.verb(0, board, "a2") == EN("dekal.toast.chosen", cell="a2")
    assert (len(group.calls("editMessageMedia")), text_of(board)) == (calls, caption)
    assert await group.verb(2, board, "b1") == EN("dekal.toast.revealed", cell="b1")
    assert len(group.calls("editMessageMedia")) == calls + 1
    match = await group.match()
    holes = [grid.index(Blank.GONE) for grid in rules_of(match).view(state_of(match), None).grids]
    assert holes == [4, 15, 1], "a2, d4 and b1: what each chose last"


async def test_who_presses_out_of_turn_is_told_whose_turn_it_is() -> None:
    """By name, in a toast."""
    group, seat = await skyjo_turn()
    toast = await group.verb(1 - seat, group.live(), "draw")
    assert toast == EN.plural("refusal.turn-of", 1, names=f"Player {seat}")


async def test_who_has_chosen_and_presses_an_old_button_is_told_what_goes_on() -> None:
    """A button of the turn before is stale for all; it does not play."""
    group = Group(2)
    await group.start("dekal")
    old = next(data for data in buttons(group.live()) if data.endswith(":a1"))
    await group.play(Random(1), 2)
    before = (await group.match()).position
    toast = await group.forge(0, group.live(), old)
    assert toast.startswith("This button is from an earlier moment.")
    assert (await group.match()).position == before


async def test_a_drawn_card_is_told_to_its_drawer_alone() -> None:
    """By toast, and again by pressing the heading; the others and the picture learn nothing of it."""
    group, seat = await skyjo_turn()
    toast = await group.verb(seat, group.live(), "draw")
    match = await group.match()
    assert toast == EN("skyjo.reminder", value=str(hand_of(match, seat)).replace("-", "−"))
    assert await group.verb(seat, group.live(), "card") == toast
    other = 1 - seat
    assert await group.verb(other, group.live(), "card") == EN.plural("refusal.turn-of", 1, names=f"Player {seat}")
    assert EN("skyjo.button.keep") in str(group.live().reply_markup)
    assert "has drawn a card that nobody else sees" in text_of(group.live())
    assert (hand_of(match, None), hand_of(match, other)) == (None, None)


async def test_the_heading_of_a_pad_reveals_nothing() -> None:
    """It says what the buttons below do; pressing it says so."""
    group, seat = await skyjo_turn()
    assert await group.verb(seat, group.live(), "card") == EN("refusal.nothing-to-reveal")


async def test_a_card_without_an_alternative_is_played_by_the_bot() -> None:
    """Dékal's last turn: nobody is asked for the only card that is left, only where to push one in."""
    group = Group(2)
    await group.start("dekal")
    random, turns = Random(4), set()
    while (match := await group.match()).status is Status.PLAYING:
        view = rules_of(match).view(state_of(match), None)
        turns.add((view.turn, view.phase.value))
        await group.move(random)
    assert (16, "pick") in turns
    assert (16, "reveal") not in turns
    assert (15, "reveal") in turns


async def test_the_board_moves_down_when_a_turn_comes_after_many_edits() -> None:
    """Edits do not notify: after ten of them the next turn is a new message, and the old one loses its buttons."""
    group = Group(2)
    await group.start("skyjo")
    random, seen = Random(2), []
    while (await group.match()).status is Status.PLAYING:
        await group.move(random)
        group.clock.now += 6  # slow enough for two messages at once
        seen.append((await group.match()).shown)
        assert [message.id for message in group.messages() if buttons(message)] == [group.live().id]
    assert len(boards(group)) >= 3
    assert max(shown.edits for shown in seen) <= POST_EDITS + 3, "a card drawn ends no turn"
    assert group.telegram.violations == []


async def test_the_board_moves_down_when_it_is_old() -> None:
    """After ten minutes without a move the turn that follows is a new message that mentions whose it is."""
    group, seat = await skyjo_turn()
    old = group.live()
    group.clock.now += 11 * 60
    await group.verb(seat, old, "take a1")
    assert group.live().id > old.id
    assert buttons(old) == []
    mentioned = [entity["user"]["id"] for entity in group.live().body["caption_entities"] if "user" in entity]
    assert mentioned == [group.users[1 - seat].id]


async def test_a_move_within_a_turn_keeps_an_old_board() -> None:
    """Drawing a card brings the turn to nobody else."""
    group, seat = await skyjo_turn()
    old = group.live()
    group.clock.now += 11 * 60
    await group.verb(seat, old, "draw")
    assert group.live().id == old.id


@pytest.mark.parametrize("game", ["dekal", "skyjo"])
async def test_fast_players_stay_inside_telegrams_budget(game: str) -> None:
    """Everybody presses as fast as the bot answers: Telegram never has to say that it is too much."""
    group = Group(3)
    await group.start(game)
    random = Random(6)
    for _ in range(40):
        match = await group.match()
        if match.status is not Status.PLAYING:
            break
        seat, moves = legal(match)
        await group.verb(seat, group.live(), random.choice(moves))
    assert group.telegram.violations == []
    assert [call.status for call in group.calls() if call.status == 429] == []
    metered = [call.at for call in group.calls() if call.method.startswith(("send", "edit"))]
    assert all(len([at for at in metered if end - 60 < at <= end]) <= 20 for end in metered)


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_rounds_of_a_long_match(language: str) -> None:
    """The round that has ended stays readable on its own message, with the standings and without buttons."""
    group = Group(2, language=language)
    await group.start("skyjo", length="100")
    random = Random(9)
    while not (match := await group.match()).shown.rounds and match.status is Status.PLAYING:
        await group.move(random)
    assert match.status is Status.PLAYING
    ended = [message for message in group.messages() if "photo" in message.body][-2]
    title = words(language)("title.round-over", game="Skyjo", round=1).replace("<b>", "").replace("</b>", "")
    assert text_of(ended).startswith(title)
    assert buttons(ended) == []
    assert "2" in text_of(group.live()).split("\n")[0]


@pytest.mark.parametrize("people", range(2, 9))
async def test_the_board_says_why_somebody_begins(people: int) -> None:
    """All first cards of everyone are below the board once it is known who plays first, even with eight players."""
    group, first = await skyjo_turn(people)
    group.clock.now += 60
    await group.write(0, "/board")
    match = await group.match()
    shown = [
        sorted(cell for cell in grid if not isinstance(cell, Blank))
        for grid in rules_of(match).view(state_of(match), None).grids
    ]
    line, starts = text_of(group.live()).splitlines()[2:4]
    for seat, values in enumerate(shown):
        (told,) = [item for item in line.split(" — ")[1].split(" · ") if item.startswith(f"Player {seat}: ")]
        numbers = told.split(": ")[1].replace("−", "-").split(" and ")
        assert sorted(map(int, numbers)) == values
    assert starts == EN("skyjo.note.starts", name=f"Player {first}")
    assert sum(shown[first]) == max(map(sum, shown))


@pytest.mark.parametrize("game", ["dekal", "skyjo"])
async def test_a_stopped_match_waits_for_nobody(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the picture nor the caption of a match that was stopped, or put away, shows anybody as on turn."""
    drawn: list[tuple[int, ...]] = []
    picture = SCREENS[game].picture

    def seen(view: AnyView, *rest: Any) -> bytes:
        drawn.append(view.to_move)
        return picture(view, *rest)

    monkeypatch.setattr(SCREENS[game], "picture", seen)
    for stopped in (True, False):
        group = Group(3)
        await group.start(game)
        await group.play(Random(1), 7)
        assert drawn.pop() != ()
        group.clock.now += 60
        if stopped:
            await group.write(0, "/stop")
            await group.verb(0, group.live(), "stop yes")
        else:
            await tick(group)
            group.clock.now += ARCHIVE + 60
            await tick(group)
        assert (await group.match()).status is Status.STOPPED
        assert drawn.pop() == ()
        assert [entity for entity in group.live().body["caption_entities"] if entity["type"] == "text_mention"] == []
