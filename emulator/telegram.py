"""The Bot API of one bot: calls go in, answers come out, and a log remembers them."""

import hmac
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from emulator.description import method_name, read_call
from emulator.errors import AnswerLost, ApiError, bad_request, too_many
from emulator.files import Upload
from emulator.limits import UNLIMITED, Allowance, Flood
from emulator.methods import METERED, METHODS, Call, Told
from emulator.model import Json, User
from emulator.people import People
from emulator.world import World

BOT_ID = 1234567890
# For tests, which listen to nobody but themselves; whatever other programs can reach takes a `new_token`.
TOKEN = f"{BOT_ID}:local-AAHjRmYkXhkzSKp2vWyq0dTn7bQx4cEu"


def new_token() -> str:
    """A token that nobody knows, of the form that Telegram's have; the bot's id stays the same."""
    return f"{BOT_ID}:{secrets.token_urlsafe(26)}"


@dataclass(frozen=True, slots=True)
class Logged:
    """One call as it was: `at` in seconds, `params` as read (as sent where they could not be).

    `status` is 0 where the answer was lost on the way; `source` is "call", or "reply" for what came
    as the answer to an update.
    """

    at: float
    method: str
    params: Json
    status: int
    description: str = ""
    source: str = "call"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is to go wrong with a call.

    `kind` is timeout, reset, an HTTP status such as 500 or 429, or an exception to be raised as it is
    (a caller that dies). `after` lets the call take effect first, so that only its answer is lost.
    """

    kind: str | int | BaseException
    after: bool = False
    retry_after: int = 3


FaultPlan = Callable[[int, str, Json], Fault | None]


class Telegram:
    """An emulated Telegram with one bot.

    Args:
        now: the clock, seconds since 1970.
        token: the bot's token, whose number is the bot's id.
        username: the bot's name, without @.
        allowance: how often the bot may write; in strict use the default, UNLIMITED for none.
        log_size: how many calls the log keeps; None for all.

    `people` are the hands of everybody else; `world` is the state; `fault_plan`, asked before
    every call with its number (from 0), its method and its parameters, says what goes wrong.
    """

    def __init__(
        self,
        now: Callable[[], float],
        *,
        token: str = TOKEN,
        username: str = "emulated_bot",
        name: str = "Bot",
        allowance: Allowance = UNLIMITED,
        log_size: int | None = None,
    ) -> None:
        self.token = token
        bot = User(int(token.partition(":")[0]), name, None, username, is_bot=True)
        self.world = World(now, bot)
        self.people = People(self.world)
        self.flood = Flood(allowance)
        self.log: deque[Logged] = deque(maxlen=log_size)
        self.violations: list[str] = []
        self.fault_plan: FaultPlan | None = None
        self.calls = 0

    def call(
        self,
        token: str,
        method: str,
        params: Mapping[str, Any] | None = None,
        files: Mapping[str, Upload] | None = None,
        *,
        source: str = "call",
    ) -> tuple[int, Json]:
        """Carry out one call; the HTTP status and the JSON body of the answer.

        `params` hold text as a form sends it, or JSON values.

        Raises:
            AnswerLost: the fault plan wants this call's answer lost.
        """
        named = method_name(method)
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            return 401, ApiError(401, "Unauthorized").body()
        if named is None:
            error = ApiError(404, "Not Found", violation=True)
            return self._answer(Logged(self.world.now(), method, dict(params or {}), 0, source=source), error)
        fault = self.fault_plan(self.calls, named, dict(params or {})) if self.fault_plan else None
        self.calls += 1
        entry = Logged(self.world.now(), named, dict(params or {}), 0, source=source)
        if fault and not fault.after:
            return self._fail(entry, fault)
        status, body = self._carry_out(entry, named, params or {}, files or {})
        if fault:
            return self._fail(entry, fault)
        return status, body

    def _carry_out(
        self, entry: Logged, method: str, params: Mapping[str, Any], files: Mapping[str, Upload]
    ) -> tuple[int, Json]:
        try:
            read = read_call(method, params, files)
            entry = replace(entry, params=read)
            if method in METERED:
                self._meter(read)
            result = METHODS[method](Call(self.world, read, files))
        except ApiError as error:
            return self._answer(entry, error)
        self.log.append(replace(entry, status=200))
        if isinstance(result, Told):
            return 200, {"ok": True, "result": result.result, "description": result.description}
        return 200, {"ok": True, "result": result}

    def _meter(self, params: Json) -> None:
        chat_id = params.get("chat_id")
        if isinstance(chat_id, int) and (wait := self.flood.spend(chat_id, self.world.now())):
            raise too_many(wait)

    def _answer(self, entry: Logged, error: ApiError) -> tuple[int, Json]:
        self.log.append(replace(entry, status=error.status, description=error.description))
        if error.violation:
            self.violations.append(f"{entry.method}: {error.description}")
        return error.status, error.body()

    def _fail(self, entry: Logged, fault: Fault) -> tuple[int, Json]:
        if isinstance(fault.kind, BaseException):
            self.log.append(replace(entry, description=type(fault.kind).__name__))
            raise fault.kind
        if isinstance(fault.kind, str):
            self.log.append(replace(entry, description=fault.kind))
            raise AnswerLost(fault.kind)
        match fault.kind:
            case 429:
                error = too_many(fault.retry_after)
            case 400:
                error = bad_request("planned failure")
            case _:
                error = ApiError(fault.kind, "Internal Server Error")
        return self._answer(entry, error)
