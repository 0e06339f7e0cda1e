"""Races, in every order that there is: one winner, and nothing that anybody was told is done gets lost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, TypeAlias, cast

import pytest

from infra import items
from infra.dynamo import DynamoStore
from infra.matches import Match
from infra.store import Chat, ConflictError, Store
from tests.infra.backends import Backend, DynamoBackend
from tests.infra.interleaving import Stepping, Task, finish, orders
from tests.infra.sample import table

TRIES = 5
Change: TypeAlias = Callable[[Store, Match], Awaitable[Match]]


class World:
    """A fresh chat with an open table on a shared backend; `first` and `second` are two processes' stores."""

    def __init__(self, backend: Backend, number: int) -> None:
        self.chat, self.supergroup = -1 - number, -1_000_000_000 - number
        self.id = f"m{number}"
        self.store = backend.store()
        self.first, self.second = (cast("Store", Stepping(backend.store())) for _ in range(2))
        self.match = finish(self.store.open(table(self.id, self.chat), None))

    def now(self) -> Match:
        """The match as stored."""
        match = finish(self.store.match(self.id))
        assert isinstance(match, Match)
        return match

    def current(self, chat: int) -> str | None:
        """Which match a chat points at."""
        named: str | None = finish(self.store.current(chat, 0))
        return named


@pytest.fixture
def worlds(backend: Backend) -> Iterator[World]:
    """World after world on one backend."""
    return (World(backend, number) for number in count())


async def change(store: Store, match_id: str, how: Change) -> Match:
    """Load and change a match as the application does: judge again on the winner of each conflict."""
    match = await store.match(match_id)
    for _ in range(TRIES):
        assert match is not None
        try:
            return await how(store, match)
        except ConflictError as conflict:
            match = conflict.winner
    raise AssertionError("more conflicts than there are other writers")


def move(letter: str) -> Change:
    """Play a move."""
    return lambda store, match: store.save(replace(match, moves=match.moves + letter))


def turn(page: str) -> Change:
    """Play a move and put the page away that it ends."""

    async def how(store: Store, match: Match) -> Match:
        whole = match.moves + page
        return await store.save(replace(match, moves="", pages=match.pages + 1), whole)

    return how


def migrate(chat: int) -> Change:
    """Move the match to another chat."""
    return lambda store, match: store.move_chat(match, chat)


def race(worlds: Iterator[World], tasks: Callable[[World], Sequence[Task]]) -> Iterator[tuple[World, list[Any]]]:
    """Every order of the tasks, each in a world of its own."""
    world: World | None = None

    def start() -> Sequence[Task]:
        nonlocal world
        world = next(worlds)
        return tasks(world)

    for results in orders(start):
        assert world is not None
        yield world, results


def test_one_of_two_saves_wins(worlds: Iterator[World]) -> None:
    """Of two saves over one version exactly one succeeds, and the other is handed its match."""

    def tasks(world: World) -> list[Task]:
        return [
            lambda: world.first.save(replace(world.match, moves="a")),
            lambda: world.second.save(replace(world.match, moves="b")),
        ]

    for world, results in race(worlds, tasks):
        (won,) = (result for result in results if isinstance(result, Match))
        (lost,) = (result for result in results if isinstance(result, ConflictError))
        assert won == lost.winner == world.now()


def test_no_move_is_lost(worlds: Iterator[World]) -> None:
    """Two moves of one player and one of another, in every order of loads and saves: all are in the record, once."""

    def tasks(world: World) -> list[Task]:
        async def play(store: Store, moves: str) -> None:
            for letter in moves:
                await change(store, world.id, move(letter))

        return [lambda: play(world.first, "ab"), lambda: play(world.second, "c")]

    for world, results in race(worlds, tasks):
        assert results == [None, None]
        assert sorted(world.now().moves) == list("abc")
        assert world.now().version == 4


@pytest.mark.parametrize("place", ["chat", "supergroup"])
def test_one_of_two_tables_opens(worlds: Iterator[World], place: str) -> None:
    """Of two tables opened at once in a chat, with a last table or without, one is there; the loser is told which.

    The loser leaves nothing behind. One after the other, the second replaces the first.
    """

    def tasks(world: World) -> list[Task]:
        chat: int = getattr(world, place)

        async def begin(store: Store, match_id: str) -> Match:
            return await store.open(table(match_id, chat), await store.current(chat, 0))

        return [lambda: begin(world.first, world.id + "a"), lambda: begin(world.second, world.id + "b")]

    for world, results in race(worlds, tasks):
        opened = [result for result in results if isinstance(result, Match)]
        lost = [result for result in results if isinstance(result, ConflictError)]
        stored = [match for name in "ab" if (match := finish(world.store.match(world.id + name)))]

        assert len(opened) + len(lost) == 2
        assert stored == opened
        assert world.current(getattr(world, place)) in {match.id for match in opened}
        assert [conflict.winner for conflict in lost] == opened[: len(lost)]


