"""The bot in Telegram, as whoever deploys reaches it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from telegram import Bot
from telegram.error import BadRequest, InvalidToken, NetworkError, TelegramError
from telegram.request import BaseRequest

from handlers.presence import Presence
from infra import telegram
from infra.logs import hide, line_of
from infra.settings import SettingsError
from ops.deploy.console import DeployError


@asynccontextmanager
async def connected(token: str, api_url: str, request: BaseRequest | None = None) -> AsyncIterator[Presence]:
    """The bot with that token, known to Telegram. Within too, Telegram's refusals become `DeployError`s."""
    # What a proxy or a server in between answers may repeat the address, and the token with it.
    hide(token)
    try:
        connection = request or telegram.request(api_url)
        async with Bot(token, f"{api_url}/bot", request=connection, get_updates_request=connection) as bot:
            yield Presence(bot)
    except SettingsError as error:
        raise DeployError(str(error)) from error
    except InvalidToken as error:
        raise DeployError(
            "Telegram does not know this token: take a new one from @BotFather, and make deploy ARGS=--new-token"
        ) from error
    except BadRequest as error:  # a NetworkError by birth
        raise DeployError(f"Telegram refused: {line_of(error)}") from error
    except NetworkError as error:
        raise DeployError(f"Telegram cannot be reached at {api_url}: {line_of(error)}") from error
    except TelegramError as error:
        raise DeployError(f"Telegram refused: {line_of(error)}") from error
