"""The policy for whoever deploys allows what deploying takes, and nothing else.

What takes it: our own calls, SAM's, and those that CloudFormation makes with the same rights for every kind of resource
in the template. The last stand in the kinds' schemas, which also name calls for properties that the template has not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

import pytest
from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER  # type: ignore[import-untyped]

from ops.deploy import steps
from ops.deploy.steps import Renewal
from testing.aws import REGION
from tests.ops.deploy import policy
from tests.ops.deploy.conftest import Evening, PretendedSam, make_table
from tests.ops.deploy.test_workflows import workflow
from tests.ops.template.calls import ACCOUNT, Recorder
from tests.ops.template.stack import ROOT, cloudformation

SAM: Final = {
    *("cloudformation:CreateChangeSet", "cloudformation:DeleteStack", "cloudformation:DescribeChangeSet"),
    *("cloudformation:DescribeStackEvents", "cloudformation:DescribeStacks", "cloudformation:ExecuteChangeSet"),
    *("cloudformation:GetTemplate", "cloudformation:GetTemplateSummary"),
    *("s3:DeleteObject", "s3:GetObject", "s3:PutObject"),
}
"""What the real SAM asks for on an ordinary evening; `test_real_deploy.py` makes sure of it."""

OURS: Final = {
    *("cloudformation:DescribeStackResource", "cloudformation:DescribeStacks", "dynamodb:DescribeTable"),
    *("lambda:GetAccountSettings", "sns:ListSubscriptionsByTopic"),
    *("ssm:DeleteParameters", "ssm:GetParameter", "ssm:PutParameter"),
}
"""What `ops/deploy/aws.py` asks for."""

UNHEARD: Final = {"lambda:GetAccountSettings"}
"""The one of them that moto does not know."""

SELDOM: Final = {"cloudformation:ListChangeSets"}
"""What it asks for to take away a stack that was never made."""

BUCKET: Final = ("AWS::S3::Bucket", "AWS::S3::BucketPolicy")
"""What SAM has CloudFormation make for its packages, the first time."""

ABSENT: Final = {
    # Deliveries, masks, indexes and keys of logs.
    *("logs:PutDataProtectionPolicy", "logs:DeleteDataProtectionPolicy", "sns:PutDataProtectionPolicy"),
    *("logs:PutResourcePolicy", "logs:DeleteResourcePolicy", "logs:PutIndexPolicy", "logs:DeleteIndexPolicy"),
    *("logs:*ssociateKmsKey", "logs:PutLogGroupDeletionProtection", "logs:PutBearerTokenAuthentication"),
    "logs:CreateLogDelivery",
    # Provisioned concurrency, signed code, layers, settings of the runtime.
    *("lambda:PutProvisionedConcurrencyConfig", "lambda:DeleteProvisionedConcurrencyConfig"),
    *("lambda:PutFunctionCodeSigningConfig", "lambda:DeleteFunctionCodeSigningConfig", "lambda:GetCodeSigningConfig"),
    *("lambda:PutRuntimeManagementConfig", "lambda:PutFunctionRecursionConfig", "lambda:PutFunctionScalingConfig"),
    *("lambda:PassCapacityProvider", "lambda:AssociateRuntimeAlias", "lambda:GetLayerVersion"),
    # Managed policies and boundaries.
    *("iam:*tachRolePolicy", "iam:*RolePermissionsBoundary"),
    # Imports, replicas, streams, insights and policies of tables, and their items.
    *("dynamodb:*Import*", "dynamodb:*TableReplica", "dynamodb:UpdateContributorInsights"),
    *("dynamodb:EnableKinesisStreamingDestination", "dynamodb:DisableKinesisStreamingDestination"),
    *("dynamodb:UpdateKinesisStreamingDestination", "dynamodb:PutResourcePolicy", "dynamodb:DeleteResourcePolicy"),
    *("dynamodb:*Item", "dynamodb:Scan", "dynamodb:Query"),
    # A table is kept, whatever happens to its stack.
    "dynamodb:DeleteTable",
}
"""Calls in the schemas for what the template has not, of the services whose resources it has."""

ARNS: Final = {
    "AWS::CloudWatch::Alarm": "cloudwatch:{region}:{account}:alarm:{name}",
    "AWS::CloudWatch::Dashboard": "cloudwatch::{account}:dashboard/{name}",
    "AWS::DynamoDB::Table": "dynamodb:{region}:{account}:table/{name}",
    "AWS::Events::Rule": "events:{region}:{account}:rule/{name}",
    "AWS::IAM::Role": "iam::{account}:role/{name}",
    "AWS::Lambda::Alias": "lambda:{region}:{account}:function:tablee-test-webhook:live",
    "AWS::Lambda::EventInvokeConfig": "lambda:{region}:{account}:function:tablee-test-ticker",
    "AWS::Lambda::Function": "lambda:{region}:{account}:function:{name}",
    "AWS::Lambda::Permission": "lambda:{region}:{account}:function:tablee-test-webhook:live",
    "AWS::Lambda::Url": "lambda:{region}:{account}:function:tablee-test-webhook:live",
    "AWS::Lambda::Version": "lambda:{region}:{account}:function:tablee-test-webhook:7",
    "AWS::Logs::LogGroup": "logs:{region}:{account}:log-group:{name}",
    "AWS::SNS::Subscription": "sns:{region}:{account}:tablee-test-alarms:0f7c",
    "AWS::SNS::Topic": "sns:{region}:{account}:{name}",
}
NAMES: Final = ("AlarmName", "DashboardName", "FunctionName", "LogGroupName", "TopicName")
README: Final = (ROOT / "ops" / "README.md").read_text()
PARAMETERS: Final = {"Stage": "test", "BotUsername": "tablee_bot", "AlarmEmail": "a@example.org", "SnapStart": "on"}


def called(kind: str) -> set[str]:
    """The calls that CloudFormation makes for a kind of resource, by its schema, for what the template has of it."""
    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, kind).schema
    calls = {call for name, one in schema["handlers"].items() if name != "list" for call in one["permissions"]}
    calls |= set(schema.get("tagging", {}).get("permissions", ()))
    # Of another service a function alone wants something: its role, and its code. The rest is for networks, keys of
    # one's own, streams and the like.
    services = {ARNS[kind].partition(":")[0]} | ({"iam", "s3"} if kind == "AWS::Lambda::Function" else set())
    calls = {call for call in calls if call.partition(":")[0] in services}
    return {call for call in calls if not any(fnmatchcase(call, one) for one in ABSENT)}


def resources() -> list[tuple[str, str]]:
    """The kind and the ARN of each of the stack's resources; CloudFormation draws the names that the template lacks."""
    found = []
    for logical, resource in cloudformation(**PARAMETERS)["Resources"].items():
        name = next((value for key, value in resource["Properties"].items() if key in NAMES), None)
        if isinstance(name, dict):
            name = name.get("Fn::Sub", "").replace("${Stage}", "test").replace("${AWS::Region}", REGION)
        arn = ARNS[resource["Type"]].format(region=REGION, account=ACCOUNT, name=name or f"tablee-test-{logical}-1A2B")
        found.append((resource["Type"], f"arn:aws:{arn}"))
    return found


