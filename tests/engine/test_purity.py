"""What the engine may import: nothing that knows the time, chance, files or the net."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ENGINE = Path(__file__).parents[2] / "engine"
PURE = {
    "__future__",
    "base64",
    "binascii",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "hashlib",
    "hmac",
    "itertools",
    "json",
    "math",
    "operator",
    "re",
    "struct",
    "typing",
}
COMMAND = "__main__.py"
OF_THE_COMMAND = {"contextlib", "os", "sys"}
FILES = sorted(ENGINE.rglob("*.py"))
IMPURE_CALLS = {"open", "input", "print", "exec", "eval", "__import__", "breakpoint"}


def imported(tree: ast.Module) -> set[str]:
    """The top-level names of everything that a file imports, anywhere in it."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ENGINE)))
def test_the_engine_imports_only_pure_parts_of_the_standard_library(path: Path) -> None:
    """Its command apart, which reads and writes."""
    allowed = PURE | {"engine"} | (OF_THE_COMMAND if path.name == COMMAND else set())
    assert imported(ast.parse(path.read_text(encoding="utf-8"))) <= allowed


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ENGINE)))
def test_the_engine_neither_reads_nor_writes(path: Path) -> None:
    """No call of a built-in that does; no module-level state is rebound by a function."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert called.isdisjoint(IMPURE_CALLS - ({"print"} if path.name == COMMAND else set()))
    assert not [node for node in nodes if isinstance(node, ast.Global)]
