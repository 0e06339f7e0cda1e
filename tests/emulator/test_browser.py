"""The page as a person sees it, in a real browser."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

from tests.chromium import started
from tests.emulator.page import playing

WIDE = {"width": 1400, "height": 900}
PHONE = {"width": 390, "height": 844}

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Headless Chromium."""
    with started() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A running page with three people."""
    with playing(tmp_path_factory.mktemp("page") / "tablee.db") as page:
        yield page.entrance


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Page]:
    """The page on a wide screen; whatever goes wrong in it fails the test."""
    page = browser.new_page(viewport=WIDE)  # type: ignore[arg-type]  # a size, as the library wants it
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    page.goto(address)
    page.locator("body[data-ready]").wait_for()
    yield page
    page.close()
    assert troubles == []


def test_three_people_side_by_side(opened: Page) -> None:
    """A command shows in every pane, a press changes the picture for all and toasts its presser only."""
    ana, bruno, chloe = (opened.get_by_role("region", name=name) for name in ("Ana", "Bruno", "Chloé"))
    ana.get_by_role("textbox", name="Message as Ana").fill("/dekal")
    ana.get_by_role("button", name="Send").click()
    for pane in (ana, bruno, chloe):
        expect(pane.locator(".message.bot").last).to_contain_text("0 presses. It is Ana’s turn.")
    expect(ana.locator(".message.bot").last).to_have_class(re.compile("mentioned"))
    bruno.get_by_role("button", name="Count").last.click()
    expect(bruno.locator(".toast")).to_have_text("Bruno, that was 1.")
    expect(ana.locator(".toast")).to_have_count(0)
    for pane in (ana, bruno, chloe):
        expect(pane.locator(".message.bot").last).to_contain_text("1 presses")
    chloe.get_by_role("button", name="Tell me").last.click()
    alert = chloe.get_by_role("alertdialog")
    expect(alert).to_contain_text("Your hidden cards")
    alert.get_by_role("button", name="OK").click()
    expect(alert).to_have_count(0)
    expect(opened.locator("[aria-busy]")).to_have_count(0)
    count = ana.locator(".message").count()
    ana.get_by_role("button", name="Reset").last.click()
    expect(ana.locator(".message")).to_have_count(count - 1)


def test_people_are_added_renamed_and_removed(opened: Page) -> None:
    """A fourth person comes, gets another name and language, talks with the bot alone, and leaves."""
    opened.get_by_role("button", name="Add a person").click()
    david = opened.get_by_role("region", name="David")
    david.get_by_label("Settings", exact=True).click()
    david.get_by_label("Language of the app").select_option("fr")
    expect(david.locator("header small")).to_have_text("Français")
    david.get_by_label("Name").fill("<i>Zoë")
    david.get_by_label("Name").press("Enter")
    zoe = opened.get_by_role("region", name="<i>Zoë")
    expect(zoe).to_be_visible()
    zoe.get_by_role("button", name="Bot", exact=True).click()
    zoe.get_by_role("button", name="Start", exact=True).click()
    expect(zoe.locator(".message.bot .picture img")).to_be_visible()
    zoe.get_by_label("Settings", exact=True).click()
    zoe.get_by_role("button", name="Leave the group").click()
    expect(zoe).to_have_count(0)


def test_the_menu_of_commands(opened: Page) -> None:
    """The menu offers the commands that begin as typed, and sends the chosen one."""
    ana = opened.get_by_role("region", name="Ana")
    ana.get_by_role("textbox").fill("/start")
    ana.get_by_role("button", name="Send").click()
    expect(ana.locator(".message.bot").last).to_contain_text("0 presses")
    ana.get_by_role("textbox").fill("/he")
    expect(ana.get_by_role("menuitem")).to_have_count(1)
    ana.get_by_role("menuitem", name="/help").click()
    expect(ana.locator(".message.own").last).to_contain_text("/help")
    expect(ana.locator(".message.bot").last).to_contain_text("Help with /dekal")


def test_one_person_at_a_time_on_a_phone(opened: Page) -> None:
    """On a phone one pane fills the screen without scrolling sideways, and tabs change it."""
    opened.set_viewport_size(PHONE)  # type: ignore[arg-type]  # a size, as the library wants it
    expect(opened.get_by_role("region", name="Ana")).to_be_visible()
    expect(opened.get_by_role("region", name="Bruno")).to_be_hidden()
    opened.get_by_role("tab", name="Bruno").click()
    bruno = opened.get_by_role("region", name="Bruno")
    bruno.get_by_role("textbox").fill("/dekal")
    bruno.get_by_role("button", name="Send").click()
    bruno.get_by_role("button", name="Count").last.click()
    expect(bruno.locator(".toast")).to_have_text("Bruno, that was 1.")
    assert opened.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_a_board_is_seen_whole_with_its_buttons(opened: Page) -> None:
    """On a low screen the newest picture shrinks, so that picture, words and buttons are in view together."""
    opened.set_viewport_size({"width": 1400, "height": 720})
    ana = opened.get_by_role("region", name="Ana")
    ana.get_by_role("textbox").fill("/dekal")
    ana.get_by_role("button", name="Send").click()
    board = ana.locator(".message.bot").last
    expect(board.locator(".picture img")).to_be_in_viewport(ratio=0.99)
    expect(board.get_by_role("button", name="7", exact=True)).to_be_in_viewport(ratio=0.99)


def box(of: Locator) -> FloatRect:
    """Where something is on the screen."""
    found = of.bounding_box()
    assert found is not None
    return found


def test_a_toast_covers_neither_buttons_nor_composer(opened: Page) -> None:
    """It shows at the top of the messages, below the pane's head."""
    ana = opened.get_by_role("region", name="Ana")
    ana.get_by_role("textbox").fill("/dekal")
    ana.get_by_role("button", name="Send").click()
    ana.get_by_role("button", name="Count").last.click()
    toast = ana.locator(".toast")
    expect(toast).to_be_visible()
    place, head = box(toast), box(ana.locator("header"))
    assert place["y"] >= head["y"] + head["height"] - 8
    assert place["y"] + place["height"] < box(ana.get_by_role("button", name="Count").last)["y"]


def test_a_name_cannot_be_empty(opened: Page) -> None:
    """The page says so, and the old name stays."""
    ana = opened.get_by_role("region", name="Ana")
    ana.get_by_label("Settings", exact=True).click()
    expect(ana.get_by_label("Name")).to_have_value("Ana")  # the card fills itself once it is open
    ana.get_by_label("Name").fill("  ")
    ana.get_by_label("Name").press("Enter")
    expect(ana.locator(".toast")).to_have_text("A name cannot be empty")
    expect(ana.get_by_label("Name")).to_have_value("Ana")


def test_tabs_lead_to_whoever_does_not_fit(opened: Page) -> None:
    """They are hidden while everybody is in view."""
    expect(opened.get_by_role("tab")).to_have_count(0)
    opened.set_viewport_size({"width": 800, "height": 900})
    chloe = opened.get_by_role("region", name="Chloé")
    expect(chloe).not_to_be_in_viewport(ratio=0.9)
    opened.get_by_role("tab", name="Chloé").click()
    expect(chloe).to_be_in_viewport(ratio=0.9)
    opened.set_viewport_size(WIDE)  # type: ignore[arg-type]  # a size, as the library wants it
    expect(opened.get_by_role("tab")).to_have_count(0)
