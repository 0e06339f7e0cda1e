"""The stack: what stands in an account once the template is deployed."""

from __future__ import annotations

import json
from typing import Any

import boto3

from infra import logs, table
from infra.dynamo import DynamoStore, client
from infra.settings import LEAST_CHAT_BUDGET
from infra.store import Chat
from infra.telegram import READ_SECONDS
from testing.aws import REGION
from tests.ops.template import stack as stacks
from tests.ops.template.conftest import PARAMETERS, Deployed


async def test_the_table_works(stack: Deployed) -> None:
    """The table that the stack names is one that the store can use, its index too."""
    store = DynamoStore(client(REGION), stack.outputs["TableName"], lambda: 1_780_000_000)
    saved = await store.save_chat(Chat(-100, language="fr"))
    assert await store.chat(-100) == saved
    assert await store.due(2_000_000_000, 10) == ()


def test_the_table_is_the_one_that_tests_use(stack: Deployed) -> None:
    """Keys, index and billing are those of `infra.table`, which every store test runs on."""
    described: Any = boto3.client("dynamodb").describe_table(TableName=stack.outputs["TableName"])["Table"]
    wanted = table.definition("any")
    assert described["KeySchema"] == wanted["KeySchema"]
    assert described["BillingModeSummary"]["BillingMode"] == wanted["BillingMode"]

    def by_name(attribute: dict[str, str]) -> str:
        return attribute["AttributeName"]

    assert sorted(described["AttributeDefinitions"], key=by_name) == sorted(wanted["AttributeDefinitions"], key=by_name)
    (index,) = described["GlobalSecondaryIndexes"]
    (wanted_index,) = wanted["GlobalSecondaryIndexes"]
    assert {key: index[key] for key in wanted_index} == wanted_index


