"""Fixtures of the handlers' tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.handlers.town import Town


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    """A town whose Telegram answers."""
    made = Town(tmp_path)
    made.open()
    yield made
    await made.close()
