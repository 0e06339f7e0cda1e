"""What people type: commands, and the presses that belong to a chat and not to a match."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from telegram import Message, User

from engine.registry import GAMES
from handlers.app.answer import Answer
from handlers.app.app import LIVE, App, Place
from handlers.app.games import CORRUPT
from handlers.app.presses import NO_MATCH, Press, maker
from handlers.app.saving import TRIES
from handlers.app.throttle import Throttle
from handlers.app.trouble import NotShownError, nothing_lost, report
from handlers.ui import answers, table, waiting
from handlers.ui.languages import LANGUAGES, nearest, words
from handlers.ui.markup import markup
from handlers.ui.refusals import Refusal, say
from handlers.ui.screen import NO_BUTTONS, Rows
from handlers.ui.toasts import Done, done
from infra.logs import logger
from infra.matches import CorruptItemError, Player, Status, cut_name
from infra.store import Chat, ConflictError, Store
from infra.telegram import MessageGoneError, Messenger, is_private

_DELAYS: Final = tuple(map(str, waiting.DELAYS))

GROUP_ANONYMOUS_BOT: Final = 1087968824
"""Whom Telegram names as the sender where an administrator writes as the group."""

CHANNEL_BOT: Final = 136817688
"""Likewise where somebody writes as a channel."""

_STAND_INS: Final = (GROUP_ANONYMOUS_BOT, CHANNEL_BOT)


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it was typed: where, in which message and update, and by whom (None: as the group itself)."""

    place: Place
    private: bool
    message: int
    update: int
    sender: Player | None


@dataclass(frozen=True, slots=True)
class Known:
    """What a command does, and which of Telegram's menus offer it: in groups, in private chats.

    One that `plays` is for tables and boards, which there are in groups only.
    """

    act: Callable[[Commands, Command], Awaitable[None]]
    in_groups: bool = True
    in_private: bool = False
    plays: bool = False


