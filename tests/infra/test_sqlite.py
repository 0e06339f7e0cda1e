"""What only a file can do to a store: be something else, be locked, be shared by threads and processes."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from infra import items, sqlite
from infra.matches import Match
from infra.sqlite import SqliteStore, UnusableDatabaseError
from infra.store import Chat, ConflictError, Store, StoreRefusedError, StoreUnavailableError
from tests.infra.backends import Clock
from tests.infra.interleaving import finish
from tests.infra.sample import EXPIRES, GROUP, SUPERGROUP, table

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


def test_what_expires_while_the_file_is_open_is_removed_within_a_day(path: Path) -> None:
    """A bot that runs for months keeps no match for ever; whoever holds the file only puts it off."""
    clock = Clock()
    with closing(SqliteStore(path, clock, busy_seconds=0)) as store, closing(sqlite3.connect(path)) as other:
        finish(store.open(table(), None))
        clock.now = EXPIRES + sqlite.SWEEP_SECONDS
        other.execute("BEGIN IMMEDIATE")
        assert finish(store.due(int(clock.now), 10)) == ()
        assert other.execute("SELECT count(*) FROM items WHERE sk = 'match'").fetchone() == (1,)
        other.rollback()
        assert finish(store.due(int(clock.now), 10)) == ()
        assert other.execute("SELECT count(*) FROM items WHERE sk = 'match'").fetchone() == (0,)


def test_what_has_expired_is_not_due(path: Path) -> None:
    """Nobody looks for it, whether it has been removed yet or not."""
    clock = Clock()
    with closing(SqliteStore(path, clock)) as store:
        finish(store.open(replace(table(), due=100), None))
        assert finish(store.due(200, 10)) == ("m1",)
        clock.now = EXPIRES
        store._swept = EXPIRES
        assert finish(store.due(200, 10)) == ()


def mode(path: Path) -> int:
    """Who may do what with a file."""
    return stat.S_IMODE(path.stat().st_mode)


def beside(path: Path) -> dict[str, int]:
    """The files in the file's folder, with their modes."""
    return {file.name: mode(file) for file in path.parent.iterdir()}


@pytest.fixture
def careless() -> Iterator[None]:
    """A process whose new files everybody may read."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("careless")
def test_nobody_else_reads_the_file(path: Path) -> None:
    """It holds the secrets of running matches, and so do its journals: all are their owner's, and the folder too."""
    with closing(SqliteStore(path, Clock())) as store:
        finish(store.open(table(), None))
        assert beside(path) == dict.fromkeys((path.name, f"{path.name}-wal", f"{path.name}-shm"), 0o600)
        assert mode(path.parent) == 0o700


@pytest.mark.usefixtures("careless")
def test_files_that_others_could_read_are_corrected(path: Path) -> None:
    """A file of an earlier version, left behind with its journals; a folder that was there stays as it is."""
    path.parent.mkdir(mode=0o755)
    running = SqliteStore(path, Clock())
    finish(running.open(table(), None))
    for file in path.parent.iterdir():
        file.chmod(0o644)
    with closing(SqliteStore(path, Clock())):
        assert set(beside(path).values()) == {0o600}
    running.close()
    assert mode(path.parent) == 0o755


def test_a_file_belongs_to_one_bot(path: Path) -> None:
    """The first that opens it; another one's clock would take over matches that it cannot show."""
    SqliteStore(path).close()  # of a version that did not keep it
    for _ in range(2):
        with closing(SqliteStore(path, Clock(), bot=17)) as store:
            finish(store.current(GROUP, 0))
    with pytest.raises(UnusableDatabaseError, match="it is the bot 17's; give the bot 18 a file of its own"):
        SqliteStore(path, Clock(), bot=18)
    SqliteStore(path, Clock()).close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE items SET item = '{}' WHERE pk = 'bot'")
    with pytest.raises(UnusableDatabaseError, match="the owner: bot is not a whole number"):
        SqliteStore(path, Clock(), bot=17)


