"""`--restored-table`: only a table that the bot can keep matches in takes the place of the stack's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import boto3
import pytest

from infra.table import DUE_INDEX, definition
from ops.deploy import steps
from ops.deploy.console import DeployError
from ops.deploy.steps import Renewal
from tests.ops.deploy.conftest import Evening, make_table

NAME = "tablee-restored"
Change = Callable[[dict[str, Any]], object]

UNFIT: dict[str, tuple[Change, str]] = {
    "other keys": (
        lambda table: table.update(
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            GlobalSecondaryIndexes=None,
        ),
        "is none of this bot's",
    ),
    "keys of another type": (
        lambda table: table["AttributeDefinitions"][0].update(AttributeType="N"),
        "is none of this bot's",
    ),
    "restored without its index": (
        lambda table: (table.update(GlobalSecondaryIndexes=None), table["AttributeDefinitions"].pop()),
        f"lacks the index {DUE_INDEX}",
    ),
    "another index of that name": (
        lambda table: table["GlobalSecondaryIndexes"][0]["KeySchema"][0].update(AttributeName="pk"),
        f"lacks the index {DUE_INDEX}",
    ),
    "an index of another name": (
        lambda table: table["GlobalSecondaryIndexes"][0].update(IndexName="other"),
        f"lacks the index {DUE_INDEX}",
    ),
}


def nothing_happened(evening: Evening) -> bool:
    """Whether nothing was stored, built or said to Telegram."""
    stored = boto3.client("ssm").describe_parameters()["Parameters"]
    return not stored and not evening.sam.commands and not evening.telegram.world.webhook.url


async def test_a_restored_table_is_used(evening: Evening) -> None:
    """One that a restore of ours has made; it is looked at again at the next deployment."""
    await steps.deploy(evening.owner, {"restored_table": make_table(NAME)}, Renewal())
    assert evening.sam.parameters["RestoredTable"] == NAME
    boto3.client("dynamodb").delete_table(TableName=NAME)
    with pytest.raises(DeployError, match=f"there is no table {NAME} in eu-west-3"):
        await steps.deploy(evening.owner, {}, Renewal())
    await steps.deploy(evening.owner, {"restored_table": ""}, Renewal())
    assert evening.sam.parameters["RestoredTable"] == ""


async def test_a_table_that_is_not_there(evening: Evening) -> None:
    """A slip in the name is told before anything happens."""
    with pytest.raises(DeployError, match=f"there is no table {NAME} in eu-west-3"):
        await steps.deploy(evening.owner, {"restored_table": NAME}, Renewal())
    assert nothing_happened(evening)


@pytest.mark.parametrize("what", UNFIT)
async def test_a_table_that_the_bot_cannot_use(evening: Evening, what: str) -> None:
    """Somebody else's table, or one restored in part."""
    change, says = UNFIT[what]
    table = definition(NAME)
    change(table)
    boto3.client("dynamodb").create_table(**{name: value for name, value in table.items() if value})
    with pytest.raises(DeployError, match=says):
        await steps.deploy(evening.owner, {"restored_table": NAME}, Renewal())
    assert nothing_happened(evening)


@pytest.mark.parametrize("status", ["CREATING", "DELETING", "ARCHIVED", "SOMETHING_NEW"])
@pytest.mark.parametrize("part", ["table", "index"])
async def test_a_table_that_is_not_ready(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, part: str, status: str
) -> None:
    """A restore takes a while, and its index may take longer."""
    described = definition(NAME) | {"TableStatus": "ACTIVE"}
    if part == "table":
        described["TableStatus"] = status
    else:
        described["GlobalSecondaryIndexes"][0]["IndexStatus"] = status
    monkeypatch.setattr(type(evening.owner.aws), "table", lambda *_: described)
    with pytest.raises(DeployError, match=f"is {status}: wait until"):
        await steps.deploy(evening.owner, {"restored_table": NAME}, Renewal())
    assert nothing_happened(evening)