def test_the_table_is_safe() -> None:
    """The template keeps the table from being deleted, lost, read from a stolen disk, or growing for ever."""
    resource = stacks.cloudformation(**PARAMETERS)["Resources"]["Table"]
    assert (resource["DeletionPolicy"], resource["UpdateReplacePolicy"]) == ("Retain", "Retain")
    properties = resource["Properties"]
    assert properties["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert properties["SSESpecification"] == {"SSEEnabled": True}
    assert properties["TimeToLiveSpecification"] == {"AttributeName": table.EXPIRES, "Enabled": True}
    assert properties["DeletionProtectionEnabled"] is True
    assert "TableName" not in properties


def test_the_functions_know_where_everything_is(stack: Deployed) -> None:
    """Their environment names the stack's table and secrets, and holds no secret; they run on arm64."""
    lambda_client = boto3.client("lambda")
    webhook = lambda_client.get_function_configuration(FunctionName="tablee-test-webhook")
    ticker = lambda_client.get_function_configuration(FunctionName="tablee-test-ticker")
    common = {
        "TELEGRAM_TOKEN_PARAMETER": "/tablee/test/telegram-token",
        "TELEGRAM_API_URL": "https://api.telegram.org",
        "TELEGRAM_BOT_USERNAME": "tablee_bot",
        "TELEGRAM_CHAT_BUDGET": "16",
        "TABLE_NAME": stack.outputs["TableName"],
        "POWERTOOLS_SERVICE_NAME": "tablee-test",
        "REVISION": "",
    }
    secrets = {
        "TELEGRAM_WEBHOOK_SECRET_PARAMETER": "/tablee/test/telegram-webhook-secret",
        "TELEGRAM_WEBHOOK_SECRET_NEXT_PARAMETER": "/tablee/test/telegram-webhook-secret-next",
    }
    assert texts(webhook["Environment"]["Variables"]) == common | secrets
    assert texts(ticker["Environment"]["Variables"]) == common
    assert (webhook["Handler"], ticker["Handler"]) == ("handlers.webhook.handler", "handlers.ticker.handler")
    for function in functions(stacks.cloudformation(**PARAMETERS)).values():
        assert function["Architectures"] == ["arm64"]  # moto would say x86_64
    assert webhook["Runtime"] == ticker["Runtime"] == "python3.14"


def test_the_ticker_runs_every_minute(stack: Deployed) -> None:
    """A rule calls the ticker once a minute; a run ends before the next begins, and is not repeated."""
    events = boto3.client("events")
    (rule,) = events.list_rules()["Rules"]
    assert (rule["ScheduleExpression"], rule["State"]) == ("rate(1 minute)", "ENABLED")
    (target,) = events.list_targets_by_rule(Rule=rule["Name"])["Targets"]
    assert target["Arn"].endswith(":function:tablee-test-ticker")
    timeout = boto3.client("lambda").get_function_configuration(FunctionName="tablee-test-ticker")["Timeout"]
    assert timeout < 60
    assert stack.kept["TickerFunctionEventInvokeConfig"]["MaximumRetryAttempts"] == 0


def test_logs_are_kept_for_a_while(stack: Deployed) -> None:
    """Every function writes to a log group of the stack's, and its lines go after a month."""
    groups = {one["logGroupName"]: one for one in boto3.client("logs").describe_log_groups()["logGroups"]}
    assert set(groups) == {stack.outputs["WebhookLogGroup"], stack.outputs["TickerLogGroup"]}
    assert {one["retentionInDays"] for one in groups.values()} == {30}
    for name, function in functions(stacks.cloudformation(**PARAMETERS)).items():
        group = function["LoggingConfig"]["LogGroup"]["Ref"]
        assert stack.ids[group] == f"/aws/lambda/tablee-test-{name.removesuffix('Function').lower()}"


def test_the_webhook_is_open_to_telegram(stack: Deployed) -> None:
    """The function URL of the live alias asks for no signature; both permissions that it takes are there."""
    url = stack.kept["WebhookFunctionUrl"]
    assert (url["AuthType"], url["InvokeMode"]) == ("NONE", "BUFFERED")
    assert stack.outputs["WebhookUrl"].startswith("https://")
    template = stacks.cloudformation(**PARAMETERS)
    granted = {
        resource["Properties"]["Action"]
        for resource in template["Resources"].values()
        if resource["Type"] == "AWS::Lambda::Permission" and resource["Properties"]["Principal"] == "*"
    }
    assert granted == {"lambda:InvokeFunctionUrl", "lambda:InvokeFunction"}


def test_alarms_reach_the_owner(stack: Deployed) -> None:
    """Every alarm tells the topic when it starts and when it ends, and the topic writes to the address."""
    (topic,) = boto3.client("sns").list_topics()["Topics"]
    assert stack.outputs["AlarmTopic"] == topic["TopicArn"]
    assert stack.kept["AlarmsByEmail"] == {
        "TopicArn": topic["TopicArn"],
        "Protocol": "email",
        "Endpoint": "host@example.org",
    }
    alarms = {name: kept for name, kept in stack.kept.items() if name.endswith("Alarm")}
    assert len(alarms) == 10
    for alarm in alarms.values():
        assert alarm["AlarmActions"] == alarm["OKActions"] == [topic["TopicArn"]]
        assert alarm["AlarmName"].startswith("tablee-test-")
        assert alarm["AlarmDescription"].endswith(".")


def test_alarms_watch_what_must_not_happen(stack: Deployed) -> None:
    """Errors, failures for good, throttles, slowness, a silent ticker, a throttled table: each has its alarm."""
    watched = {
        (alarm["Namespace"], alarm["MetricName"], *(one["Value"] for one in alarm["Dimensions"]))
        for name, alarm in stack.kept.items()
        if name.endswith("Alarm")
    }
    table_name = stack.outputs["TableName"]
    assert watched == {
        ("AWS/Lambda", "Errors", "tablee-test-webhook"),
        ("AWS/Lambda", "Url5xxCount", "tablee-test-webhook"),
        ("AWS/Lambda", "Throttles", "tablee-test-webhook"),
        ("AWS/Lambda", "Duration", "tablee-test-webhook"),
        ("AWS/Lambda", "Errors", "tablee-test-ticker"),
        ("AWS/Lambda", "Invocations", "tablee-test-ticker"),
        (logs.NAMESPACE, logs.Metric.FAILURES, "tablee-test"),
        ("AWS/DynamoDB", "ReadThrottleEvents", table_name),
        ("AWS/DynamoDB", "WriteThrottleEvents", table_name),
        ("AWS/DynamoDB", "WriteThrottleEvents", table_name, table.DUE_INDEX),
    }


def test_no_alarm_is_blind(stack: Deployed) -> None:
    """Each is decided by whatever there is, be it a single press; what counts trouble rests where there is no count.

    The ticker's silence is the one trouble that shows as nothing at all.
    """
    for name, alarm in stack.kept.items():
        if name.endswith("Alarm"):
            silent = "breaching" if name == "TickerSilentAlarm" else "notBreaching"
            assert alarm["TreatMissingData"] == silent, name
            # CloudWatch wants 10 / (1 - 0.99) values of a period for a 99th percentile.
            assert ("ExtendedStatistic" in alarm) == ("EvaluateLowSampleCountPercentile" in alarm), name
            assert alarm.get("EvaluateLowSampleCountPercentile", "evaluate") == "evaluate", name
            assert int(alarm["Period"]) * int(alarm["EvaluationPeriods"]) <= 900, (
                "trouble is told within a quarter hour"
            )


def test_waiting_for_a_turn_is_not_slow(stack: Deployed) -> None:
    """A new board, at the least budget just spent, waits for three messages' time; the alarm begins above that.

    And below what ends the function, which another alarm tells of.
    """
    seconds = stacks.sam_template()["Resources"]["WebhookFunction"]["Properties"]["Timeout"]
    assert 3 * 60_000 / LEAST_CHAT_BUDGET < int(stack.kept["WebhookSlowAlarm"]["Threshold"]) < seconds * 1000


def test_the_least_budget_leaves_time_to_speak() -> None:
    """The longest wait for a new board and one slow answer of Telegram's fit into the webhook's time."""
    seconds = stacks.sam_template()["Resources"]["WebhookFunction"]["Properties"]["Timeout"]
    assert seconds > 3 * 60 / LEAST_CHAT_BUDGET + READ_SECONDS
    assert seconds < 3 * 60 / 5, "which 5 a minute would not"


def test_the_dashboard_shows_what_is_counted(stack: Deployed) -> None:
    """Its body is JSON, its names are resolved, and every metric of ours stands on it."""
    body = boto3.client("cloudwatch").get_dashboard(DashboardName=f"tablee-test-{REGION}")["DashboardBody"]
    assert "${" not in body
    widgets = json.loads(body)["widgets"]
    shown = {tuple(metric[:2]) for widget in widgets for metric in widget["properties"].get("metrics", [])}
    assert {name for namespace, name in shown if namespace == logs.NAMESPACE} == {
        metric.value for metric in logs.Metric
    }
    assert stack.outputs["TableName"] in body
    assert stack.outputs["DashboardUrl"].endswith(f"#dashboards:name=tablee-test-{REGION}")
    for group in ("WebhookLogGroup", "TickerLogGroup"):
        assert f"SOURCE '{stack.outputs[group]}'" in body


def functions(template: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The properties of a template's functions, by logical id."""
    resources = template["Resources"].items()
    return {name: resource["Properties"] for name, resource in resources if resource["Type"] == "AWS::Lambda::Function"}


def texts(variables: dict[str, Any]) -> dict[str, str]:
    """An environment as CloudFormation makes it: moto leaves numbers as they are."""
    return {name: str(value) for name, value in variables.items()}
