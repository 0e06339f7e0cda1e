"""Everything that can come back from outside: every error class of the libraries, and what Telegram refuses with."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final, cast

import botocore.exceptions
import httpx
import telegram.error
from botocore.exceptions import ClientError
from botocore.parsers import ResponseParserError
from telegram.request import HTTPXRequest

from infra import dynamo
from infra.sqlite import SqliteStore
from tests.resilience.outside import Happening


def subclasses(module: Any, base: type[Exception] = Exception) -> Iterator[type[Any]]:
    """The exception classes of a module."""
    for thing in list(vars(module).values()):
        if isinstance(thing, type) and issubclass(thing, base):
            yield thing


# -- Telegram, through the library's own connection


class _Line:
    """A connection of httpx that fails as it is told."""

    def __init__(self) -> None:
        self.error: Exception = AssertionError("nothing was planned")
        transport = httpx.MockTransport(self._fail)
        self.request = HTTPXRequest(httpx_kwargs={"transport": transport})

    def _fail(self, _: httpx.Request) -> httpx.Response:
        raise self.error


def by_httpx(line: _Line, error: Exception) -> Happening:
    """A failure of httpx's, as the library passes it on."""

    async def happen() -> tuple[int, bytes]:
        line.error = error
        return await line.request.do_request("https://api.telegram.org/bot1:x/any", "POST")

    return happen


def raising(error: BaseException) -> Happening:
    """An exception of the library's own."""

    async def happen() -> tuple[int, bytes]:
        raise error

    return happen


def answering(status: int, body: Any) -> Happening:
    """An HTTP answer; a body that is not bytes is sent as JSON."""

    async def happen() -> tuple[int, bytes]:
        return status, body if isinstance(body, bytes) else json.dumps(body).encode()

    return happen


def refusing(status: int, description: str, **parameters: int) -> Happening:
    """A refusal of Telegram's."""
    body: dict[str, Any] = {"ok": False, "error_code": status, "description": description}
    return answering(status, body | ({"parameters": parameters} if parameters else {}))


def _httpx_error(kind: type[Any]) -> Exception:
    if kind is httpx.HTTPStatusError:
        request = httpx.Request("POST", "https://x")
        made: Exception = kind("x", request=request, response=httpx.Response(500, request=request))
    elif kind in (httpx.StreamConsumed, httpx.StreamClosed, httpx.ResponseNotRead, httpx.RequestNotRead):
        made = kind()
    else:
        made = kind("x")
    return made


def _telegram_error(kind: type[Any]) -> Exception:
    if kind is telegram.error.RetryAfter:
        made: Exception = kind(3)
    elif kind is telegram.error.ChatMigrated:
        made = kind(-1009)
    else:
        made = kind("of next year")
    return made


PAGE: Final = b"<html><head><title>Sign in</title></head><body>https://x/bot1:secret what Ana wrote</body></html>"

