"""The guided command: a first deployment, repeated ones, secrets renewed, the webhook looked at, the end."""

from __future__ import annotations

from dataclasses import replace

import boto3
import pytest

from emulator.telegram import TOKEN
from ops.deploy import steps
from ops.deploy.aws import Stack
from ops.deploy.console import DeployError
from ops.deploy.steps import Renewal
from tests.ops.deploy.conftest import URL, Evening, make_table, subscriptions

AGAIN = Renewal()


async def test_a_first_evening(evening: Evening) -> None:
    """One command: the token is asked for and stored, the stack made, the webhook set, the bot introduced."""
    await steps.deploy(evening.owner, {}, AGAIN)
    ssm = boto3.client("ssm")
    token = ssm.get_parameter(Name="/tablee/test/telegram-token", WithDecryption=True)["Parameter"]
    secret = ssm.get_parameter(Name="/tablee/test/telegram-webhook-secret", WithDecryption=True)["Parameter"]
    assert (token["Type"], token["Value"]) == ("SecureString", TOKEN)
    assert secret["Type"] == "SecureString"
    assert len(secret["Value"]) >= 32
    assert evening.sam.parameters["Stage"] == "test"
    assert evening.sam.parameters["BotUsername"] == "tablee_bot"
    assert evening.sam.parameters["AlarmEmail"] == "host@example.org"
    webhook = evening.telegram.world.webhook
    assert (webhook.url, webhook.secret, set(webhook.allowed)) == (
        URL,
        secret["Value"],
        {"message", "callback_query", "my_chat_member"},
    )
    assert webhook.max_connections == 40
    ready, dashboard, alarms = evening.console.said[-3:]
    assert ready.startswith("@tablee_bot is ready")
    assert dashboard == "Dashboard: https://console.test/"
    assert alarms.startswith("Alarms go to nobody yet: host@example.org must confirm")
    assert not evening.telegram.violations


async def test_the_owner_sees_no_secret(evening: Evening) -> None:
    """Neither on the screen nor in a program's arguments."""
    await steps.deploy(evening.owner, {}, AGAIN)
    secret = evening.telegram.world.webhook.secret
    assert secret
    for text in (*evening.console.said, *evening.console.asked, *(" ".join(one) for one in evening.sam.commands)):
        assert TOKEN not in text
        assert secret not in text


async def test_every_chat_finds_the_commands_in_its_language(evening: Evening) -> None:
    """Menus and descriptions are set for groups and private chats, in both languages and for everybody else."""
    await steps.deploy(evening.owner, {}, AGAIN)
    for scope, commands in (
        ("all_group_chats", ["dekal", "skyjo", "board", "stop", "rules", "settings", "language", "help"]),
        ("all_private_chats", ["rules", "language", "help", "start"]),
    ):
        menus = {code: evening.setting("commands", {"type": scope}, code) for code in ("en", "fr", "")}
        for menu in menus.values():
            assert [one["command"] for one in menu] == commands
            assert all(not one["description"].startswith("menu.") for one in menu)
        assert menus["en"] == menus[""] != menus["fr"]
    for what in ("description", "short_description"):
        assert evening.setting(what, "en") == evening.setting(what, "") != evening.setting(what, "fr")


async def test_a_repetition_asks_nothing_and_changes_nothing(evening: Evening) -> None:
    """The same command again finds token, secret and choices where they are; even the revision is the same."""
    await steps.deploy(evening.owner, {}, AGAIN)
    before, secret = dict(evening.sam.parameters), evening.telegram.world.webhook.secret
    evening.console.asked.clear()
    await steps.deploy(evening.owner, {}, AGAIN)
    assert evening.console.asked == []
    assert evening.sam.parameters == before
    assert evening.telegram.world.webhook.secret == secret


async def test_choices_stay_until_changed(evening: Evening) -> None:
    """A choice given once is kept; one given later changes it, and with it the revision."""
    await steps.deploy(evening.owner, {"snap_start": "on", "reserved_concurrency": "5"}, AGAIN)
    first = dict(evening.sam.parameters)
    assert (first["SnapStart"], first["ReservedConcurrency"]) == ("on", "5")
    assert evening.telegram.world.webhook.max_connections == 5
    await steps.deploy(evening.owner, {"alarm_email": "other@example.org"}, AGAIN)
    second = dict(evening.sam.parameters)
    assert (second["SnapStart"], second["AlarmEmail"]) == ("on", "other@example.org")
    assert second["Revision"] != first["Revision"]


