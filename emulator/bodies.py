"""The parameters and files of an HTTP request to the Bot API, in each of the forms it takes."""

import json
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request

from emulator.errors import ApiError, bad_request
from emulator.files import Upload

# Boards of pictures come as parts of some tens of kilobytes; a part may not be endless.
_MAX_PART = 60 * 1024 * 1024


async def read_body(request: Request) -> tuple[dict[str, Any], dict[str, Upload]]:
    """Parameters from the query, a JSON body, an urlencoded or a multipart form; and the files of the last.

    Raises:
        ApiError: a JSON body that does not parse, or is no object.
    """
    params: dict[str, Any] = dict(request.query_params)
    files: dict[str, Upload] = {}
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        params |= _json(await request.body())
    elif kind in {"application/x-www-form-urlencoded", "multipart/form-data"}:
        async with request.form(max_part_size=_MAX_PART) as form:
            for name, value in form.multi_items():
                if isinstance(value, UploadFile):
                    mime = value.content_type or "application/octet-stream"
                    files[name] = Upload(value.filename or name, await value.read(), mime)
                else:
                    params[name] = value
    return params, files


def _json(body: bytes) -> dict[str, Any]:
    try:
        read = json.loads(body or b"{}")
    except ValueError:
        raise bad_request("can't parse request JSON object", violation=True) from None
    if not isinstance(read, dict):
        raise ApiError(400, "Bad Request: request must be a JSON object", violation=True)
    return read