BAD_REQUESTS: Final = (
    *("chat not found", "CHAT_ID_INVALID", "PEER_ID_INVALID", "group chat was deactivated", "CHANNEL_PRIVATE"),
    *("message thread not found", "TOPIC_CLOSED", "TOPIC_DELETED", "TOPIC_ID_INVALID", "MESSAGE_THREAD_INVALID"),
    *("not enough rights to send text messages to the chat", "not enough rights to send photos to the chat"),
    *("not enough rights to send documents to the chat", "have no rights to send a message"),
    *("need administrator rights in the channel chat", "CHAT_ADMIN_REQUIRED", "USER_BANNED_IN_CHANNEL"),
    *("CHAT_WRITE_FORBIDDEN", "CHAT_SEND_MEDIA_FORBIDDEN", "CHAT_SEND_PHOTOS_FORBIDDEN", "CHAT_SEND_DOCS_FORBIDDEN"),
    *("CHAT_SEND_PLAIN_FORBIDDEN", "CHAT_GUEST_SEND_FORBIDDEN", "CHAT_RESTRICTED", "PREMIUM_ACCOUNT_REQUIRED"),
    *("message to edit not found", "message can't be edited", "MESSAGE_ID_INVALID", "message to delete not found"),
    *("message can't be deleted", "message can't be deleted for everyone", "message identifier is not specified"),
    *("message to be replied not found", "there is no text in the message to edit", "MESSAGE_AUTHOR_REQUIRED"),
    *("there is no media in the message to edit", "there is no caption in the message to edit"),
    *("message text is empty", "message is too long", "MEDIA_CAPTION_TOO_LONG", "message caption is too long"),
    *("can't parse entities: Can't find end tag", "can't parse reply keyboard markup JSON object"),
    *("BUTTON_DATA_INVALID", "REPLY_MARKUP_TOO_LONG", "BUTTON_TYPE_INVALID", "inline keyboard expected"),
    *("IMAGE_PROCESS_FAILED", "PHOTO_INVALID_DIMENSIONS", "PHOTO_EXT_INVALID", "PHOTO_SAVE_FILE_INVALID"),
    *("wrong file identifier/HTTP URL specified", "file must be non-empty", "MEDIA_EMPTY", "MEDIA_INVALID"),
    *("failed to get HTTP URL content", "WEBPAGE_CURL_FAILED", "FILE_PART_0_MISSING", "Wrong type of the web page"),
    *("user not found", "member not found", "PARTICIPANT_ID_INVALID", "USER_NOT_PARTICIPANT", "USER_ID_INVALID"),
    *("method is available only for supergroups", "STICKERSET_INVALID", "a refusal of next year", ""),
)
FORBIDDEN: Final = (
    *("bot was kicked from the group chat", "bot was kicked from the supergroup chat", "bot was blocked by the user"),
    *("bot is not a member of the supergroup chat", "bot is not a member of the channel chat", "user is deactivated"),
    *("bot can't initiate conversation with a user", "bot can't send messages to bots", "the group chat was deleted"),
    *("CHAT_WRITE_FORBIDDEN", "a prohibition of next year"),
)
MOMENTARY: Final[dict[str, tuple[int, Any]]] = {
    "401": (401, {"ok": False, "error_code": 401, "description": "Unauthorized"}),
    "404": (404, {"ok": False, "error_code": 404, "description": "Not Found"}),
    "409": (409, {"ok": False, "error_code": 409, "description": "Conflict: terminated by other getUpdates request"}),
    "413": (413, {"ok": False, "error_code": 413, "description": "Request Entity Too Large"}),
    "418": (418, {"ok": False, "error_code": 418, "description": "I'm a teapot"}),
    "420": (420, {"ok": False, "error_code": 420, "description": "FLOOD_WAIT_3"}),
    "500": (500, {"ok": False, "error_code": 500, "description": "Internal Server Error: restart"}),
    "502": (502, {"ok": False, "error_code": 502, "description": "Bad Gateway"}),
    "504": (504, {"ok": False, "error_code": 504, "description": "Gateway Timeout"}),
    "599": (599, {"ok": False}),
    **{f"a page with {status}": (status, PAGE) for status in (300, 301, 400, 401, 403, 404, 409, 429, 500, 502, 503)},
    **{f"{name} with 500": (500, body) for name, body in (("a list", []), ("nothing", b""), ("a text", "x"))},
}
"""Answers of anything that is not Telegram in a working hour; nothing was done, and it passes."""

UNCLEAR: Final[dict[str, tuple[int, Any]]] = {
    "a page with 200": (200, PAGE),
    "nothing with 200": (200, b""),
    "null with 200": (200, None),
    "a list with 200": (200, []),
    "no result with 200": (200, {"ok": True}),
    "a result that is none with 200": (200, {"ok": True, "result": 7}),
    "half a message with 200": (200, {"ok": True, "result": {"message_id": "x"}}),
    "bytes with 200": (200, b"\xff\xfe\x00"),
    "nothing with 204": (204, b""),
}
"""Answers after which nobody knows whether it was done."""


def telegram_errors() -> dict[str, Happening]:
    """Every way in which a request to Telegram can go wrong, by name."""
    line = _Line()
    found: dict[str, Happening] = {}
    for name in httpx.__all__:
        kind = getattr(httpx, name)
        if isinstance(kind, type) and issubclass(kind, Exception):
            found[f"httpx.{name}"] = by_httpx(line, _httpx_error(kind))
    for kind in subclasses(telegram.error, telegram.error.TelegramError):
        found[f"telegram.{kind.__name__}"] = raising(_telegram_error(kind))
    for kind in (RuntimeError, OSError, ValueError, KeyError, MemoryError, UnicodeError):
        found[f"{kind.__name__} in the connection"] = raising(kind("what Ana wrote"))
    for text in BAD_REQUESTS:
        found[f"400 {text}"] = refusing(400, f"Bad Request: {text}")
    for text in FORBIDDEN:
        found[f"403 {text}"] = refusing(403, f"Forbidden: {text}")
    found["429"] = refusing(429, "Too Many Requests: retry after 3", retry_after=3)
    found["429 without a time"] = refusing(429, "Too Many Requests")
    found["400 with a migration"] = refusing(400, "Bad Request: upgraded", migrate_to_chat_id=-1009)
    for name, (status, body) in (MOMENTARY | UNCLEAR).items():
        found[name] = answering(status, body)
    return found


