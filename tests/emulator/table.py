"""A strict Telegram with three people at it, and what its tests send."""

from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from PIL import Image

from emulator.files import Upload
from emulator.limits import UNLIMITED, Allowance
from emulator.model import Chat, Json, Message, User
from emulator.telegram import Telegram

START = 1_780_000_000.0


@dataclass
class Clock:
    """A clock that stands until it is moved."""

    time: float = START

    def __call__(self) -> float:
        """The time, in seconds since 1970."""
        return self.time

    def set(self, time: float) -> None:
        """Let it be this time."""
        self.time = time

    def move(self, seconds: float) -> None:
        """Let so many seconds pass."""
        self.time += seconds


@dataclass
class Table:
    """A strict Telegram with three people and the bot in a supergroup; by default without limits of speed."""

    clock: Clock = field(default_factory=Clock)
    allowance: Allowance = UNLIMITED

    def __post_init__(self) -> None:
        self.telegram = Telegram(self.clock, username="tablee_bot", name="Tablée", allowance=self.allowance)
        self.world = self.telegram.world
        self.people = self.telegram.people
        self.groups = self.people.groups
        self.ana: User = self.people.create_user("Ana", "Lima", username="ana_lima", language="fr")
        self.bob: User = self.people.create_user("Bob")
        self.cleo: User = self.people.create_user("Cleo")
        self.chat: Chat = self.groups.create("Friday", self.ana, self.bob, self.cleo)
        self.updates()

    def call(self, method: str, files: dict[str, Upload] | None = None, **params: object) -> Any:
        """A call that succeeds; its result."""
        status, body = self.telegram.call(self.telegram.token, method, params, files)
        assert status == 200, body
        return body["result"]

    def fails(self, method: str, files: dict[str, Upload] | None = None, **params: object) -> tuple[int, str]:
        """A call that fails; its status and description."""
        status, body = self.telegram.call(self.telegram.token, method, params, files)
        assert not body["ok"], body
        return status, body["description"]

    def updates(self) -> list[Json]:
        """The updates that wait for the bot, taken away."""
        waiting = [parcel.update for parcel in self.world.queues.parcels.values()]
        self.world.queues.clear()
        return waiting

    def say(self, text: str = "Hello", **params: Any) -> Message:
        """A message of the bot's in the group."""
        sent = self.call("sendMessage", chat_id=self.chat.id, text=text, **params)
        return self.world.messages[self.chat.id][sent["message_id"]]


def keyboard(*rows: list[tuple[str, str]]) -> Json:
    """An inline keyboard of (text, data) buttons."""
    return {"inline_keyboard": [[{"text": text, "callback_data": data} for text, data in row] for row in rows]}


def picture(width: int = 40, height: int = 30, colour: str = "green") -> Upload:
    """A small PNG."""
    out = BytesIO()
    Image.new("RGB", (width, height), colour).save(out, "PNG")
    return Upload("board.png", out.getvalue(), "image/png")
