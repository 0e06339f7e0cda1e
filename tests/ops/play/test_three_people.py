"""Three people at the local page play both games, each by pressing what they see."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

from engine.record import verify
from handlers.ui.languages import Words, words
from tests.ops.play.person import NOTHING, Person
from tests.ops.play.serving import Serving

MOST_PRESSES = 1500


def seat(opener: Person, others: list[Person], game: str, tell: Words) -> None:
    """Open a table, join it, start."""
    opener.write(f"/{game}")
    for person in others:
        person.reads(tell("table.title", game=tell(f"game.{game}")).replace("<b>", "").replace("</b>", ""))
        assert person.press_label(tell("table.button.join")) == tell("toast.joined")
        opener.reads(f". {person.name}")
    assert opener.press_label(tell("table.button.start")) == tell("toast.started")
    # The toast may be faster than the board.
    for person in (opener, *others):
        expect(person.board.get_by_role("img")).to_be_visible()
        expect(person.board.locator(".mention").first).to_be_visible()


def is_over(person: Person) -> bool:
    """Whether the newest board shows who won."""
    return "🏆" in person.board.inner_text()


def play(people: list[Person], step: Callable[[Person], str], most: int = MOST_PRESSES) -> int:
    """Whoever is called presses something, until the match is over; how many presses that took, at most `most`."""
    waiting: set[str] = set()
    for presses in range(most):
        if is_over(people[0]):
            return presses
        # Who has chosen secretly stays called until the last has.
        rested = sorted(people, key=lambda person: person.name in waiting)
        person = next((person for person in rested if person.is_called()), None)
        if person is None:
            continue  # the board has just changed
        if step(person) == "waits":
            waiting.add(person.name)
        else:
            waiting.clear()
    assert most < MOST_PRESSES, "the match ends"
    return most


def dekal(tell: Words, random: Random) -> Callable[[Person], str]:
    """A press in Dékal: any place or card that is shown; "waits" after a secret choice, else "goes on"."""

    def step(person: Person) -> str:
        labels = person.offered()
        key = random.choice([key for key, label in enumerate(labels) if label != NOTHING])
        toast = person.press(key)
        if toast == tell("dekal.toast.chosen", cell=labels[key]):
            return "waits"
        if toast == tell("refusal.not-face-down"):
            return step(person)
        return "goes on"

    return step


def skyjo(tell: Words, random: Random) -> Callable[[Person], str]:
    """A press in Skyjo: any place that is shown, or rather the draw pile, for that ends sooner."""
    draw = tell.plural("skyjo.button.draw", 99).partition("99")[0]

    def step(person: Person) -> str:
        labels = person.offered()
        key = random.choice([key for key, label in enumerate(labels) if label != NOTHING])
        if labels[0].startswith(draw) and random.random() < 0.8:
            key = 0
        assert person.press(key) != ""
        return "goes on"

    return step


def check_the_deal(page: Page, person: Person, tell: Words) -> None:
    """Ask for the proof, fetch the file that the message links, and verify it."""
    assert person.press_label(tell("over.button.deal")) == tell("toast.deal-sent")
    link = person.messages.last.get_by_role("link", name=re.compile(r"tablee-.+\.json"))
    expect(link).to_be_visible()
    address = link.get_attribute("href")
    proof = verify(page.request.get(f"{page.url.rstrip('/')}{address}").text())
    assert proof.record.seats == 3


@pytest.mark.browser
def test_three_people_play_both_games(page: Page, serving: Serving) -> None:
    """One of them reads French and opens Dékal; then Skyjo in English, across a restart of the whole machine."""
    expect(page.get_by_role("main").get_by_role("region")).to_have_count(3)
    ana, bruno, chloe = (Person(page, name) for name in ("Ana", "Bruno", "Chloé"))
    random, french, english = Random(3), words("fr"), words("en")

    chloe.speak("Français")
    seat(chloe, [ana, bruno], "dekal", french)
    play([ana, bruno, chloe], dekal(french, random))
    ana.reads(french("title.over", game=french("game.dekal")).replace("<b>", "").replace("</b>", ""))
    check_the_deal(page, bruno, french)

    seat(ana, [bruno, chloe], "skyjo", english)
    assert play([ana, bruno, chloe], skyjo(english, random), 25) == 25
    before = ana.board.inner_text()
    assert serving.stop() == 0
    offline = page.get_by_role("banner").get_by_role("status")
    expect(offline).to_have_text("Reconnecting…")
    serving.start()
    expect(offline).to_have_text("Open the address that the command has printed")
    page.context.new_page().goto(serving.entrance)
    expect(offline).to_be_hidden()
    assert ana.board.inner_text() == before
    play([ana, bruno, chloe], skyjo(english, random))
    check_the_deal(page, chloe, english)

    assert ana.press_label(english("over.button.again")) == english("toast.opened-again")
    ana.reads(re.compile(r"1\. Ana.*2\. Bruno.*3\. Chloé", re.DOTALL))
