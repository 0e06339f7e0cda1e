"""`python -m ops.package FOLDER`: make the Lambda package in FOLDER; `sam build` calls it by way of make."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

from ops.package import contents, interpreter
from ops.package.build import FORGONE, HERE, LAMBDA, ONCE, Target, build, compiler
from ops.package.programs import BuildError, run


def main() -> int:
    """Build, and say what came of it on standard output, which `sam build` passes on. 0, or 1 where it failed."""
    parser = argparse.ArgumentParser(prog="python -m ops.package", description="Make the Lambda package.")
    parser.add_argument("folder", type=Path, help="where to; must be empty or missing")
    parser.add_argument("--here", action="store_true", help="for this machine's Python instead of Lambda's")
    asked = parser.parse_args()
    try:
        _once(asked.folder, HERE if asked.here else LAMBDA)
    except BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{contents.size(asked.folder):,} bytes unzipped, {'without' if FORGONE in os.environ else 'with'} bytecode")
    return 0


def _once(folder: Path, target: Target) -> None:
    """Build, or copy what was built for the other function a moment ago. Raises `BuildError`."""
    kept = os.environ.get(ONCE)
    if kept and Path(kept).exists():
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        return
    build(folder, target, None if FORGONE in os.environ else compiler(target) or interpreter.fetch(run))
    if kept:
        # Under its name only when whole.
        shutil.copytree(folder, f"{kept}.part", dirs_exist_ok=True)
        Path(f"{kept}.part").rename(kept)


if __name__ == "__main__":
    sys.exit(main())
