"""What whole matches ask of the table and of Telegram, move by move.

The real webhook plays, on a clock that passes as it would for people who think, and the ticker looks in every minute.
Only those press who may, and only what is legal: what is counted is the moves themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from time import process_time
from typing import Any

from bench.counting import Account, CountingStore
from bench.tables import show
from engine.registry import GAMES
from handlers.app.games import rules_of, state_of
from handlers.clock import run_due
from handlers.ticker import EVERY_SECONDS
from handlers.ui.screens import SCREENS
from infra.matches import WRITE_UNIT, Match, Status
from infra.names import NAME_UNITS
from testing.group import Group, buttons

PACE = 6.0
"""Seconds that pass between two moves."""

LENGTHS = ("single", "100")
REAL_PICTURES = 20
"""One picture in so many is really drawn; the others are the same again, for nobody looks at them."""

POSTED, PAGE, SEVERAL, OTHER = "a new board", "a page put away", "several may act", "something else"
"""Why a move took more than one read, one write, one write unit and one request."""


@dataclass(slots=True)
class Course:
    """A match from its opening to its end.

    `table` is the account of opening, joining and starting, `play` that of the moves, `ticker` that of the ticker's
    looks; `calls` are the requests to Telegram in all. `clean` moves took one read, one write and one write unit,
    `quiet` ones at most one request; `causes` tells why the others did not. `presses` come with a toast each.
    """

    game: str
    seats: int
    length: str
    moves: int = 0
    presses: int = 0
    clean: int = 0
    quiet: int = 0
    boards: int = 0
    calls: int = 0
    move_calls: int = 0
    looks: int = 0
    slept: float = 0.0
    seconds: float = 0.0
    table: Account = field(default_factory=Account)
    play: Account = field(default_factory=Account)
    ticker: Account = field(default_factory=Account)
    causes: Counter[str] = field(default_factory=Counter)
    request_causes: Counter[str] = field(default_factory=Counter)
    stored: int = 0
    picture_bytes: float = 0.0
    picture_ms: float = 0.0

    @property
    def account(self) -> Account:
        """All of it."""
        return self.table + self.play + self.ticker


class Glanced:
    """A game's screen that draws only some of its pictures and gives the last one again for the others."""

    def __init__(self, screen: Any, every: int) -> None:
        self._screen = screen
        self._every = every
        self._last = b""
        self.asked = 0
        self.sizes: list[int] = []
        self.ms: list[float] = []

    def __getattr__(self, name: str) -> Any:
        """All else is the screen's own."""
        return getattr(self._screen, name)

    def picture(self, *arguments: Any) -> bytes:
        """The board, or an earlier one."""
        self.asked += 1
        if not self._last or self.asked % self._every == 0:
            began = process_time()
            self._last = self._screen.picture(*arguments)
            self.ms.append(1000 * (process_time() - began))
            self.sizes.append(len(self._last))
        return self._last


@contextmanager
def glanced(game: str, every: int) -> Iterator[Glanced]:
    """Within, the game's boards are drawn once in `every` times."""
    screen = SCREENS[game]
    glance: Any = Glanced(screen, every)
    SCREENS[game] = glance
    try:
        yield glance
    finally:
        SCREENS[game] = screen


async def play(game: str, seats: int, length: str = "single", *, pace: float = PACE, most: int = 100_000) -> Course:
    """Play a match of at most `most` moves, and tell what it took."""
    course = Course(game, seats, length)
    group = Group(seats)
    store = CountingStore(group.store)
    group.store = store
    for number, user in enumerate(group.users):
        user.first_name = f"Player {number} ".ljust(NAME_UNITS, "x")
    with glanced(game, REAL_PICTURES) as glance:
        await _play(course, group, store, pace, most)
        course.boards = glance.asked
        course.picture_bytes = sum(glance.sizes) / len(glance.sizes)
        course.picture_ms = sum(glance.ms[1:]) / len(glance.ms[1:]) if glance.ms[1:] else sum(glance.ms)
    course.calls = _requests(group)
    return course