def test_no_setting_is_lost(worlds: Iterator[World]) -> None:
    """One sets the language and another the delay: both count."""

    def tasks(world: World) -> list[Task]:
        async def choose(store: Store, **chosen: Any) -> Chat:
            for _ in range(TRIES):
                try:
                    return await store.save_chat(replace(await store.chat(world.chat), **chosen))
                except ConflictError:
                    continue
            raise AssertionError("more conflicts than there are other writers")

        return [lambda: choose(world.first, language="fr"), lambda: choose(world.second, delay=60)]

    for world, _ in race(worlds, tasks):
        assert finish(world.store.chat(world.chat)) == Chat(world.chat, language="fr", delay=60, version=2)


def test_pages_turn_once(worlds: Iterator[World]) -> None:
    """A page turn against a page turn and against a move: every move is on one page or in the match, once."""
    for other in (move("b"), turn("b")):

        def tasks(world: World, other: Change = other) -> list[Task]:
            return [
                lambda: change(world.first, world.id, turn("a")),
                lambda: change(world.second, world.id, other),
            ]

        for world, _ in race(worlds, tasks):
            match = world.now()
            pages = finish(world.store.pages(match))
            assert sorted("".join(pages) + match.moves) == ["a", "b"]
            assert match.version == 3


def test_a_group_moves_while_it_plays(worlds: Iterator[World]) -> None:
    """A move, a page turn or a second notice of the migration against the migration: both happen, once."""
    for name in ("move", "turn", "migrate"):

        def tasks(world: World, name: str = name) -> list[Task]:
            other = {"move": move("a"), "turn": turn("a"), "migrate": migrate(world.supergroup)}[name]
            return [
                lambda: change(world.first, world.id, migrate(world.supergroup)),
                lambda: change(world.second, world.id, other),
            ]

        for world, _ in race(worlds, tasks):
            match = world.now()
            assert match.chat == world.supergroup
            assert "".join(finish(world.store.pages(match))) + match.moves == ("" if name == "migrate" else "a")
            assert match.version == (2 if name == "migrate" else 3)
            assert world.current(world.supergroup) == world.id
            assert world.current(world.chat) is None
            assert finish(world.store.chat(world.chat)).moved_to == world.supergroup


class Intruded:
    """A DynamoDB client before whose n-th request somebody else's whole doing takes place."""

    def __init__(self, client: Any, place: int, doing: Callable[[], object]) -> None:
        self._client, self._place, self._doing = client, place, doing
        self.requests = 0

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(**arguments: Any) -> Any:
            if self.requests == self._place:
                self._doing()
            self.requests += 1
            return getattr(self._client, name)(**arguments)

        return call


INTRUDERS: dict[str, Callable[[World], object]] = {
    "a move": lambda world: finish(change(world.store, world.id, move("a"))),
    "the same migration": lambda world: finish(change(world.store, world.id, migrate(world.supergroup))),
    "old settings": lambda world: finish(world.store.save_chat(Chat(world.chat, delay=60))),
    "new settings": lambda world: finish(world.store.save_chat(Chat(world.supergroup, delay=60))),
    "a new table here": lambda world: finish(world.store.open(table(world.id + "x", world.chat), world.id)),
    "a new table there": lambda world: finish(world.store.open(table(world.id + "x", world.supergroup), None)),
}


@pytest.mark.parametrize("intruder", INTRUDERS)
def test_a_migration_withstands_anything_between_its_requests(dynamo_table: DynamoBackend, intruder: str) -> None:
    """Whatever happens before any one of its requests, the migration is whole in the end and undoes nobody's doing."""
    for place in count():
        world = World(dynamo_table, place)
        client = Intruded(dynamo_table.client, place, partial(INTRUDERS[intruder], world))
        store = DynamoStore(cast("Any", client), dynamo_table.table, dynamo_table.clock)
        moved = finish(change(store, world.id, migrate(world.supergroup)))
        if client.requests <= place:
            break

        assert world.now() == moved
        assert moved.chat == world.supergroup
        assert moved.moves == ("a" if intruder == "a move" else "")
        assert world.current(world.supergroup) == world.id
        assert world.current(world.chat) == (world.id + "x" if intruder == "a new table here" else None)
        old, new = (finish(world.store.chat(chat)) for chat in (world.chat, world.supergroup))
        assert old.moved_to == world.supergroup
        assert new.delay == (60 if intruder.endswith("settings") else 180)
        assert dynamo_table.get(items.pointer_key(world.chat, 0)) != {"match": world.id}
    assert place > 5
