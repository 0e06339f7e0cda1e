"""What is played in the trials: whole matches of both games, and all that is not a move."""

from __future__ import annotations

from typing import Final

from engine.core import Length
from handlers.app.games import rules_of, state_of
from infra.matches import Status
from tests.resilience.script import Author, Course, Step
from tests.resilience.world import World


def whole_match(game: str, length: Length = Length.SINGLE) -> Author:
    """From the command that opens the table to the proof of the deal; everyone plays to end it soon."""

    async def play(world: World, course: Course) -> None:
        seats = range(len(world.users))
        await course.take(world, Step(0, f"/{game}"))
        for seat in seats[1:]:
            await course.take(world, Step(seat, "join"))
        if length is not Length.SINGLE:
            await course.take(world, Step(0, f"length {length.value}"))
        await course.take(world, Step(seats[-1], "cut 7"))
        await course.take(world, Step(0, "start"))
        turned: set[tuple[int, int, str]] = set()
        while (match := world.current()) and match.status is Status.PLAYING:
            await course.take(world, _hurried(world, turned))
        for text in ("deal", "again"):
            await course.take(world, Step(0, text))

    return play


def _hurried(world: World, turned: set[tuple[int, int, str]]) -> Step:
    """A legal move that turns up a card where there is one."""
    match = world.current()
    assert match is not None, "a match is played"
    rules, state = rules_of(match), state_of(match)
    view = rules.view(state, None)
    # Now the highest seat, now the lowest: in any order, where the rules leave it open.
    seat = rules.actors(state)[-1 if view.turn % 2 else 0]
    texts = [rules.move_text(move) for move in rules.legal_moves(state, seat)]
    wanted = [text for text in texts if text != "draw" and (view.round, seat, text[-2:]) not in turned]
    text = (wanted or texts)[0]
    if "draw" in texts and view.turn % 2:
        text = "draw"
    if any(one.startswith("drop") for one in texts) and view.turn % 3 == 0:
        text = next(one for one in texts if one.startswith("drop"))
    turned.add((view.round, seat, text[-2:]))
    return Step(seat, text)


async def table_manners(world: World, course: Course) -> None:
    """All that is not a move: joining, leaving, cutting, lengths, languages, boards anew, stopping, cancelling."""
    for seat, text in (
        (0, "/skyjo"),
        (1, "join"),
        (2, "join"),
        (1, "cut 3"),
        (2, "cut 16"),
        (2, "cut 5"),
        (1, "leave"),
        (1, "join"),
        (0, "length 100"),
        (0, "/board"),
        (0, "length single"),
        (1, "/language"),
        (1, "language fr"),
        (0, "start"),
        (2, "flip a1"),
        (2, "/board"),
        (0, "/language"),
        (0, "language en"),
        (1, "flip a1"),
        (1, "/help"),
        (1, "/rules"),
        (0, "/skyjo"),
        (1, "/stop"),
        (0, "stop no"),
        (0, "/stop"),
        (0, "stop yes"),
        (2, "again"),
        (2, "cancel"),
        (0, "/dekal"),
        (1, "join"),
        (0, "start"),
        (0, "a1"),
        (0, "a2"),
        (1, "d4"),
    ):
        await course.take(world, Step(seat, text))


AUTHORS: Final[dict[str, Author]] = {
    "skyjo": whole_match("skyjo"),
    "dekal": whole_match("dekal"),
    "skyjo to 100": whole_match("skyjo", Length.HUNDRED),
    "dekal to 100": whole_match("dekal", Length.HUNDRED),
    "manners": table_manners,
}
