"""An update as AWS Lambda hands it to a function behind a URL, and the function's answer back."""

import base64
import json
from typing import Any

from emulator.model import Json

SECRET_HEADER = "x-telegram-bot-api-secret-token"  # noqa: S105 - the header's name


def function_url_event(update: Json | bytes, secret: str, *, encoded: bool = False) -> Json:
    """The event of payload version 2.0 for a POST of this update; `encoded` sends the body in base64."""
    body = update if isinstance(update, bytes) else json.dumps(update, ensure_ascii=False).encode()
    domain = "local.lambda-url.eu-west-3.on.aws"
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": "/",
        "rawQueryString": "",
        "headers": {
            "content-type": "application/json",
            "content-length": str(len(body)),
            "accept-encoding": "gzip, deflate",
            "host": domain,
            "x-forwarded-proto": "https",
            "x-forwarded-port": "443",
            "x-forwarded-for": "91.108.5.1",
            SECRET_HEADER: secret,
        },
        "requestContext": {
            "accountId": "anonymous",
            "apiId": "local",
            "domainName": domain,
            "domainPrefix": "local",
            "http": {
                "method": "POST",
                "path": "/",
                "protocol": "HTTP/1.1",
                "sourceIp": "91.108.5.1",
                "userAgent": "",
            },
            "requestId": "00000000-0000-0000-0000-000000000000",
            "routeKey": "$default",
            "stage": "$default",
            "time": "01/Jan/2026:00:00:00 +0000",
            "timeEpoch": 1767225600000,
        },
        "body": base64.b64encode(body).decode() if encoded else body.decode(),
        "isBase64Encoded": encoded,
    }


def function_url_answer(returned: Any) -> tuple[int, str]:
    """The status and body that the caller of the URL would see for what the function returned."""
    if not isinstance(returned, dict) or "statusCode" not in returned:
        # Without a status Lambda takes the whole for a body and the answer for a success.
        return 200, returned if isinstance(returned, str) else json.dumps(returned)
    body = returned.get("body") or ""
    if returned.get("isBase64Encoded"):
        body = base64.b64decode(body).decode()
    return int(returned["statusCode"]), body
