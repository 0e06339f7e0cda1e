"""`python -m infra.package FOLDER`: make the Lambda package in FOLDER; `sam build` calls it by way of make."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from infra.package import contents
from infra.package.build import HERE, LAMBDA, BuildError, build


def main() -> int:
    """Build, and say what came of it on standard error, as `sam build` passes it on. 0, or 1 where it failed."""
    parser = argparse.ArgumentParser(prog="python -m infra.package", description="Make the Lambda package.")
    parser.add_argument("folder", type=Path, help="where to; must be empty or missing")
    parser.add_argument("--here", action="store_true", help="for this machine's Python instead of Lambda's")
    asked = parser.parse_args()
    try:
        warning = build(asked.folder, HERE if asked.here else LAMBDA)
    except BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if warning:
        print(f"warning: {warning}", file=sys.stderr)
    print(f"{contents.size(asked.folder):,} bytes unzipped", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
