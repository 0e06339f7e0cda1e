"""Building the package: fetch wheels, drop what nobody runs, add our own code, compile."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from infra.package import contents

ROOT: Final = Path(__file__).parents[2]

Run: TypeAlias = Callable[[Sequence[str]], str]
"""Runs a program and returns its standard output. Raises `BuildError` with its complaint where it fails."""


class BuildError(Exception):
    """The package cannot be made; the message is one line that says why."""


@dataclass(frozen=True, slots=True)
class Target:
    """What the package is to run on: Python `version`, and platform tags of wheels that may be used, best first.

    `requirements` is the pinned list, with hashes. No platform: the interpreter that builds is the one that will run.
    """

    requirements: Path
    version: str
    platforms: tuple[str, ...] = ()


PINNED: Final = ROOT / "requirements" / "lambda.txt"

# Amazon Linux 2023 has glibc 2.34.
LAMBDA: Final = Target(
    requirements=PINNED,
    version="3.14",
    platforms=("manylinux_2_34_aarch64", "manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
)
HERE: Final = Target(requirements=PINNED, version="{}.{}".format(*sys.version_info[:2]))
"""This machine, for tests: the same list and steps, with wheels that run here."""


def run(command: Sequence[str]) -> str:
    """Run `command`. Raises `BuildError` with the last line of its complaint."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed programs
    if done.returncode:
        complaint = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise BuildError(f"{Path(command[0]).name} failed: {complaint[-1].strip() if complaint else done.returncode}")
    return done.stdout


def build(package: Path, target: Target, root: Path = ROOT, runner: Run = run) -> str | None:
    """Make the package in the folder `package`, which must be empty or missing.

    Returns a warning where the package works but could be better, or None. Raises `BuildError`.
    """
    if package.exists() and any(package.iterdir()):
        raise BuildError(f"empty {package} first: the package must hold nothing else")
    package.mkdir(parents=True, exist_ok=True)
    _install(package, target, runner)
    contents.prune(package)
    warning = _compile(package, target, runner)
    try:
        contents.copy_ours(root, package)
    except FileNotFoundError as error:
        raise BuildError(str(error)) from error
    if warning is None:
        _compile_ours(package, target, runner)
    if (found := contents.size(package)) > contents.LIMIT:
        raise BuildError(f"the package has {found:,} bytes unzipped, over its limit of {contents.LIMIT:,}")
    return warning


def _install(package: Path, target: Target, runner: Run) -> None:
    chosen = [option for platform in target.platforms for option in ("--platform", platform)]
    chosen += ["--python-version", target.version] if chosen else []
    # The list is complete, and its markers are already decided: pip would decide them for this machine.
    options = ["--quiet", "--disable-pip-version-check", "--no-compile", "--no-deps", "--require-hashes"]
    places = ["--target", str(package), "--requirement", str(target.requirements)]
    runner([sys.executable, "-m", "pip", "install", *options, "--only-binary", ":all:", *chosen, *places])


def interpreter(version: str) -> str | None:
    """A Python of that version on this machine, or None."""
    if version == HERE.version:
        return sys.executable
    return shutil.which(f"python{version}")


def _compile(package: Path, target: Target, runner: Run) -> str | None:
    """Replace the wheels' sources by bytecode: Lambda's folder is read-only, so each cold start would compile anew."""
    python = interpreter(target.version)
    if python is None:
        return f"no python{target.version} here to compile with: each cold start will take a second longer"
    _compileall(package, (".",), python, runner, "-b")
    for source in package.rglob("*.py"):
        source.unlink()
    return None


def _compile_ours(package: Path, target: Target, runner: Run) -> None:
    """Add bytecode beside our sources, which stay: tracebacks quote them."""
    python = interpreter(target.version)
    assert python is not None
    _compileall(package, contents.OURS, python, runner)


def _compileall(package: Path, folders: Sequence[str], python: str, runner: Run, *options: str) -> None:
    # Unchecked: the sources cannot change there, and zip files have no times to check by.
    command = [python, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", *options]
    runner([*command, "-s", str(package), "-p", "/var/task", *(str(package / folder) for folder in folders)])
