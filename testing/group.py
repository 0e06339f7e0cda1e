"""A group of people with the real bot, at an emulated Telegram, on one clock that tests move."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from random import Random

from emulator.delivery import Courier
from emulator.function_url import function_url_answer, function_url_event
from emulator.limits import Allowance
from emulator.model import Chat, Json, Message, User
from emulator.request import InProcessRequest
from emulator.telegram import Logged, Telegram
from handlers.app.games import rules_of, state_of
from handlers.bootstrap import Bot, make_bot
from handlers.webhook import Webhook
from infra.matches import Match, Status
from infra.settings import Settings
from infra.sqlite import SqliteStore
from infra.store import Store

SECRET = "a-secret-of-the-webhook"
NOON = 1_790_000_000.0
MOVES = re.compile(r"[a-d][1-4]|\d+[LRTB]|(flip|take|keep|drop) [a-d][1-3]|draw")


class Clock:
    """Seconds since 1970, moved by hand; sleeping moves it too."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> float:
        """The time in seconds."""
        return self.now

    def ms(self) -> int:
        """The time in milliseconds."""
        return round(self.now * 1000)

    async def sleep(self, seconds: float) -> None:
        """Wait, as far as the bot can tell."""
        self.now += seconds


class Group:
    """A group chat, its people, and the bot behind its webhook. Telegram is strict: `violations` stay empty."""

    def __init__(
        self,
        people: int,
        *,
        store: Store | None = None,
        allowance: Allowance | None = None,
        budget: float = 16,
        language: str = "en",
        seed: int = 1,
        forum: bool = False,
        supergroup: bool = True,
        clock: Clock | None = None,
    ) -> None:
        self.clock = clock or Clock()
        self.telegram = Telegram(self.clock, username="tablee_bot", name="Tablée", allowance=allowance or Allowance())
        self.store: Store = store or SqliteStore(":memory:", self.clock)
        self.settings = Settings(
            token=self.telegram.token,
            bot_username=self.telegram.world.bot.username or "",
            webhook_secret=SECRET,
            database=":memory:",
            chat_budget=budget,
        )
        self.random = Random(seed)
        self.ids = (f"match{number}" for number in itertools.count(1))
        self.connection = InProcessRequest(self.telegram)
        self.webhook: Webhook | None = None
        self._starting = asyncio.Lock()
        self.statuses: list[int] = []
        hands = self.telegram.people
        self.users: list[User] = [hands.create_user(f"Player {n}", language=language) for n in range(people)]
        self.chat: Chat = hands.groups.create("Friends", *self.users, forum=forum, supergroup=supergroup)
        self.courier = Courier(self.telegram, self.deliver)

    def bot(self) -> Bot:
        """The bot as a new process makes it."""
        return make_bot(
            self.settings,
            store=self.store,
            connection=self.connection,
            clock=self.clock.ms,
            sleep=self.clock.sleep,
            secret=lambda: self.random.randbytes(32),
            new_id=lambda: next(self.ids),
        )

    async def deliver(self, update: Json) -> tuple[int, str]:
        """Hand one update to the webhook, as a function URL event."""
        async with self._starting:
            if self.webhook is None:
                self.webhook = Webhook(self.settings, self.bot())
                await self.webhook.start()
        status, body = function_url_answer(await self.webhook.respond(function_url_event(update, SECRET)))
        self.statuses.append(status)
        return status, body

    async def settle(self) -> None:
        """Deliver all that is due."""
        await self.courier.run_due()

    async def write(self, seat: int, text: str, *, thread: int | None = None, chat: Chat | None = None) -> Message:
        """A person writes, in the group unless another chat is named, and the bot has dealt with it."""
        message = self.telegram.people.write(self.users[seat], chat or self.chat, text, thread=thread)
        await self.settle()
        return message

    def private(self, seat: int) -> Chat:
        """A person's own chat with the bot."""
        return self.telegram.people.private_chat(self.users[seat])

    async def press(self, seat: int, message: Message, data: str) -> str:
        """A person presses the button that has this data; the toast they read."""
        query = self.telegram.people.press(self.users[seat], message, data)
        await self.settle()
        assert query.answer is not None, "every press is answered"
        return query.answer.text

    async def forge(self, seat: int, message: Message, data: str) -> str:
        """A person sends a press that no button makes; the toast they read."""
        query = self.telegram.people.press_unseen(self.users[seat], message, data)
        await self.settle()
        assert query.answer is not None, "every press is answered"
        return query.answer.text

    async def verb(self, seat: int, message: Message, verb: str) -> str:
        """Likewise, by the verb at the end of a button's data."""
        return await self.press(seat, message, data_of(message, verb))

    def messages(self, chat: Chat | None = None) -> list[Message]:
        """The bot's messages in the chat that have not been deleted, oldest first."""
        world = self.telegram.world
        everything = world.messages.get((chat or self.chat).id, {}).values()
        return [message for message in everything if message.sender == world.bot.id and not message.deleted]

    def live(self, chat: Chat | None = None) -> Message:
        """The newest message with buttons."""
        return [message for message in self.messages(chat) if buttons(message)][-1]

    def calls(self, *methods: str) -> list[Logged]:
        """What the bot has asked of Telegram, by these methods if any are named, oldest first."""
        return [call for call in self.telegram.log if not methods or call.method in methods]

    def document(self) -> bytes:
        """The content of the newest document in the chat."""
        newest = [message for message in self.messages() if "document" in message.body][-1]
        return self.telegram.world.files.find(newest.body["document"]["file_id"]).content

    async def match(self, topic: int = 0) -> Match:
        """The chat's current match, or that of one of its topics."""
        pointed = await self.store.current(self.chat.id, topic)
        assert pointed is not None, "a table was opened"
        match = await self.store.match(pointed)
        assert match is not None, "and is kept"
        return match

    async def start(self, game: str, *, length: str = "single") -> Match:
        """Open a table, seat everybody, start."""
        await self.write(0, f"/{game}")
        for seat in range(1, len(self.users)):
            await self.verb(seat, self.live(), "join")
        if length != "single":
            await self.verb(0, self.live(), f"length {length}")
        await self.verb(0, self.live(), "start")
        return await self.match()

    async def play_on(self, random: Random, most: int = 100_000) -> Match:
        """Everyone to move presses a random button until the match is over, at most `most` presses."""
        for _ in range(most):
            match = await self.match()
            if match.status is not Status.PLAYING:
                return match
            board = self.live()
            moves = [data for data in buttons(board) if MOVES.fullmatch(data.rsplit(":", 1)[1])]
            await self.press(random.randrange(len(self.users)), board, random.choice(moves))
            self.clock.now += 1
        return await self.match()

    async def play(self, random: Random, most: int = 100_000) -> Match:
        """Whoever is to move presses one of their legal moves, until the match is over, at most `most` presses."""
        match = await self.match()
        for _ in range(most):
            if match.status is not Status.PLAYING:
                break
            await self.move(random)
            match = await self.match()
        return match

    async def move(self, random: Random) -> str:
        """One of those to move presses one of their legal moves on the newest board; the toast they read."""
        seat, moves = legal(await self.match())
        toast = await self.verb(seat, self.live(), random.choice(moves))
        self.clock.now += 4
        return toast


def legal(match: Match) -> tuple[int, list[str]]:
    """The first seat to move, and its moves as texts."""
    rules, state = rules_of(match), state_of(match)
    seat = rules.actors(state)[0]
    return seat, [rules.move_text(move) for move in rules.legal_moves(state, seat)]


def data_of(message: Message, verb: str) -> str:
    """The callback data of the message's button with this verb."""
    return next(data for data in buttons(message) if data.endswith(f":{verb}"))


def buttons(message: Message) -> list[str]:
    """The callback data of a message's buttons."""
    rows = (message.reply_markup or {}).get("inline_keyboard", [])
    return [button["callback_data"] for row in rows for button in row if "callback_data" in button]


def text_of(message: Message) -> str:
    """What a message says."""
    return str(message.body.get("text") or message.body.get("caption") or json.dumps(message.body))
