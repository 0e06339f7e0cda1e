"""The Lambda package: what is in it, that it runs by itself, and that it is small."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from ops.package import contents
from ops.package.build import HERE, LAMBDA, Target, build
from ops.package.programs import BuildError, run
from tests.ops.template.stack import ROOT, sam_template


def test_the_package_is_for_the_templates_functions() -> None:
    """Python and processor are those of the template."""
    function = sam_template()["Globals"]["Function"]
    assert function["Runtime"] == f"python{LAMBDA.version}"
    assert function["Architectures"] == ["arm64"]
    assert all(platform.endswith("_aarch64") for platform in LAMBDA.platforms)


@pytest.mark.parametrize("module", ["handlers.webhook", "handlers.ticker"])
def test_the_handler_needs_nothing_but_its_package(here: Path, module: str) -> None:
    """With the package and the standard library alone, an entry is imported and everything it loads is theirs."""
    code = f"""
import sys
sys.path.insert(0, {str(here)!r})
import {module}, PIL.Image, PIL.ImageFont, infra.dynamo, handlers.ui.languages, handlers.ui.pictures.dekal
infra.dynamo.client("eu-west-3")
import botocore.session
botocore.session.get_session().create_client("ssm", region_name="eu-west-3")
assert handlers.ui.languages.words("fr")("menu.help") == "Comment jouer"
print(*sorted({{m.__file__ for m in sys.modules.values() if getattr(m, "__file__", None)}}), sep="\\n")
"""
    done = subprocess.run(  # noqa: S603 - our own interpreter and our own words
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False, cwd=here
    )
    assert done.returncode == 0, done.stderr
    standard = (str(Path(sys.base_prefix)), str(Path(subprocess.__file__).parent))
    for loaded in done.stdout.split():
        assert loaded.startswith((str(here), *standard))
        assert "site-packages" not in loaded


def test_only_run_time_code_is_packed(here: Path) -> None:
    """Neither tools nor tests, neither sources of words nor services that nobody calls; no source without bytecode."""
    names = {path.relative_to(here).as_posix() for path in here.rglob("*") if path.is_file()}
    for absent in ("emulator", "ops", "boto3", "tests", "testing", "bench", "pip", "bin"):
        assert not any(name.startswith(f"{absent}/") for name in names), absent
    assert not any(name.endswith((".po", ".pyi", ".md")) or ".dist-info/" in name for name in names)
    services = {name.split("/")[2] for name in names if name.startswith("botocore/data/") and name.count("/") > 2}
    assert services == set(contents.SERVICES)
    for language in ("en", "fr"):
        assert f"handlers/ui/locales/{language}/LC_MESSAGES/tablee.mo" in names
    assert contents.without_bytecode(here, HERE.magic) == []


# ---- The steps, with pip pretended ----

MAGIC = b"3.99"


class Pip:
    """Runs nothing; where pip would install, it leaves `files`. `seen` are the commands."""

    def __init__(self, files: dict[str, bytes] | None = None) -> None:
        self.files = files or {}
        self.seen: list[list[str]] = []

    def __call__(self, command: Sequence[str]) -> str:
        """Run one command."""
        self.seen.append(list(command))
        if "pip" in command:
            folder = Path(command[command.index("--target") + 1])
            for name, content in self.files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content)
        return ""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with next to nothing in it."""
    for name in ("engine/core.py", "infra/store.py", "ops/deploy/steps.py", "handlers/webhook.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path


def test_wheels_are_pinned_and_for_the_target(root: Path) -> None:
    """Pip may take nothing but wheels, for the target's platform and Python, and only those whose hashes are known."""
    pip = Pip()
    build(root / "package", Target(root / "list.txt", "3.99", MAGIC, ("manylinux_2_28_aarch64",)), None, root, pip)
    (command,) = pip.seen
    for option in ("--require-hashes", "--no-deps", "--only-binary"):
        assert option in command
    assert command[command.index("--platform") + 1] == "manylinux_2_28_aarch64"
    assert command[command.index("--python-version") + 1] == "3.99"


def test_what_nobody_runs_is_dropped(root: Path) -> None:
    """Of what wheels bring, and of our own."""
    dropped = [
        "httpx-1.0.dist-info/METADATA",
        "bin/httpx",
        "PIL/_avif.so",
        "pillow.libs/libavif-1.so",
        "botocore/data/ec2/2016-11-15/service-2.json.gz",
        "anyio/tests/test.py",
        "anyio/core.pyi",
    ]
    kept = ["PIL/_imaging.so", "botocore/data/endpoints.json", "botocore/data/ssm/2014-11-06/service-2.json.gz"]
    described = {kept[1]: b'{"partitions": []}', kept[2]: gzip.compress(b"{}")}
    pip = Pip(dict.fromkeys(dropped + kept, b"x") | described)
    build(root / "package", Target(root / "list.txt", "3.99", MAGIC), None, root, pip)
    found = {path.relative_to(root / "package").as_posix() for path in (root / "package").rglob("*") if path.is_file()}
    assert found == {*kept, "engine/core.py", "infra/store.py", "handlers/webhook.py"}


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def test_descriptions_are_shortened(root: Path) -> None:
    """Each cold start reads them: what remains of botocore's are our services, without their documentation."""
    shape = {"documentation": "<p>Long.</p>", "members": {"documentation": {"shape": "Text", "documentation": "More."}}}
    services = {"ec2": {"endpoints": {}}, "ssm": {"endpoints": {"eu-west-3": {}}}}
    endpoints = {"version": 3, "partitions": [{"partition": "aws", "services": services}]}
    ssm = "botocore/data/ssm/2014-11-06/service-2.json.gz"
    files = {ssm: gzip.compress(_json(shape)), "botocore/data/endpoints.json": _json(endpoints)}
    build(root / "package", Target(root / "list.txt", "3.99", MAGIC), None, root, Pip(files))
    assert json.loads(gzip.decompress((root / "package" / ssm).read_bytes())) == {
        "members": {"documentation": {"shape": "Text"}}
    }
    assert json.loads((root / "package/botocore/data/endpoints.json").read_text()) == {
        "version": 3,
        "partitions": [{"partition": "aws", "services": {"ssm": services["ssm"]}}],
    }


def test_a_folder_with_something_in_it_is_refused(root: Path) -> None:
    """Nothing that lies about gets into the package, and nothing is deleted."""
    with pytest.raises(BuildError, match="the package must hold nothing else"):
        build(root / "engine", Target(root / "list.txt", "3.99", MAGIC), None, root, Pip())
    assert (root / "engine" / "core.py").exists()


def test_words_must_be_compiled(root: Path) -> None:
    """A catalog without its compiled form would be silence in Lambda."""
    (root / "handlers" / "tablee.po").write_text("")
    with pytest.raises(BuildError, match="run make catalogs"):
        build(root / "package", Target(root / "list.txt", "3.99", MAGIC), None, root, Pip())


def test_a_package_over_its_limit_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message has both numbers."""
    monkeypatch.setattr(contents, "LIMIT", 10)
    with pytest.raises(BuildError, match="has 11 bytes unzipped, over its limit of 10"):
        build(root / "package", Target(root / "list.txt", "3.99", MAGIC), None, root, Pip({"big.py": b"x" * 11}))


def test_a_failing_program_is_told_in_one_line() -> None:
    """The last line of its complaint is the one that says what is wrong."""
    with pytest.raises(BuildError, match=r"failed: no such wheel$"):
        run([sys.executable, "-c", "import sys; sys.exit('at first\\nno such wheel\\n')"])
    with pytest.raises(BuildError, match=r"^nowhere cannot be run: No such file or directory$"):
        run(["/nowhere"])


def test_the_pinned_list_is_the_tested_one() -> None:
    """Every version that Lambda gets is the version that the tests run with."""

    def pins(name: str) -> dict[str, str]:
        lines = (ROOT / "requirements" / name).read_text().splitlines()
        return {line.split("==")[0]: line.split("==")[1].split()[0] for line in lines if "==" in line}

    tested = pins("dev.txt")
    assert pins("lambda.txt").items() <= tested.items()
