"""What commands are answered with, apart from tables and boards."""

from __future__ import annotations

from typing import Final

from engine.registry import GAMES
from handlers.ui.languages import LANGUAGES, Words, words
from handlers.ui.screen import Button, Rows, Style, in_rows
from handlers.ui.table import Press, title

WIDTH: Final = 3
"""As many names of games or languages as have room beside each other."""


def start_private(words: Words) -> str:
    """What the bot is, for somebody who meets it in a private chat; HTML."""
    return words("start.private")


def start_private_buttons(username: str, words: Words) -> Rows:
    """The way from a private chat into a group; `username` is the bot's, without `@`."""
    url = f"https://t.me/{username}?startgroup=table"
    return ((Button(words("start.button.group"), url=url, style=Style.PRIMARY),),)


def start_group(words: Words) -> str:
    """How to begin, for a group; HTML."""
    return words("start.group")


def help_text(words: Words) -> str:
    """The commands, how a match goes, and whose games these are; HTML."""
    return words("help")


def rules_choice(words: Words) -> str:
    """Which game's rules?"""
    return words("rules.choice")


def rules_buttons(press: Press, words: Words) -> Rows:
    """A button a game: `press("rules dekal")` and so on."""
    return in_rows([Button(title(game, words), press(f"rules {game}")) for game in GAMES], WIDTH)


def rules_text(game: str, words: Words) -> str:
    """The rules of a game in our own words, HTML of at most 4096 characters."""
    return words(f"rules.{game}")


def language_question(words: Words) -> str:
    """Which language shall this chat have?"""
    return words("language.question")


def language_buttons(press: Press) -> Rows:
    """A button a language, each in its own: `press("language fr")` and so on."""
    names = [(language, words(language)("language.name")) for language in LANGUAGES]
    return in_rows([Button(name, press(f"language {language}")) for language, name in names], WIDTH)


def language_chosen(words: Words) -> str:
    """That the chat speaks the language of these words now."""
    return words("language.chosen")


def already_open(game: str, words: Words) -> str:
    """That a table of `game` is open here: a second one must wait; HTML."""
    return words("answer.already-open", game=title(game, words))


def already_running(game: str, words: Words) -> str:
    """That a match of `game` runs here: the next must wait; HTML."""
    return words("answer.already-running", game=title(game, words))


def not_here(words: Words) -> str:
    """That a table wants a group; HTML."""
    return words("answer.not-here")


def no_table(words: Words) -> str:
    """That nothing is open or runs here; HTML."""
    return words("answer.no-table")


def busy(words: Words) -> str:
    """That the command could not be done for now and may be tried again; HTML."""
    return words("answer.busy")


def broken(words: Words) -> str:
    """The one honest message of a match that cannot be read any more; HTML."""
    return words("answer.broken")
