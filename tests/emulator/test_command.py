"""The command, as it is typed, with a small bot behind it."""

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from queue import SimpleQueue

import httpx
import pytest

from emulator.command import read_options
from emulator.serving import StartError
from tests.emulator.page import COMMAND, Json, Page, opened, playing


def test_a_game_survives_a_restart(tmp_path: Path) -> None:
    """The board that was posted before is still there and its buttons work; ids go on."""
    db = tmp_path / "new" / "tablee.db"
    with playing(db) as page:
        assert "<title>" in page.client.get("/").text
        state = page.state()
        ana = state["people"][0]["id"]
        assert len(state["people"]) == 3
        page.act(ana, "write", chat=state["group"], text="/dekal")
        board = page.hear_board()
        page.act(ana, "press", chat=state["group"], message=board["message_id"], row=0, column=0)
        assert page.hear("answer")["text"] == "Ana, that was 1."
    with playing(db) as page:
        state = page.state()
        shown = state["chats"][str(state["group"])][-1]
        assert (shown["message_id"], shown["caption"][:9]) == (board["message_id"], "1 presses")
        picture = page.client.get(f"/local/files/{shown['photo'][-1]['file_id']}")
        assert picture.headers["content-type"] == "image/png"
        page.act(ana, "press", chat=state["group"], message=shown["message_id"], row=0, column=1)
        answer = page.hear("answer")
        assert (answer["alert"], answer["text"][:4]) == (True, "Your")
        written = page.act(ana, "write", chat=state["group"], text="hello")
        assert written["message"] > board["message_id"]


def test_people_come_change_and_go(tmp_path: Path) -> None:
    """Two to eight people, each with a name and a language, each with a private chat."""
    with playing(tmp_path / "tablee.db", "--people", "8") as page:
        people = page.state()["people"]
        assert len({one["first_name"] for one in people}) == 8
        assert page.client.post("/local/people", json={}).status_code == 400
        last = people[-1]["id"]
        page.act(last, "change", name="Zoë", language="fr")
        changed = page.hear("people")["people"][-1]
        assert (changed["first_name"], changed["language_code"]) == ("Zoë", "fr")
        page.act(last, "start")
        page.act(last, "write", chat=last, text="/start")
        assert page.hear_board()["chat"]["type"] == "private"
        page.act(last, "remove")
        assert len(page.state()["people"]) == 7
        assert page.tries(people[0]["id"], "press", chat=last, message=1, row=0, column=0).status_code == 400
        assert page.tries(people[0]["id"], "dance").status_code == 400
        assert page.client.post(f"/local/people/{people[0]['id']}/start", content="{}").status_code == 415


def test_what_hinders_the_start_is_said_in_one_line(tmp_path: Path) -> None:
    """A taken port, a place that cannot be written, a bot that is not there."""
    file = tmp_path / "file"
    file.touch()
    broken = tmp_path / "b.chat.db"
    broken.write_text("no database" * 100)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        cases = {
            ("--port", port): f"cannot listen on 127.0.0.1:{port}: Address already in use; try another --port",
            ("--port", "0", "--db", str(file / "x.db")): f"cannot keep the chat in {file / 'x.chat.db'}: ",
            ("--port", "0", "--handler", "nothing.here"): "cannot load nothing.",
            ("--port", "0", "--db", str(tmp_path / "b.db")): f"cannot keep the chat in {broken}: file is not",
            ("--token", "letters"): "argument --token: a token is a number, a colon, and letters",
        }
        for options, line in cases.items():
            done = subprocess.run(  # noqa: S603 - our own command
                [*COMMAND, *options], capture_output=True, text=True, timeout=20, check=False
            )
            assert (done.returncode, done.stdout) == (2, "")
            assert done.stderr.startswith(f"emulator: {line}")
            assert done.stderr.count("\n") == 1


