"""The three things an owner does: deploy, look at the webhook, undeploy. Each may be repeated without harm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from telegram.request import BaseRequest

from engine.registry import GAMES
from handlers.presence import ALLOWED_UPDATES
from handlers.ui.languages import CatalogError, load_all
from infra.settings import SettingsError, checked_token
from ops.deploy import restored, rotation
from ops.deploy.aws import UNRESERVED, Aws, Stack, Stored
from ops.deploy.bot import connected
from ops.deploy.bytecode import settled
from ops.deploy.choices import Choices, api_url
from ops.deploy.console import Console, DeployError
from ops.deploy.sam import Sam
from ops.deploy.stage import Stage

CONNECTIONS: Final = 40
"""Updates that Telegram may send at once, unless fewer can be handled; also Telegram's own default."""

TABLE: Final = "Table"
"""What the template calls its own table."""

_CHANGEABLE: Final = {
    "CREATE_COMPLETE",
    "UPDATE_COMPLETE",
    "UPDATE_ROLLBACK_COMPLETE",
    "IMPORT_COMPLETE",
    "IMPORT_ROLLBACK_COMPLETE",
    # A first change set that was never carried out.
    "REVIEW_IN_PROGRESS",
}
_NEVER_MADE: Final = {"ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED"}


@dataclass(frozen=True, slots=True)
class Owner:
    """Where the steps happen: the stage, who answers, the account, SAM.

    `bytecode` settles with who answers whether the package will have any; `request` is how Telegram is reached.
    """

    stage: Stage
    console: Console
    aws: Aws
    sam: Sam
    bytecode: Callable[[Console], bool] = settled
    request: BaseRequest | None = None


@dataclass(frozen=True, slots=True)
class Renewal:
    """Secrets to replace although they are there."""

    token: bool = False
    secret: bool = False


async def deploy(owner: Owner, changes: Mapping[str, str | None], renewal: Renewal) -> None:
    """Deploy the stage, asking for what is missing. `changes` are choices given beforehand, by field name.

    Raises `DeployError` with whatever must be mended first; repeating it then goes on from there. Whatever can be
    found wrong beforehand is found before anything is stored.
    """
    stage, aws, say = owner.stage, owner.aws, owner.console.say
    try:
        load_all()
    except CatalogError as error:
        raise DeployError(str(error)) from error
    say(f"Account {aws.account()}, region {aws.region}, stack {stage.stack}")
    stack = aws.stack(stage.stack)
    _changeable(owner, stack)
    bytecode = owner.bytecode(owner.console)
    limit = aws.concurrency()
    choices = _choose(owner, stack, changes, limit)
    if choices.restored_table:
        restored.check(aws, choices.restored_table)
    stored = aws.secret(stage.token)
    token, username = await _token(owner, stack, stored, choices, renewal=renewal.token)
    if stored is None or stored.value != token:
        # Known to be good, and the one before is not: no need to type it again, whatever else fails.
        stored = aws.store(stage.token, token)

    say("Building")
    owner.sam.build(bytecode=bytecode)
    secrets = rotation.draw(aws, stage, renewal=renewal.secret)
    parameters = {"Stage": stage.name, "BotUsername": username, **choices.as_parameters()}
    say("Deploying")
    deployed = _put(owner, parameters, f"{stored.version} {secrets.versions}")
    async with connected(token, choices.telegram_api_url, owner.request) as presence:
        await presence.register(_output(deployed, "WebhookUrl"), secrets.newest, _connections(choices, limit))
        await presence.introduce()
    if secrets.next is not None:
        say("Deploying once more, so that the secret before is refused")
        secrets = rotation.settle(aws, stage, secrets.newest)
        deployed = _put(owner, parameters, f"{stored.version} {secrets.versions}")
    say(f"@{username} is ready: add it to a group, then {' or '.join(f'/{game}' for game in GAMES)}")
    say(f"Dashboard: {_output(deployed, 'DashboardUrl')}")
    _tell_of_alarms(owner, choices.alarm_email, deployed)


