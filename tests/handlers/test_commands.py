"""What people type, in every kind of chat."""

from __future__ import annotations

import pytest

from emulator.model import Chat, Message
from handlers.ui import answers, table
from handlers.ui.languages import words
from infra.matches import Status
from testing.group import Group, buttons, text_of

EN, FR = words("en"), words("fr")
PLACES = ("group", "supergroup", "topic", "general", "private")
EVERYWHERE = ("start", "help", "rules", "language", "settings", "board", "stop")


def plain(html: str) -> str:
    """A text of ours without its tags, as Telegram keeps it."""
    for tag in ("b", "i", "code"):
        html = html.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    return html


class Somewhere:
    """One person's seat in a kind of chat."""

    def __init__(self, place: str, language: str = "en") -> None:
        self.group = Group(2, forum=place in {"topic", "general"}, supergroup=place != "group", language=language)
        self.chat: Chat = self.group.private(0) if place == "private" else self.group.chat
        self.thread: int | None = None
        if place == "topic":
            hands = self.group.telegram.people.groups
            self.thread = hands.create_topic(self.chat, self.group.users[0], "Games")

    async def said(self, text: str) -> list[Message]:
        """What the bot says to a text."""
        await self.group.settle()
        before = len(self.group.messages(self.chat))
        await self.group.write(0, text, chat=self.chat, thread=self.thread)
        assert self.group.telegram.violations == []
        assert set(self.group.statuses) <= {200}
        return self.group.messages(self.chat)[before:]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", EVERYWHERE)
async def test_a_command_is_answered_once_where_it_was_typed(place: str, command: str) -> None:
    """One message, in the same chat and topic (General has no number), as a reply to the command."""
    somewhere = Somewhere(place)
    # Being added to a group is answered too; a /start at the same moment would say the same.
    await somewhere.group.settle()
    somewhere.group.clock.now += 10
    (answer,) = await somewhere.said(f"/{command}")
    assert answer.topic == (place == "topic")
    # Outside forums, a reply's thread is the message that it answers.
    assert answer.thread == somewhere.thread or not somewhere.chat.is_forum
    assert answer.reply_to is not None


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("game", ["dekal", "skyjo"])
async def test_a_table_opens_where_there_are_others(place: str, game: str) -> None:
    """A group or topic gets a table; in a private chat the bot says where to go instead."""
    somewhere = Somewhere(place)
    (answer,) = await somewhere.said(f"/{game}")
    assert (answer.thread, answer.topic) == (somewhere.thread, place == "topic")
    if place == "private":
        assert text_of(answer) == plain(answers.not_here(EN))
    else:
        match = await somewhere.group.match(somewhere.thread or 0)
        assert (match.game, match.status, match.topic) == (game, Status.OPEN, somewhere.thread or 0)
        assert [player.name for player in match.players] == ["Player 0"]


@pytest.mark.parametrize("text", ["/help", "/HELP", "/help@tablee_bot", "/help@Tablee_BOT please", "/help\nme"])
async def test_the_bots_name_may_stand_behind_a_command(text: str) -> None:
    """With or without our name, in any case, with anything behind it."""
    (answer,) = await Somewhere("supergroup").said(text)
    assert text_of(answer) == plain(answers.help_text(EN))


@pytest.mark.parametrize("text", ["/help@other_bot", "help", "/helpme", "/unknown", "I say /help", "👍", "/", "/é"])
@pytest.mark.parametrize("place", ["supergroup", "private"])
async def test_what_is_not_for_us_is_ignored(text: str, place: str) -> None:
    """Commands of other bots, unknown ones and talk get no answer, even where the bot reads everything."""
    somewhere = Somewhere(place)
    somewhere.group.telegram.world.privacy = False
    assert await somewhere.said(text) == []


async def test_an_edited_command_is_ignored() -> None:
    """Editing an old message into a command does not run it, nor does editing a command run it again."""
    group = Group(1)
    group.telegram.world.privacy = False
    hands = group.telegram.people
    talk, command = await group.write(0, "hello"), await group.write(0, "/rules")
    before = len(group.messages())
    group.clock.now += 10
    hands.edit(group.users[0], talk, "/skyjo")
    hands.edit(group.users[0], command, "/rules please")
    await group.settle()
    assert len(group.messages()) == before


async def test_a_forwarded_command_is_ignored() -> None:
    """It was meant for another chat."""
    group = Group(1)
    command = await group.write(0, "/skyjo", chat=group.private(0))
    before = len(group.messages())
    group.telegram.people.forward(group.users[0], command, group.chat)
    await group.settle()
    assert len(group.messages()) == before


