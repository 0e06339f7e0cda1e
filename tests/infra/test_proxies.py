"""Proxies of the environment: never for this machine's own servers, and told in one line where they are of no use."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import httpx
import pytest
from botocore.utils import should_bypass_proxies

from infra import telegram
from infra.proxies import is_loopback, keep_loopback_direct, suspect
from infra.settings import SettingsError
from tests.emulator.page import opened
from tests.ops.play.serving import Serving

ROOT = Path(__file__).parents[2]
PASSWORD = "opensesame"
SOCKS = f"socks://me:{PASSWORD}@127.0.0.1:1"


@pytest.mark.parametrize("before", [{}, {"NO_PROXY": "example.org"}, {"no_proxy": "example.org"}, {"NO_PROXY": "*"}])
def test_no_library_asks_a_proxy_for_loopback(before: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """urllib, botocore and httpx each read the environment in their own way; what was named before stays named."""
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    for name, value in (before | {"HTTP_PROXY": "http://127.0.0.1:1"}).items():
        monkeypatch.setenv(name, value)
    for name in {"no_proxy", "NO_PROXY"} - before.keys():
        monkeypatch.setenv(name, "")  # so that what is set below is undone afterwards
        del os.environ[name]
    for _ in range(2):
        keep_loopback_direct(os.environ)
    for host in ("127.0.0.1", "localhost", "[::1]"):
        url = f"http://{host}:8000/x"
        # botocore does not know IPv6's spelling, and nobody's DynamoDB answers there.
        assert should_bypass_proxies(url) or host == "[::1]"
        with httpx.Client() as client:
            assert client._transport_for_url(httpx.URL(url)) is client._transport
    for host in ("127.0.0.1:8000", "localhost", "::1"):
        assert urllib.request.proxy_bypass(host)
    assert bool(urllib.request.proxy_bypass("example.org")) is bool(before)
    assert len((os.environ.get("no_proxy") or os.environ["NO_PROXY"]).split(",")) <= 4


def test_what_is_loopback() -> None:
    """By name and by number, and nothing that only looks like it."""
    own = ("http://127.0.0.1:8080", "http://localhost", "http://[::1]:1/x", "http://127.9.9.9")
    others = ("https://api.telegram.org", "http://127.0.0.1.example.org", "http://localhost.org", "http://10.0.0.1")
    assert [url for url in (*own, *others) if is_loopback(url)] == list(own)


def test_which_proxy_is_none() -> None:
    """Its variable is named; what an HTTP library takes is passed."""
    assert suspect({"http_proxy": "127.0.0.1:3128", "ALL_PROXY": "https://a.b", "HTTPS_PROXY": "", "X": SOCKS}) == ""
    for value in (SOCKS, "socks5://a:1", "http://", "http://a:port", "http://[a", "ftp://a"):
        assert suspect({"http_proxy": "127.0.0.1:3128", "ALL_PROXY": value}) == "ALL_PROXY"


def test_a_proxy_of_no_use_is_a_setting_to_correct(monkeypatch: pytest.MonkeyPatch) -> None:
    """For Telegram's own address; a Bot API server on this machine is asked without any."""
    monkeypatch.setenv("ALL_PROXY", SOCKS)
    with pytest.raises(SettingsError, match=r"^correct ALL_PROXY: the proxy must be one of http:// or https://$"):
        telegram.request("https://api.telegram.org")
    telegram.request("http://127.0.0.1:8081")


COMMANDS = {
    "poll": [sys.executable, "-m", "handlers.poll"],
    "deploy": [sys.executable, "-m", "ops.deploy", "webhook-info"],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["ALL_PROXY", "https_proxy"])
def test_commands_say_so_in_one_line(command: str, name: str, tmp_path: Path) -> None:
    """At the start, before anything is asked of anybody, and without the proxy's password."""
    environment = {"PYTHONPATH": str(ROOT), "AWS_CONFIG_FILE": "none", "AWS_DEFAULT_REGION": "eu-west-3", name: SOCKS}
    token = {"TELEGRAM_TOKEN": "1:letters", "TELEGRAM_BOT_USERNAME": "tablee_bot", "TABLE_NAME": "table"}
    done = subprocess.run(  # noqa: S603 - our own command
        COMMANDS[command], env=environment | token, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode
    assert done.stderr.removeprefix("error: ") == f"correct {name}: the proxy must be one of http:// or https://\n"


@pytest.mark.parametrize("proxy", [SOCKS, "http://127.0.0.1:1"])
def test_the_page_plays_whatever_the_proxies(proxy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot answers on the page with a proxy that nobody could use, and never asks one that could be used."""
    monkeypatch.setenv("ALL_PROXY", proxy)
    monkeypatch.setenv("HTTP_PROXY", proxy)
    monkeypatch.delenv("no_proxy")
    monkeypatch.delenv("NO_PROXY")
    serving = Serving(tmp_path / "play.db")
    serving.start()
    try:
        with opened(serving.entrance) as page:
            state = page.state()
            page.act(state["people"][0]["id"], "write", chat=state["group"], text="/skyjo")
            assert page.hear_board()["from"]["username"] == "tablee_bot"
    finally:
        assert serving.stop() == 0
