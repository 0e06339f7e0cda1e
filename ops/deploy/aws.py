"""What deploying needs of AWS, and AWS's complaints in one line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import boto3
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    NoCredentialsError,
    NoRegionError,
    PartialCredentialsError,
    ProfileNotFound,
)

from ops.deploy.console import DeployError

UNRESERVED: Final = 10
"""What Lambda insists on leaving to functions without a reservation."""

PENDING: Final = "PendingConfirmation"
"""What SNS puts in the place of a subscription's ARN until its address has confirmed it."""


@dataclass(frozen=True, slots=True)
class Stack:
    """A deployed stack: its status, the parameters it was deployed with, what it puts out."""

    status: str
    parameters: Mapping[str, str]
    outputs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Stored:
    """A secret in SSM and the version that counts its changes; `repr` shows only the version."""

    value: str
    version: int

    def __repr__(self) -> str:
        return f"Stored(version={self.version})"


class Aws:
    """The owner's account in one region. Every method raises `DeployError` where AWS refuses or cannot be asked.

    `session` has credentials and region already. Raises `DeployError` at once where no region is set.
    """

    def __init__(self, region: str | None = None, session: boto3.Session | None = None) -> None:
        with _one_line():
            self._session = session or boto3.Session(region_name=region)
        self._clients: dict[str, Any] = {}
        if not self._session.region_name:
            raise DeployError("choose a region: set AWS_DEFAULT_REGION, or run aws configure")
        self.region: str = self._session.region_name

    def account(self) -> str:
        """The account's number: proof that the credentials work."""
        with _one_line():
            return str(self._client("sts").get_caller_identity()["Account"])

    def stack(self, name: str) -> Stack | None:
        """The stack, or None where there is none."""
        with _one_line():
            try:
                (found,) = self._client("cloudformation").describe_stacks(StackName=name)["Stacks"]
            except ClientError as error:
                if "does not exist" in error.response["Error"]["Message"]:
                    return None
                raise
        return Stack(
            status=found["StackStatus"],
            parameters={one["ParameterKey"]: one["ParameterValue"] for one in found.get("Parameters", ())},
            outputs={one["OutputKey"]: one["OutputValue"] for one in found.get("Outputs", ())},
        )

    def secret(self, name: str) -> Stored | None:
        """A stored secret, decrypted, or None where there is none."""
        with _one_line():
            client = self._client("ssm")
            try:
                found = client.get_parameter(Name=name, WithDecryption=True)["Parameter"]
            except client.exceptions.ParameterNotFound:
                return None
        return Stored(found["Value"], found["Version"])

    def store(self, name: str, value: str) -> Stored:
        """Keep a secret under the account's own key for SSM, over the one before."""
        with _one_line():
            done = self._client("ssm").put_parameter(Name=name, Value=value, Type="SecureString", Overwrite=True)
        return Stored(value, done["Version"])

    def forget(self, *names: str) -> None:
        """Delete secrets; those that are not there are passed over."""
        with _one_line():
            self._client("ssm").delete_parameters(Names=list(names))

    def concurrency(self) -> int:
        """How many invocations the account may run at once."""
        with _one_line():
            limits = self._client("lambda").get_account_settings()["AccountLimit"]
        return int(limits["ConcurrentExecutions"])

    def table(self, name: str) -> Mapping[str, Any] | None:
        """DynamoDB's description of a table, or None where there is none of that name."""
        with _one_line():
            client = self._client("dynamodb")
            try:
                described: Mapping[str, Any] = client.describe_table(TableName=name)["Table"]
            except client.exceptions.ResourceNotFoundException:
                return None
        return described

    def resource(self, stack: str, logical: str) -> str | None:
        """The name of what the stack calls `logical`, though it be retained only; None where it was never made."""
        with _one_line():
            try:
                found = self._client("cloudformation").describe_stack_resource(
                    StackName=stack, LogicalResourceId=logical
                )["StackResourceDetail"]
            except ClientError as error:
                if "does not exist" in error.response["Error"]["Message"]:
                    return None
                raise
        return found.get("PhysicalResourceId") or None

    def is_confirmed(self, topic: str, address: str) -> bool | None:
        """Whether an e-mail address has confirmed that it wants a topic's messages; None where it is not asked to."""
        with _one_line():
            pages = self._client("sns").get_paginator("list_subscriptions_by_topic").paginate(TopicArn=topic)
            for one in (one for page in pages for one in page["Subscriptions"]):
                if (one["Protocol"], one["Endpoint"]) == ("email", address):
                    return bool(one["SubscriptionArn"] != PENDING)
        return None

    def _client(self, service: str) -> Any:
        if service not in self._clients:
            self._clients[service] = self._session.client(service)  # type: ignore[call-overload]
        return self._clients[service]


@contextmanager
def _one_line() -> Iterator[None]:
    try:
        yield
    except ProfileNotFound as error:
        raise DeployError(f"correct AWS_PROFILE: {error}") from error
    except (NoCredentialsError, PartialCredentialsError) as error:
        raise DeployError("log in to AWS first: run aws configure or aws sso login, or set AWS_PROFILE") from error
    except NoRegionError as error:
        raise DeployError("choose a region: set AWS_DEFAULT_REGION, or run aws configure") from error
    except ClientError as error:
        said = error.response["Error"]
        raise DeployError(f"AWS refused {error.operation_name}: {said['Code']}: {said['Message']}") from error
    except BotoCoreError as error:
        raise DeployError(f"AWS cannot be asked: {' '.join(str(error).split())}") from error
