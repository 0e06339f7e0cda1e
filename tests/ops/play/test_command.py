"""The bot with the emulator, as `make play` starts them."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from emulator.serving import Page, StartError, options_of
from handlers.poll import DATABASE
from handlers.ui.languages import CatalogError, load_all
from infra.settings import CHAT_BUDGET, Settings
from infra.sqlite import SqliteStore
from ops.play import environment, read_options


def test_what_hinders_the_start_is_said_in_one_line(tmp_path: Path) -> None:
    """A place where no matches can be kept, or those of another bot; nothing is left beside it."""
    file = tmp_path / "file"
    file.touch()
    foreign = tmp_path / "j.db"
    foreign.write_text("no database" * 100)
    real = tmp_path / "real.db"
    SqliteStore(real, bot=17).close()
    broken = tmp_path / "b.chat.db"
    broken.write_text("no database" * 100)
    cases = {
        file / "x.db": f"cannot keep matches in {file / 'x.db'}: ",
        tmp_path: f"--db {tmp_path} is a folder",
        foreign: f"{foreign} cannot be used as the database: file is not",
        real: f"{real} cannot be used as the database: it is the bot 17's; ",
        tmp_path / "b.db": f"cannot keep the chat in {broken}: file is not",
    }
    for db, line in cases.items():
        done = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-m", "ops.play", "--port", "0", "--db", str(db)],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"tablee: {line}")
        assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.glob("j*")] == ["j.db"]


def test_catalogs_are_read_before_anybody_plays(tmp_path: Path) -> None:
    """One that is not compiled, or is no catalog, is told in one line."""
    folder = tmp_path / "xx" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "tablee.po").touch()
    with pytest.raises(CatalogError, match="run make catalogs"):
        load_all(tmp_path)
    for content in (b"", b"no catalog" * 9, (0x950412DE).to_bytes(4, "little") + bytes(3)):
        (folder / "tablee.mo").write_bytes(content)
        with pytest.raises(CatalogError, match="the catalog of xx cannot be read"):
            load_all(tmp_path)


def test_the_defaults() -> None:
    """Without options the page is on loopback and keeps its matches in the project's data folder."""
    options = read_options([])
    assert (options.host, options.port, options.people, options.edits_per_minute) == ("127.0.0.1", 8080, None, 600)
    assert options.db.parts[-2:] == (".data", "play.db")
    # Another file than long polling's, whose matches are those of real people.
    assert options.db.parts[-2:] != Path(DATABASE).parts


def test_options_of_any_bot_are_not_all_ours() -> None:
    """What the bot is called is not asked."""
    with pytest.raises(StartError, match="unrecognized arguments: --username x"):
        read_options(["--username", "x"])


@pytest.mark.parametrize("taken", ["20", "600"])
def test_the_bot_keeps_to_its_usual_budget_whatever_the_chat_takes(taken: str) -> None:
    """With all that the chat takes for its budget, it would leave no room for a burst, and be refused."""
    asked = read_options(["--edits-per-minute", taken])
    with socket.create_server(("127.0.0.1", 0)) as opened:
        page = Page(options_of(asked), opened, None, username="tablee_bot", name="Tablée")
        told = environment(page, asked.db, "secret")
    assert Settings.from_environment(told).chat_budget == CHAT_BUDGET
