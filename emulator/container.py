"""A bot that is a function for AWS Lambda, in a container of its own: a thread that handles one event at a time."""

import asyncio
import importlib
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

from emulator.function_url import function_url_answer, function_url_event
from emulator.model import Json

Handler = Callable[[Any, Any], Any]


class UnknownHandlerError(Exception):
    """There is no function of that name; the message is one line."""


def load(dotted: str) -> Handler:
    """The function with a dotted name.

    Raises:
        UnknownHandlerError: there is none.
    """
    module, _, name = dotted.rpartition(".")
    try:
        loaded: Handler = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UnknownHandlerError(f"cannot load {dotted}: {error}") from error
    return loaded


class Container:
    """Carries events to handlers; `secret` is what updates have in their header. Leave it to end its thread."""

    def __init__(self, secret: str) -> None:
        self._secret = secret
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="lambda")

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for the event that is handled, if any, and end."""
        self._thread.shutdown()

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function returns that runs there."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)

    async def deliver(self, handler: Handler, update: Json) -> tuple[int, str]:
        """Hand an update to a function behind a URL; the status and body of its answer."""
        try:
            returned = await self.run(handler, function_url_event(update, self._secret), None)
        except Exception:
            # A handler should not let this happen; whoever works on it wants to see where it did.
            traceback.print_exc()
            raise
        return function_url_answer(returned)
