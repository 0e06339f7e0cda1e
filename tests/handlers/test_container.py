"""The module-level Lambda handler: one loop and one bot for the life of the container."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from emulator.model import Json
from emulator.telegram import TOKEN
from testing.group import SECRET

ROOT = Path(__file__).parents[2]
EVENTS = ROOT / "tests" / "events"


def live(names: Sequence[str], database: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Let a container answer recorded events, with settings from its environment alone."""
    events = [json.dumps(json.loads((EVENTS / f"{name}.json").read_text(encoding="utf-8"))) for name in names]
    settings = {
        "TELEGRAM_TOKEN": TOKEN,
        "TELEGRAM_WEBHOOK_SECRET": SECRET,
        "TELEGRAM_BOT_USERNAME": "tablee_bot",
        "DATABASE": str(database),
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.handlers.container"],
        input="\n".join(events),
        env=settings | environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def lines(done: subprocess.CompletedProcess[str]) -> list[Json]:
    """What the container wrote."""
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_container_answers_many_events(tmp_path: Path) -> None:
    """The second call and the tenth work like the first; one bot is made, and nobody is asked who it is."""
    names = ["membership", "command", "press", "unknown-kind", "press-inline", "private-command", "reaction"]
    *responses, last = lines(live(names, tmp_path / "matches.db"))
    assert [response["statusCode"] for response in responses] == [200] * len(names)
    assert last["bots"] == 1
    assert last["violations"] == []
    assert "getMe" not in last["asked"]
    assert last["asked"] == ["sendMessage"] * 3, "the greeting, the table, and the answer in private"


def test_the_next_container_knows_the_table(tmp_path: Path) -> None:
    """What one saved, another finds: the same command, sent again, draws the table that there is."""
    _, first = lines(live(["command"], tmp_path / "matches.db"))
    response, second = lines(live(["command"], tmp_path / "matches.db"))
    assert response["statusCode"] == 200
    assert first["asked"] == ["sendMessage"]
    assert second["asked"][0] == "editMessageText"


def test_without_its_settings_it_says_what_to_set(tmp_path: Path) -> None:
    """The error names the setting."""
    done = live(["command"], tmp_path / "matches.db", TELEGRAM_WEBHOOK_SECRET="")
    assert done.returncode != 0
    assert "set TELEGRAM_WEBHOOK_SECRET" in done.stderr
