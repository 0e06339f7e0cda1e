"""The timed Lambda entry: every minute, what is due."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast

from handlers import cold
from handlers.app.trouble import report
from handlers.bootstrap import Bot, wake
from handlers.clock import run_due
from infra.logs import invocation
from infra.store import Store

if TYPE_CHECKING:
    from infra.dynamo import DynamoStore

EVERY_SECONDS: Final = 60

_loop: Final = asyncio.new_event_loop()


async def keep_owner(store: Store, bot: int) -> None:
    """Note whose the table is, for whoever would poll with another bot. What is deployed needs no leave for that."""
    try:
        await cast("DynamoStore", store).claim(bot, take_over=True)
    except Exception as error:  # noqa: BLE001 - the next start does it
        report(error, {})


@cache
def _started() -> Bot:
    settings, bot = wake(os.environ, threads=True)
    _loop.run_until_complete(bot.application.initialize())
    if settings.table_name:
        _loop.run_until_complete(keep_owner(bot.store, settings.bot_id))
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
