"""Settings: what the environment may say, and what is said back when it is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import boto3
import moto
import pytest

from infra.settings import API_URL, CHAT_BUDGET, LEAST_CHAT_BUDGET, Settings, SettingsError

LAPTOP = {
    "TELEGRAM_TOKEN": "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
    "TELEGRAM_WEBHOOK_SECRET": "open-sesame_1",
    "TELEGRAM_BOT_USERNAME": "tablee_bot",
    "DATABASE": ".data/tablee.sqlite",
}
LAMBDA = {
    "TELEGRAM_TOKEN_PARAMETER": "/tablee/prod/token",
    "TELEGRAM_WEBHOOK_SECRET_PARAMETER": "/tablee/prod/secret",
    "TELEGRAM_WEBHOOK_SECRET_NEXT_PARAMETER": "/tablee/prod/secret-next",
    "TELEGRAM_BOT_USERNAME": "tablee_bot",
    "TABLE_NAME": "tablee-prod",
}
STORED = {"/tablee/prod/token": "42:stored", "/tablee/prod/secret": "stored-secret"}


class Drawer:
    """SSM's parameters as a dict that remembers what it was asked."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self.values = values
        self.asked: list[Sequence[str]] = []

    def __call__(self, names: Sequence[str]) -> Mapping[str, str]:
        """The values of those of `names` that exist."""
        self.asked.append(names)
        return {name: self.values[name] for name in names if name in self.values}


def read(environ: Mapping[str, str], **changes: str | None) -> Settings:
    """Settings from `environ` with some entries changed, or removed with None; asking SSM is an error."""
    changed = {key: value for key, value in {**environ, **changes}.items() if value is not None}

    def unasked(names: Sequence[str]) -> Mapping[str, str]:
        raise AssertionError(f"SSM was asked for {names}")

    return Settings.from_environment(changed, unasked)


def test_a_laptop_needs_no_ssm() -> None:
    """Secrets in the environment are taken as they are, and all else has its usual value."""
    settings = read(LAPTOP)
    assert settings == Settings(
        token=LAPTOP["TELEGRAM_TOKEN"],
        bot_username="tablee_bot",
        webhook_secret="open-sesame_1",
        api_url=API_URL,
        database=".data/tablee.sqlite",
        chat_budget=CHAT_BUDGET,
    )
    assert settings.accepted_secrets() == ("open-sesame_1",)


def test_lambda_asks_for_all_secrets_at_once() -> None:
    """Parameters are fetched by name in one request."""
    drawer = Drawer(STORED)
    settings = Settings.from_environment(LAMBDA, drawer)
    assert (settings.token, settings.webhook_secret, settings.table_name) == (
        "42:stored",
        "stored-secret",
        "tablee-prod",
    )
    assert drawer.asked == [["/tablee/prod/token", "/tablee/prod/secret", "/tablee/prod/secret-next"]]
    assert settings.accepted_secrets() == ("stored-secret",)


def test_while_the_secret_is_changed_there_are_two() -> None:
    """The one in force and the next come in the same single request; both are accepted, and neither is shown."""
    drawer = Drawer({**STORED, "/tablee/prod/secret-next": "next-secret"})
    settings = Settings.from_environment(LAMBDA, drawer)
    assert settings.accepted_secrets() == ("stored-secret", "next-secret")
    assert len(drawer.asked) == 1
    assert "next-secret" not in repr(settings)


def test_the_next_secret_alone_is_not_enough() -> None:
    """Only what is stored beside the one in force counts: the name of that one is what the error says."""
    drawer = Drawer({"/tablee/prod/token": "42:stored", "/tablee/prod/secret-next": "next-secret"})
    with pytest.raises(SettingsError, match="as the SecureString /tablee/prod/secret, or correct"):
        Settings.from_environment(LAMBDA, drawer)


def test_a_value_in_the_environment_wins_over_a_parameter() -> None:
    """Only what the environment does not hold is fetched."""
    drawer = Drawer(STORED)
    settings = Settings.from_environment({**LAMBDA, "TELEGRAM_TOKEN": "7:here"}, drawer)
    assert settings.token == "7:here"
    assert drawer.asked == [["/tablee/prod/secret", "/tablee/prod/secret-next"]]


def test_ssm_answers_through_botocore() -> None:
    """Without a function of one's own, SSM itself is asked, decrypted; what is missing there is named."""
    with moto.mock_aws():
        ssm: Any = boto3.client("ssm")
        ssm.put_parameter(Name="/tablee/prod/token", Value="42:stored", Type="SecureString")
        with pytest.raises(SettingsError, match="as the SecureString /tablee/prod/secret, or correct"):
            Settings.from_environment(LAMBDA)
        ssm.put_parameter(Name="/tablee/prod/secret", Value="stored-secret", Type="SecureString")
        assert Settings.from_environment(LAMBDA).token == "42:stored"


