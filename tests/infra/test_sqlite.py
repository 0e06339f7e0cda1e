"""What only a file can do to a store: be something else, be locked, be shared by threads and processes."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from infra import items, sqlite
from infra.matches import Match
from infra.sqlite import SqliteStore, UnusableDatabaseError
from infra.store import ConflictError, Store, StoreUnavailableError
from tests.infra.backends import Clock
from tests.infra.interleaving import finish
from tests.infra.sample import EXPIRES, GROUP, table

WRITERS = 4
MOVES = 25


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where no file is yet, in a folder that is not there either."""
    return tmp_path / "data" / "tablee.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """A store on a new file that waits for nobody."""
    with closing(SqliteStore(path, Clock(), busy_seconds=0)) as made:
        yield made


def play(store: Store, match_id: str, letter: str) -> None:
    """Add `MOVES` moves to the match, whoever else does."""
    match = finish(store.match(match_id))
    for _ in range(MOVES):
        while True:
            try:
                match = finish(store.save(replace(match, moves=match.moves + letter)))
                break
            except ConflictError as conflict:
                match = conflict.winner


def test_a_match_survives_a_restart(path: Path) -> None:
    """What was saved is there when the file is opened anew."""
    with closing(SqliteStore(path, Clock())) as store:
        opened = finish(store.open(table(), None))
    with closing(SqliteStore(path, Clock())) as store:
        assert finish(store.match("m1")) == opened
        assert finish(store.current(GROUP, 0)) == "m1"


def test_what_has_expired_is_removed_when_the_file_is_opened(path: Path) -> None:
    """Only what has an expiry, and only once it has come."""
    with closing(SqliteStore(path, Clock())) as store:
        finish(store.open(table("gone", topic=1), None))
        finish(store.open(replace(table("stays", topic=2), expires=0), None))
    SqliteStore(path, Clock(EXPIRES)).close()
    with closing(sqlite3.connect(path)) as db:
        left = {row[0] for row in db.execute("SELECT pk FROM items WHERE sk = ?", (items.MATCH_SORT_KEY,))}
    assert left == {"match#stays"}


def test_a_store_in_memory_needs_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name that SQLite has for it makes a store of its own, and no file."""
    monkeypatch.chdir(tmp_path)
    with closing(SqliteStore(":memory:")) as one, closing(SqliteStore(":memory:")) as other:
        finish(one.open(replace(table(), expires=0), None))
        assert finish(other.match("m1")) is None
    assert not list(tmp_path.iterdir())


def test_threads_share_one_store(path: Path) -> None:
    """No move of several threads is lost."""
    with closing(SqliteStore(path, Clock())) as store, ThreadPoolExecutor(WRITERS) as pool:
        finish(store.open(table(), None))
        list(pool.map(lambda letter: play(store, "m1", letter), "abcd"))
        check_all_moves(finish(store.match("m1")))


def test_processes_share_one_file(path: Path) -> None:
    """No move of several processes is lost, though each has opened the file for itself, new as it was."""
    code = (
        "import sys; from tests.infra.test_sqlite import *\n"
        "with closing(SqliteStore(sys.argv[1], Clock(), busy_seconds=60)) as store:\n"
        "    sys.stdin.read()\n"
        "    play(store, 'm1', sys.argv[2])\n"
    )
    writers = [
        subprocess.Popen(  # noqa: S603 (our own code)
            [sys.executable, "-c", code, str(path), letter],
            stdin=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        for letter in "abcd"
    ]
    with closing(SqliteStore(path, Clock(), busy_seconds=60)) as store:
        finish(store.open(table(), None))
        for writer in writers:
            # The end of their input is the start signal.
            writer.communicate()
        assert [writer.returncode for writer in writers] == [0] * WRITERS
        check_all_moves(finish(store.match("m1")))


def check_all_moves(match: Match) -> None:
    """Assert that every writer's every move is in the match once, in one save each."""
    assert sorted(match.moves) == sorted("abcd" * MOVES)
    assert match.version == 1 + WRITERS * MOVES


def test_a_locked_file_is_unavailable(path: Path, store: SqliteStore) -> None:
    """While another program holds the write lock, saving fails for now, reading does not, and saving works again."""
    opened = finish(store.open(table(), None))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailableError):
            finish(store.save(opened))
        assert finish(store.match("m1")) == opened
    assert finish(store.save(opened)).version == 2


def test_a_failed_write_leaves_nothing_behind(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the second of two writes fails the first one is undone, and the store goes on."""
    opened = finish(store.open(table(), None))

    def fail(*_: object) -> None:
        raise RuntimeError("power cut")

    with monkeypatch.context() as patch:
        patch.setattr(store, "_put_page", fail)
        with pytest.raises(RuntimeError):
            finish(store.save(replace(opened, pages=1), "page"))
    assert finish(store.match("m1")) == opened
    assert finish(store.save(opened)).version == 2


async def test_an_event_loop_may_use_it(store: SqliteStore) -> None:
    """Tasks of one loop race like everybody else: one wins."""
    opened = await store.open(table(), None)
    results = await asyncio.gather(*(store.save(opened) for _ in range(3)), return_exceptions=True)

    assert sum(isinstance(result, ConflictError) for result in results) == 2


def make_folder(path: Path) -> None:
    """Put a folder in the file's place."""
    path.mkdir(parents=True)


def make_text(path: Path) -> None:
    """Put a file there that is no database."""
    path.parent.mkdir()
    path.write_text("My dear diary, " * 100)


def make_blocked(path: Path) -> None:
    """Put a file where its folder should be."""
    path.parent.write_text("")


def make_foreign(path: Path) -> None:
    """Put another program's database there."""
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE items (id INTEGER)")


def make_newer(path: Path) -> None:
    """Put a database there that a later version of this program has made."""
    SqliteStore(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {sqlite.USER_VERSION + 1}")


@pytest.mark.parametrize("make", [make_folder, make_text, make_blocked, make_foreign, make_newer])
def test_an_unusable_file_is_told_in_one_line(path: Path, make: object) -> None:
    """The error names the file and the reason, and leaves the file as it was."""
    assert callable(make)
    make(path)
    before = path.read_bytes() if path.is_file() else None

    with pytest.raises(UnusableDatabaseError) as caught:
        SqliteStore(path)
    assert isinstance(caught.value, OSError)
    assert str(path) in str(caught.value)
    assert caught.value.why
    assert "\n" not in str(caught.value)
    assert (path.read_bytes() if path.is_file() else None) == before