class Commands:
    """Answers to commands. Each is saved first where there is something to save, and answered with one message."""

    def __init__(self, app: App, store: Store, messenger: Messenger, throttle: Throttle, username: str) -> None:
        self._app = app
        self._store = store
        self._messenger = messenger
        self._throttle = throttle
        self._username = username
        self.known = self.all()

    @classmethod
    def all(cls) -> dict[str, Known]:
        """Every command there is, by its name, in the order of the menus."""
        return {
            **{game: Known(partial(cls._open, game=game), plays=True) for game in GAMES},
            "board": Known(cls._board, plays=True),
            "stop": Known(cls._stop, plays=True),
            "rules": Known(cls._rules, in_private=True),
            "settings": Known(cls._settings),
            "language": Known(cls._language, in_private=True),
            "help": Known(cls._help, in_private=True),
            "start": Known(cls._start, in_groups=False, in_private=True),
        }

    async def run(self, name: str, message: Message, update: int) -> None:
        """Carry out the command `name`, at most once every few seconds in one chat or topic.

        Tables count for each opener: who comes second is told so. All commands of a chat together have a limit too.
        Raises what is wrong with a match that cannot be read, after the chat was told.
        """
        topic = message.message_thread_id if message.is_topic_message else 0
        opener = message.from_user.id if name in GAMES and message.from_user else 0
        what = (message.chat.id, topic, name, opener)
        # Whoever asks for rules again and again must not keep others from stopping a match.
        known = self.known[name]
        kind = (message.chat.id, known.plays)
        if not (self._throttle.allows(what, update) and self._throttle.has_room(kind, update)):
            logger.info("too many commands: no answer to /%s", name, extra={"chat": message.chat.id})
            return
        command = await self._command(message, update)
        if command.private and known.plays:
            await self._not_here(command)
            return
        try:
            await known.act(self, command)
        except CORRUPT:
            with nothing_lost({"chat": command.place.chat}):
                await self._say(command, answers.broken(words(command.place.language)))
            raise

    async def _command(self, message: Message, update: int) -> Command:
        chat, topic = message.chat, message.message_thread_id if message.is_topic_message else None
        user = message.from_user
        named = user is not None and not user.is_bot and not message.sender_chat
        settings = await self._app.settings(chat.id)
        language = nearest(settings.language or (user.language_code if user else None))
        return Command(
            place=Place(chat.id, topic or 0, language),
            private=chat.type == chat.PRIVATE,
            message=message.message_id,
            update=update,
            sender=Player(user.id, cut_name(user.full_name or "")) if named and user else None,
        )

    async def _say(self, command: Command, text: str, rows: Rows = NO_BUTTONS) -> None:
        place = command.place
        await self._messenger.send_text(place.chat, place.topic, text, markup(rows), command.message)

    async def greet(self, chat: int, language_code: str | None, update: int) -> None:
        """Say hello in a group that the bot has just been added to; a /start that comes with it says no more."""
        if self._throttle.allows((chat, 0, "start", 0), update) and self._throttle.has_room((chat, False), update):
            await self._messenger.send_text(chat, 0, answers.start_group(words(nearest(language_code))))

    async def _start(self, command: Command) -> None:
        tell = words(command.place.language)
        if command.private:
            rows = answers.start_private_buttons(self._username, tell)
            await self._say(command, answers.start_private(tell), rows)
        else:
            await self._say(command, answers.start_group(tell))

    async def _help(self, command: Command) -> None:
        await self._say(command, answers.help_text(words(command.place.language)))

    async def _rules(self, command: Command) -> None:
        tell = words(command.place.language)
        await self._say(command, answers.rules_choice(tell), answers.rules_buttons(_chat_press, tell))

    async def _not_here(self, command: Command) -> None:
        tell = words(command.place.language)
        await self._say(command, answers.not_here(tell), answers.start_private_buttons(self._username, tell))

    async def _open(self, command: Command, game: str) -> None:
        if await self._app.open(command.place, game, command.sender, command.update) is not None:
            return
        current = await self._app.current(command.place.chat, command.place.topic)
        if current is not None:
            text = answers.already_open if current.status is Status.OPEN else answers.already_running
            shown = current.shown.board or current.shown.lobby
            # A reply to the first table's message leads there with one tap.
            where = replace(command, message=shown or command.message)
            await self._say(where, text(current.game, words(current.language)))

    async def _board(self, command: Command) -> None:
        current = await self._app.current(command.place.chat, command.place.topic)
        if current is None or current.status is Status.STOPPED:
            await self._say(command, answers.no_table(words(command.place.language)))
        else:
            await self._app.post_board(current, command.update)

    async def _stop(self, command: Command) -> None:
        current = await self._app.current(command.place.chat, command.place.topic)
        tell = words(command.place.language)
        if current is None or current.status not in LIVE:
            await self._say(command, answers.no_table(tell))
            return
        # The answer is a press: it tells who an anonymous administrator is, and a wrong one costs no message.
        press = maker(current.id, 0, 0)
        if current.status is Status.OPEN:
            await self._say(command, table.close_question(current.game, tell), table.close_buttons(press, tell))
        else:
            await self._say(command, table.stop_question(current.game, tell), table.stop_buttons(press, tell))

    async def _language(self, command: Command) -> None:
        tell = words(command.place.language)
        await self._say(command, answers.language_question(tell), answers.language_buttons(_chat_press))

    async def _settings(self, command: Command) -> None:
        tell, delay = words(command.place.language), (await self._app.settings(command.place.chat)).delay
        await self._say(command, waiting.settings_text(delay, tell), waiting.settings_buttons(_chat_press, delay, tell))

    async def press(self, press: Press, topic: int, answer: Answer) -> None:
        """A button that belongs to the chat: a game's rules, a language, a delay.

        It changes the message that it is on, so only a message that offers it will do: a forged press may be on any.
        """
        settings = await self._app.settings(press.chat)
        tell = words(nearest(settings.language or press.language))
        if not press.offered:
            logger.info("press of a button that its message does not offer", extra={"chat": press.chat})
            answer.text = say(Refusal.UNKNOWN, tell)
            return
        if not self._throttle.has_room((press.chat, False), press.update):
            answer.text = say(Refusal.BUSY, tell)
            return
        match press.data.verb.split(" "):
            case ["rules", game] if game in GAMES:
                rows = answers.rules_buttons(_chat_press, tell)
                with suppress(MessageGoneError):
                    await self._messenger.edit_text(
                        press.chat, press.message, answers.rules_text(game, tell), markup(rows)
                    )
            case ["language", language] if language in LANGUAGES:
                await self._choose(press, topic, settings, language, answer)
            case ["delay", delay] if delay in _DELAYS:
                await self._set_delay(press, settings, int(delay), answer)
            case _:
                answer.text = say(Refusal.UNKNOWN, tell)

    async def _choose(self, press: Press, topic: int, settings: Chat, language: str, answer: Answer) -> None:
        tell = words(language)
        if not await self._keep(settings, lambda chat: replace(chat, language=language)):
            answer.text = say(Refusal.BUSY, tell)
            return
        answer.text = done(Done.LANGUAGE, tell)
        with nothing_lost({"chat": press.chat}):
            text = answers.language_chosen(tell)
            await self._messenger.edit_text(press.chat, press.message, text, None)
        current = await self._app.current(press.chat, topic)
        if current is not None and current.status in LIVE:
            try:
                await self._app.speak(current, language, press.update)
            except NotShownError as error:
                report(error, {"chat": press.chat, "match": current.id})

    async def _keep(self, settings: Chat, choose: Callable[[Chat], Chat]) -> bool:
        """Save a choice, after whatever others chose at the same moment; whether that could be done."""
        for _ in range(TRIES):
            if choose(settings) == settings:
                return True
            try:
                await self._store.save_chat(choose(settings))
            except ConflictError:
                settings = await self._app.settings(settings.id)
            except CorruptItemError:
                return False
            else:
                return True
        return False

    async def _set_delay(self, press: Press, settings: Chat, delay: int, answer: Answer) -> None:
        tell = words(nearest(settings.language or press.language))
        runs_it = is_private(press.chat) or await self._messenger.is_administrator(press.chat, press.user)
        if not runs_it:
            answer.text = say(Refusal.ROLE_UNKNOWN if runs_it is None else Refusal.ADMINS_ONLY, tell)
            return
        if not await self._keep(settings, lambda chat: replace(chat, delay=delay)):
            answer.text = say(Refusal.BUSY, tell)
            return
        answer.text = done(Done.DELAY, tell)
        with nothing_lost({"chat": press.chat}):
            rows = waiting.settings_buttons(_chat_press, delay, tell)
            await self._messenger.edit_text(press.chat, press.message, waiting.settings_text(delay, tell), markup(rows))


def is_program(user: User | None) -> bool:
    """Whether another bot wrote or pressed: bots are no players. Those who stand in for people are none."""
    return user is not None and user.is_bot and user.id not in _STAND_INS


def _chat_press(verb: str) -> str:
    return maker(NO_MATCH, 0, 0)(verb)
