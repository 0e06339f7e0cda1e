"""What a stored match weighs, and what reading and writing one takes of the processor, for each store.

DynamoDB's time is that of our side alone: against DynamoDB Local where it is installed, and against a line that answers
at once. The floor is boto3's own client as it comes, with the dictionaries ready-made.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
from collections.abc import Callable, Coroutine
from contextlib import closing, suppress
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, cast
from zlib import crc32

import boto3
from botocore.awsrequest import AWSResponse

from engine.core import Length
from engine.log import log_move
from engine.record import match_seed
from engine.registry import GAMES
from infra import dynamo, items, table
from infra.dynamo import DynamoStore
from infra.matches import NAME_BYTES, Match, Player, Shown, Status, cut_names, to_item
from infra.sqlite import SqliteStore
from infra.store import Store
from testing.aws import isolate
from testing.dynamodb_local import DynamoDBLocal
from testing.missing import Missing

ROUNDS = 7
CALLS = 200
NOW = 1_795_910_461


def main() -> None:
    """Print the weights, then a line a store: microseconds of processor time a read and a write, best of several."""
    weights()
    print()
    isolate(os.environ)
    began = process_time()
    client = dynamo.client()
    print(f"making a DynamoDB client {1e3 * (process_time() - began):6.1f} ms")
    print(f"\n{'processor time':24}{'read':>8}{'write':>8}  us")
    match = typical("skyjo", 4, 40)
    with tempfile.TemporaryDirectory() as folder:
        for name, path in (("SQLite, file", Path(folder) / "bench.sqlite"), ("SQLite, memory", Path(":memory:"))):
            with closing(SqliteStore(path)) as sqlite:
                line(name, *through(sqlite, match))
    with closing(client):
        answer_at_once(client, match)
        line("DynamoDB, our side", *through(DynamoStore(client, "bench"), match, opened=True))
    with closing(cast("Any", boto3.client("dynamodb"))) as floor:
        answer_at_once(floor, match)
        line("floor: boto3 as it comes", *bare(floor, match))
    with (
        suppress(Missing),
        closing(DynamoDBLocal()) as server,
        closing(server.client()) as local,
        closing(cast("Any", boto3.client("dynamodb", endpoint_url=server.url))) as floor,
    ):
        for name in ("bench", "floor"):
            table.create(local, name)
        line("DynamoDB Local", *through(DynamoStore(local, "bench"), match))
        read, write = bare(floor, match, "floor")
        floor.put_item(TableName="floor", Item=dynamo._encode(items.match_key(match.id), to_item(match)))  # noqa: SLF001
        line("floor: boto3 as it comes", read, write)


def weights() -> None:
    """Print what matches weigh at the smallest and the largest tables, with the longest names, while a round lasts."""
    print(f"{'bytes of an item':24}{'seats':>8}{'dealt':>8}{'most':>8}  with the first round's moves on one page")
    for key, rules in GAMES.items():
        for seats in (rules.min_seats, rules.max_seats):
            weighed = [items.match_bytes(match) for match in course(key, seats)]
            print(f"{key:24}{seats:8}{weighed[0]:8}{max(weighed):8}")


def typical(game: str, seats: int, moves: int) -> Match:
    """A match after so many moves."""
    return course(game, seats)[moves]


def course(game: str, seats: int) -> list[Match]:
    """The match after the deal and after every move of a first round."""
    random, rules = Random(game), GAMES[game]  # noqa: S311 - the same games every time, no secret
    players = cut_names(tuple(Player(8_000_000_001 + seat, "x" * NAME_BYTES) for seat in range(seats)))
    secret = random.randbytes(32)
    state, log = rules.start(seats, match_seed(secret, [player.id for player in players]), Length.SINGLE), ""
    match = Match(
        id="Ue7_pp1Q",
        chat=-1_001_234_567_891,
        topic=1717,
        language="fr",
        game=game,
        secret=secret,
        opener=players[0].id,
        players=players,
        status=Status.PLAYING,
        position=rules.encode(state),
        notes="0 12 b3;1 11 a4;2 10 d4",
        shown=Shown(
            **{field.name: 12_345 for field in fields(Shown)}
            | {"drawer": 987_654_321, "posted": NOW, "until_ms": NOW * 1000 + 1, "ready_ms": NOW * 1000 + 1}
        ),
        version=123,
        saved=NOW,
        due=NOW,
        expires=NOW,
    )
    matches = [match]
    while actors := rules.actors(state):
        seat = random.choice(actors)
        move = random.choice(rules.legal_moves(state, seat))
        log += log_move(rules, state, seat, move)
        state = rules.apply(state, seat, move).state
        matches.append(replace(match, position=rules.encode(state), moves=log))
    return matches


def answer_at_once(client: Any, match: Match) -> None:
    """Let the client's requests be answered without a network: reads with the match, writes with nothing."""
    item = dynamo._encode(items.match_key(match.id), to_item(match))  # noqa: SLF001 - the wire's spelling
    found = json.dumps({"Item": item}).encode()

    def answer(request: Any, **_: Any) -> AWSResponse:
        body = found if b"GetItem" in request.headers["X-Amz-Target"] else b"{}"
        headers: Any = {"x-amz-crc32": str(crc32(body))}
        return AWSResponse(request.url, 200, headers, cast("Any", Raw(body)))

    client.meta.events.register("before-send.dynamodb", answer)


class Raw(io.BytesIO):
    """A body as botocore reads it."""

    def stream(self) -> Any:
        """The body in one piece."""
        yield self.read()


def through(store: Store, match: Match, *, opened: bool = False) -> tuple[Callable[[], object], Callable[[], object]]:
    """A read and a write of the match through a store."""
    latest = match if opened else finish(store.open(match, None))

    def write() -> None:
        nonlocal latest
        latest = finish(store.save(latest))

    return lambda: finish(store.match(match.id)), write


def bare(client: Any, match: Match, name: str = "bench") -> tuple[Callable[[], object], Callable[[], object]]:
    """A read and a conditional write with nothing of ours around the client's calls."""
    key = dynamo._encode_key(items.match_key(match.id))  # noqa: SLF001 - the wire's spelling
    item = dynamo._encode(items.match_key(match.id), to_item(match))  # noqa: SLF001 - likewise
    condition = {"ConditionExpression": "version = :v", "ExpressionAttributeValues": {":v": item["version"]}}
    return (
        lambda: client.get_item(TableName=name, Key=key, ConsistentRead=True),
        lambda: client.put_item(TableName=name, Item=item, **condition),
    )


def line(name: str, read: Callable[[], object], write: Callable[[], object]) -> None:
    """Print one store's line."""
    print(f"{name:24}{microseconds(read):8.0f}{microseconds(write):8.0f}")


def microseconds(call: Callable[[], object]) -> float:
    """Processor time of a call: the best of several rounds of many."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = process_time()
        for _ in range(CALLS):
            call()
        best = min(best, process_time() - began)
    return best / CALLS * 1e6


def finish(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine that waits for nothing to its end."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("the store waits for something")


if __name__ == "__main__":
    main()