def touched(action: str, arn: str) -> str:
    """What a call made for the resource `arn` is for: mostly that."""
    if action == "iam:PassRole":
        return f"arn:aws:iam::{ACCOUNT}:role/tablee-test-WebhookRole-1A2B"
    if action.startswith("s3:"):
        return "arn:aws:s3:::aws-sam-cli-managed-default-samclisourcebucket-1a2b/0123abcd"
    return arn


def test_cloudformation_may_do_what_the_template_wants() -> None:
    """With every resource as it is called: to make it, look at it, change it and take it away."""
    assert {kind for kind, _ in resources()} == set(ARNS)
    for kind, arn in resources():
        for action in called(kind):
            assert policy.allows(action, touched(action, arn)), (kind, action)


async def test_we_may_ask_what_we_ask(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """A restored table, a new secret, a look at the webhook, a stack that was never made, the end: call by call."""
    recorder = Recorder()
    pretended = PretendedSam.__call__

    def unheard(sam: PretendedSam, command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> int:
        with recorder.function(None):
            return pretended(sam, command, folder, environ)

    monkeypatch.setattr(PretendedSam, "__call__", unheard)
    restored = make_table("tablee-restored")
    evening.console.answers["take it off"] = "test"
    with recorder.listening(), recorder.function("owner"):
        await steps.deploy(evening.owner, {"restored_table": restored}, Renewal())
        await steps.deploy(evening.owner, {}, Renewal(secret=True))
        await steps.webhook_info(evening.owner)
        await steps.undeploy(evening.owner)
    for action, arn in recorder.needed["owner"]:
        assert policy.allows(action, arn), (action, arn)
    assert {action for action, _ in recorder.needed["owner"]} | UNHEARD == OURS


def test_nothing_else_is_allowed() -> None:
    """Each action is one of ours, of SAM's, or of CloudFormation's for a kind of resource that there is."""
    used = OURS | SAM | SELDOM | {call for kind, _ in resources() for call in called(kind)}
    schemas = [PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, kind).schema for kind in BUCKET]
    used |= {call for schema in schemas for one in schema["handlers"].values() for call in one["permissions"]}
    superfluous = {action for action, _ in policy.grants() if not any(fnmatchcase(one, action) for one in used)}
    assert superfluous == set()


def test_what_has_no_name_is_only_looked_at() -> None:
    """Everything else is the bot's own, by its name; but a subscription is not a resource to IAM."""
    for action, arn in policy.grants():
        if arn == "*":
            looks = action.partition(":")[2].startswith(("Describe", "Get"))
            assert looks or action in {"sns:SetSubscriptionAttributes", "sns:Unsubscribe"}
        else:
            assert re.search(r"[:/]tablee[-/]|aws-sam-cli-managed-default|Serverless-2016-10-31", arn), arn


def test_no_function_of_others_can_be_given_a_role() -> None:
    """Roles are handed to Lambda alone; and whoever deploys cannot change its own, which is called otherwise."""
    (handing,) = (one for one in policy.statements() if "iam:PassRole" in one["Action"])
    assert handing["Condition"] == {"StringEquals": {"iam:PassedToService": "lambda.amazonaws.com"}}
    assert not policy.allows("iam:PutRolePolicy", f"arn:aws:iam::{ACCOUNT}:role/deploy-tablee")
    assert "--role-name deploy-tablee " in README


def test_the_workflows_role_trusts_what_the_workflow_shows() -> None:
    """A job with an environment is known to AWS by that; the README's document for it is one."""
    (document,) = re.findall(r"```json\n(.*?)```", README, re.DOTALL)
    (statement,) = json.loads(document)["Statement"]
    audience, subject = statement["Condition"]["StringEquals"].values()
    assert (audience, subject) == ("sts.amazonaws.com", "repo:OWNER/REPOSITORY:environment:prod")
    assert workflow("deploy")["jobs"]["deploy"]["environment"] == "${{ inputs.stage }}"


def test_the_policy_is_short_enough() -> None:
    """A managed policy may have 6,144 characters, blanks apart."""
    assert len("".join(policy.FILE.read_text().split())) <= 6_144
