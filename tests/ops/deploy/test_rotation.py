"""Changing the webhook's secret, and the bot's token: no moment in which what Telegram sends is refused.

Every function that may be running at a moment is looked at: those started since the last deployment, with the secrets
as they were then, and one that starts just now. The change is broken off before and after every one of its steps, and
then finished by the same command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import boto3
import pytest

from emulator.model import Json
from emulator.telegram import TOKEN, Fault
from handlers.bootstrap import Bot
from handlers.webhook import SECRET_HEADER, Webhook
from infra.settings import Settings
from ops.deploy import steps
from ops.deploy.aws import Aws
from ops.deploy.console import DeployError
from ops.deploy.stage import Stage
from ops.deploy.steps import Renewal
from tests.ops.deploy.conftest import Evening, PretendedSam
from tests.ops.template.stack import sam_template

STEPS: Final = (
    "build",
    "store telegram-webhook-secret-next",
    "deploy",
    "setWebhook",
    "setMyShortDescription",
    "store telegram-webhook-secret",
    "forget telegram-webhook-secret-next",
    "deploy",
)
"""What changing the secret does, in order; steps that change nothing that matters here are left out."""

REFUSED, ACCEPTED = 401, 400
"""What the webhook says to a wrong secret, and to a right one with nothing behind it."""


def environment(*, first_version: bool) -> dict[str, str]:
    """What the template tells the webhook's function; in the first version there was no next secret."""
    template = sam_template()
    variables = template["Globals"]["Function"]["Environment"]["Variables"]
    variables |= template["Resources"]["WebhookFunction"]["Properties"]["Environment"]["Variables"]
    names = {
        name: value["Fn::Sub"].replace("${Stage}", "test")
        for name, value in variables.items()
        if name.endswith("_PARAMETER")
    }
    if first_version:
        del names["TELEGRAM_WEBHOOK_SECRET_NEXT_PARAMETER"]
    return names | {"TELEGRAM_BOT_USERNAME": "tablee_bot", "TABLE_NAME": "any"}


