"""What the environment says: tokens, addresses and where matches are kept.

Every setting is checked here, once, so that whatever is wrong is said in one line at start and not by a puzzled player.
Secrets come from the environment (a laptop) or, by name, from SSM (Lambda): one request fetches them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from botocore.session import Session

API_URL: Final = "https://api.telegram.org"
CHAT_BUDGET: Final = 16
"""Messages and edits a minute in one chat, unless set: below the 20 or so that a group takes, to leave room to talk."""
LEAST_CHAT_BUDGET: Final = 10
"""The least that may be set: with less, waiting for the three messages of a new board would outlast the function."""

_TOKEN: Final = re.compile(r"[0-9]{1,16}:[A-Za-z0-9_-]+")
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{1,256}")
_URL: Final = re.compile(r"https?://[A-Za-z0-9._~:/\[\]@!$&'()*+,;=%-]+")
_USERNAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{1,31}")

_FETCHED: Final = ("TELEGRAM_TOKEN", "TELEGRAM_WEBHOOK_SECRET", "TELEGRAM_WEBHOOK_SECRET_NEXT")
_MAY_BE_ABSENT: Final = "TELEGRAM_WEBHOOK_SECRET_NEXT"
"""There is one only while the secret is being changed."""

Parameters: TypeAlias = Callable[[Sequence[str]], Mapping[str, str]]
"""From the names of SSM parameters to their values; a name that does not exist is left out."""


class SettingsError(Exception):
    """A setting is missing or malformed; the message is one line that says what to set."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that the environment decides; `repr` shows no secret.

    `webhook_secret` is empty where none is set (long polling, the ticker), `next_webhook_secret` unless the secret is
    being changed. One of `table_name` (DynamoDB) and `database` (path of a SQLite file) is empty. `chat_budget` is
    messages and edits a minute in one chat.
    """

    token: str = field(repr=False)
    bot_username: str
    webhook_secret: str = field(default="", repr=False)
    next_webhook_secret: str = field(default="", repr=False)
    api_url: str = API_URL
    table_name: str = ""
    database: str = ""
    chat_budget: float = CHAT_BUDGET

    @property
    def bot_id(self) -> int:
        """The bot's user id, which its token begins with."""
        return int(self.token.partition(":")[0])

    def accepted_secrets(self) -> tuple[str, ...]:
        """The secrets of which a webhook request must show one: two while the secret is being changed.

        Raises `SettingsError` where none is set.
        """
        if not self.webhook_secret:
            raise SettingsError("set TELEGRAM_WEBHOOK_SECRET, or TELEGRAM_WEBHOOK_SECRET_PARAMETER to its name in SSM")
        return tuple(secret for secret in (self.webhook_secret, self.next_webhook_secret) if secret)

    @classmethod
    def from_environment(cls, environ: Mapping[str, str], parameters: Parameters | None = None) -> Settings:
        """Read and check all settings. `parameters` is asked at most once, with all names; without it SSM is.

        Raises `SettingsError` for the first setting that is missing or malformed.
        """
        secrets = _secrets(environ, parameters or ssm_parameters)
        token = secrets.get("TELEGRAM_TOKEN", "")
        if not token:
            raise SettingsError("set TELEGRAM_TOKEN, or TELEGRAM_TOKEN_PARAMETER to its name in SSM")
        table_name, database = environ.get("TABLE_NAME", ""), environ.get("DATABASE", "")
        if not table_name and not database:
            raise SettingsError("set TABLE_NAME to a DynamoDB table, or DATABASE to the path of a SQLite file")
        return cls(
            token=checked_token(token),
            bot_username=checked_username(environ.get("TELEGRAM_BOT_USERNAME", "")),
            webhook_secret=_webhook_secret(secrets, "TELEGRAM_WEBHOOK_SECRET"),
            next_webhook_secret=_webhook_secret(secrets, _MAY_BE_ABSENT),
            api_url=checked_url(environ.get("TELEGRAM_API_URL") or API_URL),
            table_name=table_name,
            database="" if table_name else database,
            chat_budget=_budget(environ.get("TELEGRAM_CHAT_BUDGET") or str(CHAT_BUDGET)),
        )


