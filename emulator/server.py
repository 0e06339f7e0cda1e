"""The emulator behind HTTP: the Bot API, its files, the page and what its people do."""

import asyncio
import secrets
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from emulator.bodies import read_body
from emulator.errors import AnswerLost, ApiError
from emulator.files import Kept, file_path
from emulator.guard import Guard, Locked, cookie_name, same
from emulator.hub import Hub
from emulator.model import Json
from emulator.party import Party
from emulator.telegram import Telegram

PAGE = Path(__file__).with_name("page")
_LONGEST_POLL = 50.0
_KEEP = {"cache-control": "private, max-age=31536000, immutable"}
_FRESH = {"cache-control": "no-cache"}
# What is stored comes from anybody. Only these are shown in place; whatever else it says it is, it is for saving.
_PICTURES = {"image/gif", "image/jpeg", "image/png", "image/webp"}
_STORED = {"content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'"}
_SAVED = {"content-disposition": "attachment"}
_BYTES = "application/octet-stream"


class Server:
    """The routes over one `Telegram` and its `Party`. `news` is set when an update may wait.

    Whoever opens the page at its `entrance` gets the server's key, a new one each time, as a cookie; without it
    nothing can be seen or done in the name of the people at the page.
    """

    def __init__(self, telegram: Telegram, party: Party) -> None:
        self.telegram = telegram
        self.party = party
        self.hub = Hub(party)
        self.news = asyncio.Event()
        self._key = secrets.token_urlsafe()
        telegram.world.queues.listeners.append(self.news.set)
        deeds = [
            Route("/state", self.state),
            Route("/events", self.events),
            Route("/people", self.add_person, methods=["POST"]),
            Route("/people/{person:int}/{deed}", self.act, methods=["POST"]),
            Route("/files/{file_id}", self.picture),
        ]
        routes = [
            Route("/bot{token}/{method}", self.api, methods=["GET", "POST"]),
            Route("/file/bot{token}/{path:path}", self.file),
            Mount("/local", routes=deeds, middleware=[Middleware(Locked, key=self._key)]),
            Route("/", self.page),
            Mount("/page", StaticFiles(directory=PAGE)),
        ]
        self.app = Guard(Starlette(routes=routes))

    @property
    def entrance(self) -> str:
        """Where the page is opened, after the address of the server."""
        return f"/?key={self._key}"

    # -- for the bot

    async def api(self, request: Request) -> Response:
        """One call of the Bot API."""
        token, method = request.path_params["token"], request.path_params["method"]
        try:
            params, files = await read_body(request)
            status, body = self.telegram.call(token, method, params, files)
            if method.lower() == "getupdates" and status == 200:  # noqa: PLR2004 - success
                body = await self._wait_for_updates(token, params, body)
        except ApiError as error:
            status, body = error.status, error.body()
        except AnswerLost:
            return Response(status_code=502)
        return JSONResponse(body, status)

    async def _wait_for_updates(self, token: str, params: Json, body: Json) -> Json:
        seconds = min(float(params.get("timeout") or 0), _LONGEST_POLL)
        end = asyncio.get_running_loop().time() + seconds
        while not body["result"] and (left := end - asyncio.get_running_loop().time()) > 0:
            self.news.clear()
            try:
                await asyncio.wait_for(self.news.wait(), left)
            except TimeoutError:
                break
            _, body = self.telegram.call(token, "getUpdates", params)
        return body

    async def file(self, request: Request) -> Response:
        """A file, as `getFile` says."""
        if same(request.path_params["token"], self.telegram.token):
            for kept in self.telegram.world.files.by_id.values():
                if file_path(kept) == request.path_params["path"]:
                    return Response(kept.content, media_type=_BYTES, headers=_STORED | _SAVED)
        return JSONResponse(ApiError(404, "Not Found").body(), 404)

    # -- for the page

    async def page(self, request: Request) -> Response:
        """The page itself; with the key in its address it is opened for this browser, and for no other port."""
        given = request.query_params.get("key")
        if given is None:
            return FileResponse(PAGE / "index.html", headers=_FRESH)
        answer = RedirectResponse("/", 303, headers=_FRESH)
        if same(given, self._key):
            answer.set_cookie(cookie_name(request.scope), given, httponly=True, samesite="strict")
        return answer

    async def picture(self, request: Request) -> Response:
        """A picture or document that a message shows."""
        try:
            kept = self.telegram.world.files.find(request.path_params["file_id"])
        except ApiError as error:
            return JSONResponse(error.body(), 404)
        return _stored(kept)

    async def state(self, _request: Request) -> Response:
        """All that a page needs to draw itself."""
        return JSONResponse(self.party.state(), headers=_FRESH)

    async def events(self, _request: Request) -> Response:
        """What changes from now on."""
        return StreamingResponse(self.hub.stream(), media_type="text/event-stream", headers=_FRESH)

    async def add_person(self, request: Request) -> Response:
        """One more person at the page."""
        try:
            _check_json(request)
            return JSONResponse({"person": self.party.add().id})
        except ApiError as error:
            return JSONResponse(error.body(), error.status)

    async def act(self, request: Request) -> Response:
        """Something that a person does."""
        try:
            _check_json(request)
            given = await request.json()
            done = self.party.act(request.path_params["person"], request.path_params["deed"], given)
        except ApiError as error:
            return JSONResponse(error.body(), error.status)
        except (LookupError, ValueError, TypeError) as error:
            return JSONResponse({"ok": False, "description": f"Bad Request: {error}"}, 400)
        return JSONResponse(done)


def _check_json(request: Request) -> None:
    """Refuse what a form of another site could send.

    Raises:
        ApiError: the body is not said to be JSON.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise ApiError(415, "Bad Request: JSON expected")


def _stored(kept: Kept) -> Response:
    if kept.width and kept.mime in _PICTURES:
        return Response(kept.content, media_type=kept.mime, headers=_KEEP | _STORED)
    return Response(kept.content, media_type=_BYTES, headers=_KEEP | _STORED | _SAVED)