def test_one_page_at_a_time_has_the_matches(tmp_path: Path) -> None:
    """A second one says so and ends; after the first has ended, however, another may start."""
    db = tmp_path / "a.db"
    with playing(db):
        done = subprocess.run(  # noqa: S603 - our own command
            [*COMMAND, "--port", "0", "--db", str(db)], capture_output=True, text=True, timeout=20, check=False
        )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"emulator: another page plays with {db}; stop it, or try another --db\n"
    with playing(db) as page:
        assert page.state()["people"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--people", "9"], "argument --people: '9' is not a number from 2 to 8"),
        (["--port", "web"], "argument --port: 'web' is not a number from 0 to 65535"),
        (["--edits-per-minute", "0"], "argument --edits-per-minute: '0' is not a number from 1 to 100000"),
        (
            ["--host", "0.0.0.0"],  # noqa: S104 - it is refused
            "argument --host: '0.0.0.0' is no loopback address; the page is for this machine alone",
        ),
        (["--host", "example.org"], "argument --host: 'example.org' is no loopback address"),
        (["--languages", "English"], "argument --languages: 'English' is no list of languages such as en,fr"),
        (["--colour", "red"], "unrecognized arguments: --colour red"),
    ],
)
def test_bad_options(arguments: list[str], reason: str) -> None:
    """A bad option is named with what it takes."""
    with pytest.raises(StartError, match=reason):
        read_options(arguments)


def test_the_defaults() -> None:
    """Without options the page is on loopback, and nothing is kept."""
    options = read_options([])
    assert (options.host, options.port, options.people, options.edits_per_minute) == ("127.0.0.1", 8080, None, 600)
    assert (options.db, options.token, options.handler, options.languages) == (None, None, None, ("en", "fr"))


# -- a bot of any kind, in a process of its own


@contextmanager
def alone(*options: str) -> Iterator[tuple[Page, str]]:
    """The emulator with no bot behind it: the page, and where a bot finds the Bot API, with its token."""
    command = [sys.executable, "-m", "emulator", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own command
        assert process.stdout is not None
        try:
            entrance = process.stdout.readline().split()[-1]
            words = process.stdout.readline().split()
            with opened(entrance) as page:
                yield page, f"{words[5].rstrip(',')}/bot{words[-1]}"
        finally:
            process.terminate()


def call(api: str, method: str, **params: object) -> Json:
    """One call of the Bot API."""
    answer: Json = httpx.post(f"{api}/{method}", json=params, trust_env=False).json()
    return answer


def test_a_bot_that_polls() -> None:
    """It gets what people write, by the token that the command has printed, and its answers show."""
    with alone("--username", "some_bot", "--name", "Some bot") as (page, api):
        assert call(api, "getMe")["result"]["username"] == "some_bot"
        state = page.state()
        page.act(state["people"][0]["id"], "write", chat=state["group"], text="/start")
        *earlier, update = call(api, "getUpdates", timeout=10)["result"]
        assert "my_chat_member" in earlier[0], "it was added to the group"
        assert update["message"]["text"] == "/start"
        assert call(api, "sendMessage", chat_id=state["group"], text="Hello")["ok"]
        assert page.hear("message")["shown"]["text"] == "/start"
        assert page.hear("message")["shown"]["text"] == "Hello"


def test_a_bot_with_a_webhook() -> None:
    """Updates are posted to an address on this machine, with the secret; the answer is carried out."""
    heard: SimpleQueue[tuple[str | None, Json]] = SimpleQueue()

    class Bot(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            update = json.loads(self.rfile.read(int(self.headers["content-length"])))
            heard.put((self.headers["x-telegram-bot-api-secret-token"], update))
            said = {"method": "sendMessage", "chat_id": update["message"]["chat"]["id"], "text": "Hello"}
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(said).encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Bot) as bot, alone("--token", "42:letters") as (page, api):
        assert api.endswith("/bot42:letters")
        thread = threading.Thread(target=bot.handle_request)
        thread.start()
        address = f"http://127.0.0.1:{bot.server_port}"
        assert call(api, "setWebhook", url=address, secret_token="open-sesame", drop_pending_updates=True)["ok"]
        state = page.state()
        page.act(state["people"][0]["id"], "write", chat=state["group"], text="/start")
        secret, update = heard.get(timeout=20)
        assert (secret, update["message"]["text"]) == ("open-sesame", "/start")
        assert page.hear("message")["shown"]["text"] == "/start"
        assert page.hear("message")["shown"]["text"] == "Hello"
        thread.join()
