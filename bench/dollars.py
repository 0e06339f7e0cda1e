"""Dollars for 1,000 matches and for a month of nobody playing, from what the other sections measure.

What cannot be measured here is assumed below: how long the networks and services take to answer, and what Lambda's own
log lines weigh.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from samtranslator.yaml_helper import yaml_parse  # type: ignore[import-untyped]

from bench import prices
from bench.course import Course
from bench.tables import show
from bench.warm import DRAWN, READY, Warm

MATCHES = 1000
WHOLE_PROCESSOR_MB = 1769
"""Memory with which a function has one processor; with less it has that much less of it."""

DYNAMO_MS = 4.0
"""A round trip to the table, assumed."""
TELEGRAM_MS = 120.0
"""A round trip to Telegram with a picture, assumed."""
STARTS = 3
"""Cold starts in a match, assumed: containers are dropped after some minutes without a press."""
PLATFORM_BYTES = 950
"""Lambda's own three JSON lines a run."""
OUR_BYTES = 650
"""Ours: a line for what was saved, and one with the metrics."""
LOG_PACKED = 0.15
"""Of what is taken in, as it is kept."""
LINE_BYTES = 26
"""What CloudWatch adds to each line."""
REQUEST_BYTES = 2_000
"""Of a request to Telegram or DynamoDB beside its picture."""
MINUTES_A_MONTH = 30 * 24 * 60
DAYS_KEPT = 97
"""A match's item stays so long after its end."""


@dataclass(frozen=True, slots=True)
class Presses:
    """CPU milliseconds of a press, and of a cold start, on one whole processor."""

    plain: float
    drawing: float
    start: float

    @classmethod
    def of(cls, warm: Sequence[Warm], start: float) -> Presses:
        """From the section on warm presses: `drawing` is what a picture adds."""
        ready = [one.ours.cpu for one in warm if READY in one.name]
        drawn = [one.ours.cpu for one in warm if DRAWN in one.name]
        plain = sum(ready) / len(ready)
        return cls(plain, sum(drawn) / len(drawn) - plain, start)


@dataclass(frozen=True, slots=True)
class Bill:
    """Dollars, by what they are for."""

    function: float
    requests: float
    table: float
    storage: float
    logs: float
    out: float

    @property
    def total(self) -> float:
        """All of it."""
        return self.function + self.requests + self.table + self.storage + self.logs + self.out


def of_match(course: Course, presses: Presses, memory_mb: int) -> Bill:
    """One match."""
    share = min(1.0, memory_mb / WHOLE_PROCESSOR_MB)
    account = course.account
    cpu_ms = course.presses * presses.plain + course.boards * presses.drawing + STARTS * presses.start
    waiting_ms = (account.reads + account.writes) * DYNAMO_MS + course.calls * TELEGRAM_MS + 1000 * course.slept
    log_bytes = course.presses * (PLATFORM_BYTES + OUR_BYTES + 5 * LINE_BYTES)
    # Half a month on average is the month of play; after it nothing of the match changes.
    kept = (course.stored + 100) * (DAYS_KEPT / 30) * (prices.DYNAMO_GB_MONTH + prices.BACKUP_GB_MONTH)
    return Bill(
        function=(cpu_ms / share + waiting_ms) / 1000 * memory_mb / 1024 * prices.LAMBDA_GB_SECOND,
        requests=course.presses * prices.LAMBDA_REQUEST,
        table=account.read_units * prices.DYNAMO_READ_UNIT
        + (account.write_units + account.index_units) * prices.DYNAMO_WRITE_UNIT,
        storage=kept / 1e9,
        logs=log_bytes / 1e9 * (prices.LOGS_GB + LOG_PACKED * prices.LOGS_GB_MONTH),
        out=(course.boards * course.picture_bytes + (course.calls + account.reads + account.writes) * REQUEST_BYTES)
        / 1e9
        * prices.OUT_GB,
    )


def idle(memory_mb: int, cpu_ms: float) -> Bill:
    """A month in which the ticker finds nothing due."""
    share = min(1.0, memory_mb / WHOLE_PROCESSOR_MB)
    log_bytes = PLATFORM_BYTES + 3 * LINE_BYTES
    return Bill(
        function=MINUTES_A_MONTH * (cpu_ms / share + DYNAMO_MS) / 1000 * memory_mb / 1024 * prices.LAMBDA_GB_SECOND,
        requests=MINUTES_A_MONTH * (prices.LAMBDA_REQUEST + prices.SCHEDULED_RUN),
        table=MINUTES_A_MONTH * prices.DYNAMO_READ_UNIT / 2,
        storage=0.0,
        logs=MINUTES_A_MONTH * log_bytes / 1e9 * (prices.LOGS_GB + LOG_PACKED * prices.LOGS_GB_MONTH),
        out=0.0,
    )


def memories() -> tuple[int, int]:
    """Megabytes of the webhook's function and of the ticker's, as the template has them."""
    template: Any = yaml_parse((Path(__file__).parents[1] / "template.yaml").read_text())
    webhook: int = template["Parameters"]["WebhookMemory"]["Default"]
    ticker: int = template["Resources"]["TickerFunction"]["Properties"]["MemorySize"]
    return webhook, ticker


def report(courses: Sequence[Course], presses: Presses) -> list[Bill]:
    """Print what 1,000 matches cost, and a month of none; return the bills of one match each."""
    webhook, ticker = memories()
    bills = [of_match(course, presses, webhook) for course in courses]
    head = ("match", "seats", "presses", "Lambda GB-s", "requests", "DynamoDB", "kept", "logs", "in all", "data out")
    show(
        f"Dollars for {MATCHES:,} matches (list prices of {prices.DATE}, {prices.REGION}, no free tier)",
        head,
        [
            (
                f"{course.game}, {course.length}",
                *(course.seats, course.presses),
                *(MATCHES * part for part in (bill.function, bill.requests, bill.table, bill.storage, bill.logs)),
                *(MATCHES * (bill.total - bill.out), MATCHES * bill.out),
            )
            for course, bill in zip(courses, bills, strict=True)
        ],
        f"{webhook} MB; a press {presses.plain:.1f} ms of CPU, a picture {presses.drawing:.1f}, {STARTS} cold starts.",
        f"Assumed: {DYNAMO_MS:.0f} ms a call of the table, {TELEGRAM_MS:.0f} ms a request to Telegram.",
        "Data out is apart: an account's first 100 GB a month are free.",
    )
    still = idle(ticker, presses.plain / 2)
    show(
        "A month of nobody playing: the ticker, every minute",
        ("", "Lambda GB-s", "requests", "DynamoDB", "logs", "in all"),
        [("dollars", still.function, still.requests, still.table, still.logs, still.total)],
        f"{ticker} MB; {MINUTES_A_MONTH:,} runs. Lambda's and DynamoDB's are within an account's free tier.",
    )
    return bills
