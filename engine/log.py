"""The moves of a match in as few characters as they need: one a move, two where several seats may act.

A move is the character of its index in `Rules.moves`. Where more than one seat may act, the seat's digit stands before
it. The position says which is the case, so a log is read by replaying it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.core import AnyRules, CorruptError, EngineError, Event

_FIRST = ord(";")
"""The first move's character; digits, before it in ASCII, stay free for seats."""
_SEATS = "0123456789"


def log_move(rules: AnyRules, state: Any, seat: int, move: Any) -> str:
    """What to add to the log when `seat` plays `move` in `state`."""
    code = _codes(rules)[move]
    return f"{seat}{code}" if len(rules.actors(state)) > 1 else code


def without_choice(rules: AnyRules, state: Any, log: str, seat: int) -> str:
    """The log without the choice that `seat` has made in this phase and may still change."""
    size = pending_size(rules, state)
    settled, pending = log[: len(log) - size], log[len(log) - size :]
    pairs = [pending[i : i + 2] for i in range(0, size, 2)]
    return settled + "".join(pair for pair in pairs if not pair.startswith(str(seat)))


def pending_size(rules: AnyRules, state: Any) -> int:
    """How many characters at the end of the log are choices that may still change."""
    return 2 * len(rules.chosen(state))


def read_log(rules: AnyRules, state: Any, log: str) -> Iterator[tuple[int, str, Any, tuple[Event, ...]]]:
    """Replay `log` from `state`: seat, move text, next state and events of every move. Raises `CorruptError`."""
    texts = tuple(rules.moves)
    characters = iter(log)
    for first in characters:
        actors = rules.actors(state)
        several = len(actors) > 1
        code = next(characters, "") if several else first
        index = ord(code) - _FIRST if code else -1
        if not 0 <= index < len(texts) or (several and first not in _SEATS):
            raise CorruptError(f"no move in the log: {first + code!r}")
        seat = int(first) if several else actors[0] if actors else 0
        text = texts[index]
        try:
            step = rules.apply(state, seat, rules.moves[text])
        except EngineError as error:
            raise CorruptError(f"the log's move {seat} {text} cannot be: {error}") from error
        state = step.state
        yield seat, text, state, step.events


_tables: dict[str, dict[Any, str]] = {}


def _codes(rules: AnyRules) -> dict[Any, str]:
    table = _tables.get(rules.key)
    if table is None:
        table = {move: chr(_FIRST + index) for index, move in enumerate(rules.moves.values())}
        _tables[rules.key] = table
    return table
