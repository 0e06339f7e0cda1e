"""What is typed after `make` reaches the programs as it was typed, and nothing of it is carried out."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from tests.ops.deploy.makefiles import Makefiles

HOSTILE = (
    "; touch pwned",
    "$(touch pwned)",
    "$(shell touch pwned)",
    "`touch pwned`",
    "x\ntouch pwned",
    "x' ; touch pwned ; '",
    'x" ; touch pwned ; "',
    "$HOME $$HOME ${HOME} * ~ \\ # %",
)
TARGETS = {
    "play": ["ops.play"],
    "deploy": ["ops.deploy", "deploy"],
    "webhook-info": ["ops.deploy", "webhook-info"],
    "undeploy": ["ops.deploy", "undeploy"],
    "fuzz": ["tests.hostile.fuzz", "-max_len=400", ".corpus"],
}


@pytest.fixture(scope="module")
def makefiles(tmp_path_factory: pytest.TempPathFactory) -> Makefiles:
    """The makefiles, in a path with a blank and a quote in it."""
    folder = tmp_path_factory.mktemp("make") / "The bot's project"
    folder.mkdir()
    return Makefiles(folder)


@pytest.mark.parametrize("target", TARGETS)
def test_args_are_split_into_words(makefiles: Makefiles, target: str) -> None:
    """As a shell would split them: quotes hold words together, and a word may be empty."""
    ran = makefiles.run("make", target, "ARGS=--stage test --alarm-email 'a b' --restored-table ''")
    assert ran == [[*TARGETS[target], "--stage", "test", "--alarm-email", "a b", "--restored-table", ""]]
    assert makefiles.run("make", target) == [TARGETS[target]]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("by_environment", [False, True])
def test_nothing_in_args_is_carried_out(makefiles: Makefiles, target: str, by_environment: bool) -> None:
    """Neither by make nor by a shell, whatever it looks like."""
    before = makefiles.files
    args = shlex.join(HOSTILE)
    ran = makefiles.run("make", target, ARGS=args) if by_environment else makefiles.run("make", target, f"ARGS={args}")
    assert ran == [[*TARGETS[target], *HOSTILE]]
    assert makefiles.files - before <= {".corpus"}


def test_a_quote_without_its_end_is_told(makefiles: Makefiles, capfd: pytest.CaptureFixture[str]) -> None:
    """In one line, and nothing is run."""
    with pytest.raises(subprocess.CalledProcessError):
        makefiles.run("make", "deploy", "ARGS=--stage 'prod")
    assert capfd.readouterr().err.splitlines()[0] == "error: ARGS cannot be read: No closing quotation"
    assert "ran" not in makefiles.files


@pytest.mark.parametrize("function", ["WebhookFunction", "TickerFunction"])
def test_sam_may_build_anywhere(makefiles: Makefiles, tmp_path: Path, function: str) -> None:
    """The folder that `sam build` names is one word, whatever is in its path."""
    folder = f"{tmp_path}/my $(touch pwned) 'own' \"build\""
    ran = makefiles.run("make", f"build-{function}", ARTIFACTS_DIR=folder)
    assert ran == [["ops.package", folder]]
    assert "pwned" not in makefiles.files


def test_no_recipe_holds_what_was_typed() -> None:
    """A new target cannot forget it: `$(ARGS)` and `$(ARTIFACTS_DIR)` stand nowhere."""
    root = Path(__file__).parents[3]
    for makefile in (root / "Makefile", *(root / "mk").glob("*.mk")):
        assert "$(ARGS)" not in makefile.read_text()
        assert "$(ARTIFACTS_DIR)" not in makefile.read_text()
