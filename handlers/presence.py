"""How the bot appears in Telegram: where its updates go, its menus of commands, its description."""

from __future__ import annotations

import gettext
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    WebhookInfo,
)

from engine.registry import GAMES

ALLOWED_UPDATES: Final = ("message", "callback_query", "my_chat_member")
"""The kinds of updates that the bot wants."""

GROUP_COMMANDS: Final = (*GAMES, "board", "stop", "rules", "settings", "language", "help")
PRIVATE_COMMANDS: Final = ("rules", "language", "help", "start")

LOCALES: Final = Path(__file__).parent / "ui" / "locales"
USUAL: Final = "en"
"""The language for whoever speaks none of ours."""

# Where a menu shows, and the catalogs' word for each of its commands: `menu.` and the command.
_MENUS: Final[tuple[tuple[BotCommandScope, Sequence[str]], ...]] = (
    (BotCommandScopeAllGroupChats(), GROUP_COMMANDS),
    (BotCommandScopeAllPrivateChats(), PRIVATE_COMMANDS),
)


class CatalogError(Exception):
    """A language's words are missing or cannot be read; the message is one line that says what to do."""


class Presence:
    """One bot in Telegram. Methods raise `TelegramError` where Telegram refuses."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    @property
    def username(self) -> str:
        """The bot's name, without @."""
        return self._bot.username

    async def register(self, url: str, secret: str, connections: int) -> None:
        """Have updates sent to `url` with `secret` in their header, `connections` at a time; waiting ones stay."""
        await self._bot.set_webhook(
            url, secret_token=secret, max_connections=connections, allowed_updates=ALLOWED_UPDATES
        )

    async def unregister(self) -> None:
        """Have updates sent nowhere; they wait."""
        await self._bot.delete_webhook()

    async def webhook(self) -> WebhookInfo:
        """What Telegram knows of the webhook."""
        return await self._bot.get_webhook_info()

    async def introduce(self, locales: Path = LOCALES) -> None:
        """Set menus and descriptions in every language, and in the usual one for everybody else."""
        for language in languages(locales):
            say = gettext.translation("tablee", locales, languages=[language]).gettext
            for code in (language, "") if language == USUAL else (language,):
                for scope, commands in _MENUS:
                    menu = [BotCommand(command, say(f"menu.{command}")) for command in commands]
                    await self._bot.set_my_commands(menu, scope=scope, language_code=code or None)
                await self._bot.set_my_description(say("menu.description"), language_code=code or None)
                await self._bot.set_my_short_description(say("menu.short"), language_code=code or None)


def languages(locales: Path = LOCALES) -> list[str]:
    """The languages that have a catalog. Raises `CatalogError` where one is not compiled."""
    found = sorted(path.parents[1].name for path in locales.glob("*/LC_MESSAGES/tablee.po"))
    for language in found:
        if not (locales / language / "LC_MESSAGES" / "tablee.mo").exists():
            raise CatalogError("compile the catalogs first: run make catalogs")
    return found


def load_all(locales: Path = LOCALES) -> None:
    """Read every language's catalog once. Raises `CatalogError` where one is not compiled, or cannot be read."""
    for language in languages(locales):
        try:
            gettext.translation("tablee", locales, languages=[language])
        except (OSError, ValueError, LookupError, struct.error) as error:
            raise CatalogError(f"the catalog of {language} cannot be read: run make -B catalogs") from error
