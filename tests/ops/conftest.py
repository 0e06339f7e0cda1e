"""The Lambda package, for whatever looks at it or runs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ops.package.build import HERE, build, compiler


@pytest.fixture(scope="session")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Lambda package, for this machine's Python."""
    package = tmp_path_factory.mktemp("here") / "package"
    build(package, HERE, compiler(HERE))
    return package
