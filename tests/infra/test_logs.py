"""Logs: what a line carries, what it never shows, and what is counted."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from telegram.error import TelegramError
from telegram.request import BaseRequest

from infra import logs
from infra.matches import Match

TOKEN = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"
SECRET = "open-sesame_1"
MATCH = Match(id="k3x9", chat=-100, topic=0, language="en", game="skyjo", secret=bytes(32), version=7)


@pytest.fixture(autouse=True)
def _untouched_logging(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test starts with the secrets known and leaves logging as it found it."""
    root, ours = logging.getLogger(), logs.logger
    library = logging.getLogger("telegram")
    before = (root.handlers[:], root.level, ours.handlers[:], ours.level, ours.propagate)
    monkeypatch.setattr(logs, "_secrets", set())
    monkeypatch.setattr(logs, "_pieces", set())
    logs.hide(TOKEN, SECRET)
    yield
    root.handlers[:], root.level, ours.handlers[:], ours.level, ours.propagate = before
    library.setLevel(logging.NOTSET)
    logging.getLogger("tablee").manager._clear_cache()  # type: ignore[attr-defined]


def test_secrets_are_cut_out_of_any_text() -> None:
    """Known secrets go wherever they stand, and so does whatever looks like a token."""
    unknown = "987654321:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc"
    text = f"https://api.telegram.org/bot{TOKEN}/getMe {SECRET!r} bot{unknown} {unknown.replace(':', '%3a')}"
    assert logs.redact(text) == "https://api.telegram.org/bot[hidden]/getMe '[hidden]' bot[hidden] [hidden]"
    assert logs.redact("12:34:56 d3 7L -100:1 https://a.b:8080/") == "12:34:56 d3 7L -100:1 https://a.b:8080/"


@pytest.mark.parametrize(
    "quoted",
    [
        TOKEN.replace(":", "&#58;"),
        TOKEN.replace(":", "%3A"),
        TOKEN.replace(":", "\\u003a"),
        TOKEN[:-3],
        TOKEN[:24],
        TOKEN[5:],
        TOKEN[-20:],
        TOKEN.partition(":")[2],
        f"{TOKEN[:30]}\n{TOKEN[30:]}",
        f"{TOKEN[11:25]}...{TOKEN[30:]}",
    ],
)
def test_no_longer_piece_of_a_secret_shows(quoted: str) -> None:
    """However an error page has escaped, cut or wrapped the address that it repeats."""
    said = logs.redact(f"<p>The requested URL /bot{quoted}/getMe was not found.</p>")
    assert said.startswith("<p>The requested URL /bot")
    assert said.endswith("/getMe was not found.</p>")
    assert logs.HIDDEN in said
    letters = TOKEN.partition(":")[2]
    assert not [at for at in range(len(letters) - logs.PIECE) if letters[at : at + logs.PIECE] in said]


def test_what_an_error_says_is_one_short_line() -> None:
    """Without its line breaks, without secrets, and cut where it goes on and on."""
    assert logs.line_of(ValueError(f"not\n found:\t/bot{TOKEN}")) == "not found: /bot[hidden]"
    assert logs.line_of(TimeoutError()) == "TimeoutError"
    assert logs.line_of(ValueError("x" * 1000)) == "x" * (logs.LONGEST_LINE - 1) + "…"
    # Where it is cut, no beginning of a secret is left.
    assert "AAH" not in logs.line_of(ValueError("x" * 180 + TOKEN))


def test_answers_that_cannot_be_read_are_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """The library would log them whole, with the updates that they hold."""
    logs.configure({})
    with pytest.raises(TelegramError):
        BaseRequest.parse_json_payload(b'{"result": [{"text": "our secret"')
    assert capsys.readouterr().err == ""


def test_a_secret_within_a_secret_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """The longer secret is cut out first, so that its rest does not show."""
    monkeypatch.setattr(logs, "_secrets", set())
    logs.hide("abc", "abcdef", "")
    assert logs.redact("abcdef abc") == "[hidden] [hidden]"


def test_a_laptop_reads_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """The line says the message and what it is about, on standard error."""
    logs.configure({})
    logs.logger.info("pressed", extra=logs.fields(MATCH, move="b3", outcome="saved"))
    assert capsys.readouterr().err.endswith(" INFO pressed match=k3x9 chat=-100 version=7 move=b3 outcome=saved\n")


