"""Long polling as a process of its own, at an emulated Telegram, with the signals that end it."""

from __future__ import annotations

import asyncio
import signal
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from emulator.telegram import TOKEN
from infra.logs import PIECE
from testing.group import buttons, data_of, text_of
from tests.handlers.town import ENDING, LISTENING, SIGNALS, Town, end_of, line_with


@pytest.mark.parametrize("number", SIGNALS)
async def test_a_signal_ends_what_has_nothing_to_do(town: Town, number: signal.Signals) -> None:
    """At once, in the middle of a long poll, with everything confirmed and nothing to complain of."""
    async with town.polling() as process:
        await line_with(process, LISTENING)
        town.says("/help")
        await town.until(town.messages)
        assert "Traceback" not in await end_of(process, number)
    assert town.waiting() == 0
    assert town.telegram.violations == []


@pytest.mark.parametrize("number", SIGNALS)
async def test_a_signal_lets_what_is_being_handled_end(town: Town, number: signal.Signals) -> None:
    """The answer that is on its way arrives, once, and its update is confirmed; what comes later is left alone."""
    town.gate.held = "sendMessage"
    async with town.polling() as process:
        await line_with(process, LISTENING)
        town.says("/skyjo")
        await town.gate.arrived.wait()
        process.send_signal(number)
        await line_with(process, ENDING)
        town.says("/rules")
        town.gate.release.set()
        async with asyncio.timeout(60):
            _, said = await process.communicate()
        assert process.returncode == 0
        assert b"Traceback" not in said
    (table,) = town.messages()
    (later,) = town.telegram.world.queues.parcels.values()
    assert buttons(table)
    assert later.update["message"]["text"] == "/rules"
    assert town.telegram.violations == []


async def test_a_kill_loses_nothing(town: Town) -> None:
    """The process dies in the middle of an update; the next one handles it."""
    town.gate.held = "sendMessage"
    async with town.polling() as process:
        await line_with(process, LISTENING)
        town.says("/help")
        await town.gate.arrived.wait()
        process.kill()
        await process.communicate()
    assert town.waiting() == 1
    town.gate.held = ""
    async with town.polling() as process:
        await line_with(process, LISTENING)
        await town.until(lambda: not town.waiting())
        await end_of(process)
    assert text_of(town.messages()[-1]).startswith("Playing")


@pytest.mark.parametrize("number", SIGNALS)
async def test_a_file_that_is_held_and_a_signal_lose_nothing(town: Town, number: signal.Signals) -> None:
    """Somebody holds the database, a press waits, and the process is told to end: the press is the next one's."""
    async with town.polling() as process:
        await line_with(process, LISTENING)
        town.says("/skyjo")
        await town.until(lambda: not town.waiting())
        table = town.messages()[-1]
        with closing(sqlite3.connect(town.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            query = town.telegram.people.press(town.users[1], table, data_of(table, "join"))
            await line_with(process, "matches cannot be read or kept")
            assert "Traceback" not in await end_of(process, number)
    assert town.waiting() == 1
    async with town.polling() as process:
        await line_with(process, LISTENING)
        await town.until(lambda: not town.waiting())
        await end_of(process)
    assert query.answer is not None
    assert "Bob" in text_of(table)


async def test_a_start_without_network_waits_for_it(tmp_path: Path) -> None:
    """The bot is started before there is a network, and listens when there is; a signal ends the waiting too."""
    town = Town(tmp_path)
    address = town.socket.getsockname()
    town.socket.close()
    async with town.polling() as process:
        lines = await line_with(process, "Telegram is out of reach")
        assert len(lines) == 1
        assert "Traceback" not in await end_of(process)
    async with town.polling() as process:
        await line_with(process, "Telegram is out of reach")
        town.socket = socket.create_server(address)
        town.open()
        await line_with(process, LISTENING)
        await end_of(process)
    await town.close()


async def test_a_second_ctrl_c_does_not_wait(town: Town) -> None:
    """Whoever presses it twice means it; what was not confirmed comes again."""
    town.gate.held = "sendMessage"
    async with town.polling() as process:
        await line_with(process, LISTENING)
        town.says("/help")
        await town.gate.arrived.wait()
        process.send_signal(signal.SIGINT)
        await line_with(process, ENDING)
        process.send_signal(signal.SIGINT)
        async with asyncio.timeout(9):
            await process.communicate()
        assert process.returncode == 130
    assert town.waiting() == 1


async def test_no_page_puts_the_token_into_the_log(town: Town) -> None:
    """At the start and later, whatever the status: a line each, without a piece of the token or of the page."""
    town.gate.pages = [502, 401, 200]
    async with town.polling() as process:
        said = await line_with(process, LISTENING)
        assert len(said) == 4
        town.gate.pages = [403, 404, 200]
        town.says("/help")
        await town.until(lambda: text_of(town.messages()[-1]).startswith("Playing") if town.messages() else False)
        said.append(await end_of(process))
    told = "\n".join(said)
    assert told.count("no updates; the next try is in") >= 1
    letters = TOKEN.partition(":")[2]
    assert not [at for at in range(len(letters) - PIECE + 1) if letters[at : at + PIECE] in told]
    assert "Our secret" not in told
    assert "Traceback" not in told


async def test_one_line_for_what_must_be_corrected(town: Town) -> None:
    """A token that Telegram does not know, another bot's name, another bot's file: exit status 2."""
    for environ, line in (
        (
            {"TELEGRAM_TOKEN": f"{TOKEN}x"},
            "Telegram does not know this token: set TELEGRAM_TOKEN to the one from @BotFather",
        ),
        (
            {"TELEGRAM_BOT_USERNAME": "other_bot"},
            "set TELEGRAM_BOT_USERNAME to tablee_bot: that is the bot whose token this is",
        ),
    ):
        async with town.polling(**environ) as process:
            _, said = await process.communicate()
            assert (process.returncode, said.decode()) == (2, f"{line}\n")
    with closing(sqlite3.connect(town.database)) as db, db:
        db.execute("UPDATE items SET item = '{\"bot\":17}' WHERE pk = 'bot'")
    async with town.polling() as process:
        _, said = await process.communicate()
    assert process.returncode == 2
    assert said.decode().count("\n") == 1
    assert f"it is the bot 17's; give the bot {TOKEN.partition(':')[0]} a file of its own" in said.decode()
