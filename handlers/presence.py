"""How the bot appears in Telegram: where its updates go, its menus of commands, its description."""

from __future__ import annotations

from typing import Final

from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    WebhookInfo,
)

from handlers.commands import Commands
from handlers.reading import KINDS
from handlers.ui.languages import DEFAULT, LANGUAGES, words

ALLOWED_UPDATES: Final = KINDS
"""The kinds of updates that the bot wants."""


def menus() -> tuple[tuple[BotCommandScope, tuple[str, ...]], ...]:
    """Where a menu shows, and its commands."""
    known = Commands.all().items()
    return (
        (BotCommandScopeAllGroupChats(), tuple(name for name, command in known if command.in_groups)),
        (BotCommandScopeAllPrivateChats(), tuple(name for name, command in known if command.in_private)),
    )


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

    async def introduce(self) -> None:
        """Set menus and descriptions in every language, and in the default one for everybody else."""
        for language in LANGUAGES:
            tell = words(language)
            for code in (language, "") if language == DEFAULT else (language,):
                for scope, commands in menus():
                    menu = [BotCommand(command, tell(f"menu.{command}")) for command in commands]
                    await self._bot.set_my_commands(menu, scope=scope, language_code=code or None)
                await self._bot.set_my_description(tell("menu.description"), language_code=code or None)
                await self._bot.set_my_short_description(tell("menu.short"), language_code=code or None)
