"""What an owner chooses: values that cannot be are told in one line, before anything is asked of AWS or kept."""

from __future__ import annotations

import re
from typing import Any

import boto3
import pytest
from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER  # type: ignore[import-untyped]

from infra.settings import LEAST_CHAT_BUDGET
from ops.deploy import steps
from ops.deploy.__main__ import OPTIONS, main, parser
from ops.deploy.choices import RETENTIONS, Choices
from ops.deploy.console import DeployError
from ops.deploy.steps import Renewal
from testing.aws import REGION
from tests.ops.deploy.conftest import URL, Evening, Script
from tests.ops.template.stack import ROOT, sam_template

BAD = {
    "alarm_email": (
        "nobody",
        "@example.org",
        "you@",
        "you@example",
        "you @example.org",
        "a@b.org,c@d.org",
    ),
    "reserved_concurrency": ("", "many", "-1", "+1", "1.5", "1001", "9999999", "٣", " 5", "05", "1e2"),
    "snap_start": ("", "perhaps", "ON", "true"),
    "webhook_memory": ("", "255", "3009", "1024.5", "1 GB", "much", "0"),
    "log_retention_days": ("", "0", "2", "31", "366", "30.0", "-1", "for ever"),
    "telegram_api_url": ("", "api.telegram.org", "ftp://api.telegram.org", "https://", "https://x/?a=b", "https://x/"),
    "chat_budget": ("", "0", "1", "4", str(LEAST_CHAT_BUDGET - 1), "31", "16.5", "nan", "many"),
    "restored_table": ("ab", "a b", "tablé", "x" * 256, "arn:aws:dynamodb:eu-west-3:1:table/x"),
}
GOOD = {
    "alarm_email": ("", "you@example.org", "o'hara+tablee@mail.example.org", '"a"@b.c.d'),
    "reserved_concurrency": ("0", "1", "1000"),
    "snap_start": ("on", "off"),
    "webhook_memory": ("256", "1024", "3008"),
    "log_retention_days": tuple(map(str, RETENTIONS)),
    "telegram_api_url": ("https://api.telegram.org", "http://127.0.0.1:8081", "https://[::1]:8443", "https://x/bots"),
    "chat_budget": (str(LEAST_CHAT_BUDGET), "16", "30"),
    "restored_table": ("", "abc", "tablee-restored", "x" * 255),
}


def choices(values: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Each choice with each of its values."""
    return [(name, value) for name, several in values.items() for value in several]


def takes(parameter: dict[str, Any], value: str) -> bool:
    """Whether CloudFormation would take a value for a parameter of the template."""
    if "AllowedValues" in parameter:
        return value in map(str, parameter["AllowedValues"])
    if parameter["Type"] == "Number":
        return bool(parameter["MinValue"] <= float(value) <= parameter["MaxValue"])
    return re.fullmatch(parameter["AllowedPattern"], value) is not None


@pytest.mark.parametrize(("choice", "value"), choices(BAD))
def test_a_bad_choice_is_told_before_anything_happens(
    choice: str, value: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one line that shows what was given and names the option; AWS could not even be asked here."""
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    option = f"--{choice.replace('_', '-')}"
    assert main(["deploy", f"{option}={value}"], Script(), lambda: "sam") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert repr(value) in line
    assert option in line


@pytest.mark.parametrize(("choice", "value"), choices(GOOD))
def test_what_is_taken_is_taken_by_the_template(choice: str, value: str) -> None:
    """CloudFormation has nothing to say against it, so that a build was not for nothing."""
    (name,) = (name for name in Choices().as_parameters() if name.lower() == choice.replace("_", ""))
    assert Choices(**{choice: value}).as_parameters()[name] == value
    assert takes(sam_template()["Parameters"][name], value)


def test_bounds_are_the_templates() -> None:
    """Neither is stricter than the other."""
    parameters = sam_template()["Parameters"]
    for choice, name in (
        ("reserved_concurrency", "ReservedConcurrency"),
        ("webhook_memory", "WebhookMemory"),
        ("chat_budget", "ChatBudget"),
    ):
        low, high = parameters[name]["MinValue"], parameters[name]["MaxValue"]
        for value in (low, high):
            Choices(**{choice: str(value)})
        for value in (low - 1, high + 1):
            with pytest.raises(DeployError):
                Choices(**{choice: str(value)})
    assert tuple(parameters["LogRetentionDays"]["AllowedValues"]) == RETENTIONS


def test_cloudwatch_takes_every_retention() -> None:
    """It keeps logs for certain numbers of days only."""
    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, "AWS::Logs::LogGroup").schema
    assert set(RETENTIONS) <= set(schema["properties"]["RetentionInDays"]["enum"])


def test_choices_are_the_templates_parameters() -> None:
    """Every choice is a parameter with the same usual value, and can be given on the command line."""
    parameters = sam_template()["Parameters"]
    mine = Choices().as_parameters()
    assert set(mine) == set(parameters) - {"Stage", "BotUsername", "Revision"}
    assert mine == {name: str(parameters[name]["Default"]) for name in mine}
    assert Choices.made(mine) == Choices()
    options = parser().parse_args(["deploy", *(f"--{name.replace('_', '-')}=x" for name in OPTIONS)])
    assert {name for name in vars(options) if getattr(options, name) == "x"} == set(Choices.__slots__)


def test_the_least_budget_is_the_same_everywhere() -> None:
    """In the code, in the template and in what owners read."""
    assert sam_template()["Parameters"]["ChatBudget"]["MinValue"] == LEAST_CHAT_BUDGET
    assert f"in one chat: {LEAST_CHAT_BUDGET} or more" in (ROOT / "README.md").read_text()
    assert f"{LEAST_CHAT_BUDGET} to 30" in OPTIONS["chat_budget"]


@pytest.mark.parametrize(("question", "answer"), [("E-mail", "nobody"), ("caps the bill", "many")])
async def test_a_bad_answer_changes_nothing(evening: Evening, question: str, answer: str) -> None:
    """What is typed at a question is looked at before a token is asked for, and nothing is stored."""
    evening.console.answers[question] = answer
    with pytest.raises(DeployError, match=repr(answer)):
        await steps.deploy(evening.owner, {}, Renewal())
    assert not any("token" in asked for asked in evening.console.asked)
    assert boto3.client("ssm").describe_parameters()["Parameters"] == []
    assert evening.sam.commands == []


async def test_a_choice_that_was_taken_once_can_be_mended(evening: Evening) -> None:
    """A stack that was deployed with a budget that is now too small: it is told, and one option mends it.

    Looking at the webhook and undeploying have no need of it.
    """
    await steps.deploy(evening.owner, {}, Renewal())
    evening.owner.sam.deploy("tablee-test", {**evening.sam.parameters, "ChatBudget": "3"})
    evening.sam.commands.clear()
    with pytest.raises(DeployError, match="'3' \\(--chat-budget\\)"):
        await steps.deploy(evening.owner, {}, Renewal())
    assert evening.sam.commands == []
    await steps.webhook_info(evening.owner)
    assert f"@tablee_bot: {URL}" in evening.console.said
    await steps.deploy(evening.owner, {"chat_budget": "12"}, Renewal())
    assert evening.sam.parameters["ChatBudget"] == "12"
    evening.owner.sam.deploy("tablee-test", {**evening.sam.parameters, "ChatBudget": "3"})
    evening.console.answers["take it off"] = "test"
    await steps.undeploy(evening.owner)
    assert evening.console.said[-1].startswith("test is off AWS")
