"""Presses as they really come: the update that Telegram sends, and the match as it is stored at that moment."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from emulator.model import Json
from handlers.app.games import rules_of, state_of
from infra.dynamo import _encode
from infra.items import match_key
from infra.matches import Match, to_item
from testing.group import Group, buttons

SEATS = 4
MOVES = 30
"""Presses before the one that is measured: the match is somewhere in its middle."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A press on a board. `items` are what the table holds, as the stub wants it."""

    name: str
    update: Json
    match: Match
    items: dict[str, Json]


class _Listening(Group):
    """A group that keeps the last update."""

    last: Json

    async def deliver(self, update: Json) -> tuple[int, str]:
        """Hand one update on."""
        self.last = update
        return await super().deliver(update)


async def moving(game: str, *, secret: bool, seats: int = SEATS, moves: int = MOVES) -> Scene:
    """A move of the game; a `secret` one changes nothing that the table sees."""
    group, random = _Listening(seats), Random(game)  # noqa: S311 - the same press every time, no secret
    # One stub may serve several scenes.
    group.ids = (f"{game}-{'secret' if secret else 'open'}" for _ in range(1))
    match = await group.start(game)
    while True:
        rules, state = rules_of(match), state_of(match)
        seat = rules.actors(state)[0]
        move = rules.move_text(random.choice(rules.legal_moves(state, seat)))
        hidden = len(rules.actors(state)) > 1
        board = group.live()
        data = next(data for data in buttons(board) if data.endswith(f":{move}"))
        await group.press(seat, board, data)
        group.clock.now += 10
        following = await group.match()
        drawn = following.shown.board == match.shown.board and following.shown.look == match.shown.look + 1
        moves -= 1
        if moves <= 0 and (hidden if secret else not hidden and drawn):
            return _scene(f"{game}: {move}", group.last, match)
        match = following


def _scene(name: str, update: Json, match: Match) -> Scene:
    """The scene as if it were now."""
    now = int(time.time())
    shown = replace(match.shown, posted=now, until_ms=0, ready_ms=0)
    match = replace(match, shown=shown, saved=now, expires=now + 3600, due=now + 3600)
    item: Any = _encode(match_key(match.id), to_item(match))
    return Scene(name, update, match, {" ".join(match_key(match.id)): item})
