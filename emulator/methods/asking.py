"""getMe, getChat…, getFile, leaveChat, answerCallbackQuery."""

from emulator import updates, wire
from emulator.errors import QUERY_TOO_OLD, bad_request
from emulator.files import file_path
from emulator.methods import common
from emulator.methods.common import Call
from emulator.model import Answer, Json, Member
from emulator.world import ANSWER_TIME


def get_me(call: Call) -> Json:
    """Who the bot is."""
    return wire.user_json(call.world.bot) | {
        "can_join_groups": True,
        "can_read_all_group_messages": not call.world.privacy,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
    }


def get_chat(call: Call) -> Json:
    """All about a chat."""
    return wire.full_chat_json(call.world, common.readable_chat(call))


def get_chat_member(call: Call) -> Json:
    """Where somebody stands in a chat."""
    chat = common.readable_chat(call)
    user = call.world.users.get(call.params["user_id"])
    if user is None:
        raise bad_request("PARTICIPANT_ID_INVALID")
    if chat.type == "private" and user.id in {chat.id, call.world.bot.id}:
        return wire.member_json(user, Member("member"))
    return wire.member_json(user, chat.member(user.id))


def get_chat_administrators(call: Call) -> list[Json]:
    """The people, not bots, who govern a group, the owner first."""
    chat = common.readable_chat(call)
    if chat.type == "private":
        raise bad_request("there are no administrators in the private chat")
    users = call.world.users
    governing = [(users[key], one) for key, one in chat.members.items() if one.governs]
    governing.sort(key=lambda pair: pair[1].status != "creator")
    return [wire.member_json(user, one) for user, one in governing if not user.is_bot]


def get_file(call: Call) -> Json:
    """Where a file can be fetched."""
    wanted = call.params["file_id"]
    kept = call.world.files.find(wanted)
    return {
        "file_id": wanted,
        "file_unique_id": f"AQAD{kept.id[-8:]}",
        "file_size": len(kept.content),
        "file_path": file_path(kept),
    }


def leave_chat(call: Call) -> bool:
    """Leave a group."""
    chat = common.readable_chat(call)
    if chat.type == "private":
        raise bad_request("chat member status can't be changed in private chats")
    before = chat.member(call.world.bot.id)
    chat.members[call.world.bot.id] = Member("left")
    call.world.tell("chat", chat)
    updates.send_standing(call.world, chat, call.world.bot, before, Member("left"))
    return True


def answer_press(call: Call) -> bool:
    """Answer a press with a toast, an alert, or just an end to the waiting."""
    query = call.world.queries.get(call.params["callback_query_id"])
    if query is None or query.answer is not None or call.world.now() - query.asked > ANSWER_TIME:
        raise bad_request(QUERY_TOO_OLD)
    query.answer = Answer(call.get("text") or "", bool(call.get("show_alert")), call.get("url"))
    call.world.tell("answer", query)
    return True
