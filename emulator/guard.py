"""Who may ask: the page and programs on this machine, but no other site that is open in the same browser.

Another site's scripts can send requests to loopback, and by a name that resolves to loopback ("DNS rebinding") even
read the answers. The browser tells on both: `Host` is the name in its address bar, `Origin` and `Sec-Fetch-Site` are
where the asking page comes from.
"""

import hmac
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from emulator.errors import ApiError

_HTTP = 80
# What every answer says to a browser. Nothing inline runs, nothing is fetched from elsewhere or shown in a frame, and
# no other origin may embed what it gets.
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
_OWN = {"same-origin", "none"}


class Guard:
    """Lets a request pass to `app` if it names the address at which it arrived and comes from no other origin."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if scope["type"] == "http" and not _is_own(scope):
            description = f"Forbidden: this is http://{_addresses(scope)[0]}, for its own page and programs here"
            await JSONResponse(ApiError(403, description).body(), 403)(scope, receive, guarded)
            return
        await self.app(scope, receive, guarded)


def _is_own(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    hosts = [host.lower() for host in headers.getlist("host")]
    if len(hosts) != 1 or hosts[0] not in _addresses(scope):
        return False
    own = f"{scope['scheme']}://{hosts[0]}"
    return all(origin == own for origin in headers.getlist("origin")) and all(
        site in _OWN for site in headers.getlist("sec-fetch-site")
    )


def _addresses(scope: Scope) -> list[str]:
    """What `Host` may be for the address at which a request arrived, the likeliest first."""
    name, port = scope["server"]
    names = [f"[{name}]" if ":" in name else name]
    if _is_loopback(name):
        names.append("localhost")
    return [*(f"{one}:{port}" for one in names), *(names if port in {None, _HTTP} else [])]


def _is_loopback(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


class Locked:
    """Lets a request pass to `app` if its cookie, named by `cookie_name`, holds the key."""

    def __init__(self, app: ASGIApp, key: str) -> None:
        self.app = app
        self._key = key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http" and not self._fits(scope):
            description = "Unauthorized: open the page at the address that its command has printed"
            await JSONResponse(ApiError(401, description).body(), 401)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _fits(self, scope: Scope) -> bool:
        return same(HTTPConnection(scope).cookies.get(cookie_name(scope), ""), self._key)


def cookie_name(scope: Scope) -> str:
    """The cookie of the page at this port; ports of one host share their cookies."""
    return f"telegram-{scope['server'][1]}"


def same(given: str, secret: str) -> bool:
    """Whether somebody knows the secret; how long that takes tells nothing of it."""
    return hmac.compare_digest(given.encode(), secret.encode())
