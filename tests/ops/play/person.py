"""One person at the page: what they see, and what they do about it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

NOTHING = "·"


class Person:
    """A pane. Everything goes through roles and labels, as it would for somebody who looks at it."""

    def __init__(self, page: Page, name: str) -> None:
        self.name = name
        self.pane = page.get_by_role("region", name=name, exact=True)

    def speak(self, language: str) -> None:
        """Set the language of their app."""
        self.pane.get_by_label("Settings", exact=True).click()
        self.pane.get_by_label("Language of the app").select_option(label=language)
        expect(self.pane.get_by_text(language).first).to_be_visible()
        self.pane.get_by_label("Settings", exact=True).click()

    def write(self, text: str) -> None:
        """Send a message."""
        self.pane.get_by_label(f"Message as {self.name}").fill(text)
        self.pane.get_by_role("button", name="Send").click()

    @property
    def messages(self) -> Locator:
        """All messages that they see."""
        return self.pane.get_by_role("log").get_by_role("article")

    @property
    def board(self) -> Locator:
        """The newest message with buttons."""
        return self.messages.filter(has=self.pane.page.get_by_role("group", name="Buttons")).last

    def is_called(self) -> bool:
        """Whether the newest board mentions them."""
        return self.board.locator(".mention.me").count() > 0

    def offered(self) -> list[str]:
        """The labels of the board's buttons, in order."""
        labels: list[str] = self.keys.evaluate_all("keys => keys.map(key => key.getAttribute('aria-label'))")
        return labels

    @property
    def keys(self) -> Locator:
        """The board's buttons."""
        return self.board.get_by_role("group", name="Buttons").get_by_role("button")

    def press(self, key: int) -> str:
        """Press a button by its place; the toast that answers."""
        return self._press(self.keys.nth(key))

    def press_label(self, label: str) -> str:
        """Press a button by its words; the toast that answers."""
        return self._press(self.board.get_by_role("button", name=label, exact=True))

    def _press(self, key: Locator) -> str:
        toasts = self.pane.get_by_role("status").element_handle()
        before = toasts.evaluate_handle("toasts => toasts.lastElementChild")
        key.click()
        fresh = "([toasts, before]) => toasts.lastElementChild !== before && toasts.lastElementChild?.textContent"
        said: str = self.pane.page.wait_for_function(fresh, arg=[toasts, before]).json_value()
        return said

    def reads(self, text: str | re.Pattern[str]) -> None:
        """Wait until the newest board says this."""
        expect(self.board).to_contain_text(text)
