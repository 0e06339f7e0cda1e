"""`python -m tests.load`: many matches at once. It needs Java and DynamoDB Local, and stops by itself.

Simulated people play every match to its end against two processes of the bot, which share a table of DynamoDB Local;
then every match is replayed and compared with what its players were told. Exit status 1: something was lost or stuck.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from contextlib import closing
from statistics import mean, median, quantiles

from infra.dynamo import DynamoStore
from infra.table import create
from testing.dynamodb_local import DynamoDBLocal
from testing.missing import Missing
from tests.load.check import LostError, Moves, check
from tests.load.party import StuckError
from tests.load.run import FailedError, Figures, Run, parties, running
from tests.load.wire import Where

GROWTH = 1.5
"""By how much an update's cost may differ between runs before it is said to grow with the number of matches."""


def main(arguments: Sequence[str]) -> int:
    """Run, print a line a run, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description="Many matches at once.")
    parser.add_argument("--matches", default="10,100,1000", help="how many, a run each (default: %(default)s)")
    parser.add_argument("--most-seconds", type=float, default=1200, help="for one run (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", action="store_true", help="draw every board, which takes most of the time")
    asked = parser.parse_args(arguments)
    try:
        with closing(DynamoDBLocal()) as server:
            print(HEAD)
            costs = []
            for number in map(int, asked.matches.split(",")):
                figures, moves = one_run(number, asked, server)
                print(line(figures, moves), flush=True)
                costs.append((mean(figures.cpu_ms), figures.calls))
    except Missing as missing:
        print(missing, file=sys.stderr)
        return 2
    except (FailedError, StuckError, LostError) as error:
        print(error, file=sys.stderr)
        return 1
    if any(run[-1] > GROWTH * min(run) for run in zip(*costs, strict=True)):
        print(f"an update's cost grows with the number of matches: CPU ms and calls {costs}", file=sys.stderr)
        return 1
    print("Every match ended, every record replays to its stored end, and no move that a player was told of is lost.")
    return 0


def one_run(number: int, asked: argparse.Namespace, server: DynamoDBLocal) -> tuple[Figures, Moves]:
    """Play so many matches on a table of their own, and check them all."""
    where = Where(endpoint=server.url, table=f"load-{number}")
    client = server.client()
    create(client, where.table)
    everybody = parties(number, asked.seed)
    with running(where, pictures=asked.pictures) as crew:
        run = Run(everybody, crew)
        run.play(asked.most_seconds)

    async def all_moves() -> list[Moves]:
        store = DynamoStore(client, where.table)
        return [await check(party, store) for party in everybody]

    checked = asyncio.run(all_moves())
    return run.figures, Moves(sum(one.players for one in checked), sum(one.bot for one in checked))


HEAD = (
    "matches  updates    moves  seconds  updates/s  CPU ms  p50 ms  p99 ms  reads  writes  Telegram"
    "  conflicts  busy  repeated"
)


def line(figures: Figures, moves: Moves) -> str:
    """A run as a line under `HEAD`; calls are a handled update."""
    updates, counts = len(figures.wall_ms), figures.counts
    p99 = quantiles(figures.wall_ms, n=100)[98]
    return (
        f"{figures.matches:7}{updates:9}{moves.players:9}{figures.seconds:9.1f}{updates / figures.seconds:11.0f}"
        f"{mean(figures.cpu_ms):8.2f}{median(figures.wall_ms):8.2f}{p99:8.2f}{counts['reads'] / updates:7.2f}"
        f"{counts['writes'] / updates:8.2f}{counts['shown'] / updates:10.2f}{counts['conflicts']:11}"
        f"{counts['busy']:6}{counts['repeated']:10}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