def test_an_unreachable_ssm_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where SSM cannot be asked, for lack of a region say, the error names the parameters and stays one line."""
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    with pytest.raises(SettingsError, match="make SSM reachable for /tablee/prod/token"):
        Settings.from_environment(LAMBDA)


def test_a_table_wins_over_a_database() -> None:
    """Where both stores are named the table is used, and the settings say so."""
    settings = read(LAPTOP, TABLE_NAME="tablee")
    assert (settings.table_name, settings.database) == ("tablee", "")


def test_a_missing_webhook_secret_is_an_error_only_for_who_needs_it() -> None:
    """The ticker and long polling run without; the webhook says what to set."""
    settings = read(LAPTOP, TELEGRAM_WEBHOOK_SECRET=None)
    assert settings.webhook_secret == ""
    with pytest.raises(SettingsError, match="set TELEGRAM_WEBHOOK_SECRET"):
        settings.accepted_secrets()


def test_usernames_may_come_with_their_at() -> None:
    """People copy @tablee_bot."""
    assert read(LAPTOP, TELEGRAM_BOT_USERNAME="@tablee_bot").bot_username == "tablee_bot"


def test_a_trailing_slash_of_the_url_is_dropped() -> None:
    """Paths are appended with a slash of their own."""
    assert read(LAPTOP, TELEGRAM_API_URL="http://127.0.0.1:8081/").api_url == "http://127.0.0.1:8081"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TELEGRAM_TOKEN", None),
        ("TELEGRAM_TOKEN", "no-colon"),
        ("TELEGRAM_TOKEN", "12:with space"),
        ("TELEGRAM_TOKEN", "12:abc\n"),
        ("TELEGRAM_TOKEN", "x12:abc"),
        ("TELEGRAM_TOKEN", "12:"),
        ("TELEGRAM_WEBHOOK_SECRET", "é"),
        ("TELEGRAM_WEBHOOK_SECRET", "a b"),
        ("TELEGRAM_WEBHOOK_SECRET", "x" * 257),
        ("TELEGRAM_WEBHOOK_SECRET_NEXT", "a b"),
        ("TELEGRAM_BOT_USERNAME", None),
        ("TELEGRAM_BOT_USERNAME", "9lives"),
        ("TELEGRAM_BOT_USERNAME", "tablée"),
        ("TELEGRAM_API_URL", "api.telegram.org"),
        ("TELEGRAM_API_URL", "ftp://api.telegram.org"),
        ("TELEGRAM_API_URL", "https://"),
        ("TELEGRAM_API_URL", "https://host:port"),
        ("TELEGRAM_API_URL", "https://host/?a=b"),
        ("TELEGRAM_API_URL", "https://[half"),
        ("TELEGRAM_API_URL", "https://host\n.test"),
        ("TELEGRAM_API_URL", "https://my host.test"),
        ("TELEGRAM_API_URL", 'https://host.test/"'),
        ("TELEGRAM_CHAT_BUDGET", "many"),
        ("TELEGRAM_CHAT_BUDGET", "0"),
        ("TELEGRAM_CHAT_BUDGET", "-3"),
        ("TELEGRAM_CHAT_BUDGET", "nan"),
        ("TELEGRAM_CHAT_BUDGET", "inf"),
        ("TELEGRAM_CHAT_BUDGET", "1"),
        ("TELEGRAM_CHAT_BUDGET", str(LEAST_CHAT_BUDGET - 0.1)),
        ("DATABASE", None),
    ],
)
def test_what_is_wrong_is_said_in_one_line_that_names_the_setting(name: str, value: str | None) -> None:
    """The message names the setting, stays on one line, and shows no secret."""
    with pytest.raises(SettingsError) as caught:
        read(LAPTOP, **{name: value})
    message = str(caught.value)
    assert name in message
    assert "\n" not in message
    if value and name.startswith(("TELEGRAM_TOKEN", "TELEGRAM_WEBHOOK_SECRET")):
        assert value not in message


def test_no_secret_shows_in_repr() -> None:
    """Whoever logs the settings logs no secret."""
    shown = repr(read(LAPTOP))
    assert LAPTOP["TELEGRAM_TOKEN"] not in shown
    assert "open-sesame" not in shown


def test_the_least_budget_is_one() -> None:
    """It can be set; only below it waits would be too long."""
    assert read(LAPTOP, TELEGRAM_CHAT_BUDGET=str(LEAST_CHAT_BUDGET)).chat_budget == LEAST_CHAT_BUDGET
