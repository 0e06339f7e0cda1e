"""Live updates for open pages, as server-sent events."""

import asyncio
import json
from collections.abc import AsyncIterator

from emulator.model import Json
from emulator.party import Party
from emulator.world import Change

# A comment every so many seconds keeps the connection from looking dead.
_HEARTBEAT = 15.0


class Hub:
    """Tells every open page what changed."""

    def __init__(self, party: Party) -> None:
        self.party = party
        self._pages: set[asyncio.Queue[Json | None]] = set()
        party.world.listeners.append(self._hear)

    def close(self) -> None:
        """End all streams, so that the server can stop."""
        for page in self._pages:
            page.put_nowait(None)

    async def stream(self) -> AsyncIterator[bytes]:
        """The events for one page, until it goes or the server stops."""
        page: asyncio.Queue[Json | None] = asyncio.Queue()
        self._pages.add(page)
        try:
            yield b"retry: 1000\n\n"
            while True:
                try:
                    event = await asyncio.wait_for(page.get(), _HEARTBEAT)
                except TimeoutError:
                    yield b": still here\n\n"
                    continue
                if event is None:
                    return
                yield f"data: {json.dumps(event, ensure_ascii=False)}\n\n".encode()
        finally:
            self._pages.discard(page)

    def _hear(self, change: Change) -> None:
        if not self._pages:
            return
        event = self._event(change)
        if event is not None:
            for page in self._pages:
                page.put_nowait(event)

    def _event(self, change: Change) -> Json | None:
        thing = change.thing
        match change.kind:
            case "message" if thing.deleted:
                return {"kind": "deleted", "chat": thing.chat_id, "message": thing.id}
            case "message":
                return {"kind": "message", "chat": thing.chat_id, "shown": self.party.message_shown(thing)}
            case "answer":
                answer = {"text": thing.answer.text, "alert": thing.answer.show_alert, "url": thing.answer.url}
                return {"kind": "answer", "query": thing.id, "person": thing.user_id} | answer
            case "user" | "chat":
                return {"kind": "people", "people": [self.party.person_shown(one) for one in self.party.people()]}
            case "settings":
                return {"kind": "menus", "menus": self.party.menus()}
            case _:
                return None
