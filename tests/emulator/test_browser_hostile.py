"""Other sites, open in the browser that has the page open too: what a real Chromium lets them do."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, expect

from emulator.files import Upload
from emulator.party import Party
from emulator.server import Server
from emulator.telegram import TOKEN
from tests.chromium import started
from tests.emulator.table import Table

pytestmark = pytest.mark.browser

# What another site's page tries, one after the other; each becomes "got in" or "refused", as far as a script can see.
ATTACK = """
<!doctype html><title>friendly</title><script>
const target = "TARGET", person = PERSON, file = "FILE", bot = "/botTOKEN/leaveChat?chat_id=CHAT";
const json = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
const blind = { method: "POST", mode: "no-cors", body: "{}" };
const said = (answer) => (answer.ok ? "got in" : "refused");

const sends = (address, options) =>
  fetch(target + address, { credentials: "include", ...options }).then(said, () => "refused");

const loads = (tag, address, more = {}) => new Promise((resolve) => {
  const element = Object.assign(document.createElement(tag), more);
  element.onload = () => resolve("got in");
  element.onerror = () => resolve("refused");
  element.src = target + address;
  document.documentElement.append(element);
});

const hears = (address) => new Promise((resolve) => {
  const source = new EventSource(target + address, { withCredentials: true });
  source.onopen = () => resolve("got in");
  source.onerror = () => { source.close(); resolve("refused"); };
});

const posts = (address) => new Promise((resolve) => {
  const frame = Object.assign(document.createElement("iframe"), { name: "frame" });
  const form = document.createElement("form");
  Object.assign(form, { method: "POST", action: target + address, target: "frame", enctype: "text/plain" });
  document.documentElement.append(frame, form);
  frame.onload = () => { frame.remove(); form.remove(); resolve("refused"); };
  form.submit();
});

async function attack() {
  return {
    state: await sends("/local/state"),
    block: await sends(`/local/people/${person}/block`, json),
    bot: await sends(bot),
    picture: await loads("img", `/local/files/${file}`),
    icon: await loads("img", "/page/icon.svg"),
    script: await loads("script", "/page/text.js", { type: "module" }),
    events: await hears("/local/events"),
    // Of these only the emulator can tell whether they got in.
    unseenDeed: await sends("/local/people", blind),
    unseenCall: await sends(bot, blind),
    callAsPicture: await loads("img", bot),
    form: await posts("/local/people"),
    otherForm: await posts(`/local/people/${person}/remove`),
  };
}
</script>
"""
# What somebody tries who has got HTML into the page itself; whether it had an effect, and whether the browser objected.
INJECTION = """
async () => {
  const objections = [];
  document.addEventListener("securitypolicyviolation", (event) => objections.push(event.effectiveDirective));
  const add = (html) => document.body.insertAdjacentHTML("beforeend", html);
  add("<img src='/page/icon.svg' onload='window.ran = true'>");
  add("<a id='run' href='javascript:window.ran = true'>x</a>");
  add("<style>body { display: none }</style>");
  const script = document.createElement("script");
  script.textContent = "window.ran = true";
  document.body.append(script);
  document.querySelector("#run").click();
  // Within what a debugger evaluates, evaluating is allowed; a timer is the page's own.
  await new Promise((resolve) => setTimeout(() => {
    try { new Function("window.ran = true")(); } catch {}
    resolve();
  }));
  await new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.onload = resolve;
    frame.src = "/";
    document.body.append(frame);
  });
  return [window.ran ?? false, getComputedStyle(document.body).display === "none", new Set(objections).size > 2];
}
"""
HTML = Upload("page.html", b"<script>document.title = 'mine'; fetch('/local/state')</script>", "text/html")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, for which a stranger's name leads to this machine."""
    with started("--host-resolver-rules=MAP evil.test 127.0.0.1") as browser:
        yield browser