def test_a_file_that_is_held_when_it_is_opened_is_unavailable(path: Path) -> None:
    """Another program is writing: that passes, and nothing is wrong with the file."""
    SqliteStore(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailableError, match="is held by another program"):
            SqliteStore(path, Clock(), busy_seconds=0)
    SqliteStore(path).close()


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
    """No move of several processes that write at the same time is lost."""
    code = (
        "import sys; from tests.infra.test_sqlite import *\n"
        "with closing(SqliteStore(sys.argv[1], Clock(), busy_seconds=60)) as store:\n"
        "    print('ready', flush=True)\n"
        "    sys.stdin.read()\n"
        "    play(store, 'm1', sys.argv[2])\n"
    )
    writers = [
        subprocess.Popen(  # noqa: S603 (our own code)
            [sys.executable, "-c", code, str(path), letter],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        for letter in "abcd"
    ]
    with closing(SqliteStore(path, Clock(), busy_seconds=60)) as store:
        finish(store.open(table(), None))
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
        for writer in writers:
            # The end of their input is the start signal.
            assert writer.stdin is not None
            writer.stdin.close()
        for writer in writers:
            with writer:
                assert writer.wait() == 0
        check_all_moves(finish(store.match("m1")))


@pytest.mark.parametrize("moment", ["application_id", "user_version", "schema_version"])
def test_two_may_make_the_file_at_once(path: Path, moment: str) -> None:
    """Whenever another process makes the table in the middle of our making it, both use the same one."""
    other = Overtaking(path)

    class Overtaken(SqliteStore):
        def _pragma(self, name: str) -> int:
            if name == moment:
                other.begin()
            return super()._pragma(name)

    with closing(Overtaken(path, Clock(), busy_seconds=60)) as store:
        other.end()
        assert finish(store.current(GROUP, 0)) == "m1"


class Overtaking:
    """Another user of the file, who makes the table as soon as the locks allow."""

    def __init__(self, path: Path) -> None:
        self._thread = threading.Thread(target=self._make, args=(path,))

    def begin(self) -> None:
        """Begin, once, and go as far as the locks allow within a moment."""
        if self._thread.ident is None:
            self._thread.start()
            self._thread.join(0.3)

    def end(self) -> None:
        """Wait for the end."""
        self._thread.join()

    @staticmethod
    def _make(path: Path) -> None:
        with closing(SqliteStore(path, Clock(), busy_seconds=60)) as store:
            finish(store.open(table(), None))


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


def test_nobody_saves_between_our_look_and_our_write(path: Path, store: SqliteStore) -> None:
    """From the look at the version on, other writers wait; so the version is still true when we write."""
    opened = finish(store.open(table(), None))

    class Meddled(SqliteStore):
        def _require_version(self, match: Match) -> None:
            super()._require_version(match)
            with pytest.raises(StoreUnavailableError):
                finish(store.save(opened))

    with closing(Meddled(path, Clock())) as meddled:
        saved = finish(meddled.save(replace(opened, moves="a")))
    assert finish(store.match("m1")) == saved


def test_a_failed_write_leaves_nothing_behind(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the second of two writes fails the first one is undone, and the store goes on."""
    opened = finish(store.open(table(), None))

    def fail(*_: object) -> None:
        raise RuntimeError("power cut")

    with monkeypatch.context() as patch:
        patch.setattr(store, "_put_page", fail)
        with pytest.raises(StoreRefusedError, match="RuntimeError"):
            finish(store.save(replace(opened, pages=1), "page"))
    assert finish(store.match("m1")) == opened
    assert finish(store.save(opened)).version == 2


def sqlite_error(kind: type[sqlite3.Error], code: int) -> sqlite3.Error:
    """An error as SQLite raises it."""
    error = kind("as SQLite says")
    error.sqlite_errorcode = code
    return error


class Failing:
    """A connection whose every statement fails."""

    in_transaction = False

    def __init__(self, error: Exception) -> None:
        self._error = error

    def execute(self, *_: object) -> None:
        """Fail."""
        raise self._error


PASSING = [
    sqlite_error(sqlite3.OperationalError, code)
    for code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_SNAPSHOT, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_INTERRUPT)
]
LASTING = [
    *(
        sqlite_error(sqlite3.OperationalError, code)
        for code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
    ),
    *(
        sqlite_error(kind, sqlite3.SQLITE_ERROR)
        for kind in (sqlite3.Error, sqlite3.DatabaseError, sqlite3.DataError, sqlite3.IntegrityError)
    ),
    *(kind("closed") for kind in (sqlite3.ProgrammingError, sqlite3.InterfaceError, sqlite3.InternalError)),
    *(kind("new") for kind in (sqlite3.NotSupportedError, sqlite3.OperationalError, OverflowError, OSError)),
]


@pytest.mark.parametrize("error", [*PASSING, *LASTING], ids=repr)
def test_every_failure_is_told_as_what_can_be_done_about_it(
    error: Exception, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What others hold passes; a full disk, a closed file and what nobody has foreseen wait for the owner."""
    monkeypatch.setattr(store, "_db", Failing(error))
    calls = [
        *(store.match("m1"), store.pages(replace(table(), pages=1)), store.save(table()), store.open(table(), None)),
        *(store.current(GROUP, 0), store.chat(GROUP), store.save_chat(Chat(GROUP)), store.due(5, 5)),
        store.move_chat(table(), SUPERGROUP),
    ]
    for call in calls:
        with pytest.raises(StoreUnavailableError) as raised:
            finish(call)
        assert isinstance(raised.value, StoreRefusedError) == (error in LASTING)


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
