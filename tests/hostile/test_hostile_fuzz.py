"""Hypothesis writes the bytes; and atheris, where it is installed, for as long as `make test-long` lets it."""

from __future__ import annotations

import importlib.util
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.hostile.fuzz import Target, listen

ROOT = Path(__file__).parents[2]
SECONDS = 120
EXAMPLES = 800


@pytest.fixture
def targets(plain_pictures: None) -> Iterator[list[Target]]:
    """The one target of all inputs, once the first has made it."""
    del plain_pictures
    logger = logging.getLogger("tablee")
    handlers, level = list(logger.handlers), logger.level
    yield []
    logger.handlers[:] = handlers
    logger.setLevel(level)


# A press that lost everything, and then was to get other data.
@example(data=b"\t\x01\x00\xd2\xd0\x00\x01")
@given(data=st.binary(min_size=4, max_size=120))
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_no_bytes_break_a_promise(targets: list[Target], data: bytes) -> None:
    """Whatever an update is turned into: no failure, no secret, no change but the chat's own."""
    if not targets:
        targets.append(await Target.made())
        listen(targets[0])
    await targets[0].run(data)


@pytest.mark.long
@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed: make fuzz")
def test_atheris_finds_nothing(tmp_path: Path) -> None:
    """Two minutes of coverage-guided fuzzing."""
    command = [sys.executable, "-m", "tests.hostile.fuzz", f"-max_total_time={SECONDS}", "-max_len=400", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    assert done.returncode == 0, done.stderr[-4000:]
