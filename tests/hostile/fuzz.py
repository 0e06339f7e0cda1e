"""Fuzzing the webhook: bytes become a mutated update, and whatever comes of it must keep the bot's promises.

`Target.run(data)` takes any bytes. Hypothesis feeds it by day; `python -m tests.hostile.fuzz [libFuzzer options]` lets
atheris look for bytes that reach code that no others reach (Linux with atheris installed: requirements/fuzz.txt).
"""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
import sys
from collections.abc import Callable
from typing import Any, Final

import handlers.app.display as display_module
from emulator.model import Json
from testing.group import buttons, legal
from tests.hostile.scene import Path, Secrets, Stage, bugs, changed, deeds, lines_of, places, plain_picture, playing

Take = Callable[[int], int]
"""Gives the next number below a bound (at least 1), 0 when there is nothing left."""

TEXTS: Final = (
    "",
    "/skyjo",
    "/dekal@tablee_bot",
    "/settings",
    "/",
    "\ud800",
    "<b>",
    "private",
    "supergroup",
    "channel",
)
NUMBERS: Final = (0, 1, -1, 2**31, 2**53, 2**63, -(2**63), 2**64, 10**30)
VERBS: Final = (
    *(
        "join",
        "leave",
        "start",
        "cancel",
        "length 100",
        "cut 1",
        "cut 17",
        "stop yes",
        "stop no",
        "play on",
        "again",
        "deal",
        "card",
    ),
    *("draw", "flip a1", "take b2", "keep c3", "drop d1", "a1", "b3", "7L", "10T", "rules dekal", "language fr"),
    *("delay 60", "x", "length", "stop", " "),
)


