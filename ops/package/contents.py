"""What is in the package and what is not.

Lambda unpacks all of it before the first press is answered, and stops at 250 MB; ours may have `LIMIT` bytes. Most of
what is dropped is botocore's descriptions of four hundred services that we never call, and the picture formats that
no board is drawn in. botocore comes along, though the runtime has one of its own: that one changes without notice,
ours is pinned and tested.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

from ops.package import descriptions

LIMIT: Final = 30_000_000
"""Bytes that one function's package may have, unzipped."""

OURS: Final = ("engine", "handlers", "infra")
OURS_DROPPED: Final = (
    "*/__pycache__/*",
    "*.po",
    "*.pot",
    "*.md",
)
"""What no program reads; patterns of paths from the root, `*` also stands for slashes."""

UNCHECKED: Final = (1).to_bytes(4, "little")
"""The flags of bytecode that is found by its name alone."""

SERVICES: Final = ("dynamodb", "ssm")
"""What we call through botocore."""

THEIRS_DROPPED: Final = (
    "*.dist-info/*",
    "bin/*",
    "*.pyi",
    "*/py.typed",
    "*/tests/*",
    "*/__pycache__/*",
    # An older version of the same service.
    "botocore/data/dynamodb/2011-12-05/*",
    # Web frameworks in a package of which we want logs and metrics.
    "aws_lambda_powertools/event_handler/*",
    # Boards are PNG; these formats, colour profiles and windows are not needed, nor the libraries behind them.
    "PIL/_avif.*",
    "PIL/_webp.*",
    "PIL/_imagingcms.*",
    "PIL/_imagingtk.*",
    "pillow.libs/libavif-*",
    "pillow.libs/libwebp*",
    "pillow.libs/libsharpyuv-*",
    "pillow.libs/liblcms2-*",
)
"""What wheels bring and nobody runs."""


def prune(package: Path) -> None:
    """Delete from the installed wheels in `package` what nobody runs, and shorten what is longer than it need be."""
    for path in _files(package):
        name = path.relative_to(package).as_posix()
        if _is(name, THEIRS_DROPPED) or _is_foreign_service(name):
            path.unlink()
    descriptions.shorten(package / "botocore" / "data", SERVICES)
    _drop_empty(package)


def copy_ours(root: Path, package: Path) -> None:
    """Copy our own run-time files from the project's `root`. Raises FileNotFoundError without compiled catalogs."""
    for room in OURS:
        for path in _files(root / room):
            name = path.relative_to(root).as_posix()
            if not _is(name, OURS_DROPPED):
                (package / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, package / name)
    for catalog in (root / "handlers").rglob("*.po"):
        compiled = catalog.with_suffix(".mo").relative_to(root)
        if not (package / compiled).exists():
            raise FileNotFoundError(f"compile {catalog.relative_to(root)} first: run make catalogs")


def without_bytecode(package: Path, magic: bytes) -> list[str]:
    """The modules that an interpreter whose bytecode begins with `magic` would compile anew, or could not import.

    What is there must be taken without a look at its source, which the flags in the second four bytes say.
    """
    found = {path: path.read_bytes()[:8] == magic + UNCHECKED for path in package.rglob("*.pyc")}
    sources = {path: path.parent.glob(f"__pycache__/{path.stem}.*.pyc") for path in package.rglob("*.py")}
    lacking = [path for path, right in found.items() if not right]
    lacking += [source for source, compiled in sources.items() if not any(compiled)]
    return sorted(path.relative_to(package).as_posix() for path in lacking)


def size(package: Path) -> int:
    """Bytes in all files."""
    return sum(path.stat().st_size for path in _files(package))


def _files(folder: Path) -> Iterator[Path]:
    yield from sorted(path for path in folder.rglob("*") if path.is_file())


def _is(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


def _is_foreign_service(name: str) -> bool:
    parts = name.split("/")
    # Files directly in data/ (endpoints, partitions, retries) serve every client.
    return parts[:2] == ["botocore", "data"] and len(parts) > 3 and parts[2] not in SERVICES  # noqa: PLR2004


def _drop_empty(package: Path) -> None:
    for folder in sorted((path for path in package.rglob("*") if path.is_dir()), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()
