"""Long polling with matches in DynamoDB: what is wrong with AWS is said once, waited for, and said to be over."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from moto.server import ThreadedMotoServer

from emulator.telegram import TOKEN
from handlers.ticker import keep_owner
from infra import dynamo
from infra.table import create
from tests.handlers.town import LISTENING, Town, end_of, line_with

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

TABLE = "matches"
BEGINS = "matches cannot be read or kept, so everything waits: "
ENDS = "matches can be read and kept again"


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    """An emulated AWS, in the environment of this process and of those that it starts."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", "http://{}:{}".format(*server.get_host_and_port()))
    client = dynamo.client()
    yield client
    client.close()
    server.stop()


async def test_a_table_that_is_not_there_is_waited_for(town: Town, aws: DynamoDBClient) -> None:
    """One line says so; when somebody has made it, one line says that, and the bot plays."""
    async with town.polling(TABLE_NAME=TABLE) as process:
        (line,) = await line_with(process, BEGINS)
        assert "ResourceNotFoundException" in line
        create(aws, TABLE)
        lines = await line_with(process, LISTENING)
        assert len(lines) == 2
        assert ENDS in lines[0]
        town.says("/skyjo")
        await town.until(lambda: town.messages() and not town.waiting())
        assert "Traceback" not in await end_of(process)
    assert len(aws.scan(TableName=TABLE)["Items"]) >= 2


async def test_credentials_that_cannot_be_had_are_waited_for(
    town: Town, aws: DynamoDBClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that should bring them is missing, and then there."""
    create(aws, TABLE)
    program, config = tmp_path / "credentials", tmp_path / "config"
    config.write_text(f"[default]\ncredential_process = {program}\n")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    async with town.polling(TABLE_NAME=TABLE, AWS_CONFIG_FILE=str(config)) as process:
        (line,) = await line_with(process, BEGINS)
        assert str(program) in line
        brought = json.dumps({"Version": 1, "AccessKeyId": "a", "SecretAccessKey": "b"})
        ready = tmp_path / "ready"
        ready.write_text(f"#!/bin/sh\necho '{brought}'\n")
        ready.chmod(stat.S_IRWXU)
        ready.rename(program)
        lines = await line_with(process, LISTENING)
        assert len(lines) == 2
        assert ENDS in lines[0]
        assert "Traceback" not in await end_of(process)


async def test_credentials_that_are_written_later_are_used(
    town: Town, aws: DynamoDBClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever logs in again need not start the bot again."""
    create(aws, TABLE)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    file, ready = tmp_path / "credentials", tmp_path / "ready"
    async with town.polling(TABLE_NAME=TABLE, AWS_SHARED_CREDENTIALS_FILE=str(file)) as process:
        (line,) = await line_with(process, BEGINS)
        assert "NoCredentialsError" in line
        ready.write_text("[default]\naws_access_key_id = a\naws_secret_access_key = b\n")
        ready.rename(file)
        lines = await line_with(process, LISTENING)
        assert len(lines) == 2
        assert ENDS in lines[0]
        assert "Traceback" not in await end_of(process)


async def test_another_bots_table_is_one_line(town: Town, aws: DynamoDBClient) -> None:
    """What is deployed has noted whose the table is; another bot does not take over its matches."""
    create(aws, TABLE)
    await keep_owner(dynamo.DynamoStore(aws, TABLE), 17)
    async with town.polling(TABLE_NAME=TABLE) as process:
        _, said = await process.communicate()
    bot = TOKEN.partition(":")[0]
    line = f"set TABLE_NAME to another table: {TABLE} is the bot 17's, and this one is {bot}\n"
    assert (process.returncode, said.decode()) == (2, line)


async def test_whose_the_table_is_matters_less_than_a_run_of_the_clock(aws: DynamoDBClient) -> None:
    """Where that cannot be noted the ticker starts all the same."""
    await keep_owner(dynamo.DynamoStore(aws, "nowhere"), 17)
