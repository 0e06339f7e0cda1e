"""A course of play: what is typed and pressed, step by step, remembered so that any step can be taken again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from emulator.model import Message
from testing.group import buttons
from tests.resilience.outside import Point
from tests.resilience.world import Look, Memory, World, newest_with

PAUSE: Final = 1.0
"""Seconds between two steps."""

COMMAND_PAUSE: Final = 12.0
"""Seconds before a command: a chat is answered this often."""


@dataclass(frozen=True, slots=True)
class Step:
    """A seat types a command, or presses the newest button with a verb."""

    seat: int
    text: str


async def perform(world: World, step: Step) -> str:
    """Take a step, with whatever Telegram must repeat for it; the toast, if it was a press."""
    toast = ""
    if step.text.startswith("/"):
        world.clock.now += COMMAND_PAUSE
        await world.write(step.seat, step.text)
    else:
        message = newest_with(world.messages(), step.text)
        assert message is not None, f"nobody can press {step.text!r}: the chat shows {describe(world)}"
        data = next(one for one in buttons(message) if one.split(":", 3)[3] == step.text)
        toast = await world.press(step.seat, message, data)
    world.clock.now += PAUSE
    return toast


@dataclass(slots=True)
class Course:
    """Undisturbed play: before and after each step all that there was, and the calls that the bot made."""

    steps: list[Step] = field(default_factory=list)
    before: list[Memory] = field(default_factory=list)
    after: list[tuple[Any, ...]] = field(default_factory=list)
    calls: list[list[str]] = field(default_factory=list)
    record: str = ""

    async def take(self, world: World, step: Step) -> None:
        """Take a step and remember it."""
        self.before.append(world.remember())
        world.gate.reset()
        await perform(world, step)
        self.steps.append(step)
        self.calls.append(world.gate.calls)
        self.after.append(world.everything())
        assert world.orphans() == [], f"undisturbed, every message with buttons is known: {step}"


Author: TypeAlias = Callable[[World, Course], Awaitable[None]]


async def course_of(world: World, author: Author) -> Course:
    """What happens when an author plays undisturbed."""
    course = Course()
    # The bot's greeting is no step of it.
    await world.settle()
    world.clock.now += COMMAND_PAUSE
    await author(world, course)
    match = world.current()
    course.record = await world.record() if match and match.position else ""
    assert world.telegram.violations == []
    assert set(world.statuses) == {200}
    return course


@dataclass(slots=True)
class Trials:
    """Disturbs a course at one point after another, and counts."""

    world: World
    course: Course
    points: int = 0
    orphans: int = 0
    unmended: int = 0

    async def disturb(self, number: int, point: Point) -> None:
        """Take step `number` with trouble at `point`, then the following ones, until everything is as if undisturbed.

        Fails where it never becomes so.
        """
        world, course = self.world, self.course
        self.points += 1
        world.restore(course.before[number])
        world.gate.reset(point)
        await perform(world, course.steps[number])
        assert len(world.gate.calls) > point.call, "the trouble has been met"
        world.gate.reset()
        # What was saved and not drawn is nobody's to ask for again, but due at once.
        await world.tick()
        for following in range(number, len(course.steps)):
            if following > number:
                await perform(world, course.steps[following])
            await self._tidy()
            if world.everything() == course.after[following] and not world.orphans():
                return
        self.unmended += 1
        assert world.everything() == course.after[-1], "the end is the same"
        if course.record:
            assert await world.record() == course.record

    def _still_valid(self, button: str) -> bool:
        epoch = epoch_of(button)
        return epoch is not None and any(epoch_of(live) == epoch for live in buttons(live_board(self.world)))

    async def _tidy(self) -> None:
        """Press whatever shows a wrong state: it must be answered, change nothing, and lose its buttons."""
        world = self.world
        for orphan in world.orphans():
            button = buttons(orphan)[0]
            if world.see(orphan) in world.own() or self._still_valid(button):
                # Its buttons still mean what they say.
                continue
            self.orphans += 1
            before = world.everything()
            toast = await world.press(0, orphan, button)
            assert toast, "the press is answered"
            assert world.everything() == before, "it changes nothing"
            assert not buttons(orphan) or orphan.deleted, "and the buttons go"


def epoch_of(data: str) -> int | None:
    """The epoch that a button belongs to; None for those of a table, whose presses are judged by the table alone."""
    _, epoch, _, _ = data.split(":", 3)
    return int(epoch, 36) or None


def describe(world: World) -> list[tuple[int, Look | None]]:
    """The bot's messages, for a failure's report."""
    return [(message.id, world.see(message)) for message in world.messages()]


def live_board(world: World) -> Message:
    """The message that people play on: the current match's."""
    match = world.current()
    assert match is not None, "there is a match"
    message = world.message(match.shown.board or match.shown.lobby)
    assert message is not None, "and it is shown"
    return message
