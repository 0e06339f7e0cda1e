"""The environment's proxies: who is never asked through one, and which of them is none."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, MutableMapping
from typing import Final
from urllib.parse import urlsplit

DIRECT: Final = "localhost,127.0.0.1,::1"
_SCHEMES: Final = ("http", "https")


def keep_loopback_direct(environ: MutableMapping[str, str]) -> None:
    """Have every library that reads proxies from `environ` reach this machine's own servers without one."""
    named = environ.get("no_proxy") or environ.get("NO_PROXY") or ""
    if named.strip() != "*" and DIRECT not in named:
        # Some read the one spelling first, some the other.
        environ["no_proxy"] = environ["NO_PROXY"] = f"{named},{DIRECT}" if named else DIRECT


def is_loopback(url: str) -> bool:
    """Whether an address is one of this machine's own."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def suspect(environ: Mapping[str, str]) -> str:
    """The variable that names no HTTP proxy, or nothing. Its value may hold a password, so it is not shown."""
    for name, value in sorted(environ.items()):
        if name.lower() in {"http_proxy", "https_proxy", "all_proxy"} and value and not _is_http(value):
            return name
    return ""


def unusable(name: str) -> str:
    """What to do about the proxy in the variable `name`, in one line."""
    return f"correct {name}: the proxy must be one of http:// or https://"


def _is_http(proxy: str) -> bool:
    try:
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        _ = parts.port  # raises where it is no number
    except ValueError:
        return False
    return parts.scheme in _SCHEMES and bool(parts.hostname)
