"""The whole way with the real SAM: `make deploy`, GitHub's workflow and `make undeploy`, AWS and Telegram on loopback.

Everything runs as an owner runs it, in a copy of the project whose path has a blank; pretended are only AWS, by moto's
server, and Telegram, by the emulator.
"""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

import boto3
import pytest
from botocore.config import Config

from emulator.party import Party
from emulator.server import Server
from emulator.telegram import Telegram
from ops.package import contents
from testing.aws import REGION
from tests.ops.deploy import real_sam
from tests.ops.deploy.loopback import serving
from tests.ops.deploy.moto_server import moto_server
from tests.ops.deploy.test_policy import OURS, SAM, UNHEARD
from tests.ops.deploy.test_workflows import commands
from tests.ops.template.stack import ROOT

# moto says so of what it cannot make; the stack's own tests look at all of it.
pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore:Tried to parse:UserWarning")]

ADDRESS: Final = '"joan o\'hara, jr."@example.org'.replace(" ", "")
MAGIC: Final = (3627).to_bytes(2, "little") + b"\r\n"
"""What bytecode of Python 3.14 begins with."""
UNCHECKED: Final = bytes([1, 0, 0, 0])
EVERYBODY: Final = {"sts:GetCallerIdentity"}
"""What needs no permission."""
UNUSED: Final = {"dynamodb:DescribeTable"}
"""What is asked for a restored table only."""
AARCH64: Final = 0xB7
"""The processor that an ELF file names in its 19th byte."""


