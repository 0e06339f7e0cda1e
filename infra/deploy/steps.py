"""The three things an owner does: deploy, look at the webhook, undeploy. Each may be repeated without harm."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from telegram.request import BaseRequest

from engine.registry import GAMES
from infra.deploy.aws import UNRESERVED, Aws, Stack, Stored
from infra.deploy.bytecode import settled
from infra.deploy.console import Console, DeployError
from infra.deploy.presence import ALLOWED_UPDATES, connected, languages
from infra.deploy.sam import Sam
from infra.deploy.stage import Choices, Stage
from infra.settings import SettingsError, checked_token

CONNECTIONS: Final = 40
"""Updates that Telegram may send at once, unless fewer can be handled; also Telegram's own default."""


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

    Raises `DeployError` with whatever must be mended first; repeating it then goes on from there.
    """
    stage, say = owner.stage, owner.console.say
    languages()
    say(f"Account {owner.aws.account()}, region {owner.aws.region}, stack {stage.stack}")
    stack = owner.aws.stack(stage.stack)
    _changeable(owner, stack)
    bytecode = owner.bytecode(owner.console)
    limit = owner.aws.concurrency()
    choices = _choose(owner, stack, changes, limit)
    token, username = await _token(owner, choices.telegram_api_url, renewal=renewal.token)
    secret = _secret(owner, renewal=renewal.secret)

    say("Building")
    owner.sam.build(bytecode=bytecode)
    parameters = {"Stage": stage.name, "BotUsername": username, **choices.as_parameters()}
    settings = [f"{name}={value}" for name, value in sorted(parameters.items())]
    # With the secrets' versions in it, a new secret makes functions start anew and read it.
    parameters["Revision"] = owner.sam.revision(*settings, f"{token.version} {secret.version}")
    say("Deploying")
    owner.sam.deploy(stage.stack, parameters)

    deployed = owner.aws.stack(stage.stack)
    if deployed is None:
        raise DeployError(f"sam deployed, but there is no stack {stage.stack} in {owner.aws.region}")
    async with connected(token.value, choices.telegram_api_url, owner.request) as presence:
        await presence.register(deployed.outputs["WebhookUrl"], secret.value, _connections(choices, limit))
        await presence.introduce()
    say(f"@{username} is ready: add it to a group, then {' or '.join(f'/{game}' for game in GAMES)}")
    say(f"Dashboard: {deployed.outputs['DashboardUrl']}")


async def webhook_info(owner: Owner) -> None:
    """Say what Telegram knows of the stage's webhook, and what is wrong with it. Raises `DeployError`."""
    token, stack = _deployed(owner)
    async with connected(token.value, Choices.from_parameters(stack.parameters).telegram_api_url, owner.request) as bot:
        info = await bot.webhook()
        username = bot.username
    say = owner.console.say
    say(f"@{username}: {info.url or 'no webhook'}")
    say(f"waiting updates: {info.pending_update_count}, at most {info.max_connections or 0} at once")
    if info.last_error_date:
        say(f"last error: {info.last_error_date.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC: {info.last_error_message}")
    if info.url != stack.outputs.get("WebhookUrl"):
        raise DeployError("the webhook is not this stack's: run make deploy")
    if set(info.allowed_updates or ()) != set(ALLOWED_UPDATES):
        raise DeployError("the webhook gets other updates than the bot wants: run make deploy")


