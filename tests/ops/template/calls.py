"""What a function asks of AWS, as IAM sees it, and what its role allows: two sets that must be equal.

`Recorder` listens to every botocore client of this process while it is told for which function the calls are made.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from unittest import mock

import boto3
from botocore.client import BaseClient

from testing.aws import REGION

ACCOUNT: Final = "123456789012"
Grant = tuple[str, str]
"""An IAM action and the ARN that it is for."""

# A transaction is allowed by what its parts would need alone.
PARTS: Final = {
    "Put": "PutItem",
    "Update": "UpdateItem",
    "Delete": "DeleteItem",
    "ConditionCheck": "ConditionCheckItem",
}


@dataclass
class Recorder:
    """The grants that each function has needed so far, by its name."""

    needed: dict[str, set[Grant]] = field(default_factory=dict)
    _function: str | None = None

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Within, calls are recorded."""
        original = BaseClient._make_api_call  # type: ignore[attr-defined]

        def call(client: Any, operation: str, parameters: Mapping[str, Any]) -> Any:
            if self._function is not None:
                service = client.meta.service_model.service_name
                self.needed.setdefault(self._function, set()).update(grants(service, operation, parameters))
            return original(client, operation, parameters)

        with mock.patch.object(BaseClient, "_make_api_call", call):
            yield

    @contextmanager
    def function(self, name: str | None) -> Iterator[None]:
        """Within, calls are made by the function called `name`; calls outside any, or for None, are nobody's."""
        before, self._function = self._function, name
        try:
            yield
        finally:
            self._function = before


def grants(service: str, operation: str, parameters: Mapping[str, Any]) -> set[Grant]:
    """What IAM must allow for one call. Raises LookupError for a service that nobody has thought of."""
    if service == "dynamodb":
        if operation == "TransactWriteItems":
            parts = [part for item in parameters["TransactItems"] for part in item.items()]
            return {(f"dynamodb:{PARTS[kind]}", table_arn(part["TableName"])) for kind, part in parts}
        index = f"/index/{parameters['IndexName']}" if "IndexName" in parameters else ""
        return {(f"dynamodb:{operation}", table_arn(parameters["TableName"]) + index)}
    if service == "ssm":
        names = parameters["Names"] if "Names" in parameters else [parameters["Name"]]
        return {(f"ssm:{operation}", f"arn:aws:ssm:{REGION}:{ACCOUNT}:parameter{name}") for name in names}
    if service == "cloudformation":
        return {
            (f"{service}:{operation}", f"arn:aws:{service}:{REGION}:{ACCOUNT}:stack/{parameters['StackName']}/0f7c")
        }
    if service == "sns":
        return {(f"sns:{operation}", parameters["TopicArn"])}
    if operation == "GetCallerIdentity":
        return set()  # everybody may
    raise LookupError(f"say which resources {service}:{operation} touches")


def table_arn(name: str) -> str:
    """The ARN of a table."""
    return f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{name}"


def allowed(role: str) -> set[Grant]:
    """What the policies of the role allow, as created in the AWS in force. Raises AssertionError for a wildcard."""
    iam = boto3.client("iam")
    assert not iam.list_attached_role_policies(RoleName=role)["AttachedPolicies"]
    found: set[Grant] = set()
    for name in iam.list_role_policies(RoleName=role)["PolicyNames"]:
        document: Any = iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"]
        # Of a policy that CloudFormation made, moto hands out Python's spelling and not JSON.
        for statement in ast.literal_eval(str(document))["Statement"]:
            assert statement["Effect"] == "Allow"
            assert set(statement) <= {"Sid", "Effect", "Action", "Resource"}
            for action in _list(statement["Action"]):
                found.update((action, resource) for resource in _list(statement["Resource"]))
    return found


def _list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value