# -- the stores, through their own translation

CODES: Final = (
    *("AccessDeniedException", "ConditionalCheckFailedException", "ExpiredTokenException", "ExpiredToken"),
    *("IncompleteSignature", "IncompleteSignatureException", "InternalFailure", "InternalServerError"),
    *("InvalidClientTokenId", "InvalidSignatureException", "ItemCollectionSizeLimitExceededException"),
    *("KMSAccessDeniedException", "KMSDisabledException", "KMSInvalidStateException", "KMSNotFoundException"),
    *("LimitExceededException", "MissingAuthenticationToken", "NotAuthorized", "OptInRequired"),
    *("ProvisionedThroughputExceededException", "ReplicatedWriteConflictException", "RequestExpired"),
    *("RequestLimitExceeded", "ResourceInUseException", "ResourceNotFoundException", "SerializationException"),
    *("ServiceUnavailable", "SignatureDoesNotMatch", "SubscriptionRequiredException", "TableNotFoundException"),
    *("ThrottlingException", "TransactionConflictException", "TransactionInProgressException"),
    *("UnknownOperationException", "UnrecognizedClientException", "ValidationException", "ACodeOfNextYear", ""),
)
REASONS: Final = ("ThrottlingError", "TransactionConflict", "ValidationError", "ItemCollectionSizeLimitExceeded", "New")


def client_error(code: str, status: int = 400, reason: str = "") -> ClientError:
    """A refusal of AWS's as botocore raises it."""
    response: dict[str, Any] = {
        "Error": {"Code": code, "Message": "as the service says"},
        "ResponseMetadata": {"HTTPStatusCode": status, "RetryAttempts": 0},
    }
    if reason:
        response["CancellationReasons"] = [{"Code": "None"}, {"Code": reason}]
    return ClientError(cast("Any", response), "AnyOperation")


def _botocore_error(kind: type[Any]) -> Exception:
    if issubclass(kind, ClientError):
        return client_error("AnyCode") if kind is ClientError else cast("Exception", kind({}, "AnyOperation"))
    if kind is botocore.exceptions.WaiterError:
        return cast("Exception", kind("x", "x", {}))
    return cast("Exception", kind(**dict.fromkeys(re.findall(r"\{(\w+)", getattr(kind, "fmt", "")), "x")))


def aws_errors() -> dict[str, Exception]:
    """Every way in which AWS's client can fail, by name; conditions that do not hold are none of them."""
    found = {f"botocore.{kind.__name__}": _botocore_error(kind) for kind in subclasses(botocore.exceptions)}
    found["botocore.ResponseParserError"] = ResponseParserError("x")
    for code in CODES:
        if not code.startswith("ConditionalCheck"):
            found[f"AWS's {code or 'empty code'}"] = client_error(code)
    for reason in REASONS:
        found[f"AWS's cancellation for {reason}"] = client_error("TransactionCanceledException", reason=reason)
    for status in (500, 502, 503, 504):
        found[f"AWS's {status}"] = client_error("AnyCode", status)
    found["AWS's answer without a body"] = ClientError({}, "AnyOperation")
    return found | {f"{kind.__name__} in botocore": kind("x") for kind in (RuntimeError, OSError, ValueError, KeyError)}


def sqlite_errors() -> dict[str, Exception]:
    """Every way in which SQLite can fail, by name."""
    found: dict[str, Exception] = {}
    for kind in subclasses(sqlite3, sqlite3.Error):
        for code in (0, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CORRUPT):
            error = kind("as SQLite says")
            if code:
                error.sqlite_errorcode = code
            found[f"sqlite3.{kind.__name__} {code}"] = error
    found["sqlite3.Warning"] = sqlite3.Warning("x")
    return found | {f"{kind.__name__} in SQLite": kind("x") for kind in (RuntimeError, OSError, OverflowError)}


def _raise(error: Exception) -> None:
    raise error


def as_dynamo_tells(error: Exception) -> Exception | None:
    """What the store on AWS raises for an error of its client."""
    try:
        with dynamo._answers():
            _raise(error)
    except Exception as told:  # noqa: BLE001 - whatever it is
        return told
    return None


def as_sqlite_tells(error: Exception) -> Exception | None:
    """What the store in a file raises for an error of SQLite's."""
    with closing(SqliteStore(":memory:")) as store:
        try:
            with store._answers():
                _raise(error)
        except Exception as told:  # noqa: BLE001 - whatever it is
            return told
    return None
