"""SAM's own command line and cfn-lint have nothing to say against the template; `tests/ops/deploy` deploys it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.ops.deploy import real_sam
from tests.ops.template.stack import ROOT


def say(*command: str) -> str:
    """What a program prints, on both streams, when it succeeds."""
    environ = os.environ | {"SAM_CLI_TELEMETRY": "0"}
    done = subprocess.run(  # noqa: S603 - our own tools
        command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_cfn_lint_has_nothing_to_say() -> None:
    """No error, no warning, and not even information."""
    assert say(str(Path(sys.executable).with_name("cfn-lint")), "--include-checks", "I", "--", "template.yaml") == ""


def test_sam_finds_the_template_valid() -> None:
    """With its linter too."""
    said = say(real_sam.program(), "validate", "--lint")
    assert "is a valid SAM Template" in said
    assert "W" not in [line[:1] for line in said.splitlines()]