@contextmanager
def site(page: str) -> Iterator[int]:
    """The port on loopback at which another site answers with its page."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        try:
            yield listening.server_port
        finally:
            listening.shutdown()
            thread.join()


@pytest.fixture
def server(table: Table) -> Server:
    """A server whose Telegram keeps a page that somebody sent."""
    server = Server(table.telegram, Party(table.telegram))
    sent = table.call("sendDocument", {"document": HTML}, chat_id=table.chat.id)
    assert sent["document"]["mime_type"] == "text/html"
    return server


@pytest.fixture
def address(server: Server) -> Iterator[str]:
    """Where on loopback the server answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(server.app, log_config=None, lifespan="off", timeout_graceful_shutdown=1)
        running = uvicorn.Server(config)
        thread = threading.Thread(target=running.run, args=([listening],))
        thread.start()
        try:
            yield f"127.0.0.1:{listening.getsockname()[1]}"
        finally:
            running.should_exit = True
            thread.join()


@pytest.fixture
def context(browser: Browser, address: str) -> Iterator[BrowserContext]:
    """A window of its own, with its cookies; it is closed before the server stops."""
    del address
    context = browser.new_context()
    yield context
    context.close()


def enter(context: BrowserContext, server: Server, address: str) -> Page:
    """The page, opened as its command says."""
    page = context.new_page()
    page.goto(f"http://{address}{server.entrance}")
    page.locator("body[data-ready]").wait_for()
    assert page.url == f"http://{address}/", "the key does not stay in sight"
    return page


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "evil.test"])
def test_another_site_gets_nowhere(
    context: BrowserContext, server: Server, address: str, table: Table, host: str
) -> None:
    """Neither from another port of the same host, which the browser takes for the same site, nor from anywhere."""
    (file,) = table.world.files.by_id
    own = enter(context, server, address)
    before, calls = server.party.state(), len(table.telegram.log)
    words = {"TARGET": f"http://{address}", "FILE": file, "TOKEN": TOKEN}
    words |= {"PERSON": str(table.ana.id), "CHAT": str(table.chat.id)}
    attack = ATTACK
    for name, value in words.items():
        attack = attack.replace(name, value)
    with site(attack) as other:
        page = context.new_page()
        page.goto(f"http://{host}:{other}/")
        tried = page.evaluate("attack()")
    assert set(tried.values()) == {"refused"}, tried
    assert (server.party.state(), len(table.telegram.log)) == (before, calls)
    assert own.evaluate("fetch('/local/state').then((answer) => answer.status)") == 200


def test_another_name_for_this_machine_gets_nowhere(context: BrowserContext, server: Server, address: str) -> None:
    """The browser takes the page for the other site's own, so that its scripts could read everything."""
    page = context.new_page()
    for path in ("/", server.entrance, "/local/state", f"/bot{TOKEN}/getMe"):
        answer = page.goto(f"http://{address.replace('127.0.0.1', 'evil.test')}{path}")
        assert answer is not None
        assert answer.status == 403
    assert page.evaluate("fetch('/local/state').then((answer) => answer.status)") == 403


def test_a_stored_page_does_not_run(context: BrowserContext, server: Server, address: str, table: Table) -> None:
    """Opened by whoever plays, it is saved and not shown."""
    (file,) = table.world.files.by_id
    page = enter(context, server, address)
    for path in (f"/local/files/{file}", f"/file/bot{TOKEN}/documents/{file}"):
        with page.expect_download() as download:
            page.evaluate("(path) => { location.href = path; }", path)
        assert download.value.path().read_bytes() == HTML.content
    expect(page).to_have_title("Friday")


def test_nothing_inline_runs_on_the_page(context: BrowserContext, server: Server, address: str) -> None:
    """Whatever gets into it as HTML stays without effect, and so does text that would be evaluated."""
    page = enter(context, server, address)
    assert page.evaluate(INJECTION) == [False, False, True]
