"""Updates that wait: in what order, until when, and when to try again.

As Telegram does it: one queue per chat for messages, one per user for presses; the head of each queue
is delivered, whatever the other queues do; one that fails holds up its queue only.
"""

from collections.abc import Callable
from dataclasses import dataclass

from emulator.model import Json

DAY = 24 * 3600.0
PRESS_LIFE = 150.0
LONGEST_PAUSE = 60.0

QueueKey = tuple[str, int]


@dataclass(slots=True)
class Parcel:
    """An update on its way. Times are in seconds of the emulator's clock."""

    update: Json
    queue: QueueKey
    expires: float
    next_try: float = 0.0
    attempts: int = 0
    in_flight: bool = False

    @property
    def id(self) -> int:
        """The update's id."""
        number: int = self.update["update_id"]
        return number


class Queues:
    """All updates not yet taken by the bot.

    `on_put` and `on_drop` are told of what comes and goes, for keeping; `listeners` that something came.
    """

    def __init__(self) -> None:
        self.parcels: dict[int, Parcel] = {}
        self.on_put: Callable[[Parcel], None] = lambda _: None
        self.on_drop: Callable[[Parcel], None] = lambda _: None
        self.listeners: list[Callable[[], None]] = []
        self.dropped: list[Parcel] = []

    def put(self, parcel: Parcel) -> None:
        """Append an update to its queue."""
        self.parcels[parcel.id] = parcel
        self.on_put(parcel)
        for listener in self.listeners:
            listener()

    def due(self, now: float) -> list[Parcel]:
        """The heads of all queues that may be tried now, oldest first."""
        self._expire(now)
        heads: dict[QueueKey, Parcel] = {}
        for parcel in self.parcels.values():
            heads.setdefault(parcel.queue, parcel)
        return [parcel for parcel in heads.values() if not parcel.in_flight and parcel.next_try <= now]

    def next_time(self, now: float) -> float | None:
        """When the next attempt is due; None while nothing waits for a time."""
        self._expire(now)
        heads: dict[QueueKey, Parcel] = {}
        for parcel in self.parcels.values():
            heads.setdefault(parcel.queue, parcel)
        return min((parcel.next_try for parcel in heads.values() if not parcel.in_flight), default=None)

    def settle(self, parcel: Parcel, *, taken: bool, now: float) -> None:
        """Note how an attempt went: gone when taken, otherwise again at once, then after 2, 4, 8 … s."""
        parcel.in_flight = False
        if taken:
            self._drop(parcel)
            return
        parcel.attempts += 1
        # 0, 2, 4, 8 … seconds; the exponent is bounded because a day has many attempts.
        pause = 0.0 if parcel.attempts == 1 else 2.0 ** min(parcel.attempts - 1, 10)
        parcel.next_try = now + min(pause, LONGEST_PAUSE)

    def confirm_below(self, offset: int) -> None:
        """Forget what a polling bot has confirmed: all updates with a smaller id."""
        for parcel in [one for one in self.parcels.values() if one.id < offset]:
            self._drop(parcel)

    def clear(self) -> None:
        """Forget all of it."""
        for parcel in list(self.parcels.values()):
            self._drop(parcel)

    def _drop(self, parcel: Parcel) -> None:
        if self.parcels.pop(parcel.id, None) is not None:
            self.on_drop(parcel)

    def _expire(self, now: float) -> None:
        for parcel in list(self.parcels.values()):
            if parcel.expires <= now and not parcel.in_flight:
                self.dropped.append(parcel)
                self._drop(parcel)
