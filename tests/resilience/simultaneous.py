"""Several updates handled at the same time, each by a process of its own, in every order of their outside calls."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from html import unescape
from http import HTTPStatus
from itertools import permutations
from typing import Any, TypeAlias

from emulator.function_url import function_url_answer, function_url_event
from emulator.queues import Parcel
from handlers.app import display
from handlers.bootstrap import Bot
from handlers.webhook import Webhook
from infra.items import match_key
from infra.matches import Match
from testing.group import SECRET, buttons
from tests.infra.interleaving import Task, orders, run
from tests.resilience.script import describe
from tests.resilience.world import GAME, Look, Memory, World, newest_with

Ticker: TypeAlias = Callable[[Bot], Coroutine[Any, Any, None]]


@dataclass(slots=True)
class Tally:
    """What came of all orders: how many there were, and the outcomes that they had beside the serial ones."""

    orders: int = 0
    outcomes: int = 0
    lost: int = 0


class Race:
    """Races what waits in Telegram's queues now, and what `ticker` does if given."""

    def __init__(self, world: World, ticker: Ticker | None = None) -> None:
        self.world = world
        self.ticker = ticker
        self.memory: Memory = world.remember()
        self.statuses: list[int] = []
        self.bots: dict[int, tuple[Webhook, Bot]] = {}

    async def _prepare(self) -> None:
        """A process for each update, and one for the ticker; all orders share them, for they remember no match."""
        waiting = self.world.telegram.world.queues.due(self.world.clock.now)
        for number in (*(parcel.id for parcel in waiting), 0):
            bot = self.world.bot(number)
            webhook = Webhook(self.world.settings, bot)
            await webhook.start()
            self.bots[number] = webhook, bot
        self.world.gate.pause = lambda _: asyncio.sleep(0)

    def _start(self) -> list[Task]:
        world = self.world
        world.restore(self.memory)
        self.statuses = []
        tasks = [self._handling(parcel) for parcel in world.telegram.world.queues.due(world.clock.now)]
        if self.ticker:
            tasks.append(partial(self.ticker, self.bots[0][1]))
        return tasks

    def _handling(self, parcel: Parcel) -> Task:
        world = self.world
        parcel.in_flight = True
        webhook, _ = self.bots[parcel.id]

        async def handle() -> None:
            answer = await webhook.respond(function_url_event(parcel.update, SECRET))
            status, body = function_url_answer(answer)
            self.statuses.append(status)
            taken = status == HTTPStatus.OK
            if taken:
                world.courier._carry_out(body)
            world.telegram.world.queues.settle(parcel, taken=taken, now=world.clock.now)

        return handle

    def outcome(self) -> tuple[Any, ...]:
        """The chat's match and its pages as a game, without ids."""
        match = self.world.current()
        if match is None:
            return ()
        rows = self.world.rows()
        item = rows[match_key(match.id)]
        pages = sorted((sk, row["moves"]) for (pk, sk), row in rows.items() if sk.startswith("page"))
        return tuple((name, item.get(name)) for name in GAME), tuple(pages)

    def serial(self) -> dict[tuple[Any, ...], Look | None]:
        """What the updates lead to one after the other, in each order, and the board that shows it."""
        outcomes = {}
        for sequence in permutations(range(len(self._start()))):
            tasks = self._start()
            run([tasks[number] for number in sequence], [])
            outcomes[self.outcome()] = self._board()
        return outcomes

    async def run(self) -> Tally:
        """Try every order. Each must end as a serial one does, with everybody answered and the newest state shown."""
        await self._prepare()
        allowed, seen, tally = self.serial(), set(), Tally()
        for results in orders(self._start):
            tally.orders += 1
            assert [result for result in results if result is not None] == []
            assert set(self.statuses) <= {200}, self.statuses
            seen.add(self.outcome())
            assert self.outcome() in allowed, "some serial order ends like this"
            assert [query for query in self.world.telegram.world.queries.values() if query.answer is None] == []
            tally.lost += await self._check_shown(allowed[self.outcome()])
        assert self.world.telegram.violations == []
        tally.outcomes = len(seen)
        return tally

    def _board(self) -> Look | None:
        match = self.world.current()
        return None if match is None else self.world.see(self.world.message(match.shown.board or match.shown.lobby))

    async def _check_shown(self, expected: Look | None) -> int:
        """The board shows the newest state, the pen is free, and whatever else has buttons loses them when pressed."""
        world = self.world
        match = world.current()
        if match is None:
            return 0
        # A secret choice changes the state and not the board, so the serial board counts too.
        assert shows(world, match) or self._board() == expected, describe(world)
        assert match.shown.until_ms <= world.clock.ms(), "nobody is still counted on to draw"
        lost = world.orphans()
        # The pause goes: what follows is one after the other.
        world.gate.pause, pause = None, world.gate.pause
        for message in lost:
            before = self.outcome()
            # Somebody from outside may do nothing on a board, and who sits at a table may not join it again.
            seat = -1 if message.body.get("photo") else 0
            toast = await world.press(seat, message, buttons(message)[0])
            assert toast, "answered"
            assert self.outcome() == before, "nothing changed"
            assert not buttons(message), "and the buttons gone"
        world.gate.pause = pause
        return len(lost)


def shows(world: World, match: Match) -> bool:
    """Whether the chat shows a match as it is."""
    message = world.message(match.shown.board or match.shown.lobby)
    if message is None:
        return False
    seen = world.see(message)
    assert seen is not None, "the message is there"
    if not match.position:
        text, rows = display.table_message(match)
        wanted, picture = text, b""
    else:
        made = display.board(match)
        wanted, picture, rows = made.caption, made.picture, made.buttons
    data = tuple(button.data.partition(":")[2] for row in rows for button in row if button.data)
    return (plain(wanted), picture, data) == (seen[0], seen[1], seen[2])


def plain(html: str) -> str:
    """HTML's words as a message shows them."""
    return unescape(re.sub(r"<[^>]*>", "", html)).strip()


def press_all(world: World, presses: Sequence[tuple[int, str]]) -> None:
    """People press or type at the same moment; nothing of it has been delivered yet."""
    for seat, text in presses:
        if text.startswith("/"):
            world.telegram.people.write(world.users[seat], world.chat, text)
            continue
        message = newest_with(world.messages(), text)
        assert message is not None, f"somebody can press {text!r}"
        data = next(one for one in buttons(message) if one.split(":", 3)[3] == text)
        world.telegram.people.press(world.users[seat], message, data)
