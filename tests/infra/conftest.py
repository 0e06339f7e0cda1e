"""Fixtures of the store tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.infra.backends import Backend, SqliteBackend


@pytest.fixture(params=["sqlite"])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backend]:
    """An empty backend of each kind."""
    sqlite = SqliteBackend(tmp_path / "data" / "tablee.sqlite")
    yield sqlite
    sqlite.close()