async def webhook_info(owner: Owner) -> None:
    """Say what Telegram knows of the stage's webhook, who hears of alarms, and what is wrong. Raises `DeployError`."""
    token, stack = _deployed(owner)
    async with connected(token.value, api_url(stack.parameters), owner.request) as bot:
        info = await bot.webhook()
        username = bot.username
    say = owner.console.say
    say(f"@{username}: {info.url or 'no webhook'}")
    say(f"waiting updates: {info.pending_update_count}, at most {info.max_connections or 0} at once")
    if info.last_error_date:
        say(f"last error: {info.last_error_date.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC: {info.last_error_message}")
    _tell_of_alarms(owner, stack.parameters.get("AlarmEmail", ""), stack)
    if info.url != stack.outputs.get("WebhookUrl"):
        raise DeployError("the webhook is not this stack's: run make deploy")
    if set(info.allowed_updates or ()) != set(ALLOWED_UPDATES):
        raise DeployError("the webhook gets other updates than the bot wants: run make deploy")
    if (named := stack.parameters.get("BotUsername")) != username:
        raise DeployError(f"the bot is @{username}, but its functions take it for @{named}: run make deploy")
    if owner.aws.secret(owner.stage.next_secret) is not None:
        raise DeployError("the change of the webhook's secret is not finished: run make deploy")


async def undeploy(owner: Owner) -> None:
    """Take the stage off AWS, once its name has been typed. The table and its matches stay. Raises `DeployError`."""
    stage, aws, say = owner.stage, owner.aws, owner.console.say
    say(f"Account {aws.account()}, region {aws.region}, stack {stage.stack}")
    stack = aws.stack(stage.stack)
    token = aws.secret(stage.token)
    if stack is None and token is None:
        say("Nothing is deployed")
        return
    if owner.console.ask(f"Type {stage.name} to take it off AWS") != stage.name:
        raise DeployError("nothing was changed")
    if token is not None:
        try:
            async with connected(token.value, api_url(stack.parameters if stack else {}), owner.request) as presence:
                await presence.unregister()
        except DeployError as error:
            # A bot that is gone has no webhook either.
            say(f"The webhook stays as it is: {error}")
    if stack is not None:
        # The stack's own, which is not in use after a restore, and which has no output where the stack was never made.
        tables = {aws.resource(stage.stack, TABLE), stack.outputs.get("TableName")}
        owner.sam.delete(stage.stack)
        for table in sorted(table for table in tables if table):
            say(
                f"The table {table} stays, with all matches; "
                f"to use it again: make deploy ARGS='--restored-table {table}'; to delete it: {_deletion(table)}"
            )
    aws.forget(stage.token, stage.secret, stage.next_secret)
    say(f"{stage.name} is off AWS ({datetime.now(UTC):%Y-%m-%d %H:%M} UTC)")


def _changeable(owner: Owner, stack: Stack | None) -> None:
    if stack is None or stack.status in _CHANGEABLE:
        return
    name = owner.stage.stack
    if stack.status in _NEVER_MADE:
        _tell_of_leftover(owner, stack)
        raise DeployError(f"{name} failed when it was first made: make undeploy, then make deploy")
    if stack.status.endswith("_IN_PROGRESS"):
        raise DeployError(f"{name} is just being changed ({stack.status}): wait, then make deploy")
    if stack.status == "UPDATE_ROLLBACK_FAILED":
        raise DeployError(
            f"{name} could not be put back ({stack.status}): aws cloudformation continue-update-rollback "
            f"--stack-name {name} --region {owner.aws.region}, then make deploy"
        )
    raise DeployError(f"{name} cannot be changed as it is ({stack.status}): make undeploy, then make deploy")


def _tell_of_leftover(owner: Owner, stack: Stack | None) -> None:
    """Name the table that a stack leaves behind although it was never made: the template keeps tables, whatever."""
    if stack is not None and stack.status in _NEVER_MADE and (table := owner.aws.resource(owner.stage.stack, TABLE)):
        owner.console.say(
            f"The table {table} is left over, without a match in it; to use it: "
            f"make deploy ARGS='--restored-table {table}' after make undeploy; to delete it: {_deletion(table)}"
        )


def _deletion(table: str) -> str:
    return (
        f"aws dynamodb update-table --table-name {table} --no-deletion-protection-enabled && "
        f"aws dynamodb delete-table --table-name {table}"
    )


def _choose(owner: Owner, stack: Stack | None, changes: Mapping[str, str | None], limit: int) -> Choices:
    """What was chosen the last time, or is asked for the first time, with the changes given beforehand."""
    if stack is not None and stack.parameters:
        choices = Choices.made(stack.parameters, changes)
    else:
        asked: dict[str, str | None] = {}
        if changes.get("alarm_email") is None:
            asked["alarm_email"] = owner.console.ask("E-mail address for alarms (empty for none)")
        most = max(0, limit - UNRESERVED)
        if changes.get("reserved_concurrency") is None and most:
            asked["reserved_concurrency"] = owner.console.ask(
                f"Presses handled at once, which caps the bill (0 to {most}; 0: the account's {limit})", "0"
            )
        choices = Choices.made({}, asked, changes)
    if (reserved := int(choices.reserved_concurrency)) and reserved > limit - UNRESERVED:
        raise DeployError(
            f"reserve at most {max(0, limit - UNRESERVED)} presses at once: the account may run {limit}, "
            f"and {UNRESERVED} of them must stay unreserved"
        )
    return choices


