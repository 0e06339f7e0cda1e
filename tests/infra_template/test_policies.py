"""The policies: no wildcard, and each function may do what it does and nothing else."""

from __future__ import annotations

import asyncio
import time

import pytest

from infra.dynamo import DynamoStore, client
from infra.store import Chat
from tests.infra_template import stack as stacks
from tests.infra_template.calls import Recorder, allowed, grants
from tests.infra_template.conftest import Deployed

FUNCTIONS = ("webhook", "ticker")
RUNTIME = {"logs:CreateLogStream", "logs:PutLogEvents"}
"""Calls that Lambda itself makes with the function's role."""


def role(stack: Deployed, function: str) -> str:
    """The name of a function's role."""
    return stack.ids[f"{function.capitalize()}Role"]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_policy_has_a_wildcard_where_it_could_name_a_resource(stack: Deployed, function: str) -> None:
    """Actions are named one by one, and resources in full, but for the streams of the function's own log."""
    log = f"arn:aws:logs:{stacks.REGION}:123456789012:log-group:/aws/lambda/tablee-test-{function}:*"
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
    table = f"arn:aws:dynamodb:{stacks.REGION}:123456789012:table/one"
    assert grants("dynamodb", "TransactWriteItems", {"TransactItems": parts}) == {
        ("dynamodb:PutItem", table),
        ("dynamodb:DeleteItem", table),
    }


def test_the_recorder_hears_any_client(stack: Deployed) -> None:
    """Calls are kept under the function for which they were made, and a call for nobody is not kept."""
    recorder = Recorder()
    name = stack.outputs["TableName"]
    store = DynamoStore(client(stacks.REGION), name, lambda: int(time.time()))
    with recorder.listening():
        asyncio.run(store.save_chat(Chat(-1)))
        with recorder.function("ticker"):
            asyncio.run(store.due(2_000_000_000, 10))
    table = f"arn:aws:dynamodb:{stacks.REGION}:123456789012:table/{name}"
    assert recorder.needed == {"ticker": {("dynamodb:Query", f"{table}/index/due")}}
