"""The built package under Lambda's runtime, against DynamoDB Local and the Bot API emulator, all on loopback."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from emulator.function_url import function_url_answer, function_url_event
from emulator.limits import UNLIMITED
from emulator.model import Json
from emulator.party import Party
from emulator.server import Server
from infra import dynamo, table
from infra.matches import Status
from testing.dynamodb_local import DynamoDBLocal
from testing.group import SECRET, Group, text_of
from testing.lambda_emulator import LambdaEmulator
from testing.missing import Missing
from tests.ops.deploy.loopback import serving

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

pytestmark = pytest.mark.java

TABLE = "tablee-local"


@contextmanager
def or_skipped() -> Iterator[None]:
    """Skip the test where the emulator is not on this machine."""
    try:
        yield
    except Missing as missing:
        pytest.skip(str(missing))


class FarGroup(Group):
    """A group whose bot lives in Lambda: updates go to the function, and its requests come back over HTTP."""

    def __init__(self, people: int, store: dynamo.DynamoStore) -> None:
        super().__init__(people, store=store, allowance=UNLIMITED)
        self.clock.now = time.time()
        self.function: LambdaEmulator | None = None

    async def deliver(self, update: Json) -> tuple[int, str]:
        """Hand one update to the function."""
        assert self.function is not None
        status, body = function_url_answer(await self.function.invoke_soon(function_url_event(update, SECRET)))
        self.statuses.append(status)
        return status, body


async def warm_up(client: DynamoDBClient) -> None:
    """Have each kind of request answered once: on a busy machine the first may take longer than bots wait."""
    table.create(client, "warm")
    group = Group(2, store=dynamo.DynamoStore(client, "warm"))
    group.clock.now = time.time()
    await group.start("skyjo")
    await group.play_on(Random(1), 3)
    await group.store.due(int(group.clock.now), 1)


async def test_a_match_in_lambda(
    here: Path, tmp_path: Path, dynamodb_local: DynamoDBLocal, local_client: DynamoDBClient
) -> None:
    """A whole match, a cold start in the middle of it, the ticker; no secret in any log."""
    await warm_up(local_client)
    table.create(local_client, TABLE)
    group = FarGroup(2, dynamo.DynamoStore(local_client, TABLE))
    with or_skipped():
        telegram = group.telegram
        async with serving(Server(telegram, Party(telegram))) as api:
            environ = {
                "TELEGRAM_TOKEN": telegram.token,
                "TELEGRAM_WEBHOOK_SECRET": SECRET,
                "TELEGRAM_API_URL": api,
                "TELEGRAM_BOT_USERNAME": "tablee_bot",
                "TELEGRAM_CHAT_BUDGET": "100000",
                "TABLE_NAME": TABLE,
                "AWS_ENDPOINT_URL_DYNAMODB": dynamodb_local.url,
                "POWERTOOLS_SERVICE_NAME": TABLE,
            }

            def start(entry: str) -> LambdaEmulator:
                return LambdaEmulator(here, f"handlers.{entry}.handler", environ, tmp_path)

            with closing(start("webhook")) as group.function:
                answer = group.function.invoke(function_url_event({"update_id": 1}, "wrong"))
                assert answer.get("statusCode") == 401, (answer, group.function.log)
                await group.start("skyjo")
                await group.play_on(Random(1), 15)
            match = await group.match()
            # Nobody has pressed for an hour.
            await group.store.save(replace(match, saved=match.saved - 3600, due=1))
            with closing(start("ticker")) as ticker:
                assert await ticker.invoke_soon({}) == {"due": 1}
            assert "Player" in text_of(group.messages()[-1])
            with closing(start("webhook")) as group.function:  # another container knows nothing of the first
                await group.write(0, "/board")  # below the call
                assert (await group.play_on(Random(2))).status is Status.OVER
                logs = group.function.log + ticker_log(tmp_path)
        assert set(group.statuses) == {200}
        assert telegram.violations == []
        assert telegram.token not in logs
        assert SECRET not in logs
        assert '"Moves"' in logs


def ticker_log(scratch: Path) -> str:
    """What the ticker has written."""
    return (scratch / "handlers.ticker.handler.log").read_text(errors="replace")
