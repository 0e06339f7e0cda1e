"""python-telegram-bot's own Bot against the emulator, without a network and through HTTP."""

import asyncio
import copy
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
import uvicorn
from httpx import AsyncClient
from telegram import (
    Bot,
    BotCommand,
    BotCommandScopeAllGroupChats,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputFile,
    InputMediaPhoto,
    LinkPreviewOptions,
    Message,
    ReplyParameters,
    Update,
)
from telegram.constants import ChatAction, ParseMode
from telegram.error import BadRequest, ChatMigrated, EndPointNotFound, Forbidden, NetworkError, RetryAfter, TimedOut
from telegram.request import BaseRequest, HTTPXRequest

from emulator.methods import METHODS
from emulator.party import Party
from emulator.request import InProcessRequest
from emulator.server import Server
from emulator.telegram import Fault
from tests.emulator.table import Table, picture

Connect = Callable[[Table], AbstractAsyncContextManager[Bot]]

KEYS = InlineKeyboardMarkup(
    [
        [
            InlineKeyboardButton("Go", callback_data="go", style="primary"),
            InlineKeyboardButton("Site", url="https://a.b/c"),
        ]
    ]
)


@asynccontextmanager
async def in_process(table: Table) -> AsyncIterator[Bot]:
    """A Bot whose requests go straight to the emulator."""
    transport: BaseRequest = InProcessRequest(table.telegram)
    async with Bot(table.telegram.token, request=transport, get_updates_request=transport) as bot:
        yield bot


@asynccontextmanager
async def through_http(table: Table) -> AsyncIterator[Bot]:
    """A Bot that talks to the emulator over loopback."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        app = Server(table.telegram, Party(table.telegram)).app
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off"))
        serving = asyncio.create_task(server._serve([listening]))
        requests = HTTPXRequest(), HTTPXRequest()
        try:
            async with Bot(
                table.telegram.token,
                base_url=f"{address}/bot",
                base_file_url=f"{address}/file/bot",
                request=requests[0],
                get_updates_request=requests[1],
            ) as bot:
                yield bot
        finally:
            server.should_exit = True
            await serving


async def use_every_method(table: Table, bot: Bot) -> None:
    """Call each method of the emulator once, with results that python-telegram-bot understands."""
    chat = table.chat.id
    table.groups.promote_bot(table.chat, table.ana)
    assert bot.username == "tablee_bot"
    sent = await bot.send_message(
        chat,
        "<b>Hi</b> there",
        parse_mode=ParseMode.HTML,
        reply_markup=KEYS,
        link_preview_options=LinkPreviewOptions(is_disabled=True),
        reply_parameters=ReplyParameters(1, allow_sending_without_reply=True),
    )
    assert sent.reply_markup is not None
    assert sent.reply_markup.inline_keyboard[0][0].style == "primary"
    edited = await bot.edit_message_text("Bye", chat, sent.message_id, reply_markup=KEYS)
    assert isinstance(edited, Message)
    assert edited.text == "Bye"
    photo = await bot.send_photo(chat, picture().content, caption="Turn <i>1</i>", parse_mode="HTML", reply_markup=KEYS)
    await bot.edit_message_caption(chat, photo.message_id, caption="Turn 2", reply_markup=KEYS)
    media = InputMediaPhoto(picture(60, 60).content, caption="<b>Turn 3</b>", parse_mode="HTML")
    shown = await bot.edit_message_media(media, chat, photo.message_id, reply_markup=KEYS)
    assert isinstance(shown, Message)
    assert (shown.photo[-1].width, shown.caption) == (60, "Turn 3")
    await bot.edit_message_reply_markup(chat, photo.message_id)
    document = await bot.send_document(chat, InputFile(b"cards", "deal.txt"), caption="The deal")
    assert document.document is not None
    file = await bot.get_file(document.document.file_id)
    assert bytes(await file.download_as_bytearray()) == b"cards"
    assert await bot.send_chat_action(chat, ChatAction.TYPING)
    await bot.pin_chat_message(chat, photo.message_id)
    await bot.unpin_chat_message(chat, photo.message_id)
    await bot.delete_message(chat, sent.message_id)
    assert (await bot.get_chat(chat)).title == "Friday"
    assert (await bot.get_chat_member(chat, table.bob.id)).status == "member"
    assert [one.user.id for one in await bot.get_chat_administrators(chat)] == [table.ana.id]
    menu = [BotCommand("dekal", "Play Dékal")]
    await bot.set_my_commands(menu, scope=BotCommandScopeAllGroupChats(), language_code="fr")
    assert list(await bot.get_my_commands(BotCommandScopeAllGroupChats(), "fr")) == menu
    await bot.delete_my_commands(BotCommandScopeAllGroupChats(), "fr")
    await bot.set_my_description("Cards")
    assert (await bot.get_my_description()).description == "Cards"
    await bot.set_my_short_description("Cards")
    assert (await bot.get_my_short_description()).short_description == "Cards"
    await bot.set_webhook("https://a.b/c", secret_token="s", allowed_updates=Update.ALL_TYPES, max_connections=3)
    assert (await bot.get_webhook_info()).max_connections == 3
    await bot.delete_webhook(drop_pending_updates=True)
    query = table.people.press_unseen(table.ana, table.world.messages[chat][photo.message_id], "go")
    (update,) = await bot.get_updates(timeout=5)
    assert update.callback_query is not None
    assert await update.callback_query.answer("Yes", show_alert=True)
    assert query.answer is not None
    assert await bot.leave_chat(chat)
    assert {entry.method for entry in table.telegram.log if entry.status == 200} == set(METHODS)
    assert table.telegram.violations == []


async def test_every_method_without_a_network(table: Table) -> None:
    """Everything works through the transport in the process."""
    async with in_process(table) as bot:
        await use_every_method(table, bot)


async def test_every_method_through_http(table: Table) -> None:
    """Everything works over HTTP as python-telegram-bot sends it."""
    async with through_http(table) as bot:
        await use_every_method(table, bot)


@pytest.mark.parametrize("connect", [in_process, through_http])
async def test_failures_become_the_library_s_errors(
    table: Table, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each kind of failure arrives as the exception that the library has for it."""
    monkeypatch.setenv("PTB_TIMEDELTA", "true")
    async with connect(table) as bot:
        with pytest.raises(BadRequest, match="Chat not found"):
            await bot.send_message(99, "x")
        table.people.block_bot(table.ana)
        with pytest.raises(Forbidden, match="bot was blocked by the user"):
            await bot.send_message(table.ana.id, "x")
        basic = table.groups.create("Old", table.ana, supergroup=False)
        new = table.groups.upgrade(basic)
        with pytest.raises(ChatMigrated) as migrated:
            await bot.send_message(basic.id, "x")
        assert migrated.value.new_chat_id == new.id
        table.telegram.fault_plan = lambda *_: Fault(429, retry_after=9)
        with pytest.raises(RetryAfter):
            await bot.send_message(table.chat.id, "x")
        table.telegram.fault_plan = lambda *_: Fault(500)
        with pytest.raises(NetworkError):
            await bot.send_message(table.chat.id, "x")
        table.telegram.fault_plan = None
        with pytest.raises(EndPointNotFound):
            await bot.do_api_request("sendHug")


