"""What two people do at the same moment, in every order in which its parts can mix."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import pytest

from emulator.model import Member
from handlers.app import times
from handlers.app.games import rules_of, state_of
from handlers.bootstrap import Bot
from handlers.clock import run_due
from tests.resilience.outside import Point, Trouble
from tests.resilience.script import Step, perform
from tests.resilience.simultaneous import Race, Ticker, press_all
from tests.resilience.world import World, cheap_pictures

Presses = list[tuple[int, str]]


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    cheap_pictures(monkeypatch)
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


TABLE: Final[Presses] = [(0, "/skyjo"), (1, "join")]
SKYJO: Final[Presses] = [*TABLE, (0, "start")]
DEKAL: Final[Presses] = [(0, "/dekal"), (1, "join"), (0, "start")]
THREE: Final[Presses] = [(0, "/dekal"), (1, "join"), (2, "join"), (0, "start")]
FLIPPED: Final[Presses] = [*SKYJO, (0, "flip a1"), (0, "flip a2"), (1, "flip a1")]
STOPPING: Final[Presses] = [*FLIPPED, (1, "flip b2"), (0, "/stop")]
STOPPED: Final[Presses] = [*SKYJO, (0, "/stop"), (0, "stop yes")]

RACES: Final[dict[str, tuple[Presses, Presses]]] = {
    "two secret choices": (THREE, [(0, "a1"), (1, "a1")]),
    "the last two secret choices": ([*THREE, (2, "b2")], [(0, "a1"), (1, "a1")]),
    "a change of mind and the last choice": ([*DEKAL, (0, "a1")], [(0, "a2"), (1, "a1")]),
    "two flips": (SKYJO, [(0, "flip a1"), (1, "flip a1")]),
    "the last two flips": ([*FLIPPED[:-2], (1, "flip b1")], [(0, "flip a2"), (1, "flip a1")]),
    "two joins": (TABLE, [(2, "join"), (3, "join")]),
    "a join and a leave": (TABLE, [(2, "join"), (1, "leave")]),
    "the opener leaves and another joins": (TABLE, [(0, "leave"), (2, "join")]),
    "start and leave": (TABLE, [(0, "start"), (1, "leave")]),
    "start and join": (TABLE, [(0, "start"), (2, "join")]),
    "start and a cut": (TABLE, [(0, "start"), (1, "cut 3")]),
    "two cuts": (TABLE, [(0, "cut 3"), (1, "cut 3")]),
    "a cut and a join": (TABLE, [(0, "cut 3"), (2, "join")]),
    "a cut and another who cut leaves": ([*TABLE, (1, "cut 4")], [(0, "cut 3"), (1, "leave")]),
    "start and the leave of who has cut": ([*TABLE, (2, "join"), (1, "cut 4")], [(0, "start"), (1, "leave")]),
    "start and cancel by nobody": (TABLE, [(0, "start"), (3, "cancel")]),
    "two lengths": (TABLE, [(0, "length 100"), (1, "length 100")]),
    "/board and join": (TABLE, [(1, "/board"), (2, "join")]),
    "/board and start": (TABLE, [(1, "/board"), (0, "start")]),
    "/board and a flip": (SKYJO, [(0, "/board"), (1, "flip a1")]),
    "one button by two": (STOPPING[:-1], [(0, "draw"), (1, "draw")]),
    "stop and a flip": ([*SKYJO, (0, "/stop")], [(0, "stop yes"), (1, "flip a1")]),
    "stop and stop": ([*SKYJO, (0, "/stop")], [(0, "stop yes"), (1, "stop yes")]),
    "again and again": (STOPPED, [(0, "again"), (1, "again")]),
    "again and /skyjo": (STOPPED, [(0, "again"), (1, "/skyjo")]),
    "two languages": ([*SKYJO, (0, "/language")], [(0, "language fr"), (1, "language fr")]),
    "a language and a flip": ([*SKYJO, (0, "/language")], [(0, "language fr"), (1, "flip a1")]),
}


async def _after(people: int, before: Presses) -> World:
    """A group that has done all this, a while ago."""
    world = World(people)
    await world.settle()
    for seat, text in before:
        await perform(world, Step(seat, text))
    world.clock.now += 20
    return world


def _some_move(world: World) -> tuple[int, str]:
    """The first seat that may move, and its first move."""
    match = world.current()
    assert match is not None, "a match is played"
    rules, state = rules_of(match), state_of(match)
    seat = rules.actors(state)[0]
    return seat, rules.move_text(rules.legal_moves(state, seat)[0])


async def _tell(world: World, name: str, tell: Callable[[str], None], ticker: Ticker | None = None) -> None:
    tally = await Race(world, ticker).run()
    told = f"{tally.orders} orders, {tally.outcomes} outcomes, {tally.lost} messages lost and tidied"
    tell(f"{name}: {told}")
    assert tally.orders > 1


LONG: Final = ("two languages", "again and /skyjo", "again and again", "drawing again and the board")
"""These make so many calls that their orders take minutes."""


def _marked(names: Iterable[str]) -> list[Any]:
    return [pytest.param(name, marks=pytest.mark.long if name in LONG else ()) for name in names]


@pytest.mark.parametrize("name", _marked(RACES))
async def test_simultaneous_presses_end_as_one_after_the_other(name: str, tell: Callable[[str], None]) -> None:
    """Every order of the calls of both ends as a serial order does, and the board shows the newest state."""
    before, presses = RACES[name]
    world = await _after(5, before)
    press_all(world, presses)
    await _tell(world, name, tell)


TURNS: Final[dict[str, Presses]] = {
    "skyjo": [*FLIPPED, (1, "flip b2")],
    "dekal": [*DEKAL, (0, "a1"), (1, "a1")],
}
ALONE: Final[dict[str, tuple[Presses, str]]] = {
    "the board": ([], "/board"),
    "stop": ([(0, "/stop")], "stop yes"),
    "a language": ([(0, "/language")], "language fr"),
    "the same button": ([], ""),
}
"""What anybody may do while only one seat may move, and what must be typed before."""


@pytest.mark.parametrize("what", ALONE)
@pytest.mark.parametrize("game", TURNS)
async def test_a_move_and_what_anybody_may_do_meanwhile(game: str, what: str, tell: Callable[[str], None]) -> None:
    """The one who is to move moves while another asks for the board, stops the match or changes the language."""
    before, word = ALONE[what]
    world = await _after(3, [*TURNS[game], *before])
    seat, move = _some_move(world)
    # Whoever runs the chat may stop; one person's presses would wait for one another.
    world.chat.members[world.users[2].id] = Member("administrator")
    press_all(world, [(seat, move), (2, word or move)])
    await _tell(world, f"{game}, {what}", tell)


CLOCK: Final[dict[str, tuple[Presses, float, str]]] = {
    "calling and the late move": (TURNS["skyjo"], 200, "move"),
    "calling and a secret choice": (DEKAL, 200, "move"),
    "drawing again and a move": (TURNS["skyjo"], times.LOOK + 1, "move"),
    "drawing again and the board": (TURNS["dekal"], times.LOOK + 1, "/board"),
    "closing and a join": (TABLE, times.TABLE + 1, "join"),
    "closing and the start": (TABLE, times.TABLE + 1, "start"),
    "closing and a cut": ([*TABLE, (2, "join")], times.TABLE + 1, "cut 3"),
    "archiving and a move": (TURNS["dekal"], times.ARCHIVE + 1, "move"),
}
"""What the clock does to an idle match and what somebody does at that moment: what was before, how long ago, what."""


@pytest.mark.parametrize("name", _marked(CLOCK))
async def test_the_clock_and_a_press(name: str, tell: Callable[[str], None]) -> None:
    """What the ticker does mixes with what a person does as if one came after the other."""
    before, idle, word = CLOCK[name]
    world = await _after(3, before)
    world.clock.now += idle
    seat = 0 if word == "start" else 2
    if word == "move":
        seat, word = _some_move(world)
    press_all(world, [(seat, word)])
    now = int(world.clock.now)

    async def tick(bot: Bot) -> None:
        # What a run of the clock does with each match, in this task, whose every step is the scheduler's to choose.
        for match_id in await bot.store.due(now, 10):
            looked = await bot.app.look(match_id)
            if looked is not None and looked.speaks:
                await bot.app.speak_of(looked)

    await _tell(world, f"the clock: {name}", tell, tick)


async def test_playing_on_and_the_late_move(tell: Callable[[str], None]) -> None:
    """Somebody plays on without the one who is late, who moves at that moment."""
    world = await _after(3, TURNS["skyjo"])
    seat, move = _some_move(world)
    for _ in range(2):
        world.clock.now += 200
        await run_due(world.bot(), int(world.clock.now))
    press_all(world, [(seat, move), (1 - seat, "play on")])
    await _tell(world, "playing on and the late move", tell)


async def test_a_repeated_update_and_the_next_move(tell: Callable[[str], None]) -> None:
    """An edit came through but its answer did not, nor ours to Telegram: the repetition mixes with the next move."""
    world = await _after(4, [*THREE, (0, "a1"), (1, "a1"), (2, "a1")])
    press_all(world, [_some_move(world)])
    world.gate.reset(Point(2, Trouble.TIMEOUT, after=True))
    (parcel,) = world.telegram.world.queues.due(world.clock.now)
    # Whatever is answered gets lost on the way, so the update stays where it is.
    await world.deliver(parcel.update)
    assert world.gate.calls[2] == "editMessageMedia"
    press_all(world, [_some_move(world)])
    await _tell(world, "a repeated update and the next move", tell)
