"""Carrying updates to the bot: in waves that a test's clock moves, or for as long as a page is open."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from emulator.errors import AnswerLost
from emulator.methods import NOT_IN_REPLY
from emulator.model import Json
from emulator.queues import Parcel
from emulator.telegram import Telegram

# Takes an update; gives the HTTP status and the body of the bot's answer.
Deliver = Callable[[Json], Awaitable[tuple[int, bytes | str]]]


class Courier:
    """Delivers what is due, concurrently across queues, and carries out what the bot answers.

    With `only_with_webhook` it rests while the bot has no webhook set, and polls.
    """

    def __init__(self, telegram: Telegram, deliver: Deliver, *, only_with_webhook: bool = False) -> None:
        self.telegram = telegram
        self.only_with_webhook = only_with_webhook
        self.deliver = deliver
        self.attempts = 0
        self.failures: list[tuple[int, str]] = []

    async def run_due(self) -> int:
        """Deliver until nothing is due at the present time of the clock; how many attempts that took."""
        before = self.attempts
        running: set[asyncio.Task[bool]] = set()
        while True:
            running |= {asyncio.create_task(self.attempt(parcel)) for parcel in self._take()}
            if not running:
                return self.attempts - before
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()

    async def run_until(self, end: float, move_to: Callable[[float], None]) -> int:
        """Let the clock stop wherever something is due, until `end`; how many attempts that took.

        `move_to` sets the clock that the emulator reads.
        """
        before = self.attempts
        while True:
            await self.run_due()
            next_time = self.telegram.world.queues.next_time(self.telegram.world.now())
            if next_time is None or next_time > end or self._rests:
                move_to(end)
                return self.attempts - before
            move_to(next_time)

    async def run_forever(self, wake: asyncio.Event) -> None:
        """Deliver until cancelled; `wake` is set when there may be something new."""
        running: set[asyncio.Task[bool]] = set()
        try:
            while True:
                wake.clear()
                for parcel in self._take():
                    task = asyncio.create_task(self.attempt(parcel))
                    running.add(task)
                    task.add_done_callback(running.discard)
                    task.add_done_callback(lambda _: wake.set())
                now = self.telegram.world.now()
                next_time = self.telegram.world.queues.next_time(now)
                pause = None if next_time is None or self._rests else max(0.0, next_time - now)
                try:
                    await asyncio.wait_for(wake.wait(), pause)
                except TimeoutError:
                    continue
        finally:
            for task in running:
                task.cancel()

    @property
    def _rests(self) -> bool:
        return self.only_with_webhook and not self.telegram.world.webhook.url

    def _take(self) -> list[Parcel]:
        if self._rests:
            return []
        parcels = self.telegram.world.queues.due(self.telegram.world.now())
        for parcel in parcels:
            parcel.in_flight = True
        return parcels

    async def attempt(self, parcel: Parcel) -> bool:
        """Try one update once; whether the bot took it."""
        self.attempts += 1
        world = self.telegram.world
        parcel.in_flight = True
        try:
            status, body = await self.deliver(parcel.update)
        except Exception as error:  # noqa: BLE001 - whatever breaks at the bot's end is a failed delivery
            status, body = 0, f"{type(error).__name__}: {error}"
        taken = 200 <= status < 300  # noqa: PLR2004 - HTTP's success
        if taken:
            self._carry_out(body)
        else:
            said = body if isinstance(body, str) else body.decode(errors="replace")
            reason = f"Wrong response from the webhook: {status}" if status else said
            world.webhook.last_error = reason
            world.webhook.last_error_date = int(world.now())
            self.failures.append((parcel.id, f"{reason} {said[:200]}" if status else reason))
        world.queues.settle(parcel, taken=taken, now=world.now())
        return taken

    def _carry_out(self, body: bytes | str) -> None:
        """A method named in the bot's answer is carried out as if it had been called; the result is lost."""
        try:
            reply: Any = json.loads(body)
        except ValueError:
            return
        if not isinstance(reply, dict) or not isinstance(reply.get("method"), str):
            return
        method = reply.pop("method")
        if method in NOT_IN_REPLY:
            self.telegram.violations.append(f"{method} does nothing as the answer to an update")
            return
        try:
            self.telegram.call(self.telegram.token, method, reply, source="reply")
        except AnswerLost:
            return
