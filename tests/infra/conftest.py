"""Fixtures of the store tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import moto
import pytest

from infra import aws, dynamo
from testing.dynamodb_local import DynamoDBLocal, Missing
from tests.infra.backends import Backend, DynamoBackend, SqliteBackend

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

REGION = "eu-west-3"


@pytest.fixture(scope="session")
def dynamodb_local() -> Iterator[DynamoDBLocal]:
    """Amazon's DynamoDB Local, started once; the test is skipped where Java or the jar is missing."""
    try:
        server = DynamoDBLocal()
    except Missing as missing:
        pytest.skip(str(missing))
    with closing(server):
        yield server


@pytest.fixture(scope="session")
def local_client(dynamodb_local: DynamoDBLocal, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DynamoDBClient]:
    """A client of DynamoDB Local."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        set_aws(monkeypatch, tmp_path_factory.mktemp("aws"))
        monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", dynamodb_local.url)
        # A busy machine gets its time.
        monkeypatch.setattr(aws, "READ_SECONDS", 60.0)
        client = dynamo.client(REGION)
    with closing(client):
        yield client


@pytest.fixture(params=["sqlite", "moto", pytest.param("local", marks=pytest.mark.java)])
def backend(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Backend]:
    """An empty backend of each kind."""
    with make_backend(request, tmp_path, monkeypatch) as made:
        yield made


@pytest.fixture(params=["moto", pytest.param("local", marks=pytest.mark.java)])
def dynamo_table(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[DynamoBackend]:
    """An empty DynamoDB table of each kind."""
    with make_backend(request, tmp_path, monkeypatch) as made:
        assert isinstance(made, DynamoBackend)
        yield made


@contextmanager
def make_backend(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[SqliteBackend | DynamoBackend]:
    """The backend that the fixture's parameter names."""
    match request.param:
        case "sqlite":
            with closing(SqliteBackend(tmp_path / "data" / "tablee.sqlite")) as sqlite:
                yield sqlite
        case "moto":
            set_aws(monkeypatch, tmp_path)
            with moto.mock_aws():
                yield DynamoBackend(dynamo.client(REGION))
        case _:
            yield DynamoBackend(request.getfixturevalue("local_client"))


def set_aws(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Set an environment for clients in which a developer's own AWS configuration does not matter."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(folder / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(folder / "none"))
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