class Course:
    """What happens while the owner deploys: steps, what functions take after each, and what Telegram sends."""

    def __init__(self, evening: Evening, monkeypatch: pytest.MonkeyPatch, *, first_version: bool) -> None:
        self.evening = evening
        self.environ = environment(first_version=first_version)
        self.running: list[Settings] = []
        self.moments: list[tuple[tuple[Settings, ...], str, str]] = []
        self.steps: list[str] = []
        self.breaks: tuple[int, bool] | None = None
        """Which step is broken off, and whether after it has taken effect."""
        self.revision = evening.sam.parameters["Revision"]
        self._ssm: Any = boto3.client("ssm")
        for method in ("store", "forget"):
            monkeypatch.setattr(Aws, method, self._around(method, getattr(Aws, method)))
        monkeypatch.setattr(PretendedSam, "__call__", self._sam(PretendedSam.__call__))
        evening.telegram.fault_plan = self._telegram
        self.look("start")

    def look(self, after: str) -> None:
        """Note who runs now, one that has just started among them, and what Telegram sends them."""
        self.running.append(Settings.from_environment(self.environ, self._parameters))
        sent = self.evening.telegram.world.webhook.secret
        assert sent
        self.moments.append((tuple(self.running), sent, after))

    def _parameters(self, names: Sequence[str]) -> dict[str, str]:
        """As `ssm_parameters`, without making a client each time."""
        found = self._ssm.get_parameters(Names=list(names), WithDecryption=True)["Parameters"]
        return {one["Name"]: one["Value"] for one in found}

    def step(self, name: str, effect: Callable[[], Any]) -> Any:
        """One step: looked at before and after, and broken off where that is due."""
        number = len(self.steps)
        self.steps.append(name)
        self.look(f"before {name}")
        if self.breaks == (number, False):
            raise DeployError("broken off")
        result = effect()
        self.look(f"after {name}")
        if self.breaks == (number, True):
            raise DeployError("broken off")
        return result

    def _around(self, method: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(aws: Aws, name: str, *value: str) -> Any:
            return self.step(f"{method} {name.rpartition('/')[2]}", lambda: original(aws, name, *value))

        return call

    def _sam(self, original: Callable[..., int]) -> Callable[..., int]:
        def call(sam: PretendedSam, command: Sequence[str], folder: Path, more: Mapping[str, str]) -> int:
            def effect() -> int:
                status = original(sam, command, folder, more)
                if sam.parameters["Revision"] != self.revision:
                    # A new version: whoever starts from now on is of it, and the others end.
                    self.revision = sam.parameters["Revision"]
                    self.environ = environment(first_version=False)
                    self.running.clear()
                return status

            status: int = self.step(command[1], effect)
            return status

        return call

    def _telegram(self, _number: int, method: str, params: Json) -> Fault | None:
        if method not in STEPS or (method == "setMyShortDescription" and params.get("language_code")):
            return None
        try:
            # Its effect comes later; the next step looks at it.
            self.step(method, lambda: None)
        except DeployError:
            assert self.breaks is not None
            return Fault(500, after=self.breaks[1])
        return None

    async def never_refused(self) -> None:
        """Whoever ran, whenever: what Telegram sent was taken."""
        for running, sent, after in self.moments:
            for settings in set(running):
                assert await answer(settings, sent) == ACCEPTED, after


async def answer(settings: Settings, secret: str) -> int:
    """The status that a function with these settings gives to a request with this secret and no update."""
    webhook = Webhook(settings, cast("Bot", None))
    return int((await webhook.respond({"headers": {SECRET_HEADER: secret}}))["statusCode"])


def stored() -> dict[str, str]:
    """All of the stage's parameters in SSM."""
    found = boto3.client("ssm").get_parameters_by_path(Path="/tablee/test", WithDecryption=True)["Parameters"]
    return {one["Name"].rpartition("/")[2]: one["Value"] for one in found}


async def is_finished(course: Course, before: str) -> bool:
    """Whether the new secret alone is stored, sent and taken by whoever runs, and the one before refused."""
    now = course.evening.telegram.world.webhook.secret
    course.look("end")
    return (
        now != before
        and stored() == {"telegram-token": TOKEN, "telegram-webhook-secret": now}
        and {await answer(one, before) for one in course.running} == {REFUSED}
    )


@pytest.mark.parametrize("first_version", [False, True])
async def test_the_secret_changes_unnoticed(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, first_version: bool
) -> None:
    """Telegram sends the one before until all functions take both, and in the end only the new one is taken."""
    await steps.deploy(evening.owner, {}, Renewal())
    before = stored()["telegram-webhook-secret"]
    course = Course(evening, monkeypatch, first_version=first_version)
    await steps.deploy(evening.owner, {}, Renewal(secret=True))
    assert tuple(course.steps) == STEPS
    await course.never_refused()
    assert await is_finished(course, before)


@pytest.mark.parametrize(("first_version", "again"), [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("breaks", [(number, after) for number in range(len(STEPS)) for after in (False, True)])
async def test_a_change_that_is_broken_off_is_finished_later(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, breaks: tuple[int, bool], again: bool, first_version: bool
) -> None:
    """Whichever step fails, with its effect or without: Telegram's updates are taken, then and until it is finished.

    Once a next secret is stored the plain command finishes the change; `make webhook-info` says that it is wanted.
    """
    await steps.deploy(evening.owner, {}, Renewal())
    before = stored()["telegram-webhook-secret"]
    course = Course(evening, monkeypatch, first_version=first_version)
    course.breaks = breaks
    with pytest.raises(DeployError):
        await steps.deploy(evening.owner, {}, Renewal(secret=True))
    course.breaks = None
    course.look("meanwhile")
    await course.never_refused()

    begun = stored()["telegram-webhook-secret"] != before or "telegram-webhook-secret-next" in stored()
    if "telegram-webhook-secret-next" in stored():
        with pytest.raises(DeployError, match="the change of the webhook's secret is not finished: run make deploy"):
            await steps.webhook_info(evening.owner)
    await steps.deploy(evening.owner, {}, Renewal(secret=again))
    await course.never_refused()
    if begun or again:
        assert await is_finished(course, before)
    else:
        assert stored() == {"telegram-token": TOKEN, "telegram-webhook-secret": before}


async def test_a_finished_change_can_follow_another(evening: Evening) -> None:
    """Each time another secret, and nothing is left of those before."""
    await steps.deploy(evening.owner, {}, Renewal())
    seen = {stored()["telegram-webhook-secret"]}
    for count in (2, 3):
        before = stored()["telegram-webhook-secret"]
        with pytest.MonkeyPatch.context() as patch:
            course = Course(evening, patch, first_version=False)
            await steps.deploy(evening.owner, {}, Renewal(secret=True))
            await course.never_refused()
            assert await is_finished(course, before)
        seen.add(stored()["telegram-webhook-secret"])
        assert len(seen) == count


async def test_the_first_secret_needs_no_change(evening: Evening) -> None:
    """Where there is none, one is drawn and one deployment is enough, whatever is asked for."""
    await steps.deploy(evening.owner, {}, Renewal(secret=True))
    assert set(stored()) == {"telegram-token", "telegram-webhook-secret"}
    assert [command[1] for command in evening.sam.commands] == ["build", "deploy"]


async def test_undeploying_forgets_a_change_that_was_begun(evening: Evening) -> None:
    """No secret stays."""
    await steps.deploy(evening.owner, {}, Renewal())
    evening.owner.aws.store(Stage("test").next_secret, "next")
    evening.console.answers["take it off"] = "test"
    await steps.undeploy(evening.owner)
    assert stored() == {}


async def test_a_new_token_is_tried_before_the_one_before_goes(evening: Evening) -> None:
    """A token that Telegram does not know is refused; nothing is stored or built."""
    await steps.deploy(evening.owner, {}, Renewal())
    evening.sam.commands.clear()
    evening.console.answers["token"] = f"{TOKEN.partition(':')[0]}:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw00"
    with pytest.raises(DeployError, match="Telegram does not know this token"):
        await steps.deploy(evening.owner, {}, Renewal(token=True))
    assert stored()["telegram-token"] == TOKEN
    assert evening.sam.commands == []


@pytest.mark.parametrize("step", ["build", "deploy"])
async def test_a_new_token_is_kept_whatever_fails(evening: Evening, step: str) -> None:
    """The one before is dead, since @BotFather has given the new one: whoever starts finds that, and nobody asks again.

    Once the deployment is through, all functions have started anew.
    """
    await steps.deploy(evening.owner, {}, Renewal())
    dead = f"{TOKEN.partition(':')[0]}:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw00"
    evening.owner.aws.store(Stage("test").token, dead)
    with pytest.raises(DeployError, match="make deploy ARGS=--new-token"):
        await steps.deploy(evening.owner, {}, Renewal())
    revision = evening.sam.parameters["Revision"]
    evening.sam.fails.add(step)
    with pytest.raises(DeployError, match="what sam printed above"):
        await steps.deploy(evening.owner, {}, Renewal(token=True))
    assert stored()["telegram-token"] == TOKEN
    evening.sam.fails.clear()
    evening.console.asked.clear()
    await steps.deploy(evening.owner, {}, Renewal())
    assert evening.console.asked == []
    assert evening.sam.parameters["Revision"] != revision


async def test_another_bots_token_is_refused(evening: Evening) -> None:
    """Functions would answer one bot's chats as the other; the one before goes on as it was."""
    await steps.deploy(evening.owner, {}, Renewal())
    evening.owner.aws.store(Stage("test").token, other := "424242:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw00")
    evening.sam.commands.clear()
    with pytest.raises(DeployError, match="that is @tablee_bot's token, but test belongs to another bot"):
        await steps.deploy(evening.owner, {}, Renewal(token=True))
    assert stored()["telegram-token"] == other
    assert evening.sam.commands == []


async def test_before_the_first_deployment_any_bot_will_do(evening: Evening) -> None:
    """Nothing runs yet that could mix up two."""
    evening.owner.aws.store(Stage("test").token, "424242:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw00")
    await steps.deploy(evening.owner, {}, Renewal(token=True))
    assert stored()["telegram-token"] == TOKEN
