"""The command: an emulated Telegram for a bot on this machine, whichever it is."""

import argparse
import asyncio
import os
import re
import secrets
import socket
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import httpx

from emulator.container import Container, UnknownHandlerError, load
from emulator.function_url import SECRET_HEADER
from emulator.history import History
from emulator.model import Json
from emulator.party import LANGUAGES
from emulator.serving import Page, Parser, StartError, add_options, kept, listening, options_of
from emulator.world import World

_TOKEN = re.compile(r"\d+:[\w-]+")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z]{2,8})?")
# How long a bot's webhook may take, in seconds.
_PATIENCE = 60.0


def read_options(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of a command line.

    Raises:
        StartError: an option there is not, or a value that it does not take.
    """
    parser = Parser(prog="python -m emulator", description="Telegram on this machine, with a group chat in a browser.")
    add_options(parser)
    parser.add_argument("--db", type=Path, help="keep what is said, in files called after this one")
    parser.add_argument("--token", type=_token, help="the bot's token (default: a new one at each start)")
    parser.add_argument("--username", default="emulated_bot", help="the bot's user name (default: %(default)s)")
    parser.add_argument("--name", default="Bot", help="the bot's name (default: %(default)s)")
    parser.add_argument(
        "--languages", type=_languages, default=LANGUAGES, help="languages of people's apps, as in en,fr (the default)"
    )
    parser.add_argument(
        "--handler",
        metavar="MODULE.FUNCTION",
        help="call this AWS Lambda function with updates; without it the bot polls or sets a webhook",
    )
    return parser.parse_args(arguments)


def _token(text: str) -> str:
    if not _TOKEN.fullmatch(text):
        raise argparse.ArgumentTypeError("a token is a number, a colon, and letters")
    return text


def _languages(text: str) -> tuple[str, ...]:
    codes = tuple(text.split(","))
    if not all(map(_LANGUAGE.fullmatch, codes)):
        raise argparse.ArgumentTypeError(f"{text!r} is no list of languages such as en,fr")
    return codes


def main(arguments: Sequence[str]) -> int:
    """Serve until interrupted; the exit status: 0, or 2 when it cannot start."""
    try:
        asked = read_options(arguments)
        with (
            listening(asked.host, asked.port) as opened,
            kept(asked.db) if asked.db else nullcontext() as history,
        ):
            asyncio.run(_serve(asked, opened, history))
    except (StartError, UnknownHandlerError) as error:
        print(f"emulator: {error}", file=sys.stderr)  # noqa: T201 - the command's voice
        return 2
    except KeyboardInterrupt:
        pass
    return 0


async def _serve(asked: argparse.Namespace, opened: socket.socket, history: History | None) -> None:
    bot = {"username": asked.username, "name": asked.name, "token": asked.token}
    page = Page(options_of(asked), opened, history, languages=asked.languages, **bot)
    announcement = f"The chat is at {page.entrance}"
    if asked.handler:
        await _serve_function(asked.handler, page, announcement)
        return
    page.telegram.world.http_webhooks = True
    announcement += f"\nThe Bot API is at {page.address}, the bot's token is {page.telegram.token}"
    async with httpx.AsyncClient(timeout=_PATIENCE, trust_env=False) as client:
        await page.serve(partial(_post, client, page.telegram.world), announcement)


async def _serve_function(dotted: str, page: Page, announcement: str) -> None:
    telegram, secret = page.telegram, secrets.token_urlsafe()
    os.environ |= {
        "TELEGRAM_TOKEN": telegram.token,
        "TELEGRAM_BOT_USERNAME": telegram.world.bot.username or "",
        "TELEGRAM_WEBHOOK_SECRET": secret,
        "TELEGRAM_API_URL": page.address,
    }
    telegram.world.webhook.url = f"{page.address}/webhook"
    with Container(secret) as container:
        handler = await container.run(load, dotted)
        await page.serve(partial(container.deliver, handler), announcement)


async def _post(client: httpx.AsyncClient, world: World, update: Json) -> tuple[int, bytes]:
    """Hand an update to the bot's webhook; the status and body of its answer."""
    headers = {SECRET_HEADER: world.webhook.secret} if world.webhook.secret else {}
    answer = await client.post(world.webhook.url, json=update, headers=headers)
    return answer.status_code, answer.content
