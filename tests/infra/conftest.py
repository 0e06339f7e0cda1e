"""Fixtures of the store tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import moto
import pytest

from infra import dynamo
from tests.dynamodb_local import DynamoDBLocal, Missing
from tests.infra.backends import Backend, DynamoBackend, SqliteBackend

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


@pytest.fixture(params=["sqlite", "moto", pytest.param("local", marks=pytest.mark.java)])
def backend(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Backend]:
    """An empty backend of each kind."""
    with make_backend(request, tmp_path, monkeypatch) as made:
        yield made


@pytest.fixture(params=["moto", pytest.param("local", marks=pytest.mark.java)])
def table(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoBackend]:
    """An empty DynamoDB table of each kind."""
    with make_backend(request, tmp_path, monkeypatch) as made:
        assert isinstance(made, DynamoBackend)
        yield made


@contextmanager
def make_backend(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[SqliteBackend | DynamoBackend]:
    """The backend that the fixture's parameter names."""
    # botocore looks the profile's file up; the developer's own must not matter.
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    match request.param:
        case "sqlite":
            with closing(SqliteBackend(tmp_path / "data" / "tablee.sqlite")) as sqlite:
                yield sqlite
        case "moto":
            with moto.mock_aws():
                yield DynamoBackend(dynamo.client(REGION))
        case _:
            server: DynamoDBLocal = request.getfixturevalue("dynamodb_local")
            monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", server.url)
            with closing(dynamo.client(REGION)) as client:
                yield DynamoBackend(client)
