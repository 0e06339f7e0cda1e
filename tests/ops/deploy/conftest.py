"""An owner at a terminal, an account in moto, SAM pretended, and Telegram's emulator: enough to deploy."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3
import httpx
import moto
import pytest
from moto.cloudformation.models import cloudformation_backends
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.sns.models import sns_backends
from samtranslator.yaml_helper import yaml_parse  # type: ignore[import-untyped]
from telegram.request import HTTPXRequest

from emulator.party import Party
from emulator.server import Server
from emulator.telegram import TOKEN, Telegram
from infra.table import create, definition
from ops.deploy.aws import PENDING, Aws
from ops.deploy.sam import BUILT, Sam
from ops.deploy.stage import Stage
from ops.deploy.steps import Owner
from testing.aws import REGION

URL = "https://abc123.lambda-url.eu-west-3.on.aws/"


@dataclass
class Script:
    """A `Console` whose owner answers what has been written for questions that hold a word."""

    answers: dict[str, str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def say(self, line: str) -> None:
        """Keep the line."""
        self.said.append(line)

    def ask(self, question: str, default: str = "") -> str:
        """The answer for the first word found in the question, or the default."""
        self.asked.append(question)
        return next((answer for word, answer in self.answers.items() if word in question), default)

    def ask_secret(self, question: str) -> str:
        """Likewise."""
        return self.ask(question)


@dataclass
class PretendedSam:
    """SAM as a program that is run: it makes some files, and a small stack with the outputs that matter."""

    commands: list[list[str]] = field(default_factory=list)
    fails: set[str] = field(default_factory=set)
    rolls_back: bool = False
    """A stack that is made now is taken back, but for its table."""
    code: bytes = b"def handler(): ..."
    parameters: dict[str, str] = field(default_factory=dict)
    """Those of the last deployment."""
    environs: list[dict[str, str]] = field(default_factory=list)
    """What each command had in its environment, besides the usual."""

    def __call__(self, command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> int:
        """Run one command; the exit status."""
        self.commands.append(list(command))
        self.environs.append(dict(environ))
        what = command[1]
        if what in self.fails:
            return 1
        getattr(self, what)(list(command[2:]), folder)
        return int(what == "deploy" and self.rolls_back)

    def build(self, _options: list[str], folder: Path) -> None:
        """Files where SAM leaves them."""
        built = folder / BUILT
        built.mkdir(parents=True, exist_ok=True)
        (built / "code.py").write_bytes(self.code)
        (built / "template.yaml").write_text("Resources: {}\n")

    def deploy(self, options: list[str], folder: Path) -> None:
        """A stack with these parameters, made or changed."""
        client = boto3.client("cloudformation")
        name = options[options.index("--stack-name") + 1]
        file = options[options.index("--parameter-overrides") + 1].removeprefix("file://")
        # As SAM reads it, which `test_sam_arguments.py` makes sure of.
        parameters = yaml_parse((folder / file).read_text())
        self.parameters = parameters
        table = definition("")
        del table["TableName"]
        template = {
            "Parameters": {key: {"Type": "String"} for key in parameters},
            "Resources": {
                "Alarms": {"Type": "AWS::SNS::Topic"},
                "Table": {"Type": "AWS::DynamoDB::Table", "DeletionPolicy": "Retain", "Properties": table},
            },
            "Outputs": {
                "WebhookUrl": {"Value": URL},
                "TableName": {"Value": parameters["RestoredTable"] or {"Ref": "Table"}},
                "AlarmTopic": {"Value": {"Ref": "Alarms"}},
                "DashboardUrl": {"Value": "https://console.test/"},
            },
        }
        there = any(stack["StackName"] == name for stack in client.describe_stacks()["Stacks"])
        try:
            (client.update_stack if there else client.create_stack)(
                StackName=name,
                TemplateBody=json.dumps(template),
                Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
            )
        except client.exceptions.ClientError as error:
            if "No updates" not in str(error):
                raise
        if self.rolls_back:
            stack = stack_in_moto(name)
            stack.status = "ROLLBACK_COMPLETE"
            stack.output_map = type(stack.output_map)(stack.resource_map, {"Outputs": {}}, stack.stack_id)
        elif not there and parameters["AlarmEmail"]:
            outputs = client.describe_stacks(StackName=name)["Stacks"][0]["Outputs"]
            (topic,) = (one["OutputValue"] for one in outputs if one["OutputKey"] == "AlarmTopic")
            boto3.client("sns").subscribe(TopicArn=topic, Protocol="email", Endpoint=parameters["AlarmEmail"])
            # moto takes every subscription for confirmed.
            subscriptions()[-1].arn = PENDING

    def delete(self, options: list[str], _folder: Path) -> None:
        """No stack any more."""
        boto3.client("cloudformation").delete_stack(StackName=options[options.index("--stack-name") + 1])


def subscriptions() -> list[Any]:
    """Those to topics, as moto keeps them, the newest last."""
    return list(sns_backends[DEFAULT_ACCOUNT_ID][REGION].subscriptions.values())


def stack_in_moto(name: str) -> Any:
    """A stack as moto keeps it."""
    (stack,) = (one for one in cloudformation_backends[DEFAULT_ACCOUNT_ID][REGION].stacks.values() if one.name == name)
    return stack


def make_table(name: str) -> str:
    """A table of matches, as a restore makes it; its name."""
    create(boto3.client("dynamodb"), name)
    return name


@dataclass
class Evening:
    """Everything an owner has at hand; `owner` is how the steps see it."""

    console: Script
    sam: PretendedSam
    telegram: Telegram
    owner: Owner
    as_if: Callable[[str], Owner]

    def setting(self, *key: Any) -> Any:
        """What Telegram keeps under a key of its settings."""
        return self.telegram.world.settings[json.dumps(list(key), sort_keys=True)]


@pytest.fixture
def account() -> Iterator[None]:
    """An account in moto."""
    with moto.mock_aws():
        yield


@pytest.fixture(scope="session")
def session() -> boto3.Session:
    """One session for all tests: it reads each service's long description once."""
    return boto3.Session(region_name=REGION)


@pytest.fixture
def evening(account: None, session: boto3.Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evening:  # noqa: ARG001 - it is in force
    """An owner who has a bot's token and has never deployed; the account may run 1,000 invocations at once."""
    telegram = Telegram(lambda: 1_780_000_000.0, username="tablee_bot", name="Tablée")
    server = Server(telegram, Party(telegram))
    console, sam = Script({"token": TOKEN, "E-mail": "host@example.org"}), PretendedSam()
    # moto does not know an account's limits.
    monkeypatch.setattr(Aws, "concurrency", lambda _: 1_000)

    def as_if(stage: str) -> Owner:
        request = HTTPXRequest(httpx_kwargs={"transport": httpx.ASGITransport(app=server.app)})
        return Owner(
            Stage(stage), console, Aws(session=session), Sam("sam", REGION, tmp_path, sam), lambda _: True, request
        )

    return Evening(console, sam, telegram, as_if("test"), as_if)
