"""A cold start under Lambda's own runtime and its emulator, from starting these to the first answer."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.figures import Cost
from testing.lambda_emulator import LambdaEmulator

FLOOR_ENTRY = "bare.handler"
_FLOOR = """
import sys
sys.path.append({libraries!r})
sys.modules.update(dict.fromkeys({hidden!r}, None))
import telegram.ext, boto3
boto3.client("dynamodb")
def handler(event, context):
    return {{"statusCode": 200}}
"""


def floor(folder: Path, libraries: str, hidden: tuple[str, ...]) -> Path:
    """A function that only imports what the floor does and makes its client, in a folder of its own."""
    folder.mkdir()
    (folder / "bare.py").write_text(_FLOOR.format(libraries=libraries, hidden=hidden))
    return folder


def start(package: Path, handler: str, environ: Mapping[str, str], event: Any) -> Cost:
    """One cold start and the first answer. Raises `Missing` where the emulator is not installed."""
    with tempfile.TemporaryDirectory() as scratch:
        began = time.perf_counter()
        emulator = LambdaEmulator(package, handler, environ, Path(scratch))
        try:
            answer = emulator.invoke(event)
            wall = time.perf_counter() - began
            assert answer["statusCode"] == 200, emulator.log  # noqa: PLR2004 - HTTP's own
            cpu = _python_seconds(emulator._process.pid)  # noqa: SLF001 - its session is what is measured
        finally:
            emulator.close()
    return Cost(1000 * cpu, 1000 * wall)


def _python_seconds(session: int) -> float:
    """CPU seconds of the session's Python processes so far: the runtime with the function in it."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        name, fields = text[text.index("(") + 1 : text.rindex(")")], text[text.rindex(")") + 2 :].split()
        if int(fields[3]) == session and "python" in name:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
