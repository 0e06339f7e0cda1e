"""AWS's list prices, in dollars, as its pricing pages had them on the day below, and what of the deployment they meet.

Region us-east-1, without the free tier; other regions take up to a quarter more.
"""

from __future__ import annotations

from typing import Final

DATE: Final = "2026-11-30"
REGION: Final = "us-east-1"

LAMBDA_GB_SECOND: Final = 0.0000133334
"""Of an arm64 function's memory, for the time that it runs, starts included."""
LAMBDA_REQUEST: Final = 0.20 / 1e6
DYNAMO_READ_UNIT: Final = 0.125 / 1e6
"""On demand."""
DYNAMO_WRITE_UNIT: Final = 0.625 / 1e6
"""Likewise."""
DYNAMO_GB_MONTH: Final = 0.25
BACKUP_GB_MONTH: Final = 0.20
"""Point-in-time recovery, beside the storage itself."""
LOGS_GB: Final = 0.50
"""Taken in, in the standard class."""
LOGS_GB_MONTH: Final = 0.03
"""Kept, packed."""
OUT_GB: Final = 0.09
"""From AWS to the internet, that is to Telegram, beyond the 100 GB a month that every account has for nothing."""
METRIC_MONTH: Final = 0.30
"""A custom metric, prorated by the hour in which it is sent; the first ten of an account are free."""
SCHEDULED_RUN: Final = 0.0
"""A rule on a schedule costs nothing by itself; only the function's runs do."""
