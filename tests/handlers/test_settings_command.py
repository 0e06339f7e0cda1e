"""/settings: how long a chat waits, shown, chosen and refused."""

from __future__ import annotations

import asyncio

import pytest

from emulator.model import Chat, Message
from handlers.ui.languages import words
from handlers.ui.waiting import DELAYS
from infra.sqlite import SqliteStore
from infra.store import Chat as Settings
from testing.group import Group, buttons, data_of, text_of

EN = words("en")


def labels(message: Message) -> dict[str, str]:
    """The labels of a message's buttons, by verb."""
    rows = (message.reply_markup or {})["inline_keyboard"]
    return {button["callback_data"].rsplit(":", 1)[1]: button["text"] for row in rows for button in row}


def chosen(message: Message) -> list[str]:
    """The verbs of the buttons that are marked."""
    return [verb for verb, label in labels(message).items() if label.startswith("✓")]


async def asked(group: Group, seat: int = 0, chat: Chat | None = None) -> Message:
    """The message that /settings is answered with."""
    await group.write(seat, "/settings", chat=chat)
    group.clock.now += 20
    return group.live(chat)


async def test_the_usual_delay_is_shown_and_marked() -> None:
    """Every delay has a button, three minutes are what nobody has chosen."""
    group = Group(1)
    message = await asked(group)
    assert chosen(message) == ["delay 180"]
    assert [data.rsplit(" ", 1)[1] for data in buttons(message)] == [str(delay) for delay in DELAYS]
    assert "Now: 3 minutes" in text_of(message)


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_a_choice_is_saved_marked_and_told(language: str) -> None:
    """Each delay in turn by the owner: a toast, the mark moves, the sentence follows, the store knows."""
    group = Group(1, language=language)
    message = await asked(group)
    for delay in (60, 600, 86_400, 0, 180):
        assert await group.verb(0, message, f"delay {delay}") == words(language)("toast.delay")
        assert chosen(message) == [f"delay {delay}"]
        assert words(language)(f"settings.delay.{delay}") in text_of(message)
        assert (await group.store.chat(group.chat.id)).delay == delay
        group.clock.now += 20
    assert group.telegram.violations == []


async def test_choosing_the_same_again_writes_nothing() -> None:
    """The settings keep their version."""
    group = Group(1)
    message = await asked(group)
    assert await group.verb(0, message, "delay 180") == EN("toast.delay")
    assert (await group.store.chat(group.chat.id)).version == 0
    assert group.telegram.violations == []


async def test_in_a_group_administrators_choose() -> None:
    """Anybody may look; a member who presses is refused; one who was promoted is not, nor is an anonymous one."""
    group = Group(4)
    groups = group.telegram.people.groups
    groups.promote(group.users[2], group.chat)
    groups.promote(group.users[3], group.chat, anonymous=True)
    message = await asked(group, 1)
    assert await group.verb(1, message, "delay 60") == EN("refusal.admins-only")
    assert chosen(message) == ["delay 180"]
    assert await group.verb(2, message, "delay 60") == EN("toast.delay")
    assert await group.verb(3, message, "delay 600") == EN("toast.delay")
    groups.demote(group.users[2], group.chat)
    group.clock.now += 20
    assert await group.verb(2, message, "delay 0") == EN("refusal.admins-only")
    assert (await group.store.chat(group.chat.id)).delay == 600


async def test_an_anonymous_administrator_asks_and_presses() -> None:
    """The command comes from the group itself, the press from the person: both are served."""
    group = Group(2)
    group.telegram.people.groups.promote(group.users[1], group.chat, anonymous=True)
    message = await asked(group, 1)
    assert await group.verb(1, message, "delay 0") == EN("toast.delay")


async def test_in_private_anybody_chooses() -> None:
    """Nobody is asked who runs a private chat, and the group's settings are another matter."""
    group = Group(2)
    private = group.private(1)
    message = await asked(group, 1, private)
    assert await group.verb(1, message, "delay 86400") == EN("toast.delay")
    assert group.calls("getChatMember") == []
    assert (await group.store.chat(private.id)).delay == 86_400
    assert (await group.store.chat(group.chat.id)).delay == 180


class Competed(SqliteStore):
    """A store where somebody else saves the settings of a chat first, once it is told to."""

    compete = False

    async def chat(self, chat: int) -> Settings:
        """The settings, as they are until somebody else saves them in the next moment."""
        found = await super().chat(chat)
        if self.compete:
            self.compete = False
            await super().save_chat(found)
        return found


async def test_two_who_choose_at_once() -> None:
    """Both are answered; the message and the store agree in the end."""
    group = Group(2)
    group.telegram.people.groups.promote(group.users[1], group.chat)
    message = await asked(group)
    presses = [
        group.telegram.people.press(group.users[seat], message, data_of(message, f"delay {delay}"))
        for seat, delay in ((0, 60), (1, 600))
    ]
    await asyncio.gather(group.settle(), group.settle())
    texts = [press.answer.text for press in presses if press.answer]
    assert set(texts) <= {EN("toast.delay"), EN("refusal.busy")}
    assert EN("toast.delay") in texts
    delay = (await group.store.chat(group.chat.id)).delay
    assert delay in {60, 600}
    assert chosen(message) == [f"delay {delay}"]


async def test_a_conflict_is_said_or_settled() -> None:
    """Another save between reading and writing: the choice is made on the newer settings, or asked for again."""
    store = Competed(":memory:")
    group = Group(1, store=store)
    message = await asked(group)
    store.compete = True
    toast = await group.verb(0, message, "delay 60")
    assert toast in {EN("toast.delay"), EN("refusal.busy")}
    group.clock.now += 20
    assert await group.verb(0, message, "delay 60") == EN("toast.delay")
    assert (await store.chat(group.chat.id)).delay == 60


async def test_settings_stay_when_the_language_changes() -> None:
    """The two choices of a chat do not undo each other."""
    group = Group(1)
    await group.verb(0, await asked(group), "delay 600")
    await group.write(0, "/language")
    await group.verb(0, group.live(), "language fr")
    group.clock.now += 20
    message = await asked(group)
    assert chosen(message) == ["delay 600"]
    assert words("fr")("settings.delay.600") in text_of(message)
