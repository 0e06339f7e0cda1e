"""The timed Lambda entry: every minute, what is due."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from handlers import cold
from handlers.bootstrap import Bot, wake
from handlers.clock import run_due
from infra.logs import invocation

EVERY_SECONDS: Final = 60

_loop: Final = asyncio.new_event_loop()


@cache
def _started() -> Bot:
    _, bot = wake(os.environ, threads=True)
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
