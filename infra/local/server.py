"""The emulator behind HTTP: the Bot API, its files, the page and what its people do."""

import asyncio
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from infra.local.bodies import read_body
from infra.local.errors import AnswerLost, ApiError
from infra.local.files import file_path
from infra.local.hub import Hub
from infra.local.model import Json
from infra.local.party import Party
from infra.local.telegram import Telegram

PAGE = Path(__file__).with_name("page")
_LONGEST_POLL = 50.0
_KEEP = {"cache-control": "public, max-age=31536000, immutable"}
_FRESH = {"cache-control": "no-cache"}
# The page needs nothing from anywhere else; evaluating is for the browser tests that wait for conditions.
_GUARD = {"content-security-policy": "default-src 'self'; script-src 'self' 'unsafe-eval'; frame-ancestors 'none'"}


class Server:
    """The routes over one `Telegram` and its `Party`. `news` is set when an update may wait."""

    def __init__(self, telegram: Telegram, party: Party) -> None:
        self.telegram = telegram
        self.party = party
        self.hub = Hub(party)
        self.news = asyncio.Event()
        telegram.world.queues.listeners.append(self.news.set)
        self.app = Starlette(
            routes=[
                Route("/bot{token}/{method}", self.api, methods=["GET", "POST"]),
                Route("/file/bot{token}/{path:path}", self.file),
                Route("/local/state", self.state),
                Route("/local/events", self.events),
                Route("/local/people", self.add_person, methods=["POST"]),
                Route("/local/people/{person:int}/{deed}", self.act, methods=["POST"]),
                Route("/local/files/{file_id}", self.picture),
                Route("/", self.page),
                Mount("/page", StaticFiles(directory=PAGE)),
            ]
        )

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
        if request.path_params["token"] == self.telegram.token:
            for kept in self.telegram.world.files.by_id.values():
                if file_path(kept) == request.path_params["path"]:
                    return Response(kept.content, media_type=kept.mime)
        return JSONResponse(ApiError(404, "Not Found").body(), 404)

    # -- for the page

    async def page(self, _request: Request) -> Response:
        """The page itself."""
        return FileResponse(PAGE / "index.html", headers=_FRESH | _GUARD)

    async def picture(self, request: Request) -> Response:
        """A picture or document that a message shows."""
        try:
            kept = self.telegram.world.files.find(request.path_params["file_id"])
        except ApiError as error:
            return JSONResponse(error.body(), 404)
        # Only pictures are shown in place; whatever else was sent is for saving.
        headers = _KEEP if kept.width else _KEEP | {"content-disposition": "attachment"}
        return Response(kept.content, media_type=kept.mime, headers=headers)

    async def state(self, _request: Request) -> Response:
        """All that a page needs to draw itself."""
        return JSONResponse(self.party.state(), headers=_FRESH)

    async def events(self, _request: Request) -> Response:
        """What changes from now on."""
        return StreamingResponse(self.hub.stream(), media_type="text/event-stream", headers=_FRESH)

    async def add_person(self, _request: Request) -> Response:
        """One more person at the page."""
        try:
            return JSONResponse({"person": self.party.add().id})
        except ApiError as error:
            return JSONResponse(error.body(), error.status)

    async def act(self, request: Request) -> Response:
        """Something that a person does."""
        if request.headers.get("content-type") != "application/json":
            # Other sites' pages can send forms here, but not JSON.
            return JSONResponse({"ok": False, "description": "Bad Request: JSON expected"}, 415)
        try:
            given = await request.json()
            done = self.party.act(request.path_params["person"], request.path_params["deed"], given)
        except ApiError as error:
            return JSONResponse(error.body(), error.status)
        except (LookupError, ValueError, TypeError) as error:
            return JSONResponse({"ok": False, "description": f"Bad Request: {error}"}, 400)
        return JSONResponse(done)
