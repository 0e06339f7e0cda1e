from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.serving import Serving

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)

PATIENCE_MS = 30_000
"""How long a change of the page is waited for; a machine that does much else is slow."""


def chromium() -> str:
    """Where Chromium is; without it the test is skipped, but not where everything has to be tested."""
    found = shutil.which("chromium")
    if found:
        return found
    missing = "Chromium is not installed: apt-get install chromium"
    if os.environ.get("CI"):
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    """The local page, running."""
    chromium()
    serving = Serving(tmp_path / "matches.db")
    serving.start()
    yield serving
    serving.stop()


@pytest.fixture
def page(serving: Serving) -> Iterator[Page]:
    """The page in a browser, wide enough for three people side by side."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=[*FLAGS])
        page = browser.new_page(viewport={"width": 1500, "height": 1000}, locale="en-GB")
        page.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(serving.address)
        yield page
        browser.close()
        assert problems == [], "the page's scripts raise nothing"