def ssm_parameters(names: Sequence[str], session: Session | None = None) -> Mapping[str, str]:
    """The decrypted values of SSM parameters, in one request. Raises `SettingsError` where SSM refuses.

    Give the `session` that will make other clients, where there is one: they are then ready in half the time.
    """
    # Both imports cost start-up time that a laptop with its token in the environment need not spend.
    import botocore.exceptions  # noqa: PLC0415 - needed on Lambda only

    from infra import aws  # noqa: PLC0415 - likewise

    try:
        answer = aws.client("ssm", session=session).get_parameters(Names=list(names), WithDecryption=True)
    except botocore.exceptions.ClientError as error:
        raise SettingsError(f"allow ssm:GetParameters on {', '.join(names)}: {error}") from error
    except botocore.exceptions.BotoCoreError as error:
        raise SettingsError(f"make SSM reachable for {', '.join(names)}: {error}") from error
    return {parameter["Name"]: parameter["Value"] for parameter in answer["Parameters"]}


def checked_token(token: str) -> str:
    """`token` where it looks like a bot's. Raises `SettingsError`, which does not show it."""
    if not _TOKEN.fullmatch(token):
        raise SettingsError("set TELEGRAM_TOKEN to a token from @BotFather: digits, a colon, letters")
    return token


def checked_username(username: str) -> str:
    """The bot's name without its @. Raises `SettingsError` where it is none."""
    name = username.removeprefix("@")
    if not _USERNAME.fullmatch(name):
        raise SettingsError("set TELEGRAM_BOT_USERNAME to the bot's user name, such as tablee_bot")
    return name


def checked_url(url: str) -> str:
    """The Bot API's address without a slash at its end. Raises `SettingsError` where it is none."""
    problem = partial(SettingsError, "set TELEGRAM_API_URL to an address such as https://api.telegram.org")
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port  # raises where it is no number
    except ValueError:
        raise problem() from None
    # urlsplit overlooks line breaks and the like; and the pattern leaves no place for a query.
    if not host or not _URL.fullmatch(url):
        raise problem()
    return url.rstrip("/")


def _secrets(environ: Mapping[str, str], parameters: Parameters) -> dict[str, str]:
    found: dict[str, str] = {}
    wanted: dict[str, str] = {}
    for setting in _FETCHED:
        if value := environ.get(setting):
            found[setting] = value
        elif name := environ.get(f"{setting}_PARAMETER"):
            wanted[setting] = name
    if wanted:
        values = parameters(list(wanted.values()))
        for setting, name in wanted.items():
            if name in values:
                found[setting] = values[name]
            elif setting != _MAY_BE_ABSENT:
                raise SettingsError(
                    f"store {setting} in SSM as the SecureString {name}, or correct {setting}_PARAMETER"
                )
    return found


def _webhook_secret(secrets: Mapping[str, str], setting: str) -> str:
    """A secret that Telegram takes as a webhook's, or "" where there is none. The error does not show it."""
    secret = secrets.get(setting, "")
    if secret and not _SECRET.fullmatch(secret):
        raise SettingsError(f"set {setting} to 1–256 characters of A–Z, a–z, 0–9, _ and -")
    return secret


def _budget(text: str) -> float:
    try:
        budget = float(text)
    except ValueError:
        budget = 0.0
    if not LEAST_CHAT_BUDGET <= budget < float("inf"):
        raise SettingsError(
            "set TELEGRAM_CHAT_BUDGET to messages and edits a minute in one chat, "
            f"{LEAST_CHAT_BUDGET} or more, such as {CHAT_BUDGET}"
        )
    return budget
