"""Everything a handler asks of the world outside passes one gate, which numbers it and may let it fail."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeAlias

from emulator.request import InProcessRequest
from emulator.telegram import Fault, Telegram
from infra.store import Store, StoreUnavailableError

Act: TypeAlias = Callable[[], Awaitable[Any]]


class Died(BaseException):
    """The process ended here, between two instructions."""


class Trouble(Enum):
    """What goes wrong with a call."""

    DEATH = "death"
    TIMEOUT = "timeout"
    RESET = "reset"
    FLOOD = "429"
    SERVER = "500"
    THROTTLED = "throttled"
    CONFLICT = "conflict"


Happening: TypeAlias = Callable[[], Awaitable[tuple[int, bytes]]]
"""What a request to Telegram comes to: an HTTP answer, or an exception."""


@dataclass(frozen=True, slots=True)
class Point:
    """Where and what: the call with this number (from 0), before it takes effect or after.

    An exception is what the store raises, a `Happening` what Telegram is to answer.
    """

    call: int
    trouble: Trouble | Exception | Happening
    after: bool = False


SAVES: Final = ("store.save", "store.save_chat", "store.open", "store.move_chat")

_STORE: Final = ((Trouble.THROTTLED, False), (Trouble.THROTTLED, True))
_TELEGRAM: Final = (
    (Trouble.TIMEOUT, False),
    (Trouble.TIMEOUT, True),
    (Trouble.RESET, False),
    (Trouble.RESET, True),
    (Trouble.FLOOD, False),
    (Trouble.SERVER, False),
)


def deaths(calls: list[str]) -> list[Point]:
    """Before and after each of these calls."""
    return [Point(number, Trouble.DEATH, after) for number in range(len(calls)) for after in (False, True)]


def failures(calls: list[str]) -> list[Point]:
    """Every way in which each of these calls can fail while the process lives."""
    points = []
    for number, name in enumerate(calls):
        ways = _STORE if name.startswith("store.") else _TELEGRAM
        points += [Point(number, trouble, after) for trouble, after in ways]
        if name in ("store.save", "store.save_chat"):
            points.append(Point(number, Trouble.CONFLICT))
    return points


class Gate:
    """Numbers the calls since `reset`, and makes the one at `point` fail. `compete` saves as somebody else would.

    `pause`, awaited before each call, lets a scheduler decide who goes on; `done` hears what the store gave.
    """

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.point: Point | None = None
        self.compete: Callable[[str, tuple[Any, ...]], Awaitable[None]] | None = None
        self.pause: Callable[[str], Awaitable[None]] | None = None
        self.done: Callable[[str, Any], None] | None = None

    def reset(self, point: Point | None = None) -> None:
        """Count from 0 again, with this trouble ahead."""
        self.calls = []
        self.point = point

    def enter(self, name: str) -> Point | None:
        """Note a call; the trouble that it is to meet, if any."""
        number = len(self.calls)
        self.calls.append(name)
        return self.point if self.point and self.point.call == number else None


class GatedStore:
    """A store behind the gate."""

    def __init__(self, inner: Store, gate: Gate) -> None:
        self._inner = inner
        self._gate = gate

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method = getattr(self._inner, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            if self._gate.pause:
                await self._gate.pause(f"store.{name}")
            point = self._gate.enter(f"store.{name}")
            if point is None:
                result = await method(*args, **kwargs)
                if self._gate.done:
                    self._gate.done(f"store.{name}", result)
                return result
            if point.trouble is Trouble.CONFLICT:
                assert self._gate.compete, "somebody to compete with"
                await self._gate.compete(name, args)
                return await method(*args, **kwargs)
            if point.after:
                await method(*args, **kwargs)
            if isinstance(point.trouble, Exception):
                raise point.trouble
            raise Died if point.trouble is Trouble.DEATH else StoreUnavailableError("throttled")

        return call


class GatedRequest(InProcessRequest):
    """The way to Telegram behind the gate; the emulator itself makes the errors."""

    def __init__(self, telegram: Telegram, gate: Gate) -> None:
        super().__init__(telegram)
        self._gate = gate

    async def do_request(self, url: str, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """Carry out a request, or let it fail."""
        name = url.rsplit("/", 1)[1]
        if self._gate.pause:
            await self._gate.pause(name)
        point = self._gate.enter(name)
        if point is None:
            return self._at_once(url, *args, **kwargs)
        if point.trouble is Trouble.DEATH or not isinstance(point.trouble, Trouble):
            if point.after:
                self._at_once(url, *args, **kwargs)
            if point.trouble is Trouble.DEATH:
                raise Died
            assert callable(point.trouble), "Telegram's part is no exception of a store"
            return await point.trouble()
        kind = int(point.trouble.value) if point.trouble.value.isdigit() else point.trouble.value
        self.telegram.fault_plan = lambda *_: Fault(kind, after=point.after)
        try:
            return self._at_once(url, *args, **kwargs)
        finally:
            self.telegram.fault_plan = None

    def _at_once(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """Carry a request out without giving others a turn: the gate alone does that."""
        request = super().do_request(*args, **kwargs)
        while True:
            try:
                request.send(None)
            except StopIteration as end:
                status, body = end.value
                return status, body
