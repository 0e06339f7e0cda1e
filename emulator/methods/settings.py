"""Webhook, polling, and how the bot presents itself."""

import json
import re

from emulator.errors import ApiError, bad_request
from emulator.methods.common import Call, Told
from emulator.model import Json
from emulator.world import Webhook, World

_SECRET = re.compile(r"[A-Za-z0-9_-]*")
_COMMAND = re.compile(r"[a-z0-9_]{1,32}")


def set_webhook(call: Call) -> Told:
    """Have updates sent to an address."""
    if not call.params["url"]:
        return delete_webhook(call)
    if not call.params["url"].startswith(("https://", "http://") if call.world.http_webhooks else "https://"):
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook", violation=True)
    secret = call.get("secret_token")
    if secret and not _SECRET.fullmatch(secret):
        raise bad_request("secret token contains unallowed characters", violation=True)
    world = call.world
    allowed = call.get("allowed_updates", world.webhook.allowed)
    world.webhook = Webhook(call.params["url"], secret or None, list(allowed), call.get("max_connections") or 40)
    _drop_pending(call)
    return Told(True, "Webhook was set")


def delete_webhook(call: Call) -> Told:
    """Go back to polling."""
    had = bool(call.world.webhook.url)
    call.world.webhook = Webhook(allowed=call.world.webhook.allowed)
    _drop_pending(call)
    return Told(True, "Webhook was deleted" if had else "Webhook is already deleted")


def _drop_pending(call: Call) -> None:
    if call.get("drop_pending_updates"):
        call.world.queues.clear()


def get_webhook_info(call: Call) -> Json:
    """How the delivery of updates is doing."""
    hook = call.world.webhook
    info: Json = {
        "url": hook.url,
        "has_custom_certificate": False,
        "pending_update_count": len(call.world.queues.parcels),
    }
    if hook.url:
        info |= {"max_connections": hook.max_connections, "ip_address": "127.0.0.1"}
    if hook.allowed:
        info["allowed_updates"] = hook.allowed
    if hook.last_error is not None:
        info |= {"last_error_date": hook.last_error_date, "last_error_message": hook.last_error}
    return info


def get_updates(call: Call) -> list[Json]:
    """The updates that wait, as a polling bot takes them; `offset` confirms all before it."""
    world = call.world
    if world.webhook.url:
        raise ApiError(
            409,
            "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete "
            "the webhook first",
        )
    if (allowed := call.get("allowed_updates")) is not None:
        world.webhook.allowed = list(allowed)
    offset = call.get("offset", 0)
    waiting = sorted(world.queues.parcels)
    if offset < 0:
        offset = waiting[offset:][0] if waiting else 0
    world.queues.confirm_below(offset)
    taken = list(world.queues.parcels.values())[: call.get("limit", 100)]
    return [parcel.update for parcel in taken]


def _scope_key(call: Call, what: str) -> str:
    scope = call.get("scope") or {"type": "default"}
    return json.dumps([what, scope, call.get("language_code") or ""], sort_keys=True)


def set_commands(call: Call) -> bool:
    """The menu of commands for some chats and one language."""
    for command in call.params["commands"]:
        if not _COMMAND.fullmatch(command["command"].removeprefix("/")):
            raise bad_request("BOT_COMMAND_INVALID", violation=True)
    call.world.settings[_scope_key(call, "commands")] = call.params["commands"]
    call.world.tell("settings", None)
    return True


def get_commands(call: Call) -> list[Json]:
    """The menu set for exactly these chats and this language."""
    commands: list[Json] = call.world.settings.get(_scope_key(call, "commands"), [])
    return commands


def delete_commands(call: Call) -> bool:
    """Take a menu away, so that the next wider one shows."""
    call.world.settings.pop(_scope_key(call, "commands"), None)
    call.world.tell("settings", None)
    return True


def menu(world: World, *, private: bool, language: str | None) -> list[Json]:
    """The commands that a person with this language sees in a chat, as Telegram chooses them."""
    kind = "all_private_chats" if private else "all_group_chats"
    for scope in (kind, "default"):
        for code in (language or "", ""):
            key = json.dumps(["commands", {"type": scope}, code], sort_keys=True)
            if world.settings.get(key):
                found: list[Json] = world.settings[key]
                return found
    return []


def described(world: World, language: str) -> str:
    """What an empty chat with the bot says to a person with this language."""
    for code in (language, ""):
        if text := world.settings.get(json.dumps(["description", code])):
            return str(text)
    return ""


def _setter(call: Call, what: str) -> bool:
    key = json.dumps([what, call.get("language_code") or ""])
    call.world.settings[key] = call.get(what) or ""
    call.world.tell("settings", None)
    return True


def _getter(call: Call, what: str) -> Json:
    settings, code = call.world.settings, call.get("language_code") or ""
    return {what: settings.get(json.dumps([what, code])) or settings.get(json.dumps([what, ""]), "")}


def set_description(call: Call) -> bool:
    """What an empty chat with the bot says."""
    return _setter(call, "description")


def get_description(call: Call) -> Json:
    """What an empty chat with the bot says in a language."""
    return _getter(call, "description")


def set_short_description(call: Call) -> bool:
    """What the bot's profile says."""
    return _setter(call, "short_description")


def get_short_description(call: Call) -> Json:
    """What the bot's profile says in a language."""
    return _getter(call, "short_description")