class Bytes:
    """Numbers, texts and JSON values out of bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def left(self) -> bool:
        """Whether any are left."""
        return self._at < len(self._data)

    def take(self, bound: int) -> int:
        """The next number below a bound, 0 when nothing is left."""
        width = 1 if bound <= 256 else 2
        piece = self._data[self._at : self._at + width]
        self._at += width
        return int.from_bytes(piece, "big") % bound

    def text(self) -> str:
        """A text: a known one, or the bytes that follow, in any encoding."""
        if self.take(3):
            return TEXTS[self.take(len(TEXTS))]
        length = self.take(80)
        piece, self._at = self._data[self._at : self._at + length], self._at + length
        if length % 2:
            return piece.decode("latin-1")
        return piece[: len(piece) // 2 * 2].decode("utf-16-le", "surrogatepass")

    def value(self, depth: int = 0) -> Any:
        """A JSON value."""
        match self.take(10 if depth < 3 else 7):
            case 0:
                return None
            case 1:
                return bool(self.take(2))
            case 2:
                return NUMBERS[self.take(len(NUMBERS))]
            case 3:
                return self.take(65_536) - 32_768
            case 4:
                return (1.5, float("nan"), float("inf"), -1e308)[self.take(4)]
            case 5 | 6:
                return self.text()
            case 7:
                return [self.value(depth + 1) for _ in range(self.take(4))]
            case _:
                return {self.text(): self.value(depth + 1) for _ in range(self.take(4))}


class Target:
    """A group with two matches in two chats, and what an outsider's bytes may never do to them."""

    def __init__(self, stage: Stage, seeds: list[Json], own: str) -> None:
        self.stage = stage
        self.seeds = seeds
        self.rows = stage.rows()
        self.before = deeds(stage.items())
        self.secrets = Secrets.of(stage.group)
        self.records: list[logging.LogRecord] = []
        self._own = own

    @classmethod
    async def made(cls) -> Target:
        """The target, ready."""
        stage = await playing("skyjo", 3, 9)
        group = stage.group
        away = group.telegram.people.groups.create("Others", *group.users)
        await group.settle()
        await group.write(0, "/dekal", chat=away)
        board, table = group.live(), group.live(away)
        seat, _ = legal(await group.match())
        seeds = [stage.press(seat, board, data) for data in (buttons(board)[0], buttons(board)[-1])]
        seeds += [stage.press(1, table, buttons(table)[0]), stage.press(0, table, buttons(table)[-2])]
        seeds += [stage.typed(0, text) for text in ("/skyjo", "/board", "/stop", "/settings", "/help x")]
        for command in ("/rules", "/language", "/settings"):
            group.clock.now += 60
            await group.write(0, command)
            seeds.append(stage.press(0, group.live(), buttons(group.live())[-1]))
        return cls(stage, seeds, group.chat.title or "")

    def update(self, source: Bytes) -> Any:
        """One of the seeds, changed in a few places."""
        update: Any = self.seeds[source.take(len(self.seeds))]
        for _ in range(1 + source.take(3)):
            if "data" in update.get("callback_query", {}) and source.take(2):
                update = changed(update, ("callback_query", "data"), self._data(source))
                continue
            spots: list[Path] = list(places(update))
            update = changed(update, spots[source.take(len(spots))], source.value())
            if not isinstance(update, dict):
                break
            if not isinstance(update.get("callback_query"), dict):
                update = {key: value for key, value in update.items() if key != "callback_query"} or update
        return update

    @staticmethod
    def _data(source: Bytes) -> str:
        match source.take(3):
            case 0:
                return source.text()
            case kind:
                name = ("match1", "match2", "-", "nowhere")[source.take(4)]
                verb = VERBS[source.take(len(VERBS))] if kind == 1 else source.text()
                return f"{name}:{('mh3b', '0', 'zzzzzzzz', '1')[source.take(4)]}:{source.take(36)}:{verb}"

    async def run(self, data: bytes) -> None:
        """Deliver what the bytes are. Raises AssertionError where a promise is broken."""
        stage, source = self.stage, Bytes(data)
        group = stage.group
        stage.restore(self.rows)
        group.clock.now += 60
        start = len(group.telegram.log)
        self.records.clear()
        update = self.update(source)
        status, body = await stage.send(update)
        assert status in {200, 400}, status
        assert not bugs(self.records), bugs(self.records)
        assert not group.telegram.violations, group.telegram.violations
        said = body + repr([call.params for call in list(group.telegram.log)[start:]]) + lines_of(self.records)
        assert not self.secrets.found_in(said)
        self._check_deeds(update)

    def _check_deeds(self, update: Any) -> None:
        """Only the chat that an update comes from may have changed, and only by an update that is one."""
        after = self.stage.items()
        if deeds(after) == self.before:
            return
        assert isinstance(update, dict)
        part = update.get("callback_query", {}).get("message") or update.get("message") or {}
        chat = part["chat"]["id"]
        assert type(chat) is int
        changes = [key for key, text in after.items() if text != dict(self._texts()).get(key)]
        for pk, sk in changes:
            if sk == "match":
                assert json.loads(after[pk, sk])["chat"] == chat
            else:
                assert pk == f"chat#{chat}"

    def _texts(self) -> dict[tuple[str, str], str]:
        return {(row[0], row[1]): row[5] for row in self.rows}


class _Keep(logging.Handler):
    """Keeps the lines that the bot writes."""

    def __init__(self, records: list[logging.LogRecord]) -> None:
        super().__init__()
        self._records = records

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self._records.append(record)


def listen(target: Target) -> None:
    """Let the target hear the bot's log."""
    logger = logging.getLogger("tablee")
    logger.handlers[:] = [_Keep(target.records)]
    logger.setLevel(logging.INFO)


def main() -> None:
    """Fuzz until libFuzzer's options say to stop, or a promise is broken."""
    atheris: Any = importlib.import_module("atheris")  # only there where somebody wants to fuzz

    with atheris.instrument_imports(include=["handlers", "engine", "infra.matches", "infra.items", "telegram"]):
        importlib.import_module("handlers.updates")
    atheris.instrument_all()
    vars(display_module)["_picture"] = plain_picture
    loop = asyncio.new_event_loop()
    target = loop.run_until_complete(Target.made())
    logging.getLogger("tablee").propagate = False
    listen(target)

    def one(data: bytes) -> None:
        # What was sent long ago is nothing to the next input, and memory is to stay what it is.
        target.stage.group.telegram.log.clear()
        target.stage.group.telegram.world.queries.clear()
        loop.run_until_complete(target.run(data))

    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