async def test_lost_answers_without_a_network(table: Table) -> None:
    """A timeout and a broken connection look as they do over a network."""
    async with in_process(table) as bot:
        table.telegram.fault_plan = lambda *_: Fault("timeout", after=True)
        with pytest.raises(TimedOut):
            await bot.send_message(table.chat.id, "x")
        table.telegram.fault_plan = lambda *_: Fault("reset")
        with pytest.raises(NetworkError):
            await bot.send_message(table.chat.id, "x")


async def test_a_json_body_works_too(table: Table) -> None:
    """A call may come as JSON, as other libraries send it; one that is none is refused."""
    async with through_http(table) as bot, AsyncClient() as client:
        url = f"{bot.base_url}/sendMessage"
        answer = await client.post(url, json={"chat_id": table.chat.id, "text": "x"})
        assert answer.json()["result"]["text"] == "x"
        answer = await client.post(url, content=b"{", headers={"content-type": "application/json"})
        assert (answer.status_code, answer.json()["ok"]) == (400, False)
        assert (await client.get(f"{bot.base_url}/getMe")).json()["result"]["username"] == "tablee_bot"


async def test_a_poll_waits_for_what_comes(table: Table) -> None:
    """Long polling answers when an update arrives, and empty-handed when its time is over."""
    async with through_http(table) as bot:
        assert await bot.get_updates(timeout=0) == ()
        asked = asyncio.Event()
        table.telegram.fault_plan = lambda *_: asked.set()
        polling = asyncio.create_task(bot.get_updates(timeout=20))
        await asked.wait()
        table.people.write(table.ana, table.chat, "/start")
        (update,) = await polling
        assert update.message is not None
        assert update.message.text == "/start"


async def test_a_gate_holds_calls_back(table: Table) -> None:
    """A test decides what happens before a call takes effect and before its answer arrives."""
    seen: list[tuple[str, str, int]] = []

    async def gate(when: str, method: str) -> None:
        seen.append((when, method, len(table.telegram.log)))
        await asyncio.sleep(0)

    transport = InProcessRequest(table.telegram, gate)
    async with Bot(table.telegram.token, request=transport, get_updates_request=transport):
        assert seen == [("before", "getMe", 0), ("after", "getMe", 1)]


async def test_a_caller_that_dies(table: Table) -> None:
    """A planned death goes through every handler of exceptions, and what was done stays done."""

    class DeathError(BaseException):
        pass

    async with in_process(table) as bot:
        table.telegram.fault_plan = lambda *_: Fault(DeathError(), after=True)
        with pytest.raises(DeathError):
            await bot.send_message(table.chat.id, "last words")
        table.telegram.fault_plan = None
    assert list(table.world.messages[table.chat.id].values())[-1].body["text"] == "last words"


async def test_a_copy_goes_its_own_way(table: Table) -> None:
    """A deep copy of the whole is another Telegram, so a test can go on from one place many times."""
    board = table.say("One")
    other = copy.deepcopy(table)
    other.call("editMessageText", chat_id=table.chat.id, message_id=board.id, text="Two")
    other.call("sendPhoto", {"photo": picture()}, chat_id=table.chat.id)
    other.people.write(other.ana, other.chat, "/start")
    assert (board.body["text"], len(table.world.files.by_id), len(table.updates())) == ("One", 0, 0)
    assert len(other.updates()) == 1
