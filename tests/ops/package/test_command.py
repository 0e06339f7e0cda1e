"""`python -m ops.package`, which `sam build` calls by way of make, once a function."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ops.package import __main__ as command
from ops.package import interpreter
from ops.package.build import FORGONE, LAMBDA, ONCE, Target
from ops.package.interpreter import Compiler
from ops.package.programs import BuildError

Build = Callable[[Path], int]
FETCHED: Compiler = ("fetched",)


class Builds:
    """Builds nothing but a file with the compiler's name; `compilers` are those that it was given."""

    def __init__(self) -> None:
        self.compilers: list[Compiler | None] = []

    def __call__(self, folder: Path, target: Target, compiler: Compiler | None) -> None:
        """One build."""
        assert target is LAMBDA
        self.compilers.append(compiler)
        folder.mkdir()
        (folder / "code.py").write_text(str(compiler))


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> Builds:
    """A machine without any interpreter that could compile; one can be fetched."""
    made = Builds()
    monkeypatch.setattr(command, "build", made)
    monkeypatch.setattr(command, "compiler", lambda _: None)
    monkeypatch.setattr(interpreter, "fetch", lambda _: FETCHED)
    for name in (FORGONE, ONCE):
        monkeypatch.delenv(name, raising=False)
    return made


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> Build:
    """The command, given a folder; its exit status."""

    def run(folder: Path) -> int:
        monkeypatch.setattr(sys, "argv", ["package", str(folder)])
        return command.main()

    return run


def test_bytecode_is_made_unless_it_is_forgone(
    builds: Builds, build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By hand too: an interpreter is fetched, and only whoever says so goes without. What came of it is said."""
    assert build(tmp_path / "one") == 0
    monkeypatch.setenv(FORGONE, "1")
    assert build(tmp_path / "two") == 0
    assert builds.compilers == [FETCHED, None]
    # On standard output: SAM keeps standard error to itself unless the build fails.
    assert capsys.readouterr().out.splitlines() == [
        "12 bytes unzipped, with bytecode",
        "4 bytes unzipped, without bytecode",
    ]


def test_what_is_wrong_is_one_line_on_standard_error(
    builds: Builds, build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """SAM shows it where the build fails; without an interpreter it does."""

    def unreachable(_: object) -> Compiler:
        raise BuildError("pip failed: no route")

    monkeypatch.setattr(interpreter, "fetch", unreachable)
    assert build(tmp_path / "one") == 1
    assert capsys.readouterr().err == "error: pip failed: no route\n"
    assert builds.compilers == []


def test_one_package_serves_both_functions(
    builds: Builds, build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within one `sam build` the second function gets what was built for the first; the next builds anew."""
    for name in ("monday", "tuesday"):
        monkeypatch.setenv(ONCE, str(tmp_path / name))
        for function in ("webhook", "ticker"):
            folder = tmp_path / f"{name}-{function}"
            assert build(folder) == 0
            assert [path.name for path in folder.iterdir()] == ["code.py"]
    assert len(builds.compilers) == 2


def test_a_broken_off_package_is_not_taken_for_one(
    builds: Builds, build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies half copied is passed over."""
    monkeypatch.setenv(ONCE, str(tmp_path / "kept"))
    (tmp_path / "kept.part").mkdir()
    assert build(tmp_path / "one") == build(tmp_path / "two") == 0
    assert len(builds.compilers) == 1
