"""Many matches at once on two processes of the bot: who presses what, where it goes, and what it costs."""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from random import Random
from typing import Final

from engine.registry import GAMES
from tests.load import bot
from tests.load.party import BUSY, Party, Press
from tests.load.wire import Deleted, Handled, Report, Shown, Toast, Where, command_update, press_update

AT_ONCE: Final = 3
"""Updates that a process has and has not answered: one that it handles, the others so that it never waits."""

SEATS: Final = (2, 2, 2, 3, 3, 4)
FULL_TABLE: Final = 50
"""Every so many tables of a game one has all its seats taken."""
RETRIES: Final = 20
NEWS_SECONDS: Final = 30.0
"""How often a long run says how far it is."""


class FailedError(Exception):
    """The load could not be carried to its end; the message says why."""


@dataclass(slots=True)
class Figures:
    """What a run took: `seconds` in all, milliseconds of every update, and how often what happened."""

    matches: int
    seconds: float = 0.0
    wall_ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def calls(self) -> float:
        """Reads and writes an update."""
        return (self.counts["reads"] + self.counts["writes"]) / len(self.wall_ms)

    def add(self, handled: Handled) -> None:
        """Count an update."""
        self.wall_ms.append(handled.wall_ms)
        self.cpu_ms.append(handled.cpu_ms)
        self.counts.update(reads=handled.reads, writes=handled.writes, conflicts=handled.conflicts)


def parties(matches: int, seed: int) -> list[Party]:
    """Groups of strangers, by turns for every game, most with two to four players."""
    random, games = Random(seed), list(GAMES.values())
    made = []
    for number in range(matches):
        table, turn = divmod(number, len(games))
        seats = random.choice(SEATS) if (table + 1) % FULL_TABLE else games[turn].max_seats
        first = 5_000_000_000 + 10 * number
        users = tuple(range(first, first + seats))
        made.append(Party(-1_002_300_000_000 - number, games[turn].key, users, Random(random.random())))
    return made


@dataclass(frozen=True, slots=True)
class Crew:
    """The bot's processes, their inboxes, and what they report."""

    processes: list[BaseProcess]
    inboxes: list[Connection]
    reports: Connection


class Run:
    """One run. Updates carry numbers from 1; a person's next press waits for the answer to the one before."""

    def __init__(self, everybody: list[Party], crew: Crew) -> None:
        self.figures = Figures(len(everybody))
        self._crew = crew
        self._busy = [0] * len(crew.inboxes)
        self._parties = {party.chat: party for party in everybody}
        self._queue: deque[int] = deque()
        self._updates: dict[int, tuple[Party, Press | None]] = {}
        self._at: dict[int, int] = {}
        self._number = 0
        self._tries: Counter[int] = Counter()

    def play(self, most_seconds: float) -> None:
        """Let everybody play to the end. Raises `FailedError`, and `StuckError` where a match does not go on."""
        began = time.monotonic()
        for party in self._parties.values():
            self._send(party, None)
        left, news = len(self._parties), began + NEWS_SECONDS
        while left:
            now = time.monotonic()
            if now - began > most_seconds:
                raise FailedError(f"{left} matches are not over after {most_seconds:.0f} s")
            if now > news:
                news = now + NEWS_SECONDS
                sys.stderr.write(f"  {now - began:.0f} s: {len(self.figures.wall_ms)} updates, {left} matches left\n")
            self._hand_out()
            ready = wait([self._crew.reports, *(process.sentinel for process in self._crew.processes)], timeout=1)
            if not all(process.is_alive() for process in self._crew.processes):
                raise FailedError("a process of the bot has died")
            if self._crew.reports in ready:
                left -= self._hear()
        self.figures.seconds = time.monotonic() - began

    def _send(self, party: Party, press: Press | None) -> None:
        self._number += 1
        self._updates[self._number] = party, press
        self._queue.append(self._number)

    def _hand_out(self) -> None:
        """Give waiting updates away, each to the process with less to do: neighbours go to different ones."""
        while self._queue:
            process = min(range(len(self._busy)), key=self._busy.__getitem__)
            if self._busy[process] >= AT_ONCE:
                return
            number = self._queue.popleft()
            party, press = self._updates[number]
            if press is None:
                update = command_update(number, party.chat, party.users[0], f"/{party.game}")
            else:
                update = press_update(number, press.user, press.shown, press.data)
            self._busy[process] += 1
            self._at[number] = process
            self._crew.inboxes[process].send(update)

    def _hear(self) -> int:
        """Hear what there is to hear; how many matches have ended."""
        ended = 0
        while self._crew.reports.poll():
            party = self._take(self._crew.reports.recv())
            if party is not None and not party.over:
                for press in party.presses():
                    self._send(party, press)
                self.figures.counts["ended"] += party.over
                ended += party.over
        return ended

    def _take(self, report: Report) -> Party | None:
        match report:
            case Shown(chat=chat):
                self.figures.counts["shown"] += 1
                self._parties[chat].see(report)
                return self._parties[chat]
            case Deleted(chat=chat, message=message):
                self._parties[chat].forget(message)
                return self._parties[chat]
            case Toast(query=query, text=text):
                party, press = self._updates[int(query)]
                self.figures.counts["busy"] += text == BUSY
                if press is not None:
                    party.read(press.user, text)
                return None
            case Handled():
                return self._done(report)

    def _done(self, handled: Handled) -> Party | None:
        number = handled.update
        self.figures.add(handled)
        self._busy[self._at.pop(number)] -= 1
        if handled.status == 500:
            self.figures.counts["repeated"] += 1
            self._tries[number] += 1
            if self._tries[number] > RETRIES:
                raise FailedError(f"update {number} was answered with 500 again and again")
            party, press = self._updates[number]
            if press is not None:
                party.failed(press.user)
            self._queue.append(number)
            return None
        if handled.status != 200:
            raise FailedError(f"update {number} was answered with {handled.status}")
        party, press = self._updates.pop(number)
        if press is not None:
            party.answered(press.user)
        return party


@contextmanager
def running(where: Where, *, pictures: bool = False) -> Iterator[Crew]:
    """Start the bot's processes; they end with the block."""
    context = multiprocessing.get_context("spawn")
    reports, telling = context.Pipe(duplex=False)
    lock = context.Lock()
    crew = Crew([], [], reports)
    try:
        for number in range(bot.PROCESSES):
            reading, writing = context.Pipe(duplex=False)
            post = bot.Post(number, where, reading, telling, lock, pictures)
            process = context.Process(target=bot.main, args=(post,), daemon=True)
            process.start()
            reading.close()
            crew.inboxes.append(writing)
            crew.processes.append(process)
        telling.close()
        yield crew
    finally:
        for started in crew.processes:
            started.terminate()
        for started in crew.processes:
            started.join()
            started.close()
        for connection in (*crew.inboxes, reports, telling):
            connection.close()
