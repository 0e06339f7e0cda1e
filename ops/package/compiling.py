"""Bytecode for a package, by whichever interpreter runs this file: `compiling.py FOLDER OURS…`.

It needs the standard library alone, and is run by the interpreter of another version than the rest of this project.
"""

from __future__ import annotations

import importlib.util
import py_compile
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Final

DEPLOYED: Final = "/var/task"
"""Where Lambda unpacks the package: tracebacks name files there."""


def compile_all(package: Path, ours: Collection[str]) -> None:
    """Compile every source in `package`; in the folders `ours` the sources stay beside it, for tracebacks quote them.

    Raises py_compile.PyCompileError for a source that is no Python.
    """
    for source in sorted(package.rglob("*.py")):
        name = source.relative_to(package)
        stays = name.parts[0] in ours
        py_compile.compile(
            str(source),
            cfile=importlib.util.cache_from_source(str(source)) if stays else str(source.with_suffix(".pyc")),
            dfile=f"{DEPLOYED}/{name.as_posix()}",
            doraise=True,
            # Unchecked: the sources cannot change there, and zip files have no times to check by.
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
        if not stays:
            source.unlink()


if __name__ == "__main__":
    compile_all(Path(sys.argv[1]), sys.argv[2:])
