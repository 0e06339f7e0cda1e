"""What the steps ask of SAM is what the real SAM understands; only its work is pretended in the other tests."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest

from ops.deploy import steps
from ops.deploy.choices import Choices
from ops.deploy.console import DeployError
from ops.deploy.sam import BUILT, Sam, checked, find, run
from ops.deploy.steps import Renewal
from testing.aws import REGION
from tests.ops.deploy.conftest import Evening
from tests.ops.deploy.real_sam import TOOLS, program, understood
from tests.ops.template.stack import ROOT

PIECES = (*"\"' ,=:#&*[]{}!%@`$|>-?ab", "é", "😀", "file://", "$include", "\\")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with all that SAM's parser looks at."""
    for name in ("template.yaml", "samconfig.toml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


async def test_sam_understands_every_command(evening: Evening, project: Path) -> None:
    """Deploying, changing and deleting a stage: nothing is left over, and all that matters is as it was meant."""
    given = {"alarm_email": "o'hara@example.org"}
    await steps.deploy(evening.owner, given, Renewal())
    meant = dict(evening.sam.parameters)
    assert meant["AlarmEmail"] == "o'hara@example.org"
    evening.console.answers["take it off"] = "test"
    await steps.undeploy(evening.owner)
    commands = [command[1:] for command in evening.sam.commands]
    assert [command[0] for command in commands] == ["build", "deploy", "delete"]

    building, deploying, deleting = understood(commands, project)
    assert not any(options["left over"] for options in (building, deploying, deleting))
    assert building["build_in_source"] is True
    assert building["template_file"] == str(project / "template.yaml")
    assert project / building["build_dir"] == project / BUILT
    assert deploying["template_file"] == str(project / BUILT / "template.yaml")
    # samconfig.toml was read.
    assert (deploying["resolve_s3"], deploying["capabilities"]) == (True, ["CAPABILITY_IAM"])
    assert (deploying["stack_name"], deploying["region"]) == ("tablee-test", REGION)
    assert (deploying["confirm_changeset"], deploying["fail_on_empty_changeset"]) == (False, False)
    assert deploying["parameter_overrides"] == meant
    assert (deleting["stack_name"], deleting["region"], deleting["no_prompts"]) == ("tablee-test", REGION, True)


def test_sam_reads_every_character_of_a_parameter(project: Path) -> None:
    """Quotes, blanks, whatever means something in YAML or to SAM: each value arrives as it is, or is refused."""
    random = Random(1)
    values = ["", "null", "~", "2026-01-01", "1e3", "0x1", '"john o\'hara"@example.org', *PIECES]
    values += ["".join(random.choices(PIECES, k=random.randint(1, 8))) for _ in range(3_000)]
    parameters = {f"P{number}": value for number, value in enumerate(values) if passes(value)}
    assert len(parameters) > 1_500
    commands: list[list[str]] = []

    def note(command: Sequence[str], _folder: Path, _environ: Mapping[str, str]) -> int:
        commands.append(list(command[1:]))
        return 0

    Sam("sam", REGION, project, note).deploy("tablee-test", parameters)
    (options,) = understood(commands, project)
    assert options["parameter_overrides"] == parameters


def passes(value: str) -> bool:
    """Whether a value is not refused."""
    try:
        checked("P", value)
    except DeployError:
        return False
    return True


@pytest.mark.parametrize("address", ["a\0@example.org", "a\\b@example.org", '"a@example.org"', "'a@example.org'"])
def test_what_sam_would_change_is_refused(address: str) -> None:
    """In one line that shows it, before anything is asked of AWS."""
    with pytest.raises(DeployError, match="AlarmEmail may hold no backslash and nothing unprintable") as refused:
        Choices(alarm_email=address)
    assert str(refused.value).isprintable()


def test_only_this_projects_sam_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version, wherever it comes from, might read its arguments in another way."""
    (tmp_path / "bin").mkdir()
    for name in ("make", "sam"):
        (tmp_path / "bin" / name).touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(DeployError, match=r"install the SAM command line: make .venv-deploy/.done"):
        find(tmp_path)
    assert program() == str(TOOLS / "sam")


def test_the_environment_cannot_turn_sam_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """`SAM_TEMPLATE_FILE`, set for another project, would deploy that one."""
    monkeypatch.setenv("SAM_TEMPLATE_FILE", "elsewhere.yaml")
    monkeypatch.setenv("SAM_CLI_TELEMETRY", "0")
    assert run(["env"], tmp_path, {"MORE": "1"}) == 0
    environment = capfd.readouterr().out.splitlines()
    assert {"SAM_CLI_TELEMETRY=0", "MORE=1"} <= set(environment)
    assert not any(line.startswith("SAM_TEMPLATE_FILE") for line in environment)
