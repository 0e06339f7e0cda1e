"""Debian's Chromium, headless, for tests that look at the page as a person does."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)


def where() -> str:
    """Where Chromium is; without it the test is skipped, but not where everything has to be tested."""
    found = shutil.which("chromium")
    if found:
        return found
    missing = "Chromium is not installed: apt-get install chromium"
    if os.environ.get("CI"):
        pytest.fail(missing)
    pytest.skip(missing)


@contextmanager
def started(*more: str) -> Iterator[Browser]:
    """A browser that looks at nothing yet, with more flags if need be."""
    executable = where()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=[*FLAGS, *more])
        yield browser
        browser.close()
