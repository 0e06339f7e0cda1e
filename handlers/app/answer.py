"""The answer to a press: one toast, said in the webhook's response where that is soon enough."""

from __future__ import annotations

from dataclasses import dataclass

from infra.telegram import Messenger


@dataclass(slots=True)
class Answer:
    """What the presser will read. `query` is Telegram's id of the press; `said` once it has gone out."""

    query: str
    text: str = ""
    alert: bool = False
    said: bool = False

    async def say_now(self, messenger: Messenger) -> None:
        """Answer by a request, because the rest will take a while; where that fails, it is still to be said."""
        if not self.said:
            await messenger.answer(self.query, self.text, alert=self.alert)
            self.said = True
