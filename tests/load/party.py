"""The people of one group: they open a table, join, and press random buttons until their match is over.

They know what people know: what the newest message with buttons says and shows, whom it names, and what their toasts
told them.
What they were told is kept, to be compared with the match's record.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from dataclasses import dataclass, field
from random import Random
from typing import Final

from engine.registry import GAMES
from handlers.app.presses import Data, parse
from handlers.ui.languages import words
from handlers.ui.refusals import Refusal, say
from handlers.ui.toasts import Done, done
from tests.load.wire import Shown, name_of
from tests.ui.catalogs import CATALOGS, Entry

_EN: Final = words("en")
JOINED: Final = done(Done.JOINED, _EN)
STARTED: Final = done(Done.STARTED, _EN)
BUSY: Final = say(Refusal.BUSY, _EN)
_MENTION: Final = re.compile(r'href="tg://user\?id=(\d+)"')
_CELL: Final = re.compile(r"([a-d])([1-4])")
CURIOUS: Final = 0.04
"""How often somebody who is not to act presses too."""
PATIENCE: Final = 50
"""After so many rounds of presses that change nothing something is wrong."""


class StuckError(Exception):
    """The people press and nothing happens any more."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button that somebody presses."""

    user: int
    shown: Shown
    data: str


@dataclass(slots=True)
class Party:
    """A group chat, whose first member opens a table of `game`.

    `told` has, for every player and epoch, the moves that a toast called made, in order. `unsure` has those in which a
    press was repeated by Telegram, as the store had not answered: then a move may be made that no toast told. `waiting`
    has the presses that have not been answered, by player.
    """

    chat: int
    game: str
    users: tuple[int, ...]
    random: Random
    messages: dict[int, Shown] = field(default_factory=dict)
    waiting: dict[int, Press] = field(default_factory=dict)
    told: defaultdict[tuple[int, int], list[str]] = field(default_factory=lambda: defaultdict(list))
    unsure: set[tuple[int, int]] = field(default_factory=set)
    joined: set[int] = field(default_factory=set)
    match: str = ""
    over: bool = False
    nudges: int = 0
    _looks: int = 0
    _pressed_at: dict[int, int] = field(default_factory=dict)
    _in_vain: int = 0
    _started: bool = False
    _read: set[int] = field(default_factory=set)

    def see(self, shown: Shown) -> None:
        """A message has come or changed."""
        self.messages[shown.message] = shown
        self._looks += 1
        self._in_vain = 0

    def forget(self, message: int) -> None:
        """A message is gone."""
        self.messages.pop(message, None)

    def read(self, user: int, text: str) -> None:
        """A player reads a toast."""
        self._read.add(user)
        data = _data(self.waiting[user].data)
        if text == JOINED:
            self.joined.add(user)
        elif text == STARTED:
            self._started = True
        elif self.is_made(data.verb, text):
            made = self.told[user, data.epoch]
            # Telling the same again is no second move.
            if made[-1:] != [data.verb]:
                made.append(data.verb)

    def is_made(self, verb: str, text: str) -> bool:
        """Whether a toast says that the move was made."""
        if verb not in GAMES[self.game].moves:
            return False
        return any(pattern.fullmatch(text) for pattern in _patterns(self.game, verb))

    def failed(self, user: int) -> None:
        """A player's press could not be dealt with; it will be tried again."""
        self.unsure.add((user, _data(self.waiting[user].data).epoch))

    def answered(self, user: int) -> None:
        """A player's press has been dealt with. Raises `StuckError` where they were told nothing."""
        del self.waiting[user]
        if user not in self._read:
            raise StuckError(f"match {self.match}: a press was not answered")
        self._read.discard(user)

    @property
    def live(self) -> Shown | None:
        """The last message that still has buttons."""
        return next((shown for shown in reversed(self.messages.values()) if shown.markup), None)

    def presses(self) -> list[Press]:
        """What is pressed now. Raises `StuckError` where pressing has long changed nothing."""
        live = self.live
        if live is None or self.over:
            return []
        buttons = [_data(data) for data in _buttons(live)]
        verbs = {data.verb for data in buttons}
        if "again" in verbs:
            self.over = not self.waiting
            return []
        self.match = buttons[0].match
        if "join" in verbs:
            found = self._gather(live, buttons)
        else:
            found = [Press(user, live, self._choose(user, live, buttons)) for user in self._eager(live)]
        for press in found:
            self.waiting[press.user] = press
            self._pressed_at[press.user] = self._looks
        return found

    def _gather(self, live: Shown, buttons: list[Data]) -> list[Press]:
        verb = {data.verb: str(data) for data in buttons}
        missing = [user for user in self.users[1:] if user not in self.joined and user not in self.waiting]
        if missing:
            return [Press(user, live, verb["join"]) for user in missing]
        return [] if self.waiting or self._started else [Press(self.users[0], live, verb["start"])]

    def _choose(self, user: int, live: Shown, buttons: list[Data]) -> str:
        """A button that makes sense to somebody who sees the board, if there is one."""
        moves = [data for data in buttons if data.verb in GAMES[self.game].moves]
        grid = live.picture.get(name_of(user), "").split(" ")
        sensible = [data for data in moves if _makes_sense(data.verb, grid)] or moves
        # First what to do, then with which card: or else whoever might draw would nearly always take.
        action = self.random.choice(sorted({_action(data.verb) for data in sensible}))
        return str(self.random.choice([data for data in sensible if _action(data.verb) == action]))

    def _eager(self, live: Shown) -> list[int]:
        named = {int(user) for user in _MENTION.findall(html.unescape(live.text))}
        free = [user for user in self.users if user not in self.waiting]
        eager = [user for user in free if user in named and self._pressed_at.get(user) != self._looks]
        if not eager and not self.waiting:
            # All have pressed, nothing is on its way and the board is as it was: they try again.
            eager = [user for user in free if user in named]
            self.nudges += 1
            self._in_vain += 1
            if self._in_vain > PATIENCE or not eager:
                raise StuckError(f"match {self.match}: {live.text!r}")
        return eager + [user for user in free if user not in eager and self.random.random() < CURIOUS]


