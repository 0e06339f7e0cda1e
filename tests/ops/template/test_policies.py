"""The policies: no wildcard, and each function may do what it does and nothing else."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from random import Random
from typing import Any

import boto3
import pytest

from emulator.limits import UNLIMITED
from emulator.model import Json
from emulator.request import InProcessRequest
from emulator.telegram import Fault
from handlers.bootstrap import make_bot
from handlers.clock import run_due
from infra.dynamo import DynamoStore, client
from infra.matches import Match, Status
from infra.settings import Settings
from infra.store import Chat
from testing.aws import REGION
from testing.group import SECRET, Group
from tests.ops.template.calls import Recorder, allowed, grants
from tests.ops.template.conftest import Deployed

FUNCTIONS = ("webhook", "ticker")
RUNTIME = {"logs:CreateLogStream", "logs:PutLogEvents"}
"""Calls that Lambda itself makes with the function's role."""

PRESSES = 2_000
"""More than a round takes."""


def role(stack: Deployed, function: str) -> str:
    """The name of a function's role."""
    return stack.ids[f"{function.capitalize()}Role"]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_policy_has_a_wildcard_where_it_could_name_a_resource(stack: Deployed, function: str) -> None:
    """Actions are named one by one, and resources in full, but for the streams of the function's own log."""
    log = f"arn:aws:logs:{REGION}:123456789012:log-group:/aws/lambda/tablee-test-{function}:*"
    for action, resource in allowed(role(stack, function)):
        assert "*" not in action
        assert "*" not in resource.replace(log, "")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_lambda_may_write_a_functions_own_log(stack: Deployed, function: str) -> None:
    """And no other function's."""
    for action in RUNTIME:
        (resource,) = (resource for name, resource in allowed(role(stack, function)) if name == action)
        assert f":/aws/lambda/tablee-test-{function}" in resource


def test_a_transaction_needs_what_its_parts_need() -> None:
    """IAM knows no permission for the transaction as a whole."""
    parts = [{"Put": {"TableName": "one"}}, {"Delete": {"TableName": "one"}}]
    table = f"arn:aws:dynamodb:{REGION}:123456789012:table/one"
    assert grants("dynamodb", "TransactWriteItems", {"TransactItems": parts}) == {
        ("dynamodb:PutItem", table),
        ("dynamodb:DeleteItem", table),
    }


def test_the_recorder_hears_any_client(stack: Deployed) -> None:
    """Calls are kept under the function for which they were made, and a call for nobody is not kept."""
    recorder = Recorder()
    name = stack.outputs["TableName"]
    store = DynamoStore(client(REGION), name, lambda: int(time.time()))
    with recorder.listening():
        asyncio.run(store.save_chat(Chat(-1)))
        with recorder.function("ticker"):
            asyncio.run(store.due(2_000_000_000, 10))
    table = f"arn:aws:dynamodb:{REGION}:123456789012:table/{name}"
    assert recorder.needed == {"ticker": {("dynamodb:Query", f"{table}/index/due")}}


def empty(name: str) -> None:
    """Delete all items of a table."""
    table: Any = boto3.resource("dynamodb").Table(name)
    for item in table.scan()["Items"]:
        table.delete_item(Key={key: item[key] for key in ("pk", "sk")})


class PagedStore(DynamoStore):
    """The store, which remembers once it has put a page away: a round has ended."""

    paged = False

    async def save(self, match: Match, page: str | None = None) -> Match:
        """See `Store.save`."""
        self.paged |= page is not None
        return await super().save(match, page)


class RecordedGroup(Group):
    """A group whose bot runs on the stack: its environment, its table, and every call to AWS heard."""

    def __init__(self, stack: Deployed, recorder: Recorder, people: int) -> None:
        super().__init__(people, supergroup=False, allowance=UNLIMITED)
        self.recorder = recorder
        self.kept = PagedStore(client(REGION), stack.outputs["TableName"], self.clock)
        self.store = self.kept
        ssm: Any = boto3.client("ssm")
        for name, value in (("token", self.telegram.token), ("webhook-secret", SECRET)):
            ssm.put_parameter(Name=f"/tablee/test/telegram-{name}", Value=value, Type="SecureString", Overwrite=True)
        self.settings = self.environment("webhook")

    def environment(self, function: str) -> Settings:
        """The settings of one of the stack's functions, as its cold start reads them."""
        configuration: Any = boto3.client("lambda").get_function_configuration(FunctionName=f"tablee-test-{function}")
        variables = {name: str(value) for name, value in configuration["Environment"]["Variables"].items()}
        with self.recorder.function(function):
            return Settings.from_environment(variables)

    async def deliver(self, update: Json) -> tuple[int, str]:
        """Updates are the webhook function's business."""
        with self.recorder.function("webhook"):
            return await super().deliver(update)

    async def tick(self) -> None:
        """One minute's run of the ticker function, on a container of its own."""
        bot = make_bot(
            self.environment("ticker"),
            store=self.store,
            connection=InProcessRequest(self.telegram),
            clock=self.clock.ms,
            sleep=self.clock.sleep,
        )
        with self.recorder.function("ticker"):
            await run_due(bot, round(self.clock.now))


async def test_each_function_may_do_what_it_does_and_nothing_else(stack: Deployed) -> None:
    """Whole matches on the stack's table, settings, a group that becomes a supergroup unheard, a board left behind.

    What the two functions ask of AWS meanwhile is exactly what their policies allow.
    """
    recorder = Recorder()
    with recorder.listening():
        group = RecordedGroup(stack, recorder, 2)
        await group.write(0, "/language")
        await group.verb(0, group.live(), "language fr")
        await group.start("dekal", length="100")  # no round of it reaches 100

        # A round ends, and its board cannot be drawn. Before the ticker looks, the group has moved.
        group.telegram.fault_plan = lambda *_: Fault(500) if group.kept.paged else None
        random = Random(1)
        for _ in range(PRESSES):
            with suppress(AssertionError):  # the last press is not answered
                await group.play_on(random, 1)
            if group.kept.paged:
                break
        assert group.kept.paged, "a round has ended, and the match goes on"
        group.telegram.fault_plan = None
        group.chat = group.telegram.people.groups.upgrade(group.chat)
        group.clock.now += 86_400
        table: Any = boto3.resource("dynamodb").Table(stack.outputs["TableName"])
        table.put_item(Item={"pk": "match#broken", "sk": "match", "due": 1})
        await group.tick()
        await group.settle()
        assert table.get_item(Key={"pk": "match#broken", "sk": "match"})["Item"]["due"] > group.clock.now

        # Another group moves, and the webhook hears of it; its match is played to the end and laid open.
        empty(stack.outputs["TableName"])  # an emulator gives its groups the same ids as the one before
        group = RecordedGroup(stack, recorder, 2)
        await group.start("skyjo", length="100")
        group.chat = group.telegram.people.groups.upgrade(group.chat)
        await group.settle()
        await group.write(0, "/board")
        match = await group.play_on(Random(2))
        assert match.status is Status.OVER
        await group.verb(0, group.live(), "deal")
    for function in FUNCTIONS:
        granted = {one for one in allowed(role(stack, function)) if one[0] not in RUNTIME}
        assert recorder.needed[function] == granted
