"""What goes wrong, and what can be done about it: the one table of errors, with a default that loses nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import Enum, auto

from engine.core import CorruptError
from handlers.app.saving import BusyError, MatchGoneError
from infra.logs import Metric, count, logger
from infra.matches import CorruptItemError
from infra.store import StoreRefusedError, StoreUnavailableError
from infra.telegram import (
    ChatClosedError,
    ChatMovedError,
    MessageGoneError,
    MessengerError,
    TelegramUnavailableError,
    TokenRefusedError,
)


class Mend(Enum):
    """Who can mend an error, so that what failed may be done again."""

    RETRY = auto()
    """Nobody need do anything: it passes."""
    OWNER = auto()
    """Whoever runs the bot; until then everything fails, so nothing may be taken for done."""
    NOBODY = auto()
    """It would fail again for ever, or has perhaps been done already."""


class NotShownError(Exception):
    """What was asked for is saved, but could not be shown, for `failure`; it is owed."""

    def __init__(self, failure: Exception) -> None:
        super().__init__(str(failure))
        self.failure = failure


def mend(error: Exception) -> Mend:
    """Who can mend an error. What is not listed is a mistake of the program, which the same update would make again."""
    match error:
        case NotShownError():
            return mend(error.failure)
        case StoreRefusedError() | TokenRefusedError():
            return Mend.OWNER
        case TelegramUnavailableError(perhaps_sent=True):
            return Mend.NOBODY
        case StoreUnavailableError() | TelegramUnavailableError() | BusyError() | MatchGoneError():
            return Mend.RETRY
        case _:
            return Mend.NOBODY


def report(error: Exception, about: Mapping[str, object]) -> Mend:
    """Log an error, as loud as it deserves, and return who can mend it. `about` is what the line is about."""
    if isinstance(error, NotShownError):
        error = error.failure
    mended = mend(error)
    # The words of our own errors quote nothing; those of others may.
    match error:
        case _ if mended is Mend.RETRY:
            logger.warning("will be tried again: %s", error, extra=about)
        case _ if mended is Mend.OWNER:
            count(Metric.FAILURES)
            logger.error("the owner must mend this: %s", error, extra=about)
        case TelegramUnavailableError():
            logger.warning("perhaps it was sent: %s", error, extra=about)
        case ChatClosedError() | ChatMovedError() | MessageGoneError():
            logger.warning("cannot be sent: %s", error, extra=about)
        case MessengerError():
            count(Metric.FAILURES)
            logger.error("Telegram refuses: %s", error, extra=about)
        case CorruptItemError():
            count(Metric.FAILURES)
            logger.error("left as it is: %s", error, extra=about)
        case CorruptError():
            # The engine's words quote what it cannot read: hidden cards.
            count(Metric.FAILURES)
            logger.error("left as it is: the log of its moves cannot be read", exc_info=error, extra=about)
        case _:
            count(Metric.FAILURES)
            logger.error("a bug: %s", type(error).__name__, exc_info=error, extra=about)
    return mended


@contextmanager
def nothing_lost(about: Mapping[str, object]) -> Iterator[None]:
    """For what comes after everything that matters has been saved: its failure is told, and asks for no repetition."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - whatever it is, the update is done
        report(error, about)
