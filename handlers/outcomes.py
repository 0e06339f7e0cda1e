"""What an update's end means to Telegram: done, or worth sending again."""

from __future__ import annotations

from engine.core import CorruptError
from handlers.app.answer import Answer
from handlers.updates import Handled
from infra.logs import Metric, count, logger
from infra.matches import CorruptItemError
from infra.store import StoreUnavailableError
from infra.telegram import ChatClosedError, ChatMovedError, TelegramUnavailableError


def is_done(handled: Handled) -> bool:
    """Whether the update need not be sent again. What went wrong is logged."""
    about = {"match": handled.match} if handled.match else {}
    match handled.error:
        case None:
            return True
        case StoreUnavailableError() | TelegramUnavailableError():
            logger.warning("will be sent again: %s", handled.error, extra=about)
            return False
        case ChatClosedError() | ChatMovedError():
            logger.warning("nothing can be sent: %s", handled.error, extra=about)
            return True
        case CorruptItemError() | CorruptError():
            count(Metric.FAILURES)
            logger.error("left as it is: %s", handled.error, extra=about)
            return True
        case _:
            count(Metric.FAILURES)
            # Its words may quote the update.
            logger.error("a bug: %s", type(handled.error).__name__, exc_info=handled.error, extra=about)
            return True


def reply(answer: Answer | None) -> dict[str, object] | None:
    """The answer to a press as a Bot API call, or None where there is nothing left to say."""
    if answer is None or answer.said:
        return None
    call: dict[str, object] = {"method": "answerCallbackQuery", "callback_query_id": answer.query}
    if answer.text:
        call["text"] = answer.text
    if answer.alert:
        call["show_alert"] = True
    return call
