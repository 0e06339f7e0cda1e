from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.chromium import started, where
from tests.ops.play.serving import Serving

PATIENCE_MS = 30_000
"""How long a change of the page is waited for; a machine that does much else is slow."""


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    """The local page, running."""
    where()
    serving = Serving(tmp_path / "matches.db")
    serving.start()
    yield serving
    serving.stop()


@pytest.fixture
def page(serving: Serving) -> Iterator[Page]:
    """The page in a browser, wide enough for three people side by side."""
    with started() as browser:
        page = browser.new_context(viewport={"width": 1500, "height": 1000}, locale="en-GB").new_page()
        page.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(serving.entrance)
        yield page
    assert problems == [], "the page's scripts raise nothing"
