"""Cut the published description of the Bot API down to what the emulator judges by.

    python -m emulator.trim_description path/to/bot-api.json path/to/its/LICENSE

writes `bot_api.json` beside this file: the methods the emulator has, every type their parameters
reach, and the fields of the types it sends. Prose is dropped; lengths, counts and fixed values that
the prose states are kept as numbers.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

TARGET = Path(__file__).with_name("bot_api.json")

METHODS = (
    *("getMe", "getUpdates", "setWebhook", "deleteWebhook", "getWebhookInfo"),
    *("sendMessage", "sendPhoto", "sendDocument", "sendChatAction", "deleteMessage"),
    *("editMessageText", "editMessageCaption", "editMessageMedia", "editMessageReplyMarkup"),
    *("answerCallbackQuery", "getChat", "getChatMember", "getChatAdministrators", "leaveChat"),
    *("pinChatMessage", "unpinChatMessage", "getFile"),
    *("setMyCommands", "getMyCommands", "deleteMyCommands"),
    *("setMyDescription", "getMyDescription", "setMyShortDescription", "getMyShortDescription"),
)

# Types that only answers and updates use; their fields are kept, what those reach is not followed.
SENT = (
    *("Update", "Message", "User", "Chat", "ChatFullInfo", "CallbackQuery", "MessageEntity", "PhotoSize"),
    *("Document", "File", "InaccessibleMessage", "ChatMemberUpdated", "ChatPermissions", "WebhookInfo"),
    *("ChatMemberOwner", "ChatMemberAdministrator", "ChatMemberMember", "ChatMemberRestricted"),
    *("ChatMemberLeft", "ChatMemberBanned", "MessageOriginUser", "MessageOriginHiddenUser"),
    *("MessageOriginChat", "ForumTopicCreated", "ForumTopicClosed", "ForumTopicReopened"),
    *("GeneralForumTopicHidden", "GeneralForumTopicUnhidden", "BotDescription", "BotShortDescription"),
    *("AcceptedGiftTypes", "ResponseParameters", "ChatMember", "MessageOrigin"),
    *("MessageOriginChannel", "MaybeInaccessibleMessage"),
)

_LENGTH = re.compile(r"(\d+)-(\d+) (characters|bytes)( after entities parsing)?")
_COUNT = re.compile(r"At most (\d+) ")
_RANGE = re.compile(r"[Vv]alues between (\d+)-(\d+)|(\d+)-(\d+), defaults|between (\d+) and (\d+)")
_FIXED = re.compile(r"(?:must be|always) [“\"]?([a-z_]+)[”\"]?\.?$")
_ONE_OF = re.compile(r"Must be one of (.+?)\.")


def trim_field(field: dict[str, Any]) -> dict[str, Any]:
    """One field or parameter as {types, required?, min?, max?, unit?, one_of?}."""
    kept: dict[str, Any] = {"types": field["types"]}
    if field["required"]:
        kept["required"] = True
    prose = field["description"]
    if found := _LENGTH.search(prose):
        kept |= {"min": int(found[1]), "max": int(found[2])}
        kept["unit"] = "parsed" if found[4] else found[3]
    elif any(kind.startswith("Array") for kind in field["types"]) and (found := _COUNT.search(prose)):
        kept |= {"max": int(found[1]), "unit": "items"}
    elif field["types"] == ["Integer"] and (found := _RANGE.search(prose)):
        low, high = (int(part) for part in found.groups() if part)
        kept |= {"min": low, "max": high, "unit": "value"}
    if found := _FIXED.search(prose):
        kept["one_of"] = [found[1]]
    elif found := _ONE_OF.search(prose):
        kept["one_of"] = re.findall(r"[\"“](\w+)[\"”]", found[1])
    return kept


def trim_type(whole: dict[str, Any]) -> dict[str, Any]:
    """A type as {fields: {...}} or, where it is a choice of others, {subtypes: [...]}."""
    if whole.get("subtypes"):
        return {"subtypes": whole["subtypes"]}
    return {"fields": {field["name"]: trim_field(field) for field in whole.get("fields", [])}}


def named_types(kinds: list[str]) -> list[str]:
    """The bare type names in a list such as ["Array of Array of KeyboardButton", "String"]."""
    return [kind.rsplit("Array of ", 1)[-1] for kind in kinds]


def trim(whole: dict[str, Any], licence: str) -> dict[str, Any]:
    """The trimmed description, as it is written to `bot_api.json`."""
    methods = {
        name: {field["name"]: trim_field(field) for field in whole["methods"][name].get("fields", [])}
        for name in METHODS
    }
    types: dict[str, Any] = {}
    ahead = [name for params in methods.values() for p in params.values() for name in named_types(p["types"])]
    while ahead:
        name = ahead.pop()
        if name in types or name not in whole["types"] or name == "InputFile":
            continue
        types[name] = trim_type(whole["types"][name])
        ahead += types[name].get("subtypes", [])
        for field in types[name].get("fields", {}).values():
            ahead += named_types(field["types"])
    for name in SENT:
        types.setdefault(name, trim_type(whole["types"][name]))
    return {
        "version": whole["version"],
        "licence": licence.strip().splitlines(),
        "methods": methods,
        "types": dict(sorted(types.items())),
    }


def main(source: str, licence: str) -> None:
    """Read the published description and its licence; write `bot_api.json`."""
    whole = json.loads(Path(source).read_text("utf-8"))
    trimmed = trim(whole, Path(licence).read_text("utf-8"))
    lines = json.dumps(trimmed, ensure_ascii=False, separators=(",", ":"))
    # One method or type a line, so that a new version of the API shows as a readable diff.
    lines = re.sub(r'(?<=\}),("[A-Za-z]+":\{"(?:fields|subtypes)")', r",\n\1", lines)
    TARGET.write_text(lines + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
