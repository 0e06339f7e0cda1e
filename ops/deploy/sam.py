"""SAM's command line: build, deploy, delete."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from ops.deploy.console import DeployError
from ops.package.build import FORGONE, ONCE

ROOT: Final = Path(__file__).parents[2]
BUILT: Final = Path(".aws-sam") / "build"
PARAMETERS: Final = Path(".aws-sam") / "parameters.yaml"

Run: TypeAlias = Callable[[Sequence[str], Path, Mapping[str, str]], int]
"""Runs a program in a folder, its output to the terminal, its environment this and what is given; the exit status."""


def run(command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> int:
    """Run `command` in `folder`, with `environ` besides its usual environment."""
    return subprocess.run(command, cwd=folder, env={**_environment(), **environ}, check=False).returncode  # noqa: S603 - SAM


def _environment() -> dict[str, str]:
    # SAM_TEMPLATE_FILE and its likes would take the place of this project's own.
    return {name: value for name, value in os.environ.items() if name.startswith("SAM_CLI_") or name[:4] != "SAM_"}


def find(root: Path = ROOT) -> str:
    """The path of the SAM command line. Raises `DeployError` where it, or make, is not installed."""
    if shutil.which("make") is None:
        raise DeployError("install make: sam build calls it")
    own = root / ".venv-deploy" / "bin" / "sam"
    # No other: what it reads, and how, changes from version to version.
    if not own.exists():
        raise DeployError("install the SAM command line: make .venv-deploy/.done")
    return str(own)


def checked(name: str, value: str) -> None:
    """Raise `DeployError` where SAM would read another value for a parameter than the one that it is given."""
    # It takes off quotes around a value and backslashes within, some of them twice.
    if not value.isprintable() or "\\" in value or (value[:1] == value[-1:] and value[:1] in {"'", '"'}):
        raise DeployError(f"{name} may hold no backslash and nothing unprintable, nor stand in quotes: {value!r}")


class Sam:
    """The SAM command line at `program`, on the project in `root`."""

    def __init__(self, program: str, region: str, root: Path = ROOT, runner: Run = run) -> None:
        self._program = program
        self._region = region
        self._root = root
        self._run = runner

    def build(self, *, bytecode: bool) -> None:
        """Make the packages of both functions. Raises `DeployError`."""
        wrong = "the package could not be built; what sam printed above says why"
        with tempfile.TemporaryDirectory() as folder:
            # SAM builds function by function, but there is one package for both.
            once = {ONCE: str(Path(folder) / "package")}
            self._call("build", wrong, environ=once if bytecode else once | {FORGONE: "1"})

    def revision(self, *more: str) -> str:
        """A hash of all that was built and of `more`: whatever of it changes, it changes."""
        digest = hashlib.sha256()
        built = self._root / BUILT
        for path in sorted(path for path in built.rglob("*") if path.is_file()):
            digest.update(f"{path.relative_to(built).as_posix()}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
        for text in more:
            digest.update(f"\0{text}".encode())
        return digest.hexdigest()

    def deploy(self, stack: str, parameters: Mapping[str, str]) -> None:
        """Make or change the stack; no change is fine too. Each parameter is `checked`. Raises `DeployError`."""
        path = self._root / PARAMETERS
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{name}: {_as_yaml(value)}\n" for name, value in parameters.items()))
        # Without --template-file: SAM finds what it has built, but reads samconfig.toml beside a template that it is
        # told, and beside the built one there is none.
        self._call(
            "deploy",
            "the stack could not be deployed; what sam printed above says why",
            *("--stack-name", stack, "--region", self._region),
            *("--no-confirm-changeset", "--no-fail-on-empty-changeset"),
            *("--parameter-overrides", f"file://{PARAMETERS.as_posix()}"),
        )

    def delete(self, stack: str) -> None:
        """Delete the stack but for what it retains. Raises `DeployError`."""
        wrong = "the stack could not be deleted; what sam printed above says why"
        self._call("delete", wrong, "--stack-name", stack, "--region", self._region, "--no-prompts")

    def _call(self, what: str, wrong: str, *options: str, environ: Mapping[str, str] | None = None) -> None:
        if self._run([self._program, what, *options], self._root, environ or {}):
            raise DeployError(wrong)


def _as_yaml(value: str) -> str:
    """A text in double quotes; on a command line SAM would read it up to the first quote."""
    escaped = value.encode("unicode_escape").decode().replace('"', '\\"')
    return f'"{escaped}"'
