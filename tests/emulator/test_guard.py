"""Who may ask the local page's server: requests as other sites and other programs would send them."""

import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from emulator.files import Upload
from emulator.party import Party
from emulator.server import Server
from emulator.telegram import TOKEN
from tests.emulator.page import Page, playing
from tests.emulator.table import Table, picture

HERE = "http://127.0.0.1:8080"
HTML = Upload("page.html", b"<script>document.title = 'mine'</script>", "text/html")

FOREIGN = [
    {"host": "evil.test:8080"},
    {"host": "127.0.0.1"},
    {"host": "127.0.0.1:8081"},
    {"host": "127.0.0.1:8080.evil.test"},
    {"host": ""},
    {"origin": "http://evil.test"},
    {"origin": "http://127.0.0.1:8081"},
    {"origin": "https://127.0.0.1:8080"},
    {"origin": "http://localhost:8080"},
    {"origin": "null"},
    {"origin": ""},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "anything new"},
]
OWN = [
    {},
    {"origin": HERE},
    {"host": "localhost:8080", "origin": "http://localhost:8080"},
    {"host": "LocalHost:8080"},
    {"sec-fetch-site": "same-origin"},
    {"sec-fetch-site": "none"},
]


@dataclass
class Desk:
    """A server, and somebody who asks it over no network: `client` has neither key nor token."""

    table: Table
    server: Server
    client: httpx.AsyncClient

    def routes(self) -> list[tuple[str, str]]:
        """A request for each thing that can be asked, right but for what is added to it."""
        kept = self.table.world.files.add_photo(picture())
        ana = self.table.ana.id
        return [
            ("GET", "/"),
            ("GET", self.server.entrance),
            ("GET", "/page/app.js"),
            ("GET", "/page/nothing.js"),
            ("GET", "/local/state"),
            ("GET", "/local/events"),
            ("GET", f"/local/files/{kept.id}"),
            ("POST", "/local/people"),
            ("POST", f"/local/people/{ana}/block"),
            ("GET", f"/bot{TOKEN}/leaveChat?chat_id={self.table.chat.id}"),
            ("POST", f"/bot{TOKEN}/leaveChat?chat_id={self.table.chat.id}"),
            ("GET", f"/file/bot{TOKEN}/photos/{kept.id}"),
            ("OPTIONS", "/local/people"),
            ("GET", "/nothing"),
        ]

    async def enter(self) -> None:
        """Open the page, and keep the cookie."""
        assert (await self.client.get(self.server.entrance)).status_code == 303


@pytest.fixture
def desk(table: Table) -> Desk:
    """A server at port 8080, as its Telegram has it."""
    server = Server(table.telegram, Party(table.telegram))
    return Desk(table, server, httpx.AsyncClient(transport=httpx.ASGITransport(server.app), base_url=HERE))


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
async def test_other_sites_get_nothing(desk: Desk, headers: dict[str, str]) -> None:
    """By another name, or from another origin, every request is refused, even with key and token."""
    routes, before = desk.routes(), desk.server.party.state()
    await desk.enter()
    for method, path in routes:
        answer = await desk.client.request(method, path, headers=headers | {"content-type": "application/json"})
        assert answer.status_code == 403, (method, path)
        assert answer.json()["description"].startswith("Forbidden: this is http://127.0.0.1:8080")
    assert desk.server.party.state() == before
    assert not desk.table.telegram.log


@pytest.mark.parametrize("name", ["host", "origin", "sec-fetch-site"])
async def test_saying_two_things_is_foreign(desk: Desk, name: str) -> None:
    """A good header does not make a bad one good."""
    good, bad = {"host": ("127.0.0.1:8080", "evil.test"), "origin": (HERE, "null")}.get(name, ("none", "cross-site"))
    for values in ((good, bad), (bad, good)):
        answer = await desk.client.get("/", headers=[(name, value) for value in values])
        assert answer.status_code == 403


@pytest.mark.parametrize("headers", OWN, ids=str)
async def test_the_page_and_programs_here_are_answered(desk: Desk, headers: dict[str, str]) -> None:
    """The page itself by each of its names, and a bot, whose library knows nothing of origins."""
    assert (await desk.client.get("/", headers=headers)).status_code == 200
    answer = await desk.client.post(f"/bot{TOKEN}/getMe", headers=headers)
    assert answer.json()["result"]["username"] == "tablee_bot"


async def test_nobody_sees_or_does_anything_without_the_key(desk: Desk) -> None:
    """No cookie, another's, or a key that is none: the people at the page are left alone, and the page says why."""
    routes = [(method, path) for method, path in desk.routes() if path.startswith("/local/") and method != "OPTIONS"]
    before = desk.server.party.state()
    assert (await desk.client.get("/?key=guessed")).headers.get("set-cookie") is None
    for cookie in (b"", b"telegram-8080=", b"telegram-8080=guessed", b"telegram-8081=x", b"\xe9=\xff; =;;telegram"):
        for method, path in routes:
            headers = {b"content-type": b"application/json", b"cookie": cookie}
            answer = await desk.client.request(method, path, headers=headers)
            assert answer.status_code == 401, (method, path)
            assert "open the page at the address" in answer.json()["description"]
    assert desk.server.party.state() == before


async def test_the_key_becomes_a_cookie_that_scripts_do_not_see(desk: Desk) -> None:
    """It is out of the address at once, and goes with requests of the page's own site alone."""
    answer = await desk.client.get(desk.server.entrance)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"].lower()
    assert {"httponly", "samesite=strict", "path=/"} <= set(cookie.split("; "))
    assert (await desk.client.get("/local/state")).status_code == 200
    assert Server(desk.table.telegram, desk.server.party).entrance != desk.server.entrance