async def undeploy(owner: Owner) -> None:
    """Take the stage off AWS, once its name has been typed. The table and its matches stay. Raises `DeployError`."""
    stage, say = owner.stage, owner.console.say
    say(f"Account {owner.aws.account()}, region {owner.aws.region}, stack {stage.stack}")
    stack = owner.aws.stack(stage.stack)
    token = owner.aws.secret(stage.token)
    if stack is None and token is None:
        say("Nothing is deployed")
        return
    if owner.console.ask(f"Type {stage.name} to take it off AWS") != stage.name:
        raise DeployError("nothing was changed")
    if token is not None:
        api_url = Choices.from_parameters(stack.parameters if stack else {}).telegram_api_url
        try:
            async with connected(token.value, api_url, owner.request) as presence:
                await presence.unregister()
        except DeployError as error:
            # A bot that is gone has no webhook either.
            say(f"The webhook stays as it is: {error}")
    if stack is not None:
        owner.sam.delete(stage.stack)
    owner.aws.forget(stage.token, stage.secret)
    if stack is not None and (table := stack.outputs.get("TableName")):
        say(f"The table {table} stays, with all matches; to use it again: make deploy ARGS='--restored-table {table}'")
    say(f"{stage.name} is off AWS ({datetime.now(UTC):%Y-%m-%d %H:%M} UTC)")


def _changeable(owner: Owner, stack: Stack | None) -> None:
    if stack is None:
        return
    if stack.status in {"ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED"}:
        raise DeployError(f"{owner.stage.stack} failed when it was first made: make undeploy, then make deploy")
    if stack.status.endswith("_IN_PROGRESS") and stack.status != "REVIEW_IN_PROGRESS":
        raise DeployError(f"{owner.stage.stack} is just being changed ({stack.status}): wait, then make deploy")


def _choose(owner: Owner, stack: Stack | None, changes: Mapping[str, str | None], limit: int) -> Choices:
    """What was chosen the last time, or is asked for the first time, with the changes given beforehand."""
    if stack is not None and stack.parameters:
        choices = Choices.from_parameters(stack.parameters).with_changes(changes)
    else:
        asked: dict[str, str | None] = {}
        if changes.get("alarm_email") is None:
            asked["alarm_email"] = owner.console.ask("E-mail address for alarms (empty for none)")
        most = max(0, limit - UNRESERVED)
        if changes.get("reserved_concurrency") is None and most:
            asked["reserved_concurrency"] = owner.console.ask(
                f"Presses handled at once, which caps the bill (0 to {most}; 0: the account's {limit})", "0"
            )
        choices = Choices().with_changes(asked).with_changes(changes)
    if (reserved := int(choices.reserved_concurrency)) and reserved > limit - UNRESERVED:
        raise DeployError(
            f"reserve at most {max(0, limit - UNRESERVED)} presses at once: the account may run {limit}, "
            f"and {UNRESERVED} of them must stay unreserved"
        )
    return choices


async def _token(owner: Owner, api_url: str, *, renewal: bool) -> tuple[Stored, str]:
    """The bot's token, stored, and its user name; asked for where it is missing. Telegram must know it."""
    stored = owner.aws.secret(owner.stage.token)
    if stored is not None and not renewal:
        async with connected(stored.value, api_url, owner.request) as presence:
            return stored, presence.username
    owner.console.say("Make a bot with @BotFather in Telegram: /newbot; it answers with a token")
    token = owner.console.ask_secret("The bot's token")
    try:
        checked_token(token)
    except SettingsError as error:
        raise DeployError("that is no token: digits, a colon, letters, as @BotFather gives it") from error
    async with connected(token, api_url, owner.request) as presence:
        username = presence.username
    if stored is not None and stored.value == token:
        return stored, username
    return owner.aws.store(owner.stage.token, token), username


def _secret(owner: Owner, *, renewal: bool) -> Stored:
    """The webhook's secret, drawn and stored where it is missing."""
    stored = owner.aws.secret(owner.stage.secret)
    if stored is not None and not renewal:
        return stored
    return owner.aws.store(owner.stage.secret, secrets.token_urlsafe(32))


def _connections(choices: Choices, limit: int) -> int:
    return min(CONNECTIONS, int(choices.reserved_concurrency) or limit)


def _deployed(owner: Owner) -> tuple[Stored, Stack]:
    token, stack = owner.aws.secret(owner.stage.token), owner.aws.stack(owner.stage.stack)
    if token is None or stack is None:
        raise DeployError(f"{owner.stage.name} is not deployed in {owner.aws.region}: run make deploy")
    return token, stack
