"""A stage: one bot, one stack, two secrets; and what its owner has chosen for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from infra.deploy.console import DeployError
from infra.deploy.sam import checked

_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,15}")
_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_WHOLE: Final = re.compile(r"[0-9]{1,4}")


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage by its name: lower-case letters, digits and hyphens, as `template.yaml` wants. Raises `DeployError`."""

    name: str

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise DeployError(f"call the stage something like prod or test-2, not {self.name!r}")

    @property
    def stack(self) -> str:
        """Its CloudFormation stack."""
        return f"tablee-{self.name}"

    @property
    def token(self) -> str:
        """The SSM parameter that holds the bot's token."""
        return f"/tablee/{self.name}/telegram-token"

    @property
    def secret(self) -> str:
        """The SSM parameter that holds the webhook's secret."""
        return f"/tablee/{self.name}/telegram-webhook-secret"


@dataclass(frozen=True, slots=True)
class Choices:
    """The template's parameters that the owner decides, as texts; `template.yaml` says what each means."""

    alarm_email: str = ""
    reserved_concurrency: str = "0"
    snap_start: str = "off"
    webhook_memory: str = "1024"
    log_retention_days: str = "30"
    telegram_api_url: str = "https://api.telegram.org"
    chat_budget: str = "16"
    restored_table: str = ""

    def __post_init__(self) -> None:
        for name, value in self.as_parameters().items():
            checked(name, value)
        if self.alarm_email and not _EMAIL.fullmatch(self.alarm_email):
            raise DeployError(f"give alarms an address like you@example.org, not {self.alarm_email!r}")
        if not _WHOLE.fullmatch(self.reserved_concurrency):
            raise DeployError(f"reserve a whole number of presses at once, or 0: not {self.reserved_concurrency!r}")
        if self.snap_start not in {"on", "off"}:
            raise DeployError(f"say on or off for SnapStart, not {self.snap_start!r}")

    def with_changes(self, changes: Mapping[str, str | None]) -> Choices:
        """These choices with others in the place of some, by field name; None changes nothing."""
        return replace(self, **{name: value for name, value in changes.items() if value is not None})

    def as_parameters(self) -> dict[str, str]:
        """The template's parameters, by their names there."""
        return {_camel(field.name): getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, str]) -> Choices:
        """What a stack was deployed with; what it does not know yet has its usual value."""
        known = {field.name: parameters.get(_camel(field.name)) for field in fields(cls)}
        return cls().with_changes(known)


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
