from __future__ import annotations

from pathlib import Path

from infra.sqlite import SqliteStore
from tests.load.check import check
from tests.load.run import Run, parties, running
from tests.load.wire import Where

MATCHES = 4
MOST_SECONDS = 120


async def test_two_processes_lose_no_move(tmp_path: Path) -> None:
    """People press what they see while two processes share a file: every match ends as its players were told."""
    database = str(tmp_path / "load.sqlite")
    everybody = parties(MATCHES, seed=1)
    with running(Where(database=database)) as crew:
        run = Run(everybody, crew)
        run.play(MOST_SECONDS)
    store = SqliteStore(database)
    moves = [await check(party, store) for party in everybody]
    store.close()
    assert all(each.players for each in moves)
    assert run.figures.counts["ended"] == MATCHES
