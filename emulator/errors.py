"""What a call can come back with instead of a result, in Telegram's own words."""

from typing import Any


class ApiError(Exception):
    """A call that Telegram refuses: an HTTP status, a description, and perhaps parameters.

    `violation` marks what the bot should never have sent, so that tests can tell its mistakes
    from the chances of life (blocked, too old, not modified).
    """

    def __init__(self, status: int, description: str, *, violation: bool = False, **parameters: int) -> None:
        super().__init__(description)
        self.status = status
        self.description = description
        self.violation = violation
        self.parameters = parameters

    def body(self) -> dict[str, Any]:
        """The JSON body of the answer."""
        body: dict[str, Any] = {"ok": False, "error_code": self.status, "description": self.description}
        if self.parameters:
            body["parameters"] = self.parameters
        return body


class AnswerLost(Exception):  # noqa: N818 - it is no error of the emulator's, but a planned event
    """The connection broke or timed out: the caller gets no answer at all. `kind`: timeout or reset."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def bad_request(text: str, *, violation: bool = False, **parameters: int) -> ApiError:
    """400, the reason in Telegram's words."""
    return ApiError(400, f"Bad Request: {text}", violation=violation, **parameters)


def forbidden(text: str) -> ApiError:
    """403: blocked, kicked, never a member."""
    return ApiError(403, f"Forbidden: {text}")


def too_many(seconds: int) -> ApiError:
    """429, to be tried again after so many whole seconds."""
    return ApiError(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)


NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a "
    "current content and reply markup of the message"
)
QUERY_TOO_OLD = "query is too old and response timeout expired or query ID is invalid"
UPGRADED = "group chat was upgraded to a supergroup chat"