async def _play(course: Course, group: Group, store: CountingStore, pace: float, most: int) -> None:
    random = Random(course.seats)  # noqa: S311 - the same match every time, no secret
    began = group.clock.now
    match = await group.start(course.game, length=course.length)
    course.table = store.account - Account()
    course.presses = len(group.statuses)
    ticker, next_look = group.bot(), group.clock.now + EVERY_SECONDS
    while match.status is Status.PLAYING and course.moves < most:
        group.clock.now += pace
        while group.clock.now >= next_look:
            before = store.account - Account()
            await run_due(ticker, int(group.clock.now))
            course.ticker += store.account - before
            course.looks += 1
            next_look += EVERY_SECONDS
        match = await _move(course, group, store, random)
    course.seconds = group.clock.now - began
    course.stored = store.account.largest


async def _move(course: Course, group: Group, store: CountingStore, random: Random) -> Match:
    match = await _peek(group, store)
    rules, state = rules_of(match), state_of(match)
    seat = random.choice(rules.actors(state))
    move = rules.move_text(random.choice(rules.legal_moves(state, seat)))
    board = group.live()
    data = next(data for data in buttons(board) if data.endswith(f":{move}"))
    before, calls, now = store.account - Account(), len(group.telegram.log), group.clock.now
    await group.press(seat, board, data)
    spent = store.account - before
    methods = [entry.method for entry in list(group.telegram.log)[calls:] if entry.source == "call"]
    methods = [method for method in methods if method != "answerCallbackQuery"]
    following = await _peek(group, store)
    course.slept += group.clock.now - now
    course.play += spent
    course.moves += 1
    course.presses += 1
    course.move_calls += len(methods)
    cause = _cause(match, following, methods, several=len(rules.actors(state)) > 1)
    if (spent.reads, spent.writes, spent.write_units + spent.index_units) == (1, 1, 1):
        course.clean += 1
    else:
        course.causes[cause] += 1
    if len(methods) <= 1:
        course.quiet += 1
    else:
        course.request_causes[cause] += 1
    return following


def _cause(before: Match, after: Match, methods: list[str], *, several: bool) -> str:
    if "sendPhoto" in methods:
        return POSTED
    if after.pages != before.pages:
        return PAGE
    return SEVERAL if several else OTHER


async def _peek(group: Group, store: CountingStore) -> Match:
    """The match, at nobody's expense."""
    kept, store.account = store.account, Account()
    try:
        return await group.match()
    finally:
        store.account = kept


def _requests(group: Group) -> int:
    return sum(entry.source == "call" for entry in group.telegram.log)


def tables() -> list[tuple[str, int]]:
    """Each game at its smallest and its largest table."""
    return [(key, seats) for key, rules in GAMES.items() for seats in (rules.min_seats, rules.max_seats)]


async def report(lengths: tuple[str, ...] = LENGTHS, most: int = 100_000) -> list[Course]:
    """Print what matches of these lengths take, and return them."""
    courses = [await play(game, seats, length, most=most) for length in lengths for game, seats in tables()]
    show(
        "What a move takes: DynamoDB calls and units, the item, requests to Telegram beside the toast",
        ("match", "seats", "moves", "reads", "RRU", "writes", "WRU", "bytes", "requests", "1+1+1", "≤1 request"),
        [
            (
                f"{course.game}, {course.length}",
                course.seats,
                course.moves,
                course.play.reads / course.moves,
                course.play.read_units / course.moves,
                course.play.writes / course.moves,
                (course.play.write_units + course.play.index_units) / course.moves,
                course.stored,
                course.move_calls / course.moves,
                f"{course.clean / course.moves:.1%}",
                f"{course.quiet / course.moves:.1%}",
            )
            for course in courses
        ],
        f"Aims: one read, one write, one write unit a move (1+1+1), items of at most {WRITE_UNIT} bytes, one request.",
        f"WRU holds writes of the index; names have {NAME_UNITS} letters; {PACE:.0f} s pass between two moves.",
    )
    for course in courses:
        reasons = "; ".join(
            f"{title}: {', '.join(f'{number} {cause}' for cause, number in counts.most_common()) or 'none'}"
            for title, counts in (("not 1+1+1", course.causes), ("over one request", course.request_causes))
        )
        print(f"  {course.game}, {course.length}, {course.seats}: {reasons}")
    return courses
