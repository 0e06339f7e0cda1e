"""A stage: one bot, one stack, its secrets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ops.deploy.console import DeployError

_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,15}")


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

    @property
    def next_secret(self) -> str:
        """The SSM parameter that holds the secret to come, while it is being changed."""
        return f"{self.secret}-next"
