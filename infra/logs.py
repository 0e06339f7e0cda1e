"""What the program says about itself: log lines, and counts of what happened.

On Lambda both go through Powertools: JSON lines, and metrics in CloudWatch's embedded format, written once an
invocation. On a laptop lines are for reading, on standard error, and nothing is counted. A line names a match, a
version, a move's code and an outcome; never a position, a seed or an update. An exception is written as its kind and
where it came from, without its words: those may quote what it stumbled over. Secrets are cut out of every line, of
libraries' lines too, just before it is written.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from typing import Any, Final

from infra.matches import Match

logger: Final = logging.getLogger("tablee")
"""For all our lines; what they are about goes into `extra`, by the names in `FIELDS`."""

FIELDS: Final = ("match", "chat", "version", "move", "outcome")
NAMESPACE: Final = "Tablee"
HIDDEN: Final = "[hidden]"
PIECE: Final = 12
"""Characters of a secret that show when a text was cut or wrapped in the middle of it, and that are hidden too."""

LONGEST_LINE: Final = 200


class Metric(StrEnum):
    """What is counted. Each is a custom metric that CloudWatch bills monthly, beyond the first ten of an account."""

    MATCHES = "Matches"
    """Matches started."""
    MOVES = "Moves"
    """Moves saved."""
    CONFLICTS = "Conflicts"
    """Saves that another save came before, and that were judged again."""
    REQUESTS = "TelegramRequests"
    """Requests to Telegram, beside what goes back in a webhook's response."""
    FLOODED = "TelegramFlooded"
    """Requests that Telegram refused for being too many (429)."""
    FAILURES = "Failures"
    """What does not mend itself: failures for good, matches that cannot be read, and what waits for the owner."""


# A bot's token as Telegram makes them, also where a library has quoted it for a URL.
_TOKEN: Final = re.compile(r"(?<![0-9])[0-9]{6,16}(?::|%3A)[A-Za-z0-9_-]{30,}", re.IGNORECASE)
_secrets: set[str] = set()
_pieces: set[str] = set()
_counts: Counter[Metric] = Counter()
_powertools: list[Any] = []  # Logger and Metrics, once on Lambda


def hide(*secrets: str) -> None:
    """From now on no line shows any of `secrets`, nor a longer piece of one; empty ones are ignored."""
    for secret in filter(None, secrets):
        _secrets.add(secret)
        _pieces.update(secret[at : at + PIECE] for at in range(len(secret) - PIECE + 1))


def redact(text: str) -> str:
    """`text` without any secret given to `hide` and without anything that looks like a bot's token.

    Pages and libraries quote, escape and cut what they were asked, so every longer piece of a secret goes as well.
    """
    for secret in sorted(_secrets, key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return _TOKEN.sub(HIDDEN, _without_pieces(text))


def _without_pieces(text: str) -> str:
    found = sorted((at.start(), at.start() + PIECE) for piece in _pieces if piece in text for at in _every(piece, text))
    kept, end = [], 0
    for start, stop in found:
        if start >= end:
            kept += [text[end:start], HIDDEN]
        end = max(end, stop)
    return "".join([*kept, text[end:]])


def _every(piece: str, text: str) -> Iterator[re.Match[str]]:
    return re.finditer(f"(?={re.escape(piece)})", text)


def line_of(error: BaseException) -> str:
    """What an error says, as one short line without secrets, for somebody who is to mend something."""
    words = " ".join(redact(str(error)).split()) or type(error).__name__
    return words if len(words) <= LONGEST_LINE else f"{words[: LONGEST_LINE - 1]}…"


def trace(error: BaseException) -> str:
    """Where an exception came from: kinds and lines of it and of those behind it, the first cause first; no words."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = [trace(cause)] if cause else []
    lines = "".join(traceback.format_tb(error.__traceback__))
    kind = type(error)
    return "\n".join([*before, f"{lines}{kind.__module__}.{kind.__qualname__}"])


def fields(match: Match, move: str = "", outcome: str = "") -> dict[str, object]:
    """What a line about `match` carries, for `extra`: its id, chat and version, the move's code, what came of it."""
    about = {"match": match.id, "chat": match.chat, "version": match.version, "move": move, "outcome": outcome}
    return {name: value for name, value in about.items() if value != ""}


def count(metric: Metric, n: int = 1) -> None:
    """Count `n` more of `metric`; written at the end of the `invocation`, on Lambda only."""
    if _powertools:
        _counts[metric] += n


def configure(environ: Mapping[str, str]) -> None:
    """Set up logging for where the program runs. Repeating it is harmless."""
    # At their INFO these log every URL, and the Bot API's URLs hold the token.
    for noisy in ("httpx", "httpcore"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    # This one logs updates and answers that it cannot read, as they came; whatever it finds out it raises too.
    logging.getLogger("telegram").setLevel(logging.CRITICAL + 1)
    if "AWS_LAMBDA_FUNCTION_NAME" in environ:
        _configure_lambda(environ.get("POWERTOOLS_SERVICE_NAME", logger.name))
    else:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(_Readable("%(asctime)s %(levelname)s %(message)s", "%H:%M:%S"))
        logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
        logger.setLevel(logging.INFO)


@contextmanager
def invocation(context: object) -> Iterator[None]:
    """One call of a Lambda function: lines within carry its request id, and counts are written when it ends.

    `context` is Lambda's; on a laptop any object will do.
    """
    if not _powertools:
        yield
        return
    powertools_logger, metrics = _powertools
    powertools_logger.append_keys(request=getattr(context, "aws_request_id", None))
    try:
        yield
    finally:
        for metric, n in _counts.items():
            metrics.add_metric(name=metric.value, unit="Count", value=n)
        if _counts:
            metrics.flush_metrics()
            _counts.clear()


def _configure_lambda(service: str) -> None:
    if _powertools:
        return
    from aws_lambda_powertools.logging import Logger  # noqa: PLC0415 - a laptop need not load it
    from aws_lambda_powertools.metrics import Metrics  # noqa: PLC0415 - likewise

    # A traceback as text is enough; the parsed one would say everything twice.
    options: dict[str, Any] = {"json_serializer": _to_json, "serialize_stacktrace": False, "utc": True}
    ours = Logger(service=logger.name, use_rfc3339=True, **options)
    ours.append_keys(service=service)
    ours.registered_formatter.formatException = _format_exception  # type: ignore[method-assign,assignment]
    logger.propagate = False
    # Libraries' warnings leave as JSON too, through the same door; the runtime's own handler would not redact them.
    theirs = logging.StreamHandler(sys.stdout)
    theirs.setFormatter(ours.registered_formatter)
    root = logging.getLogger()
    root.handlers[:] = [theirs]
    root.setLevel(logging.WARNING)
    _powertools[:] = [ours, Metrics(namespace=NAMESPACE, service=service)]


def _to_json(line: Mapping[str, object]) -> str:
    return redact(json.dumps(line, default=str, ensure_ascii=False, separators=(",", ":")))


def _format_exception(information: Any) -> str:
    return trace(information[1])


class _Readable(logging.Formatter):
    """A line for a person: the message, what it is about, and no secrets."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's own name
        """Where an exception came from."""
        return _format_exception(ei)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        """The line without its traceback."""
        about = [f"{name}={value}" for name in FIELDS if (value := getattr(record, name, None)) is not None]
        return " ".join([super().formatMessage(record), *about])

    def format(self, record: logging.LogRecord) -> str:
        """The whole line, redacted."""
        return redact(super().format(record))
