"""People who press as fast as they can, handlers that really wait for one another, and a clock that both share."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections import defaultdict
from contextvars import ContextVar
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from emulator.limits import Allowance
from emulator.model import Json, Message
from emulator.queues import Parcel
from emulator.world import Change
from infra.matches import Match
from testing.group import Clock, buttons
from tests.resilience.outside import SAVES
from tests.resilience.world import World

THINKING: Final = 0.2
"""Seconds that a person takes between reading an answer and the next press."""

STORE_SECONDS: Final = (0.004, 0.02)
TELEGRAM_SECONDS: Final = (0.05, 0.25)

_update: ContextVar[int] = ContextVar("update")


class SharedClock(Clock):
    """Sleeping parks whoever sleeps until the clock gets there; it moves only when everybody is parked."""

    def __init__(self) -> None:
        super().__init__()
        self._parked: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()

    async def sleep(self, seconds: float) -> None:
        """Wait until that much time has passed."""
        woken = asyncio.get_running_loop().create_future()
        heapq.heappush(self._parked, (self.now + seconds, next(self._numbers), woken))
        await woken

    async def run(self, seconds: float) -> None:
        """Let so much time pass, waking everybody in turn."""
        until = self.now + seconds
        while True:
            # Nobody has anything to do at this moment any more once the loop has nothing ready.
            ready = vars(asyncio.get_running_loop())["_ready"]
            while ready:  # noqa: ASYNC110 (no event tells of it)
                await asyncio.sleep(0)
            if not self._parked or self._parked[0][0] > until:
                break
            self.now, _, woken = heapq.heappop(self._parked)
            woken.set_result(None)
        self.now = until


@dataclass(slots=True)
class Watch:
    """What was seen: when each look of each match was saved, and seconds.

    `lags` passed from a save to its drawing by an edit and `posts` by a new message (which takes two requests, one of
    them for the message before), `waits` from a press's delivery to its save, `queued` from a press to its
    delivery: one person's presses wait for one another.
    """

    saved: dict[tuple[str, int], float] = field(default_factory=dict)
    newest: dict[str, int] = field(default_factory=dict)
    lags: list[float] = field(default_factory=list)
    posts: list[float] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    queued: list[float] = field(default_factory=list)
    presses: int = 0

    def behind(self) -> list[tuple[str, int]]:
        """The looks that were saved and that nobody has seen yet, nor any later one."""
        return list(self.saved)


class Crowd(World):
    """A group in which everybody presses whatever the newest board offers, all the time."""

    def __init__(self, people: int, seed: int, budget: float = 16) -> None:
        self.shared = SharedClock()
        super().__init__(people, allowance=Allowance(), budget=budget, clock=self.shared)
        self.watch = Watch()
        self.dice = Random(seed)
        self.gate.pause = self._travel
        self.tasks: list[asyncio.Task[None]] = []
        self.queues: dict[int, asyncio.Queue[Parcel]] = defaultdict(asyncio.Queue)
        self.begun: dict[int, float] = {}
        self.playing = True
        self.telegram.world.listeners.append(self._notice)
        self.gate.done = self._note_save

    async def _travel(self, name: str) -> None:
        await self.shared.sleep(self.dice.uniform(*(STORE_SECONDS if name.startswith("store.") else TELEGRAM_SECONDS)))

    async def deliver(self, update: Json) -> tuple[int, str]:
        """Hand one update to the bot, knowing whose calls follow."""
        _update.set(update["update_id"])
        self.begun[update["update_id"]] = self.shared.now
        return await super().deliver(update)

    # -- watching

    def _note_save(self, name: str, match: Any) -> None:
        if name not in SAVES or not isinstance(match, Match):
            return
        started = self.begun.pop(_update.get(0), None)
        if started is not None:
            self.watch.waits.append(self.shared.now - started)
        if match.shown.look > self.watch.newest.get(match.id, -1):
            # Not every save: a secret choice gives the table nothing to see.
            self.watch.newest[match.id] = match.shown.look
            self.watch.saved[match.id, match.shown.look] = self.shared.now

    def _notice(self, change: Change) -> None:
        message = change.thing
        if change.kind != "message" or not isinstance(message, Message) or message.deleted:
            return
        for data in buttons(message)[:1]:
            shown, _, look, _ = data.split(":", 3)
            for match_id, saved in list(self.watch.saved):
                if match_id == shown and saved <= int(look, 36):
                    lag = self.shared.now - self.watch.saved.pop((match_id, saved))
                    (self.watch.lags if message.edit_date else self.watch.posts).append(lag)

    # -- acting

    async def seat_all(self, game: str) -> None:
        """A table that everybody has joined, as if long ago."""
        self.gate.pause = None
        starting = asyncio.create_task(self.start(game))
        while not starting.done():
            await self.shared.run(1)
        await starting
        await self.shared.run(600)
        self.watch = Watch()
        self.gate.pause = self._travel

    def begin(self) -> None:
        """Everybody begins to press."""
        for seat, user in enumerate(self.users):
            self.tasks.append(asyncio.create_task(self._carry(user.id)))
            self.tasks.append(asyncio.create_task(self._press_on(seat)))

    async def end(self) -> None:
        """Everybody stops; what has been pressed is still handled."""
        self.playing = False
        await self.shared.run(60)
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _carry(self, user: int) -> None:
        """Telegram hands over one person's presses one after the other."""
        while True:
            parcel = await self.queues[user].get()
            pressed = self.telegram.world.queries[parcel.update["callback_query"]["id"]].asked
            self.watch.queued.append(self.shared.now - pressed)
            await self.courier.attempt(parcel)

    async def _press_on(self, seat: int) -> None:
        while self.playing:
            await self.shared.sleep(self.dice.uniform(THINKING, 2 * THINKING))
            offered = [message for message in self.messages() if buttons(message)]
            choices = [data for data in buttons(offered[-1]) if self._wanted(data)] if offered else []
            if not choices:
                continue
            query = self.telegram.people.press(self.users[seat], offered[-1], self.dice.choice(choices))
            self.watch.presses += 1
            (parcel,) = [one for one in self.telegram.world.queues.parcels.values() if _is(one, query.id)]
            await self.queues[self.users[seat].id].put(parcel)
            while query.answer is None and self.playing:
                await self.shared.sleep(0.05)

    @staticmethod
    def _wanted(data: str) -> bool:
        return data.rsplit(":", 1)[1] not in ("leave", "cancel", "deal", "length single", "length 100")


def _is(parcel: Parcel, query: str) -> bool:
    content: dict[str, Any] = parcel.update.get("callback_query", {})
    return content.get("id") == query
