"""botocore's descriptions of AWS, shortened to what a client of ours reads at each cold start.

They are JSON and are parsed anew each time: the documentation of every field, and the endpoints of four hundred
services, take longer to read than all the rest of making a client.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

SERVICE_PATTERN = "*/*/service-2.json.gz"
ENDPOINTS = "endpoints.json"


def shorten(data: Path, services: Collection[str]) -> None:
    """Rewrite the descriptions in botocore's folder `data` without documentation, and without other services."""
    for path in data.glob(SERVICE_PATTERN):
        path.write_bytes(
            gzip.compress(_compact(_undocumented(json.loads(gzip.decompress(path.read_bytes())))), mtime=0)
        )
    endpoints = data / ENDPOINTS
    if endpoints.exists():
        everything = json.loads(endpoints.read_text())
        for partition in everything["partitions"]:
            known = partition["services"]
            partition["services"] = {name: known[name] for name in services if name in known}
        endpoints.write_bytes(_compact(everything))


def _undocumented(value: Any) -> Any:
    if isinstance(value, dict):
        # A field may be called "documentation"; its description is an object, documentation is a text.
        return {
            name: _undocumented(part)
            for name, part in value.items()
            if name != "documentation" or not isinstance(part, str)
        }
    if isinstance(value, list):
        return [_undocumented(part) for part in value]
    return value


def _compact(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