async def test_a_flood_of_commands_is_answered_once() -> None:
    """The same command again within seconds costs no message; another one does, and so does a later one."""
    group = Group(2)
    await group.settle()
    before = len(group.messages())
    for _ in range(5):
        await group.write(0, "/help")
        await group.write(1, "/help")
    await group.write(1, "/rules")
    assert len(group.messages()) == before + 2
    group.clock.now += 3
    await group.write(1, "/help")
    assert len(group.messages()) == before + 3


async def test_start_in_private_offers_a_group() -> None:
    """Who meets the bot alone is told what it is, and finds the way into a group."""
    (answer,) = await Somewhere("private", "fr").said("/start")
    assert text_of(answer) == plain(answers.start_private(FR))
    assert answer.reply_markup is not None
    ((button,),) = answer.reply_markup["inline_keyboard"]
    assert button["url"] == "https://t.me/tablee_bot?startgroup=table"


async def test_being_added_is_answered_once() -> None:
    """The link into a group adds the bot and starts it at the same moment: one greeting for both."""
    group = Group(1, language="fr")
    await group.write(0, "/start@tablee_bot table")
    assert [text_of(message) for message in group.messages()] == [plain(answers.start_group(FR))]


@pytest.mark.parametrize("game", ["dekal", "skyjo"])
async def test_rules_are_shown_by_pressing_a_game(game: str) -> None:
    """The choice turns into the rules of the game, and back to the other's with another press."""
    group = Group(1, language="fr")
    await group.write(0, "/rules")
    assert await group.verb(0, group.live(), f"rules {game}") == ""
    assert text_of(group.live()) == plain(answers.rules_text(game, FR))
    other = {"dekal": "skyjo", "skyjo": "dekal"}[game]
    await group.verb(0, group.live(), f"rules {other}")
    assert text_of(group.live()) == plain(answers.rules_text(other, FR))


async def test_pressing_the_same_rules_twice_does_no_harm() -> None:
    """Telegram says that nothing was modified, which is what was wanted."""
    group = Group(1)
    await group.write(0, "/rules")
    for _ in range(2):
        await group.verb(0, group.live(), "rules dekal")
    assert set(group.statuses) == {200}


async def test_language_is_the_chats_from_then_on() -> None:
    """It follows the speaker until it is chosen; then everyone, and the table that is open, speak that language."""
    group = Group(2)
    await group.write(0, "/skyjo")
    assert "a table is open" in text_of(group.live())
    await group.write(0, "/language")
    assert await group.verb(1, group.live(), "language fr") != ""
    group.clock.now += 10
    await group.settle()
    match = await group.match()
    assert match.language == "fr"
    opened = group.telegram.world.message(group.chat.id, match.shown.lobby)
    assert opened is not None
    assert text_of(opened).startswith(plain(FR("table.title", game="Skyjo")))
    await group.write(0, "/help")
    assert text_of(group.messages()[-1]) == plain(answers.help_text(FR))


@pytest.mark.parametrize("verb", ["language xx", "rules chess", "delay 7", "join", "stop yes", "x"])
async def test_forged_presses_on_a_chats_buttons_are_refused(verb: str) -> None:
    """Values that no button has change nothing."""
    group = Group(1)
    await group.write(0, "/language")
    assert await group.forge(0, group.live(), f"-:0:0:{verb}") == EN("refusal.unknown")
    assert (await group.store.chat(group.chat.id)).version == 0


async def test_a_second_table_points_to_the_first() -> None:
    """Whoever asks for a second one is told, in a reply that leads to the first."""
    group = Group(2)
    await group.write(0, "/skyjo")
    first = group.live()
    await group.write(1, "/dekal")
    answer = group.messages()[-1]
    assert text_of(answer) == plain(answers.already_open("skyjo", EN))
    assert answer.reply_to == first.id
    assert (await group.match()).game == "skyjo"


async def test_two_openers_of_the_same_game_get_one_table_and_one_answer() -> None:
    """Even at the same moment the second is told that there is a table."""
    group = Group(2)
    group.telegram.people.write(group.users[0], group.chat, "/skyjo")
    group.telegram.people.write(group.users[1], group.chat, "/skyjo")
    await group.settle()
    assert [player.name for player in (await group.match()).players] == ["Player 0"]
    assert text_of(group.messages()[-1]) == plain(answers.already_open("skyjo", EN))


async def test_a_running_match_is_pointed_to() -> None:
    """While a match runs, a new table has to wait; the answer leads to the board."""
    group = Group(2)
    await group.start("dekal")
    board = group.live()
    group.clock.now += 60
    await group.write(1, "/skyjo")
    assert text_of(group.messages()[-1]) == plain(answers.already_running("dekal", EN))
    assert group.messages()[-1].reply_to == board.id


