"""The template's parameters: what each changes."""

from __future__ import annotations

import boto3

from tests.ops.template import stack as stacks
from tests.ops.template.conftest import PARAMETERS

GLOBAL_NAMES = {
    "AWS::CloudWatch::Dashboard": "DashboardName",
    "AWS::IAM::ManagedPolicy": "ManagedPolicyName",
    "AWS::IAM::Role": "RoleName",
    "AWS::S3::Bucket": "BucketName",
}
"""What is named once in an account or in all of AWS, and not once in a region."""


def test_two_stages_share_no_name(aws: None) -> None:  # noqa: ARG001 - the stacks stand in it
    """A second stage stands beside the first in the same account."""
    made = []
    for stage in ("one", "two"):
        parameters = PARAMETERS | {"Stage": stage}
        template = stacks.cloudformation(**parameters)
        with stacks.stand_ins(template):
            assert stacks.create(f"tablee-{stage}", template, **parameters)["StackStatus"] == "CREATE_COMPLETE"
        resources = boto3.client("cloudformation").list_stack_resources(StackName=f"tablee-{stage}")
        made.append({one["PhysicalResourceId"] for one in resources["StackResourceSummaries"] if "Alarm" not in one})
    names = [{name for name in one if "tablee-" in name} for one in made]
    assert names[0]
    assert not names[0] & names[1]


def test_a_stage_can_stand_in_several_regions() -> None:
    """What is named once in an account has the region in its name, or a name that CloudFormation draws."""
    named = {}
    for name, resource in stacks.sam_template()["Resources"].items():
        if resource["Type"] in GLOBAL_NAMES:
            own = resource["Properties"].get(GLOBAL_NAMES[resource["Type"]])
            assert own is None or "${AWS::Region}" in own["Fn::Sub"], name
            named[name] = own
    assert {"Dashboard", "WebhookRole", "TickerRole"} <= set(named)


async def test_a_restored_table_takes_the_stacks_own_place(aws: None) -> None:  # noqa: ARG001 - likewise
    """After a restore, one parameter points functions, policies and alarms at the restored table."""
    parameters = PARAMETERS | {"RestoredTable": "tablee-restored"}
    template = stacks.cloudformation(**parameters)
    with stacks.stand_ins(template) as kept:
        described = stacks.create("tablee-test", template, **parameters)
        alarm = kept["TableWritesThrottledAlarm"]
    outputs = {one["OutputKey"]: one["OutputValue"] for one in described["Outputs"]}
    assert outputs["TableName"] == "tablee-restored"
    webhook = boto3.client("lambda").get_function_configuration(FunctionName="tablee-test-webhook")
    assert webhook["Environment"]["Variables"]["TABLE_NAME"] == "tablee-restored"
    assert alarm["Dimensions"] == [{"Name": "TableName", "Value": "tablee-restored"}]


def test_without_an_address_nobody_is_written_to(aws: None) -> None:  # noqa: ARG001 - likewise
    """The topic is there for whoever wants to listen; no subscription is made."""
    parameters = PARAMETERS | {"AlarmEmail": ""}
    template = stacks.cloudformation(**parameters)
    with stacks.stand_ins(template) as kept:
        stacks.create("tablee-test", template, **parameters)
        assert "AlarmsByEmail" not in kept


def test_a_new_revision_moves_the_live_alias() -> None:
    """The version is named after the revision, so that changed parameters are published like changed code.

    Without one SAM goes by code and template alone; that is why `make deploy` gives one. The version before is
    deleted, and no snapshot of it goes on costing money.
    """

    def version(revision: str) -> tuple[str, str]:
        resources = stacks.cloudformation(**PARAMETERS, Revision=revision)["Resources"]
        ((name, kept),) = ((name, one) for name, one in resources.items() if one["Type"] == "AWS::Lambda::Version")
        assert resources["WebhookFunctionAliaslive"]["Properties"]["FunctionVersion"]["Fn::GetAtt"][0] == name
        return name, kept["DeletionPolicy"]

    first, second = "a" * 64, "b" * 64
    assert version(first) == ("WebhookFunctionVersionaaaaaaaaaa", "Delete")
    assert version(second) == ("WebhookFunctionVersionbbbbbbbbbb", "Delete")
    assert version("") != version(first)
