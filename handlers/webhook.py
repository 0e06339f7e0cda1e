"""The Lambda entry: one function URL event (payload 2.0) is one update from Telegram.

One event loop and one bot live as long as the container; the loop runs only while an event is handled.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import json
import os
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from typing import Any, Final

from handlers import cold
from handlers.bootstrap import Bot, wake
from handlers.outcomes import is_done, reply
from handlers.reading import UnreadableError, is_update, read
from infra.logs import Metric, count, invocation, logger
from infra.settings import Settings

SECRET_HEADER: Final = "x-telegram-bot-api-secret-token"  # noqa: S105 - a header's name
Response = dict[str, Any]


class Webhook:
    """The bot behind a function URL."""

    def __init__(self, settings: Settings, bot: Bot) -> None:
        self._secrets = tuple(secret.encode() for secret in settings.accepted_secrets())
        self._bot = bot

    async def start(self) -> None:
        """Make the bot ready, once, in the loop that it will live in."""
        await self._bot.application.initialize()

    async def respond(self, event: Mapping[str, Any]) -> Response:
        """The response to one event: 401 without the secret, 400 for no update, 500 where a retry may help."""
        shown = str((event.get("headers") or {}).get(SECRET_HEADER, "")).encode(errors="replace")
        # Compared with every one of them, so that the time it takes tells nothing.
        matches = [hmac.compare_digest(shown, secret) for secret in self._secrets]
        if not any(matches):
            return _response(HTTPStatus.UNAUTHORIZED)
        fields = _body(event)
        if not is_update(fields):
            return _response(HTTPStatus.BAD_REQUEST)
        try:
            update = read(fields, self._bot.application.bot)
        except UnreadableError as error:
            # Sent again it would be no more readable, and hold up its chat's queue for a day.
            count(Metric.FAILURES)
            logger.error("an update was ignored: %s", error)
            return _response(HTTPStatus.OK)
        handled = await self._bot.updates.process(update)
        if not is_done(handled):
            return _response(HTTPStatus.INTERNAL_SERVER_ERROR)
        return _response(HTTPStatus.OK, reply(handled.answer))


def _body(event: Mapping[str, Any]) -> Any:
    body = event.get("body") or ""
    try:
        return json.loads(base64.b64decode(body, validate=True) if event.get("isBase64Encoded") else body)
    except (binascii.Error, ValueError, TypeError, RecursionError):
        return None


def _response(status: HTTPStatus, call: dict[str, object] | None = None) -> Response:
    body = json.dumps(call) if call else ""
    return {"statusCode": status.value, "headers": {"content-type": "application/json"}, "body": body}


_loop: Final = asyncio.new_event_loop()


@cache
def _started() -> Webhook:
    settings, bot = wake(os.environ)
    webhook = Webhook(settings, bot)
    _loop.run_until_complete(webhook.start())
    cold.over()
    return webhook


def handler(event: Mapping[str, Any], context: object) -> Response:
    """What Lambda calls. Where that has not been done yet, the first call makes the bot; the environment says how."""
    webhook = _started()
    with invocation(context):
        return _loop.run_until_complete(webhook.respond(event))


if cold.ON_LAMBDA:
    _started()
