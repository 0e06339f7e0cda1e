"""Fixtures of the store tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import moto
import pytest

from infra import dynamo
from tests.infra.backends import Backend, DynamoBackend, SqliteBackend


@pytest.fixture(params=["sqlite", "moto", pytest.param("local", marks=pytest.mark.java)])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backend]:
    """An empty backend of each kind."""
    with make_backend(request, tmp_path) as made:
        yield made


@pytest.fixture(params=["moto", pytest.param("local", marks=pytest.mark.java)])
def dynamo_table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[DynamoBackend]:
    """An empty DynamoDB table of each kind."""
    with make_backend(request, tmp_path) as made:
        assert isinstance(made, DynamoBackend)
        yield made


@contextmanager
def make_backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqliteBackend | DynamoBackend]:
    """The backend that the fixture's parameter names."""
    match request.param:
        case "sqlite":
            with closing(SqliteBackend(tmp_path / "data" / "tablee.sqlite")) as sqlite:
                yield sqlite
        case "moto":
            with moto.mock_aws():
                yield DynamoBackend(dynamo.client())
        case _:
            yield DynamoBackend(request.getfixturevalue("local_client"))
