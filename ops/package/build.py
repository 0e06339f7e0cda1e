"""Building the package: fetch wheels, drop what nobody runs, add our own code, compile."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ops.package import contents, interpreter
from ops.package.interpreter import Compiler
from ops.package.programs import BuildError, Run, run

ROOT: Final = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Target:
    """What the package is to run on: Python `version`, and platform tags of wheels that may be used, best first.

    `requirements` is the pinned list, with hashes; `magic` the first bytes of that Python's bytecode. No platform: the
    interpreter that builds is the one that will run.
    """

    requirements: Path
    version: str
    magic: bytes
    platforms: tuple[str, ...] = ()


PINNED: Final = ROOT / "requirements" / "lambda.txt"

# Amazon Linux 2023 has glibc 2.34.
LAMBDA: Final = Target(
    requirements=PINNED,
    version="3.14",
    magic=(3627).to_bytes(2, "little") + b"\r\n",
    platforms=("manylinux_2_34_aarch64", "manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
)
HERE: Final = Target(
    requirements=PINNED, version="{}.{}".format(*sys.version_info[:2]), magic=importlib.util.MAGIC_NUMBER
)
"""This machine, for tests: the same list and steps, with wheels that run here."""


FORGONE: Final = "TABLEE_WITHOUT_BYTECODE"
"""Set in the environment where whoever deploys goes without bytecode: `sam build` hands on no options."""


ONCE: Final = "TABLEE_PACKAGE"
"""Set in the environment where both functions shall get one package: a folder to keep it in, missing at first."""


def compiler(target: Target, runner: Run = run) -> Compiler | None:
    """What can compile for `target` on this machine, or None."""
    return interpreter.find(target.version, target.magic, runner)


def build(package: Path, target: Target, compiler: Compiler | None, root: Path = ROOT, runner: Run = run) -> None:
    """Make the package in the folder `package`, which must be empty or missing.

    Without a `compiler` it has sources alone, which Lambda compiles anew at each cold start: its folder is read-only.
    Raises `BuildError`.
    """
    if package.exists() and any(package.iterdir()):
        raise BuildError(f"empty {package} first: the package must hold nothing else")
    package.mkdir(parents=True, exist_ok=True)
    _install(package, target, runner)
    contents.prune(package)
    try:
        contents.copy_ours(root, package)
    except FileNotFoundError as error:
        raise BuildError(str(error)) from error
    if compiler is not None:
        runner([*compiler, str(package), *contents.OURS])
        if lacking := contents.without_bytecode(package, target.magic):
            raise BuildError(f"{lacking[0]} and {len(lacking) - 1} more have no bytecode of Python {target.version}")
    if (found := contents.size(package)) > contents.LIMIT:
        raise BuildError(f"the package has {found:,} bytes unzipped, over its limit of {contents.LIMIT:,}")


def _install(package: Path, target: Target, runner: Run) -> None:
    chosen = [option for platform in target.platforms for option in ("--platform", platform)]
    chosen += ["--python-version", target.version] if chosen else []
    # The list is complete, and its markers are already decided: pip would decide them for this machine.
    options = ["--quiet", "--disable-pip-version-check", "--no-compile", "--no-deps", "--require-hashes"]
    places = ["--target", str(package), "--requirement", str(target.requirements)]
    runner([sys.executable, "-m", "pip", "install", *options, "--only-binary", ":all:", *chosen, *places])
