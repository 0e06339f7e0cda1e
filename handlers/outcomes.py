"""What an update's end means to Telegram: done, or worth sending again."""

from __future__ import annotations

from handlers.app.answer import Answer
from handlers.app.trouble import Mend, report
from handlers.updates import Handled


def is_done(handled: Handled) -> bool:
    """Whether the update need not be sent again. What went wrong is logged."""
    if handled.error is None:
        return True
    about = {"match": handled.match} if handled.match else {}
    return report(handled.error, about) is Mend.NOBODY


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
