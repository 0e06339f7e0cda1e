"""The SAM command line that `make deploy` uses, for tests."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from tests.ops.template.stack import ROOT

TOOLS: Final = ROOT / ".venv-deploy" / "bin"
PARSER: Final = Path(__file__).with_name("sam_parser.py")


def program() -> str:
    """Its path; where it is not installed the test is skipped, but not in CI."""
    sam = TOOLS / "sam"
    if not sam.exists() and "CI" not in os.environ:
        pytest.skip("SAM is not installed: make .venv-deploy/.done")
    return str(sam)


def understood(commands: Sequence[Sequence[str]], folder: Path) -> list[dict[str, Any]]:
    """The options that SAM's own parser finds in commands without their program, given in `folder`."""
    program()
    python = str(TOOLS / "python")
    done = subprocess.run(  # noqa: S603 - our own tools
        [python, str(PARSER)], input=json.dumps(commands), cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    options: list[dict[str, Any]] = json.loads(done.stdout)
    return options