class Machine:
    """An owner's machine: a copy of the project, its environments, and an AWS at `url` that notes what it `heard`."""

    def __init__(self, folder: Path, url: str, heard: set[str]) -> None:
        self.heard = heard
        self.project = folder / "my own project"
        ours = ("engine", "handlers", "infra", "ops", "mk", "requirements")
        for name in ours:
            shutil.copytree(ROOT / name, self.project / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("Makefile", "template.yaml", "samconfig.toml"):
            shutil.copy2(ROOT / name, self.project / name)
        for name in (".venv", ".venv-deploy"):
            (self.project / name).symlink_to((ROOT / name).resolve())
        # What is installed is what these tests run with; no list is newer.
        for pinned in (self.project / "requirements").iterdir():
            os.utime(pinned, (0, 0))
        config = folder / "config"
        config.write_text("[default]\ns3 =\n  addressing_style = path\n")
        strange = ("AWS_", "SAM_", "MAKE", "MFLAGS", "ARGS", "TABLEE_")
        self.environ = {name: value for name, value in os.environ.items() if not name.startswith(strange)}
        self.environ |= {
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_DEFAULT_REGION": REGION,
            "AWS_CONFIG_FILE": str(config),
            "AWS_SHARED_CREDENTIALS_FILE": str(folder / "none"),
            "AWS_ENDPOINT_URL": url,
            # SAM looks for news as often as that, in seconds; nothing takes time here.
            "SAM_CLI_POLL_DELAY": "0.1",
        }

    async def run(self, *command: str, typed: str = "", **environ: str) -> str:
        """What a command prints when it succeeds, `typed` being all that is typed at it."""
        done = await asyncio.to_thread(
            subprocess.run,
            command,
            cwd=self.project,
            env=self.environ | environ,
            input=typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return str(done.stdout)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """An owner's machine, in whose account nothing is."""
    real_sam.program()
    heard: set[str] = set()
    with moto_server(heard) as url:
        made = Machine(tmp_path, url, heard)
        # For the clients below, and for those that moto itself makes.
        for name, value in made.environ.items():
            if name.startswith("AWS_"):
                monkeypatch.setenv(name, value)
        yield made


def packages() -> dict[str, zipfile.ZipFile]:
    """What Lambda was given, by the function's name."""
    s3 = boto3.client("s3", config=Config(s3={"addressing_style": "path"}))
    template = boto3.client("cloudformation").get_template(StackName="tablee-test")["TemplateBody"]
    resources: dict[str, Any] = template["Resources"]
    found = {}
    for resource in resources.values():
        if resource["Type"] == "AWS::Lambda::Function":
            code = resource["Properties"]["Code"]
            body = s3.get_object(Bucket=code["S3Bucket"], Key=code["S3Key"])["Body"].read()
            found[resource["Properties"]["Handler"]] = zipfile.ZipFile(io.BytesIO(body))
    return found


def check(package: zipfile.ZipFile, handler: str) -> None:
    """Whether a package is complete, small, for arm64, and every module compiled for Lambda's Python."""
    names = set(package.namelist())
    assert f"{handler.rpartition('.')[0].replace('.', '/')}.py" in names
    assert sum(info.file_size for info in package.infolist()) <= contents.LIMIT
    assert {package.read(name)[18] for name in names if ".so" in PurePosixPath(name).name} == {AARCH64}
    compiled = {name for name in names if name.endswith(".pyc")}
    assert {package.read(name)[:8] for name in compiled} == {MAGIC + UNCHECKED}
    sources = [PurePosixPath(name) for name in names if name.endswith(".py")]
    assert len(sources) > 50
    assert {f"{path.parent}/__pycache__/{path.stem}.cpython-314.pyc" for path in sources} <= compiled
    assert {"telegram/__init__.pyc", "botocore/session.pyc", "PIL/Image.pyc"} <= compiled


async def test_an_evening_with_the_real_sam(machine: Machine, tmp_path: Path) -> None:
    """Deployed by hand, again by the workflow, looked at, taken off: each by the very command that is documented."""
    telegram = Telegram(lambda: 1_780_000_000.0, username="tablee_bot", name="Tablée")
    aws = boto3.client("cloudformation")
    async with serving(Server(telegram, Party(telegram))) as api:
        boto3.client("ssm").put_parameter(Name="/tablee/test/telegram-token", Value=telegram.token, Type="SecureString")
        mailed = ADDRESS.replace("'", "'\\''")
        said = await machine.run(
            "make", "deploy", f"ARGS=--silent --stage test --telegram-api-url {api} --alarm-email '{mailed}'"
        )
        assert "is ready: add it to a group" in said
        (stack,) = aws.describe_stacks(StackName="tablee-test")["Stacks"]
        assert stack["StackStatus"] == "CREATE_COMPLETE"
        parameters = {one["ParameterKey"]: one["ParameterValue"] for one in stack["Parameters"]}
        assert (parameters["Stage"], parameters["BotUsername"]) == ("test", "tablee_bot")
        assert (parameters["AlarmEmail"], parameters["TelegramApiUrl"]) == (ADDRESS, api)
        outputs = {one["OutputKey"]: one["OutputValue"] for one in stack["Outputs"]}
        assert telegram.world.webhook.url == outputs["WebhookUrl"]
        found = packages()
        assert set(found) == {"handlers.webhook.handler", "handlers.ticker.handler"}
        for handler, package in found.items():
            check(package, handler)

        for text in commands("deploy", "deploy"):
            script = tmp_path / "step.sh"
            script.write_text(text)
            said += await machine.run("bash", "-e", str(script), STAGE="test")
        assert f"@tablee_bot: {outputs['WebhookUrl']}" in said
        (stack,) = aws.describe_stacks(StackName="tablee-test")["Stacks"]
        again = {one["ParameterKey"]: one["ParameterValue"] for one in stack["Parameters"]}
        assert again == parameters

        said += await machine.run("make", "undeploy", "ARGS=--stage test", typed="test\n")
        assert "tablee-test" not in {one["StackName"] for one in aws.describe_stacks()["Stacks"]}
        assert not telegram.world.webhook.url
    assert telegram.violations == []
    assert telegram.token not in said
    # What it took is what the policy for whoever deploys was written for.
    assert machine.heard - EVERYBODY == SAM | OURS - UNHEARD - UNUSED