async def test_a_form_can_do_nothing(desk: Desk) -> None:
    """What people do is sent as JSON, which no form can send."""
    await desk.enter()
    for path in ("/local/people", f"/local/people/{desk.table.ana.id}/block"):
        for kind in ("", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
            answer = await desk.client.post(path, content=b"{}", headers={"content-type": kind})
            assert answer.status_code == 415
        assert (await desk.client.post(path, json={})).status_code == 200


@pytest.mark.parametrize(
    ("upload", "shown_as"),
    [
        (HTML, None),
        (Upload("x.svg", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "image/svg+xml"), None),
        (Upload("x.js", b"alert(1)", "text/javascript"), None),
        (Upload("x.png", picture().content, "image/png\r\nx-more: 1"), None),
        (picture(), "image/png"),
    ],
)
async def test_what_is_stored_cannot_run(desk: Desk, upload: Upload, shown_as: str | None) -> None:
    """Pictures are shown, as what they are; whatever else was sent is for saving, whoever asks for it."""
    files = desk.table.world.files
    kept = files.add_photo(upload) if shown_as else files.add_document(upload)
    await desk.enter()
    folder = "photos" if kept.width else "documents"
    own = await desk.client.get(f"/local/files/{kept.id}")
    fetched = await desk.client.get(f"/file/bot{TOKEN}/{folder}/{kept.id}")
    for answer, kind in ((own, shown_as), (fetched, None)):
        assert answer.content == upload.content
        assert answer.headers["content-type"] == (kind or "application/octet-stream")
        assert answer.headers.get("content-disposition") == (None if kind else "attachment")
        assert "sandbox" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_photo_of_another_kind_is_saved(desk: Desk) -> None:
    """What only passes as a picture, of a kind that browsers need not show, is not shown either."""
    kept = desk.table.world.files.add_photo(Upload("x.eps", _eps(), "text/html"))
    await desk.enter()
    answer = await desk.client.get(f"/local/files/{kept.id}")
    assert (answer.headers["content-type"], answer.headers["content-disposition"]) == (
        "application/octet-stream",
        "attachment",
    )


def _eps() -> bytes:
    return b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\n%%EOF\n<script>alert(1)</script>"


async def test_every_answer_forbids_what_the_page_does_not_need(desk: Desk) -> None:
    """Nothing inline, nothing evaluated, no frame, nothing from or for elsewhere; refusals say so as well."""
    for let_in in (False, True):
        for method, path in desk.routes():
            if not let_in:
                desk.client.cookies.clear()
            elif path == "/local/events":
                continue  # it would not end
            answer = await desk.client.request(method, path)
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["cross-origin-resource-policy"] == "same-origin"
            assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    "address", ["javascript://a.b/%0aalert(1)", "javascript:alert(1)", "data://a.b/x", "file:///x"]
)
def test_no_link_runs(table: Table, address: str) -> None:
    """Telegram makes links to the web and to itself only, out of HTML as out of entities."""
    said = table.say(f'<a href="{address}">x</a>', parse_mode="HTML")
    listed = table.say("x", entities=[{"type": "text_link", "offset": 0, "length": 1, "url": address}])
    for message in (said, listed):
        for entity in message.body.get("entities", ()):
            assert entity["url"].startswith(("http://", "https://"))
    good = table.say("x", entities=[{"type": "text_link", "offset": 0, "length": 1, "url": "https://a.b/c"}])
    assert good.body["entities"][0]["url"] == "https://a.b/c"


# -- the command itself, over sockets


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A running page."""
    with playing(tmp_path_factory.mktemp("guard") / "tablee.db") as page:
        yield page


def say(page: Page, head: str) -> str:
    """The first line of the answer to a request as it is written."""
    url = page.client.base_url
    with socket.create_connection((url.host, url.port or 80), timeout=10) as connection:
        connection.sendall(head.replace("PORT", str(url.port)).replace("\n", "\r\n").encode())
        return connection.recv(100).decode().splitlines()[0]


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("GET / HTTP/1.1\nHost: 127.0.0.1:PORT\n\n", 200),
        ("GET / HTTP/1.1\nHost: localhost:PORT\n\n", 200),
        ("GET / HTTP/1.0\nHost: 127.0.0.1:PORT\n\n", 200),
        ("GET / HTTP/1.1\nHost: evil.test:PORT\n\n", 403),
        ("GET http://127.0.0.1:PORT/ HTTP/1.1\nHost: evil.test\n\n", 403),
        ("GET / HTTP/1.0\n\n", 403),
        ("GET /local/events HTTP/1.1\nHost: 127.0.0.1:PORT\n\n", 401),
        ("GET /local/events HTTP/1.1\nHost: evil.test\n\n", 403),
    ],
)
def test_requests_as_they_are_written(page: Page, head: str, status: int) -> None:
    """The server's own reading of a request leaves no way round."""
    assert say(page, head).split()[1] == str(status)


def test_nobody_knows_the_bot_s_token(page: Page) -> None:
    """It is not the one that stands in the source."""
    assert page.client.get(f"/bot{TOKEN}/getMe").status_code == 401


def test_each_start_has_a_key_of_its_own(page: Page, tmp_path: Path) -> None:
    """What an earlier start has let in is not let in any more."""
    key = page.entrance.partition("?key=")[2]
    with playing(tmp_path / "tablee.db") as other:
        assert key not in other.entrance
        port = other.client.base_url.port
        cookies = {f"telegram-{port}": key}
        answer = httpx.get(f"{other.client.base_url}/local/state", cookies=cookies)
        assert answer.status_code == 401
