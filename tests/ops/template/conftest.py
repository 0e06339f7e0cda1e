"""Fixtures of the template's tests: stacks in moto."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import boto3
import moto
import pytest

from testing.aws import REGION
from tests.ops.template import stack as stacks

PARAMETERS = {"Stage": "test", "BotUsername": "tablee_bot", "AlarmEmail": "host@example.org"}


@dataclass(frozen=True)
class Deployed:
    """A stack that stands: its resources' physical ids by logical id, its outputs, what moto could not make."""

    ids: dict[str, str]
    outputs: dict[str, str]
    kept: dict[str, dict[str, Any]]


@contextmanager
def pretended() -> Iterator[None]:
    """An AWS of moto's."""
    with moto.mock_aws(config={"lambda": {"use_docker": False}}):
        s3 = boto3.client("s3")
        s3.create_bucket(Bucket="code", CreateBucketConfiguration={"LocationConstraint": REGION})
        s3.put_object(Bucket="code", Key="package.zip", Body=b"PK\x05\x06" + bytes(18))
        yield


@contextmanager
def deployed() -> Iterator[Deployed]:
    """The stack of a stage called test, in whatever AWS is in force."""
    template = stacks.cloudformation(**PARAMETERS)
    with stacks.stand_ins(template) as kept:
        described = stacks.create("tablee-test", template, **PARAMETERS)
        assert described["StackStatus"] == "CREATE_COMPLETE"
        resources = boto3.client("cloudformation").list_stack_resources(StackName="tablee-test")
        yield Deployed(
            ids={one["LogicalResourceId"]: one["PhysicalResourceId"] for one in resources["StackResourceSummaries"]},
            outputs={one["OutputKey"]: one["OutputValue"] for one in described["Outputs"]},
            kept=dict(kept),
        )


@pytest.fixture
def aws() -> Iterator[None]:
    """An AWS for one test."""
    with pretended():
        yield


@pytest.fixture(scope="module")
def stack() -> Iterator[Deployed]:
    """A stack that the tests of a module share, in an AWS of its own: making it takes a second."""
    with pretended(), deployed() as made:
        yield made