def _action(verb: str) -> str:
    return verb.partition(" ")[0] if verb.partition(" ")[0].isalpha() else ""


def _makes_sense(verb: str, grid: list[str]) -> bool:
    """Whether the own card that a move names is there, and face down where it has to be."""
    action, _, cell = verb.rpartition(" ")
    found = _CELL.fullmatch(cell)
    if found is None:
        return True
    index = "abcd".index(found[1]) + 4 * (int(found[2]) - 1)
    card = grid[index] if index < len(grid) else "."
    return card != "." if action in {"take", "keep"} else card == "?"


def _buttons(shown: Shown) -> list[str]:
    rows = (shown.markup or {}).get("inline_keyboard", [])
    return [button["callback_data"] for row in rows for button in row if "callback_data" in button]


def look_of(party: Party) -> int:
    """The look of the match that the newest message with buttons shows."""
    return _data(_buttons(party.live)[0]).look if party.live else 0


def _data(text: str) -> Data:
    data = parse(text)
    assert data is not None, "the bot made it"
    return data


_cache: dict[tuple[str, str], tuple[re.Pattern[str], ...]] = {}


def _patterns(game: str, verb: str) -> tuple[re.Pattern[str], ...]:
    """What the toasts of a made move look like, with the move's own cell in them."""
    found = _cache.get((game, verb))
    if found is None:
        keys = [key for key in CATALOGS["en"] if key.startswith(f"{game}.toast.")]
        if verb.isalpha():
            # A move without a cell or a value is one that reveals something, which is then told.
            keys.append(f"{game}.reminder")
        cell = verb.rpartition(" ")[2]
        found = tuple(re.compile(_pattern(CATALOGS["en"][key], cell)) for key in keys)
        _cache[game, verb] = found
    return found


def _pattern(toast: Entry, cell: str) -> str:
    text = re.escape(_EN(toast.key, **dict.fromkeys(toast.placeholders, "ANY") | {"cell": "CELL"}))
    return text.replace("CELL", re.escape(cell)).replace("ANY", ".+")
