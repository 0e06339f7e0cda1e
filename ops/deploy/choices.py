"""What an owner chooses for a stage, and which values each choice takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from infra.settings import API_URL, CHAT_BUDGET, LEAST_CHAT_BUDGET, SettingsError, checked_url
from ops.deploy.console import DeployError
from ops.deploy.sam import checked

RETENTIONS: Final = (1, 3, 5, 7, 14, 30, 60, 90, 180, 365)
"""Days for which CloudWatch keeps a log, as far as `template.yaml` takes them."""

# Of ASCII's visible characters, what is before the @ may hold all but that and the backslash.
_EMAIL: Final = re.compile(r"[!-?A-\[\]-~]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
_TABLE: Final = re.compile(r"[A-Za-z0-9_.-]{3,255}")
_WHOLE: Final = re.compile(r"0|[1-9][0-9]{0,5}")


def _whole(low: int, high: int) -> Callable[[str], bool]:
    return lambda text: bool(_WHOLE.fullmatch(text)) and low <= int(text) <= high


def _is_url(text: str) -> bool:
    try:
        return checked_url(text) == text
    except SettingsError:
        return False


_TAKES: Final[Mapping[str, tuple[Callable[[str], bool], str]]] = {
    "alarm_email": (
        lambda text: not text or bool(_EMAIL.fullmatch(text)),
        "give alarms an address like you@example.org",
    ),
    "reserved_concurrency": (_whole(0, 1000), "reserve a whole number of presses at once, up to 1000, or 0"),
    "snap_start": (lambda text: text in {"on", "off"}, "say on or off for SnapStart"),
    "webhook_memory": (_whole(256, 3008), "give the webhook 256 to 3008 megabytes"),
    "log_retention_days": (
        lambda text: text in map(str, RETENTIONS),
        f"keep log lines for {', '.join(map(str, RETENTIONS[:-1]))} or {RETENTIONS[-1]} days",
    ),
    "telegram_api_url": (_is_url, f"give the Bot API an address like {API_URL}, without a slash at its end"),
    "chat_budget": (
        _whole(LEAST_CHAT_BUDGET, 30),
        f"allow {LEAST_CHAT_BUDGET} to 30 messages and edits a minute in one chat",
    ),
    "restored_table": (
        lambda text: not text or bool(_TABLE.fullmatch(text)),
        "name the restored table by 3 to 255 letters, digits, dots, hyphens and underscores",
    ),
}
"""Whether a choice takes a value, and what to say where it does not."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The template's parameters that the owner decides, as texts; `template.yaml` says what each means.

    Raises `DeployError` for the first that cannot be.
    """

    alarm_email: str = ""
    reserved_concurrency: str = "0"
    snap_start: str = "off"
    webhook_memory: str = "1024"
    log_retention_days: str = "30"
    telegram_api_url: str = API_URL
    chat_budget: str = str(CHAT_BUDGET)
    restored_table: str = ""

    def __post_init__(self) -> None:
        for name, value in self.as_parameters().items():
            checked(name, value)
        for name, (takes, wanted) in _TAKES.items():
            if not takes(value := getattr(self, name)):
                raise DeployError(f"{wanted}, not {value!r} (--{name.replace('_', '-')})")

    @classmethod
    def made(cls, parameters: Mapping[str, str], *changes: Mapping[str, str | None]) -> Choices:
        """What a stack was deployed with, by the template's names, with later changes, by field name, over it.

        What neither knows has its usual value; None changes nothing. Raises `DeployError` for what cannot be in the
        end: a change may mend what was taken once.
        """
        merged: dict[str, Any] = {
            field.name: parameters[_camel(field.name)] for field in fields(cls) if _camel(field.name) in parameters
        }
        for more in changes:
            merged |= {name: value for name, value in more.items() if value is not None}
        return cls(**merged)

    def as_parameters(self) -> dict[str, str]:
        """The template's parameters, by their names there."""
        return {_camel(field.name): getattr(self, field.name) for field in fields(self)}


def api_url(parameters: Mapping[str, str]) -> str:
    """Where the bot of a stack with these parameters, by the template's names, finds the Bot API."""
    return parameters.get("TelegramApiUrl") or API_URL


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