async def test_new_code_is_a_new_revision(evening: Evening) -> None:
    """The live alias moves with the code."""
    await steps.deploy(evening.owner, {}, AGAIN)
    before = evening.sam.parameters["Revision"]
    evening.sam.code += b" # changed"
    await steps.deploy(evening.owner, {}, AGAIN)
    assert evening.sam.parameters["Revision"] != before


async def test_a_new_token_is_asked_for_and_tried(evening: Evening) -> None:
    """A token that Telegram does not know is refused, and the one before stays."""
    await steps.deploy(evening.owner, {}, AGAIN)
    evening.console.answers["token"] = "424242:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw00"
    with pytest.raises(DeployError, match="Telegram does not know this token"):
        await steps.deploy(evening.owner, {}, Renewal(token=True))
    kept = boto3.client("ssm").get_parameter(Name="/tablee/test/telegram-token", WithDecryption=True)["Parameter"]
    assert kept["Value"] == TOKEN


async def test_two_stages_stand_side_by_side(evening: Evening) -> None:
    """Another stage has its own stack and secrets; the first one's stay as they were."""
    await steps.deploy(evening.owner, {}, AGAIN)
    first = evening.telegram.world.webhook.secret
    await steps.deploy(evening.as_if("two"), {}, AGAIN)
    stacks = boto3.client("cloudformation").describe_stacks()["Stacks"]
    assert {stack["StackName"] for stack in stacks} == {"tablee-test", "tablee-two"}
    assert evening.telegram.world.webhook.secret != first


@pytest.mark.parametrize("step", ["build", "deploy"])
async def test_a_failing_sam_stops_the_evening(evening: Evening, step: str) -> None:
    """Nothing is registered; once it is mended, the same command goes on."""
    evening.sam.fails.add(step)
    with pytest.raises(DeployError, match="what sam printed above says why"):
        await steps.deploy(evening.owner, {}, AGAIN)
    assert not evening.telegram.world.webhook.url
    evening.sam.fails.clear()
    await steps.deploy(evening.owner, {}, AGAIN)
    assert evening.telegram.world.webhook.url == URL
    assert sum("token" in question for question in evening.console.asked) == 1


async def test_a_word_that_is_no_token_is_refused_unseen(evening: Evening) -> None:
    """The message says what a token looks like, and does not repeat the word."""
    evening.console.answers["token"] = "hunter2"
    with pytest.raises(DeployError, match="that is no token") as caught:
        await steps.deploy(evening.owner, {}, AGAIN)
    assert "hunter2" not in str(caught.value)


