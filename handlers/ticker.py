"""The timed Lambda entry: every minute, what is due. A laptop calls `run_due` itself."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from handlers import cold
from handlers.app.games import CORRUPT
from handlers.app.trouble import report
from handlers.bootstrap import Bot, wake
from infra.logs import invocation

AT_ONCE: Final = 100
"""How many matches one minute looks after; more wait for the next, the longest overdue first."""

EVERY_SECONDS: Final = 60


async def run_due(bot: Bot, now: int) -> int:
    """Look after every match that is due at `now` (Unix seconds), and return how many there were.

    What cannot be read stays due, as it stays as it is: it is told of once, and passed by from then on.
    """
    found = await bot.store.due(now, AT_ONCE + len(bot.broken))
    due = [match_id for match_id in found if match_id not in bot.broken]
    for match_id in due:
        # One match's trouble, whatever it is, must not keep the others waiting.
        try:
            await bot.app.look_after(match_id)
        except Exception as error:  # noqa: BLE001 - what is due stays due, and the table of errors says how loud to be
            report(error, {"match": match_id})
            if isinstance(error, CORRUPT):
                bot.broken.add(match_id)
    return len(due)


_loop: Final = asyncio.new_event_loop()


@cache
def _started() -> Bot:
    _, bot = wake(os.environ)
    _loop.run_until_complete(bot.application.initialize())
    cold.over()
    return bot


def handler(event: Mapping[str, Any], context: object) -> dict[str, int]:
    """What the schedule calls; the event says nothing that matters."""
    del event
    bot = _started()
    with invocation(context):
        return {"due": _loop.run_until_complete(run_due(bot, int(time.time())))}


if cold.ON_LAMBDA:
    _started()
