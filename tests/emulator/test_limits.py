from emulator.limits import Allowance, Flood
from emulator.telegram import Telegram
from tests.emulator.table import Table, keyboard


def test_twenty_messages_and_edits_a_minute_in_a_group() -> None:
    """Sends and edits share the group's minute; the 21st is told how long to wait."""
    table = Table(allowance=Allowance())
    message = table.say("0")
    for number in range(1, 20):
        table.clock.move(1)
        table.call("editMessageText", chat_id=table.chat.id, message_id=message.id, text=str(number))
    table.clock.move(1)
    status, body = table.telegram.call(table.telegram.token, "sendMessage", {"chat_id": table.chat.id, "text": "x"})
    assert (status, body["parameters"]) == (429, {"retry_after": 40})
    query = table.people.press_unseen(table.ana, message, "x")
    table.call("answerCallbackQuery", callback_query_id=query.id)
    table.clock.move(40)
    table.say()


def test_a_burst_in_one_chat_and_then_one_a_second() -> None:
    """A few may come at once, then one a second."""
    flood = Flood(Allowance(chat_burst=3))
    assert [flood.spend(-1, 0.0) for _ in range(4)] == [0, 0, 0, 1]
    assert [flood.spend(-1, 1.0) for _ in range(2)] == [0, 1]
    assert flood.spend(-2, 1.0) == 0


def test_private_chats_have_no_limit_of_a_minute() -> None:
    """A private chat bears one a second for ever."""
    flood = Flood(Allowance())
    assert {flood.spend(7, float(second)) for second in range(100)} == {0}


def test_thirty_a_second_over_all_chats() -> None:
    """The 31st message within a second is too many, whatever its chat."""
    flood = Flood(Allowance())
    assert [flood.spend(chat, 0.5) for chat in range(1, 32)] == [0] * 30 + [1]
    assert flood.spend(31, 1.5) == 0


def test_no_limits_unless_asked_for() -> None:
    """The default allows everything, as a local page wants it."""
    table = Table()
    assert isinstance(table.telegram, Telegram)
    for number in range(100):
        table.say(str(number), reply_markup=keyboard([("a", "b")]))
