"""The function URL's event, from the secret to the answer."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emulator.function_url import function_url_event
from emulator.model import Json
from handlers.ui.languages import words
from handlers.webhook import SECRET_HEADER, Webhook
from testing.group import SECRET, Group

EVENTS = Path(__file__).parents[1] / "events"
FR = words("fr")


def recorded(name: str) -> Json:
    """An event as it was delivered once."""
    event: Json = json.loads((EVENTS / f"{name}.json").read_text(encoding="utf-8"))
    return event


def update_of(event: Json) -> Json:
    """The update in an event."""
    update: Json = json.loads(event["body"])
    return update


async def listening(group: Group) -> Webhook:
    """The group's webhook, once the bot has dealt with being added."""
    await group.settle()
    group.telegram.log.clear()
    group.clock.now += 60
    assert group.webhook is not None
    return group.webhook


class Unread(dict[str, Any]):
    """An event that notes which of its parts are looked at."""

    def __init__(self, event: Mapping[str, Any]) -> None:
        super().__init__(event)
        self.read: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        """A part."""
        self.read.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        """A part, or the default."""
        self.read.add(key)
        return super().get(key, default)


@pytest.mark.parametrize(
    "headers",
    [
        *({}, None, {SECRET_HEADER: ""}, {SECRET_HEADER: "wrong"}, {SECRET_HEADER: SECRET[:-1]}),
        *({SECRET_HEADER: SECRET + "x"}, {SECRET_HEADER: "é\ud800"}, {SECRET_HEADER.title(): SECRET}),
    ],
)
async def test_without_the_secret_nothing_is_read(headers: dict[str, str] | None) -> None:
    """A wrong or missing secret is 401, and the body is not even looked at; AWS sends names in lower case."""
    group = Group(1)
    webhook = await listening(group)
    event = Unread(recorded("command") | {"headers": headers})
    assert (await webhook.respond(event))["statusCode"] == 401
    assert event.read == {"headers"}
    assert group.calls() == []


@pytest.mark.parametrize(
    ("shown", "status"),
    [(SECRET, 200), ("the-next-secret", 200), ("", 401), (SECRET + "the-next-secret", 401), ("the-next", 401)],
)
async def test_while_the_secret_is_changed_both_are_taken(shown: str, status: int) -> None:
    """Telegram may still send the one in force, or the next already; nothing in between."""
    group = Group(1)
    group.settings = replace(group.settings, next_webhook_secret="the-next-secret")
    webhook = await listening(group)
    event = recorded("unknown-kind") | {"headers": {SECRET_HEADER: shown}}
    assert (await webhook.respond(event))["statusCode"] == status


@pytest.mark.parametrize(
    "body",
    [
        *("", " ", "null", "[]", "{}", '"text"', "{", "\ufeff{}", '{"update_id": "1"}', '{"update_id": 1.5}'),
        *('{"update_id": true}', '{"update_id": null}', "[" * 100_000, "NaN", '{"message": {}}', None, 7),
    ],
)
@pytest.mark.parametrize("encoded", [False, True])
async def test_a_body_that_is_no_update_is_400(body: str | None, encoded: bool) -> None:
    """Whoever sends it knows the secret, but it is not Telegram: nothing to retry."""
    group = Group(1)
    webhook = await listening(group)
    sent = base64.b64encode(body.encode()).decode() if encoded and isinstance(body, str) else body
    event = recorded("command") | {"body": sent, "isBase64Encoded": encoded}
    assert (await webhook.respond(event))["statusCode"] == 400
    assert group.calls() == []


@pytest.mark.parametrize("body", ["{}", "%%%%", "e30", "eyJ1cGRhdGVfaWQiOiAxfQ==\n", "/////w=="])
async def test_bad_base64_is_400(body: str) -> None:
    """Likewise a body that says it is base64 and is not, or holds no text."""
    webhook = await listening(Group(1))
    event = recorded("command") | {"body": body, "isBase64Encoded": True}
    assert (await webhook.respond(event))["statusCode"] == 400