async def test_topics_have_tables_of_their_own() -> None:
    """One table in each topic and one in General, at the same time; each is played where it stands."""
    group = Group(2, forum=True)
    hands = group.telegram.people.groups
    topics = [None, *(hands.create_topic(group.chat, group.users[0], name) for name in ("Blue", "Red"))]
    for topic in topics:
        group.clock.now += 30
        await group.write(0, "/skyjo", thread=topic)
        await group.verb(1, group.live(), "join")
        group.clock.now += 30
        await group.verb(0, group.live(), "start")
        assert (group.live().thread, group.live().topic) == (topic, topic is not None)
        match = await group.match(topic or 0)
        assert (match.status, match.topic) == (Status.PLAYING, topic or 0)
        await group.verb(1, group.live(), "flip a1")
        assert (await group.match(topic or 0)).moves
    assert set(group.statuses) == {200}


async def test_board_posts_the_board_anew() -> None:
    """The newest message is the board again, with its buttons; the old one has lost them."""
    group = Group(2)
    await group.start("skyjo")
    old, match = group.live(), await group.match()
    group.clock.now += 30
    await group.write(1, "/board")
    assert group.live().id > old.id
    assert buttons(old) == []
    assert (await group.match()).position == match.position
    assert await group.verb(0, group.live(), "flip a1") != ""


async def test_board_posts_an_open_table_anew() -> None:
    """Likewise the table message."""
    group = Group(2)
    await group.write(0, "/dekal")
    old = group.live()
    await group.write(1, "/board")
    assert group.live().id > old.id
    assert buttons(old) == []
    await group.verb(1, group.live(), "join")
    assert len((await group.match()).players) == 2


async def test_stop_asks_first() -> None:
    """Only a press stops the match, of somebody at the table or of an administrator; an onlooker's does not."""
    group = Group(3)
    group.users.reverse()  # whoever made the group looks on no longer
    onlooker = group.users.pop(1)
    await group.start("skyjo")
    group.users.append(onlooker)
    group.clock.now += 60
    await group.write(2, "/stop")
    question = group.live()
    assert text_of(question) == plain(table.stop_question("skyjo", EN))
    assert await group.verb(2, question, "stop yes") == EN("refusal.players-only")
    assert await group.verb(2, question, "stop no") == EN("refusal.players-only")
    assert (await group.match()).status is Status.PLAYING
    assert await group.verb(0, question, "stop no") == EN("toast.goes-on")
    assert question.deleted
    group.clock.now += 10
    await group.write(2, "/stop")
    assert await group.verb(1, group.live(), "stop yes") == EN("toast.stopped")
    match = await group.match()
    assert (match.status, match.closed_by) == (Status.STOPPED, "Player 0")
    assert text_of(group.live()) == plain(EN("stop.stopped", game="Skyjo", name="Player 0"))
    assert [data.rsplit(":")[-1] for data in buttons(group.live())] == ["again", "deal"]


async def test_a_table_is_closed_by_whoever_sits_at_it() -> None:
    """Before the start the question is another one, and no opener who has gone can keep a table open."""
    group = Group(3)
    await group.write(1, "/dekal")
    await group.verb(2, group.live(), "join")
    await group.write(2, "/stop")
    question = group.live()
    assert text_of(question) == plain(table.close_question("dekal", EN))
    assert await group.verb(2, question, "stop no") == EN("toast.kept-open")
    group.clock.now += 10
    await group.write(2, "/stop")
    assert await group.verb(2, group.live(), "stop yes") == EN("toast.cancelled")
    assert (await group.match()).status is Status.STOPPED


async def test_questions_leave_room_to_stop() -> None:
    """Whoever asks for rules and help again and again does not keep anybody from stopping the match."""
    group = Group(2)
    await group.start("skyjo")
    for _ in range(8):
        group.clock.now += 4
        await group.write(1, "/help")
    await group.write(0, "/stop")
    assert text_of(group.live()) == plain(table.stop_question("skyjo", EN))


async def test_an_anonymous_administrator_opens_and_presses_as_a_person() -> None:
    """Written in the group's name the table seats nobody; a press tells who it is, and that is who sits and starts."""
    group = Group(2)
    group.telegram.people.groups.promote(group.users[0], group.chat, anonymous=True)
    await group.write(0, "/skyjo")
    match = await group.match()
    assert (match.players, match.opener) == ((), 0)
    assert plain(EN("table.nobody")) in text_of(group.live())
    assert await group.verb(1, group.live(), "join") == EN("toast.joined")
    assert await group.verb(0, group.live(), "join") == EN("toast.joined")
    group.clock.now += 10
    assert await group.verb(0, group.live(), "start") == EN("toast.started")
    assert [player.id for player in (await group.match()).players] == [group.users[1].id, group.users[0].id]