def test_a_traceback_says_where_and_quotes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Kinds and lines of an exception and of its cause; their words may hold an update, a card or the token."""
    logs.configure({})
    words = f"what Ana wrote, with {TOKEN} and {SECRET}"
    try:
        try:
            int(words)
        except ValueError as error:
            raise LookupError(words) from error
    except LookupError:
        logs.logger.exception("update failed")
    shown = capsys.readouterr().err
    assert shown.index("builtins.ValueError") < shown.index("builtins.LookupError")
    assert shown.count("test_logs.py") == 2
    assert not any(quoted in shown for quoted in ("Ana", TOKEN, SECRET, "[hidden]"))


def test_the_telegram_library_stays_silent(capsys: pytest.CaptureFixture[str]) -> None:
    """It logs what it cannot read as it came, on every level; none of it is written, whoever of it says it."""
    logs.configure({})
    for name in ("telegram.Bot", "telegram.request.BaseRequest", "telegram.ext.Application"):
        logging.getLogger(name).critical("Received data was %r", [{"update_id": 1, "message": "what Ana wrote"}])
    assert capsys.readouterr().err == ""


def test_configuring_twice_says_nothing_twice(capsys: pytest.CaptureFixture[str]) -> None:
    """A second set-up replaces the first."""
    logs.configure({})
    logs.configure({})
    logs.logger.info("once")
    assert capsys.readouterr().err.count("once") == 1


def test_http_libraries_stay_silent(capsys: pytest.CaptureFixture[str]) -> None:
    """A line an HTTP client writes for every request, with its URL, is not written; a warning of its is."""
    logs.configure({})
    logging.getLogger().setLevel(logging.DEBUG)
    logging.getLogger("httpx").info("HTTP Request: POST https://api.telegram.org/bot%s/sendMessage", TOKEN)
    logging.getLogger("httpcore.http11").debug("send_request_headers")
    logging.getLogger("httpx").warning("slow: bot%s", TOKEN)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].endswith("WARNING slow: bot[hidden]")


def test_counting_on_a_laptop_is_nothing() -> None:
    """Without Lambda nothing is kept, and an invocation is just its body."""
    with logs.invocation(None):
        logs.count(logs.Metric.MOVES)
    assert not logs._counts


LAMBDA = """
import logging, os
from infra import logs
from infra.matches import Match
assert "aws_lambda_powertools" not in __import__("sys").modules
root = logging.getLogger()
root.addHandler(logging.StreamHandler())  # the runtime's own
logs.configure(os.environ)
logs.configure(os.environ)
logs.hide("open-sesame_1")
class Context: aws_request_id = "r-1"
match = Match(id="k3x9", chat=-100, topic=0, language="en", game="skyjo", secret=bytes(32), version=7)
TOKEN = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"
for _ in range(2):
    with logs.invocation(Context):
        logs.count(logs.Metric.MOVES)
        logs.count(logs.Metric.MOVES, 2)
        logs.logger.info("pressed", extra=logs.fields(match, move="b3", outcome="saved"))
        try:
            raise ValueError("secret open-sesame_1 " + TOKEN)
        except ValueError:
            logs.logger.exception("failed")
        logging.getLogger("botocore").warning("bot%s", TOKEN)
        logging.getLogger("botocore").info("unheard")
        logging.getLogger("telegram.Bot").critical("unheard")
with logs.invocation(Context):
    pass
"""


def test_lambda_writes_json_and_counts_once_an_invocation() -> None:
    """In a process as Lambda starts it: every line is JSON with its fields, redacted, and counts come in one line.

    A process of its own, since Powertools keeps loggers and metrics for the life of one.
    """
    environ = {
        "AWS_LAMBDA_FUNCTION_NAME": "tablee-webhook",
        "POWERTOOLS_SERVICE_NAME": "tablee-test",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    done = subprocess.run(  # noqa: S603 - our own interpreter and our own words
        [sys.executable, "-W", "error", "-c", LAMBDA], env=environ, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert TOKEN not in done.stdout
    assert SECRET not in done.stdout
    lines: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == 8
    pressed, failed, warned, counted = lines[:4]
    about: dict[str, object] = {
        "match": "k3x9",
        "chat": -100,
        "version": 7,
        "move": "b3",
        "outcome": "saved",
        "request": "r-1",
    }
    about["service"] = "tablee-test"
    assert about.items() <= pressed.items()
    assert (pressed["level"], pressed["message"]) == ("INFO", "pressed")
    assert failed["exception_name"] == "ValueError"
    assert failed["exception"].endswith("builtins.ValueError")
    assert "[hidden]" not in failed["exception"]
    assert (warned["level"], warned["message"]) == ("WARNING", "bot[hidden]")
    assert counted["Moves"] == [3.0]
    assert counted["service"] == "tablee-test"
    (directive,) = counted["_aws"]["CloudWatchMetrics"]
    assert directive["Namespace"] == logs.NAMESPACE
    assert directive["Dimensions"] == [["service"]]