async def test_a_body_may_be_missing() -> None:
    """A visitor with the secret, but nothing to say."""
    webhook = await listening(Group(1))
    event = recorded("command")
    del event["body"]
    assert (await webhook.respond(event))["statusCode"] == 400


@pytest.mark.parametrize(
    ("name", "methods"),
    [
        *(("command", ["sendMessage"]), ("command-base64", ["sendMessage"]), ("private-command", ["sendMessage"])),
        *(("membership", ["sendMessage"]), ("new-members", []), ("edited-message", []), ("channel-post", [])),
        *(("reaction", []), ("inline-query", []), ("unknown-kind", []), ("migrated", [])),
    ],
)
async def test_recorded_updates(name: str, methods: list[str]) -> None:
    """Commands and being added are answered; what is not for the bot is taken calmly."""
    group = Group(2, language="fr")
    webhook = await listening(group)
    group.private(0)
    response = await webhook.respond(recorded(name))
    assert (response["statusCode"], response["body"]) == (200, "")
    assert [call.method for call in group.calls()] == methods


@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("press", "refusal.no-match"),
        ("press-inaccessible", "refusal.no-match"),
        ("press-inline", "refusal.unknown"),
        ("press-game", "refusal.unknown"),
    ],
)
async def test_a_press_is_answered_in_the_response(name: str, refusal: str) -> None:
    """The toast costs no request: it travels back in the webhook's response."""
    group = Group(2, language="fr")
    webhook = await listening(group)
    event = recorded(name)
    response = await webhook.respond(event)
    assert response["statusCode"] == 200
    assert response["headers"] == {"content-type": "application/json"}
    assert json.loads(response["body"]) == {
        "method": "answerCallbackQuery",
        "callback_query_id": update_of(event)["callback_query"]["id"],
        "text": FR(refusal),
    }
    assert group.calls() == []


async def test_a_recorded_press_joins_the_recorded_table() -> None:
    """The command and the press as they came, one after the other: two people at the table, one message, one edit."""
    group = Group(2, language="fr")
    webhook = await listening(group)
    await webhook.respond(recorded("command"))
    response = await webhook.respond(recorded("press"))
    assert json.loads(response["body"])["text"] == FR("toast.joined")
    assert [player.id for player in (await group.match()).players] == [user.id for user in group.users]
    assert [call.method for call in group.calls()] == ["sendMessage", "editMessageText"]
    assert group.telegram.violations == []


async def test_nobody_is_asked_who_the_bot_is() -> None:
    """No getMe, ever: the bot's id is in its token and its name in the settings."""
    group = Group(2)
    await group.start("skyjo")
    group.webhook = None
    await group.play(group.random, 3)
    assert group.calls("getMe") == []


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a JSON value."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A JSON value with something else at a place."""
    if not path:
        return new
    key, rest = path[0], path[1:]
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[key] = changed(value[key], rest, new)
    return copy


NAMES = ("command", "press", "press-inaccessible", "membership", "migrated")
UPDATES = [update_of(recorded(name)) for name in NAMES]
SPOTS = [(update, path) for update in UPDATES for path in places(update)]
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=10),
    st.sampled_from(["", "\ud800", "/skyjo", "private", "x" * 5000, 2**63, -(2**80), 1e300, [], {}, [[]], [{}]]),
    st.recursive(st.none(), lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2)),
)


@given(st.sampled_from(SPOTS), ODD)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
async def test_no_update_breaks_the_bot(spot: tuple[Json, tuple[Any, ...]], odd: Any) -> None:
    """Any part of an update may be replaced by anything: it is taken or refused, and never to be sent again."""
    group = Group(2)
    webhook = await listening(group)
    await webhook.respond(recorded("command"))
    update = changed(*spot, odd)
    response = await webhook.respond(function_url_event(json.dumps(update).encode(), SECRET))
    assert response["statusCode"] in {200, 400}
    assert group.telegram.violations == []
