"""GitHub's workflows: what they run is what an owner runs, and a stage's name is never part of a command."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from samtranslator.yaml_helper import yaml_parse  # type: ignore[import-untyped]

from tests.ops.deploy.makefiles import Makefiles
from tests.ops.template.stack import ROOT

WORKFLOWS: Final = ROOT / ".github" / "workflows"


def workflow(name: str) -> dict[Any, Any]:
    """A workflow's file."""
    parsed: dict[Any, Any] = yaml_parse((WORKFLOWS / f"{name}.yml").read_text())
    return parsed


def commands(name: str, job: str) -> list[str]:
    """The texts that a job hands to the shell."""
    return [step["run"] for step in workflow(name)["jobs"][job]["steps"] if "run" in step]


def run(text: str, folder: Path) -> tuple[str, ...]:
    """The program and its words that carry out a step's text as GitHub does, with `folder` for its script."""
    script = folder / "step.sh"
    script.write_text(text)
    return ("bash", "-e", str(script))


@pytest.mark.parametrize(
    "stage",
    ["prod", "$(touch pwned)", "x; touch pwned", "x' --new-secret", 'x" --new-secret', "x --new-token", "$HOME"],
)
def test_a_stage_is_one_word(stage: str, tmp_path: Path) -> None:
    """Whatever is typed for it: nothing of it is carried out, and no option is added."""
    (tmp_path / "project").mkdir()
    makefiles = Makefiles(tmp_path / "project")
    deploying, looking = commands("deploy", "deploy")
    assert makefiles.run(*run(deploying, tmp_path), STAGE=stage) == [
        ["ops.deploy", "deploy", "--silent", "--stage", stage]
    ]
    assert makefiles.run(*run(looking, tmp_path), STAGE=stage) == [["ops.deploy", "webhook-info", "--stage", stage]]
    assert "pwned" not in makefiles.files


def test_the_stage_comes_by_the_environment() -> None:
    """GitHub puts `${{ … }}` into a step's text before the shell reads it: no text has any."""
    for file in WORKFLOWS.glob("*.yml"):
        for name, job in workflow(file.stem)["jobs"].items():
            for step in job.get("steps", ()):
                assert "${{" not in step.get("run", ""), (file.name, name)
    assert workflow("deploy")["jobs"]["deploy"]["env"] == {"STAGE": "${{ inputs.stage }}"}


def test_nothing_is_deployed_untested() -> None:
    """The deployment waits for all tests of the same commit; only it may speak to AWS."""
    jobs = workflow("deploy")["jobs"]
    assert jobs["test"]["uses"] == "./.github/workflows/test.yml"
    assert jobs["deploy"]["needs"] == "test"
    assert workflow("deploy")["permissions"] == {"contents": "read"}
    assert jobs["deploy"]["permissions"]["id-token"] == "write"
    assert commands("test", "test") == ["bash .ci/run"]
    # To YAML 1.1 the word `on` is a truth value.
    assert "workflow_call" in workflow("test")[True]


def test_the_workflow_has_lambdas_python() -> None:
    """So that bytecode is made without fetching an interpreter."""
    (setup,) = (
        step for step in workflow("deploy")["jobs"]["deploy"]["steps"] if "python-version" in step.get("with", {})
    )
    runtime = yaml_parse((ROOT / "template.yaml").read_text())["Globals"]["Function"]["Runtime"]
    assert runtime == f"python{setup['with']['python-version']}"
