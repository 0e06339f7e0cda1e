"""The timed Lambda entry: every minute, what is due. A laptop calls `run_due` itself."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from engine.core import CorruptError
from handlers import cold
from handlers.app.saving import BusyError, MatchGoneError
from handlers.bootstrap import Bot, wake
from infra.logs import Metric, count, invocation, logger
from infra.matches import CorruptItemError
from infra.store import StoreUnavailableError
from infra.telegram import ChatClosedError, ChatMovedError, TelegramUnavailableError

AT_ONCE: Final = 100
"""How many matches one minute looks after; more wait for the next, the longest overdue first."""

EVERY_SECONDS: Final = 60

_LATER: Final = (BusyError, MatchGoneError, StoreUnavailableError, TelegramUnavailableError)
_NOWHERE: Final = (ChatClosedError, ChatMovedError)


async def run_due(bot: Bot, now: int) -> int:
    """Look after every match that is due at `now` (Unix seconds), and return how many there were.

    What cannot be read stays due, as it stays as it is: it is told of once, and passed by from then on.
    """
    found = await bot.store.due(now, AT_ONCE + len(bot.broken))
    due = [match_id for match_id in found if match_id not in bot.broken]
    for match_id in due:
        # One match's trouble must not keep the others waiting.
        try:
            await bot.app.look_after(match_id)
        except _LATER as error:
            logger.warning("will be looked after again: %s", error, extra={"match": match_id})
        except _NOWHERE as error:
            logger.warning("nothing can be sent: %s", error, extra={"match": match_id})
        except (CorruptItemError, CorruptError) as error:
            bot.broken.add(match_id)
            count(Metric.FAILURES)
            logger.error("left as it is: %s", error, extra={"match": match_id})
        except Exception:  # noqa: BLE001 - a bug in one match is logged, and the others go on
            count(Metric.FAILURES)
            logger.exception("a bug", extra={"match": match_id})
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