async def test_more_than_the_account_has_cannot_be_reserved(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """A young account may run ten invocations at once and reserve none: it is not asked, and told if it insists."""
    monkeypatch.setattr(type(evening.owner.aws), "concurrency", lambda _: 10)
    with pytest.raises(DeployError, match="reserve at most 0 presses at once: the account may run 10"):
        await steps.deploy(evening.owner, {"reserved_concurrency": "5"}, AGAIN)
    await steps.deploy(evening.owner, {}, AGAIN)
    assert not any("caps the bill" in question for question in evening.console.asked)
    assert evening.telegram.world.webhook.max_connections == 9, "one is the ticker's"


@pytest.mark.parametrize(
    ("reserved", "limit", "connections"), [("0", 1, 1), ("0", 10, 9), ("0", 41, 40), ("0", 1000, 40), ("5", 15, 5)]
)
async def test_the_ticker_always_finds_a_place(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, reserved: str, limit: int, connections: int
) -> None:
    """Telegram sends fewer updates at once than the account may run; what is reserved is the webhook's alone."""
    monkeypatch.setattr(type(evening.owner.aws), "concurrency", lambda _: limit)
    await steps.deploy(evening.owner, {"reserved_concurrency": reserved}, AGAIN)
    assert evening.telegram.world.webhook.max_connections == connections


async def test_looking_at_the_webhook(evening: Evening) -> None:
    """It says where updates go, how many wait, what went wrong last, and who hears of alarms."""
    await steps.deploy(evening.owner, {}, AGAIN)
    webhook = evening.telegram.world.webhook
    webhook.last_error, webhook.last_error_date = "Wrong response from the webhook: 500", 1_780_000_000
    evening.console.said.clear()
    await steps.webhook_info(evening.owner)
    assert evening.console.said == [
        f"@tablee_bot: {URL}",
        "waiting updates: 2, at most 40 at once",
        "last error: 2026-05-28 20:26:40 UTC: Wrong response from the webhook: 500",
        "Alarms go to nobody yet: host@example.org must confirm, by the link in AWS's e-mail (look in spam too)",
    ]


async def test_whether_the_address_has_confirmed(evening: Evening) -> None:
    """Once it has it is said; once it has unsubscribed, or the invitation is withdrawn, it is said how to get another.

    Without an address it is said how to give one; none of it is an error, as the bot works.
    """
    await steps.deploy(evening.owner, {}, AGAIN)

    async def said() -> str:
        await steps.webhook_info(evening.owner)
        return evening.console.said[-1]

    (subscription,) = subscriptions()
    subscription.arn = "arn:aws:sns:eu-west-3:123456789012:tablee-test-alarms:1"
    assert await said() == "Alarms go to host@example.org, who has confirmed it"
    subscription.endpoint = "another@example.org"
    assert (await said()).startswith("Alarms go to nobody: host@example.org has unsubscribed")
    await steps.deploy(evening.owner, {"alarm_email": ""}, AGAIN)
    assert await said() == "Alarms go to nobody: make deploy ARGS='--alarm-email you@example.org'"


async def test_whoever_may_not_see_the_topic_can_deploy(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot works all the same; what is not allowed is said."""

    def refuse(*_: object) -> bool:
        raise DeployError("AWS refused ListSubscriptionsByTopic")

    monkeypatch.setattr(type(evening.owner.aws), "is_confirmed", refuse)
    await steps.deploy(evening.owner, {}, AGAIN)
    assert evening.console.said[-1].endswith("cannot be seen: AWS refused ListSubscriptionsByTopic")


async def test_a_stack_of_the_first_version_tells_of_no_topic(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has no output for that; `make webhook-info` says what it takes to know."""
    await steps.deploy(evening.owner, {}, AGAIN)
    stack = evening.owner.aws.stack("tablee-test")
    assert stack is not None
    outputs = {name: value for name, value in stack.outputs.items() if name != "AlarmTopic"}
    monkeypatch.setattr(type(evening.owner.aws), "stack", lambda *_: replace(stack, outputs=outputs))
    await steps.webhook_info(evening.owner)
    assert evening.console.said[-1].endswith("can be seen after make deploy")


async def test_a_bot_that_was_renamed_is_told(evening: Evening) -> None:
    """@BotFather knows another name than the functions: deploying tells and mends it."""
    await steps.deploy(evening.owner, {}, AGAIN)
    evening.telegram.world.bot.username = "renamed_bot"
    with pytest.raises(DeployError, match="the bot is @renamed_bot, but its functions take it for @tablee_bot: run"):
        await steps.webhook_info(evening.owner)
    await steps.deploy(evening.owner, {}, AGAIN)
    assert any("is @renamed_bot, and not @tablee_bot as its functions" in line for line in evening.console.said)
    assert evening.sam.parameters["BotUsername"] == "renamed_bot"
    await steps.webhook_info(evening.owner)


async def test_a_webhook_that_is_not_ours_is_told(evening: Evening) -> None:
    """Somebody else has taken the bot's updates."""
    await steps.deploy(evening.owner, {}, AGAIN)
    evening.telegram.world.webhook.url = "https://elsewhere.test/"
    with pytest.raises(DeployError, match="is not this stack's: run make deploy"):
        await steps.webhook_info(evening.owner)
    evening.telegram.world.webhook.url, evening.telegram.world.webhook.allowed = URL, ["message"]
    with pytest.raises(DeployError, match="other updates than the bot wants"):
        await steps.webhook_info(evening.owner)


async def test_before_deployment_there_is_no_webhook(evening: Evening) -> None:
    """And the message says what to do."""
    with pytest.raises(DeployError, match="test is not deployed in eu-west-3: run make deploy"):
        await steps.webhook_info(evening.owner)


async def test_undeploying(evening: Evening) -> None:
    """Webhook, stack and secrets go; the table's name is said, since it stays. Once more, nothing is left to do."""
    await steps.deploy(evening.owner, {}, AGAIN)
    (table,) = boto3.client("dynamodb").list_tables()["TableNames"]
    evening.console.answers["take it off"] = "test"
    await steps.undeploy(evening.owner)
    assert not evening.telegram.world.webhook.url
    assert boto3.client("cloudformation").describe_stacks()["Stacks"] == []
    assert boto3.client("ssm").describe_parameters()["Parameters"] == []
    assert boto3.client("dynamodb").list_tables()["TableNames"] == [table]
    (said,) = (line for line in evening.console.said if f"The table {table} stays" in line)
    assert f"make deploy ARGS='--restored-table {table}'" in said
    assert f"aws dynamodb delete-table --table-name {table}" in said
    await steps.undeploy(evening.owner)
    assert evening.console.said[-1] == "Nothing is deployed"


async def test_undeploying_after_a_restore_names_both_tables(evening: Evening) -> None:
    """The one in use, and the stack's own, which nobody would look for otherwise."""
    restored = make_table("tablee-restored")
    await steps.deploy(evening.owner, {"restored_table": restored}, AGAIN)
    evening.console.answers["take it off"] = "test"
    await steps.undeploy(evening.owner)
    (own,) = (name for name in boto3.client("dynamodb").list_tables()["TableNames"] if name != restored)
    for table in (own, restored):
        assert any(f"The table {table} stays" in line for line in evening.console.said)


async def test_what_a_failed_first_deployment_leaves_is_named(evening: Evening) -> None:
    """Its table is kept like every table: at once, the next time, and while it is undeployed its name is said."""
    evening.sam.rolls_back = True

    def named(said: list[str]) -> bool:
        (table,) = boto3.client("dynamodb").list_tables()["TableNames"]
        ways = (f"The table {table} ", f"--restored-table {table}", f"aws dynamodb delete-table --table-name {table}")
        return any(all(way in line for way in ways) for line in said)

    with pytest.raises(DeployError, match="what sam printed above says why"):
        await steps.deploy(evening.owner, {}, AGAIN)
    assert named(evening.console.said)
    evening.console.said.clear()
    with pytest.raises(DeployError, match="failed when it was first made: make undeploy, then make deploy"):
        await steps.deploy(evening.owner, {}, AGAIN)
    assert named(evening.console.said)
    evening.console.said.clear()
    evening.console.answers["take it off"] = "test"
    await steps.undeploy(evening.owner)
    assert named(evening.console.said)
    evening.sam.rolls_back = False
    await steps.deploy(evening.owner, {}, AGAIN)
    assert evening.telegram.world.webhook.url == URL


async def test_undeploying_wants_the_stages_name(evening: Evening) -> None:
    """Anything else typed changes nothing."""
    await steps.deploy(evening.owner, {}, AGAIN)
    evening.console.answers["take it off"] = "yes"
    with pytest.raises(DeployError, match="nothing was changed"):
        await steps.undeploy(evening.owner)
    assert evening.telegram.world.webhook.url == URL


@pytest.mark.parametrize(
    ("status", "wrong"),
    [
        ("ROLLBACK_COMPLETE", "failed when it was first made: make undeploy"),
        ("CREATE_FAILED", "failed when it was first made: make undeploy"),
        ("UPDATE_IN_PROGRESS", "just being changed"),
        ("UPDATE_ROLLBACK_FAILED", "aws cloudformation continue-update-rollback --stack-name tablee-test"),
        ("DELETE_FAILED", "make undeploy"),
        ("SOMETHING_NEW", "cannot be changed as it is"),
    ],
)
async def test_a_stack_that_cannot_be_changed_is_told(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, status: str, wrong: str
) -> None:
    """Before anything is stored or built; a state that nobody has thought of too."""
    stack = Stack(status, {}, {})
    monkeypatch.setattr(type(evening.owner.aws), "stack", lambda *_: stack)
    with pytest.raises(DeployError, match=wrong):
        await steps.deploy(evening.owner, {}, AGAIN)
    assert evening.sam.commands == []
    assert boto3.client("ssm").describe_parameters()["Parameters"] == []
