"""The page's command, as it is typed, with a small bot behind it."""

import socket
import subprocess
from pathlib import Path

import pytest

from emulator.play import StartError, environment, read_options
from emulator.telegram import TOKEN
from handlers.poll import DATABASE
from infra.deploy.console import DeployError
from infra.deploy.presence import load_all
from infra.settings import CHAT_BUDGET, Settings
from infra.sqlite import SqliteStore
from tests.emulator.page import COMMAND, playing


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
    """A taken port, a bad option, a place that cannot be written, a bot that is not there."""
    file = tmp_path / "file"
    file.touch()
    foreign = tmp_path / "j.db"
    foreign.write_text("no database" * 100)
    real = tmp_path / "real.db"
    SqliteStore(real, bot=17).close()
    broken = tmp_path / "b.chat.db"
    broken.write_text("no database" * 100)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        cases = {
            ("--port", port): f"tablee: cannot listen on 127.0.0.1:{port}: Address already in use; try another --port",
            ("--port", "0", "--db", str(file / "x.db")): f"tablee: cannot keep matches in {file / 'x.db'}: ",
            (
                "--port",
                "0",
                "--db",
                str(tmp_path / "a.db"),
                "--handler",
                "nothing.here",
            ): "tablee: cannot load nothing.",
            ("--port", "0", "--db", str(foreign)): f"tablee: {foreign} cannot be used as the database: file is not",
            ("--port", "0", "--db", str(real)): f"tablee: {real} cannot be used as the database: it is the bot 17's; ",
            ("--port", "0", "--db", str(tmp_path / "b.db")): f"tablee: cannot keep the chat in {broken}: file is not",
        }
        for options, line in cases.items():
            done = subprocess.run(  # noqa: S603 - our own command
                [*COMMAND, *options], capture_output=True, text=True, timeout=20, check=False
            )
            assert (done.returncode, done.stdout) == (2, "")
            assert done.stderr.startswith(line)
            assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.glob("j*")] == ["j.db"]


def test_one_page_at_a_time_has_the_matches(tmp_path: Path) -> None:
    """A second one says so and ends; after the first has ended, however, another may start."""
    db = tmp_path / "a.db"
    with playing(db):
        done = subprocess.run(  # noqa: S603 - our own command
            [*COMMAND, "--port", "0", "--db", str(db)], capture_output=True, text=True, timeout=20, check=False
        )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"tablee: another page plays with {db}; stop it, or try another --db\n"
    with playing(db) as page:
        assert page.state()["people"]


def test_catalogs_are_read_before_anybody_plays(tmp_path: Path) -> None:
    """One that is not compiled, or is no catalog, is told in one line."""
    folder = tmp_path / "xx" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "tablee.po").touch()
    with pytest.raises(DeployError, match="run make catalogs"):
        load_all(tmp_path)
    for content in (b"", b"no catalog" * 9, (0x950412DE).to_bytes(4, "little") + bytes(3)):
        (folder / "tablee.mo").write_bytes(content)
        with pytest.raises(DeployError, match="the catalog of xx cannot be read"):
            load_all(tmp_path)


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
        (["--colour", "red"], "unrecognized arguments: --colour red"),
    ],
)
def test_bad_options(arguments: list[str], reason: str) -> None:
    """A bad option is named with what it takes."""
    with pytest.raises(StartError, match=reason):
        read_options(arguments)


def test_the_defaults() -> None:
    """Without options the page is on loopback and keeps its matches in the project's data folder."""
    options = read_options([])
    assert (options.host, options.port, options.people, options.edits_per_minute) == ("127.0.0.1", 8080, None, 600)
    assert options.db.parts[-2:] == (".data", "play.db")
    # Another file than long polling's, whose matches are those of real people.
    assert options.db.parts[-2:] != Path(DATABASE).parts


@pytest.mark.parametrize("taken", ["20", "600"])
def test_the_bot_keeps_to_its_usual_budget_whatever_the_chat_takes(taken: str) -> None:
    """With all that the chat takes for its budget, it would leave no room for a burst, and be refused."""
    told = environment(read_options(["--edits-per-minute", taken]), "http://127.0.0.1:8080", TOKEN, "secret")
    assert Settings.from_environment(told).chat_budget == CHAT_BUDGET