async def _token(
    owner: Owner, stack: Stack | None, stored: Stored | None, choices: Choices, *, renewal: bool
) -> tuple[str, str]:
    """The bot's token and its user name; asked for where it is missing. Telegram must know it."""
    if stored is not None and not renewal:
        token = stored.value
    else:
        owner.console.say("Make a bot with @BotFather in Telegram: /newbot; it answers with a token")
        token = owner.console.ask_secret("The bot's token")
        try:
            checked_token(token)
        except SettingsError as error:
            raise DeployError("that is no token: digits, a colon, letters, as @BotFather gives it") from error
    async with connected(token, choices.telegram_api_url, owner.request) as presence:
        username = presence.username
    if stack is not None and stack.outputs and stored is not None and _bot(token) != _bot(stored.value):
        # Chats and matches of the one mean nothing to the other, and the functions would answer the one as the other.
        raise DeployError(
            f"that is @{username}'s token, but {owner.stage.name} belongs to another bot: "
            "deploy it as a stage of its own (--stage), or make undeploy first"
        )
    if stack is not None and (named := stack.parameters.get("BotUsername", username)) != username:
        owner.console.say(f"The bot's name is @{username}, and not @{named} as its functions believe until now")
    return token, username


def _bot(token: str) -> str:
    return token.partition(":")[0]


def _put(owner: Owner, parameters: Mapping[str, str], secrets: str) -> Stack:
    """Make or change the stack. With the secrets' versions, a new secret makes functions start anew and read it."""
    stage = owner.stage
    settings = [f"{name}={value}" for name, value in sorted(parameters.items())]
    try:
        owner.sam.deploy(stage.stack, {**parameters, "Revision": owner.sam.revision(*settings, secrets)})
    except DeployError:
        with suppress(DeployError):
            _tell_of_leftover(owner, owner.aws.stack(stage.stack))
        raise
    deployed = owner.aws.stack(stage.stack)
    if deployed is None:
        raise DeployError(f"sam deployed, but there is no stack {stage.stack} in {owner.aws.region}")
    return deployed


def _output(stack: Stack, name: str) -> str:
    try:
        return stack.outputs[name]
    except KeyError:
        raise DeployError(f"the stack ({stack.status}) has no output {name}: run make deploy again") from None


def _connections(choices: Choices, limit: int) -> int:
    """Updates at once: what is reserved for them, or the account's limit but for one, which is the ticker's."""
    return min(CONNECTIONS, int(choices.reserved_concurrency) or max(1, limit - 1))


def _tell_of_alarms(owner: Owner, address: str, stack: Stack) -> None:
    """Say who hears of alarms, and what they must do before they do."""
    say, topic = owner.console.say, stack.outputs.get("AlarmTopic")
    if not address:
        say("Alarms go to nobody: make deploy ARGS='--alarm-email you@example.org'")
        return
    if topic is None:
        say(f"Alarms go to {address}; whether that is confirmed can be seen after make deploy")
        return
    try:
        confirmed = owner.aws.is_confirmed(topic, address)
    except DeployError as error:
        # The bot works all the same.
        say(f"Alarms go to {address}; whether that is confirmed cannot be seen: {error}")
        return
    match confirmed:
        case True:
            say(f"Alarms go to {address}, who has confirmed it")
        case False:
            say(f"Alarms go to nobody yet: {address} must confirm, by the link in AWS's e-mail (look in spam too)")
        case None:
            # An invitation that nobody accepts within days is withdrawn, and CloudFormation does not notice.
            say(
                f"Alarms go to nobody: {address} has unsubscribed, or let the invitation expire; for a new one: "
                "make deploy ARGS=\"--alarm-email ''\", then again with the address"
            )


def _deployed(owner: Owner) -> tuple[Stored, Stack]:
    token, stack = owner.aws.secret(owner.stage.token), owner.aws.stack(owner.stage.stack)
    if token is None or stack is None:
        raise DeployError(f"{owner.stage.name} is not deployed in {owner.aws.region}: run make deploy")
    return token, stack
