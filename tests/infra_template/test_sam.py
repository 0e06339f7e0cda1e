"""SAM's own command line and cfn-lint have nothing to say against the template, and build what it describes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from samtranslator.yaml_helper import yaml_parse  # type: ignore[import-untyped]

from infra.package import contents
from tests.infra_template.stack import ROOT

AARCH64 = 0xB7
"""The processor that an ELF file names in its 19th byte."""

SAM = ROOT / ".venv-deploy" / "bin" / "sam"


@pytest.fixture(scope="module")
def sam() -> str:
    """The SAM command line; where it is not installed the tests are skipped, but not in CI."""
    if not SAM.exists() and "CI" not in os.environ:
        pytest.skip("SAM is not installed: make .venv-deploy/.done")
    return str(SAM)


def say(*command: str) -> str:
    """What a program prints, on both streams, when it succeeds."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environ |= {"AWS_DEFAULT_REGION": "eu-west-3", "SAM_CLI_TELEMETRY": "0"}
    done = subprocess.run(  # noqa: S603 - our own tools
        command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_cfn_lint_has_nothing_to_say() -> None:
    """No error, no warning, and not even information."""
    assert say(str(Path(sys.executable).with_name("cfn-lint")), "--include-checks", "I", "--", "template.yaml") == ""


def test_sam_finds_the_template_valid(sam: str) -> None:
    """With its linter too."""
    said = say(sam, "validate", "--lint")
    assert "is a valid SAM Template" in said
    assert "W" not in [line[:1] for line in said.splitlines()]


def test_sam_builds_both_functions(sam: str, tmp_path: Path) -> None:
    """Without Docker and whatever Python is here; a package has its handler, Lambda's wheels, at most 30 MB."""
    say(sam, "build", "--build-dir", str(tmp_path))
    built = yaml_parse((tmp_path / "template.yaml").read_text())["Resources"]
    for function in ("WebhookFunction", "TickerFunction"):
        properties = built[function]["Properties"]
        package = tmp_path / properties["CodeUri"]
        module = properties["Handler"].rpartition(".")[0].replace(".", "/")
        assert (package / f"{module}.py").exists()
        assert contents.size(package) <= 30_000_000
        libraries = [path for path in package.rglob("*") if ".so" in path.name]
        assert {path.read_bytes()[18] for path in libraries} == {AARCH64}
