import asyncio
import json

import pytest

from emulator.delivery import Courier
from emulator.function_url import function_url_answer, function_url_event
from emulator.model import Json
from tests.emulator.table import Table, keyboard

GO = keyboard([("Go", "go")])


class Bot:
    """A bot that answers as told, and remembers when it was asked what."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seen: list[tuple[float, int]] = []
        self.answers: dict[int, list[tuple[int, str]]] = {}
        self.at_once = 0
        self.most_at_once = 0
        self.start = table.clock()

    async def __call__(self, update: Json) -> tuple[int, str]:
        """Take an update."""
        number = update["update_id"]
        self.seen.append((self.table.clock() - self.start, number))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        waiting = self.answers.get(number)
        return waiting.pop(0) if waiting else (200, "")


async def run(table: Table, bot: Bot, seconds: float) -> None:
    """Let time pass, stopping wherever something is due."""
    await Courier(table.telegram, bot).run_until(table.clock() + seconds, table.clock.set)


async def test_a_failed_update_comes_again_at_once_and_after_2_4_8_seconds(table: Table) -> None:
    """The pauses double, and what is behind in the same queue waits."""
    table.people.write(table.ana, table.chat, "/one")
    table.people.write(table.bob, table.chat, "/two")
    one, two = table.world.queues.parcels
    bot = Bot(table)
    bot.answers[one] = [(500, "")] * 5
    await run(table, bot, 100)
    assert bot.seen == [(0, one), (0, one), (2, one), (6, one), (14, one), (30, one), (30, two)]


async def test_messages_are_dropped_after_a_day_and_presses_after_150_seconds(table: Table) -> None:
    """What nobody takes is not kept for ever."""
    board = table.say(reply_markup=GO)
    table.people.press(table.ana, board, "go")
    table.people.write(table.ana, table.chat, "/one")
    press, message = table.world.queues.parcels
    bot = Bot(table)
    bot.answers = {press: [(500, "")] * 99_999, message: [(500, "")] * 99_999}
    await run(table, bot, 25 * 3600)
    assert max(at for at, number in bot.seen if number == press) < 150
    assert 24 * 3600 - 61 < max(at for at, number in bot.seen if number == message) < 24 * 3600
    assert [parcel.id for parcel in table.world.queues.dropped] == [press, message]


async def test_queues_are_per_chat_and_per_presser(table: Table) -> None:
    """Presses of two people arrive at the same time, those of one in order."""
    board = table.say(reply_markup=GO)
    for person in (table.ana, table.ana, table.bob):
        table.people.press(person, board, "go")
    first, second, other = table.world.queues.parcels
    bot = Bot(table)
    await run(table, bot, 1)
    assert bot.most_at_once == 2
    assert [number for _, number in bot.seen] == [first, other, second]


async def test_a_bot_that_breaks_is_a_failed_delivery(table: Table) -> None:
    """An exception at the bot's end counts as a failure, and the webhook's report says so."""
    table.people.write(table.ana, table.chat, "/one")

    async def deliver(_update: Json) -> tuple[int, str]:
        raise ConnectionResetError

    courier = Courier(table.telegram, deliver)
    assert await courier.run_due() == 2
    table.telegram.world.webhook.url = "https://a.b"
    assert "ConnectionResetError" in table.call("getWebhookInfo")["last_error_message"]


async def test_a_method_in_the_answer_is_carried_out(table: Table) -> None:
    """What the bot answers to an update is done like a call; reading methods are not."""
    query = table.people.press(table.ana, table.say(reply_markup=GO), "go")
    (number,) = table.world.queues.parcels
    bot = Bot(table)
    toast = {"method": "answerCallbackQuery", "callback_query_id": query.id, "text": "Well done"}
    bot.answers[number] = [(200, json.dumps(toast))]
    await run(table, bot, 1)
    assert query.answer is not None
    assert query.answer.text == "Well done"
    assert table.telegram.log[-1].source == "reply"
    table.people.press(table.ana, table.say(reply_markup=GO), "go")
    bot.answers[next(iter(table.world.queues.parcels))] = [(200, '{"method": "getMe"}')]
    await run(table, bot, 1)
    assert table.telegram.violations == ["getMe does nothing as the answer to an update"]


def test_the_event_of_a_function_url() -> None:
    """The event has the secret among its headers and the update as its body, plain or in base64."""
    event = function_url_event({"update_id": 1}, "s3cret")
    assert (event["version"], event["rawPath"], event["requestContext"]["http"]["method"]) == ("2.0", "/", "POST")
    assert event["headers"]["x-telegram-bot-api-secret-token"] == "s3cret"
    assert json.loads(event["body"]) == {"update_id": 1}
    assert function_url_event({"update_id": 1}, "s", encoded=True)["body"] == "eyJ1cGRhdGVfaWQiOiAxfQ=="


@pytest.mark.parametrize(
    ("returned", "answer"),
    [
        ({"statusCode": 401}, (401, "")),
        ({"statusCode": 200, "body": "e30=", "isBase64Encoded": True}, (200, "{}")),
        ({"method": "sendMessage"}, (200, '{"method": "sendMessage"}')),
        (None, (200, "null")),
    ],
)
def test_what_the_function_returns(returned: Json | None, answer: tuple[int, str]) -> None:
    """Lambda turns what the function returns into an HTTP answer."""
    assert function_url_answer(returned) == answer


async def test_a_courier_rests_while_the_bot_polls(table: Table) -> None:
    """Where it is told to, it delivers only while a webhook is set."""
    table.people.write(table.ana, table.chat, "/one")
    bot = Bot(table)
    courier = Courier(table.telegram, bot, only_with_webhook=True)
    assert await courier.run_due() == 0
    table.call("setWebhook", url="https://a.b")
    assert await courier.run_due() == 1


async def test_carrying_on_until_stopped(table: Table) -> None:
    """The live courier wakes for what is new, and stops when cancelled."""
    bot = Bot(table)
    wake = asyncio.Event()
    table.world.queues.listeners.append(wake.set)
    carrying = asyncio.create_task(Courier(table.telegram, bot).run_forever(wake))
    for text in ("/one", "/two"):
        taken = asyncio.Event()
        table.world.queues.on_drop = lambda _, taken=taken: taken.set()  # type: ignore[misc]  # a closure's habit
        table.people.write(table.ana, table.chat, text)
        await taken.wait()
    carrying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await carrying
    assert len(bot.seen) == 2
