"""What happened in the chats, kept in a SQLite file, so that old messages are still there after a restart."""

import json
import sqlite3
from pathlib import Path
from typing import Any

from emulator.files import Kept
from emulator.model import chat_from_json, message_from_json, to_json, user_from_json
from emulator.queues import Parcel
from emulator.world import Change, World

# Files that no message shows any more are kept for bots that send them again, up to so many.
_SPARE_FILES = 200

_TABLES = """
CREATE TABLE IF NOT EXISTS kept (kind TEXT, key TEXT, value TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS file
    (id TEXT PRIMARY KEY, name TEXT, mime TEXT, width INTEGER, height INTEGER, content BLOB NOT NULL);
"""


class History:
    """Keeps a world in a file; every change is written when it happens.

    Raises:
        sqlite3.Error: the file cannot be opened or written, or is something else.
    """

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;" + _TABLES)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def attach(self, world: World) -> bool:
        """Restore what was kept into a fresh world and follow its changes; whether there was anything."""
        known = self._restore(world)
        world.listeners.append(lambda change: self._write(world, change))
        world.queues.on_put = self._put_parcel
        world.queues.on_drop = lambda parcel: self._forget("update", parcel.id)
        return known

    def _restore(self, world: World) -> bool:
        for user in map(user_from_json, self._read("user")):
            if user.id != world.bot.id:
                world.users[user.id] = user
        for chat in map(chat_from_json, self._read("chat")):
            world.chats[chat.id] = chat
            world.messages[chat.id] = {}
        for message in map(message_from_json, self._read("message")):
            world.messages[message.chat_id][message.id] = message
        for messages in world.messages.values():
            ordered = dict(sorted(messages.items()))
            messages.clear()
            messages.update(ordered)
        for settings in self._read("settings"):
            world.settings = settings
        for counters in self._read("counters"):
            world.last_message_id = counters["message"]
            world.last_update_id = counters["update"]
        for kept in self._read("update"):
            kept["queue"] = tuple(kept["queue"])
            world.queues.put(Parcel(**kept))
        self._restore_files(world)
        return bool(world.chats)

    def _restore_files(self, world: World) -> None:
        shown = set()
        for messages in world.messages.values():
            for message in messages.values():
                if not message.deleted:
                    shown |= {size["file_id"].partition("-")[0] for size in message.body.get("photo", ())}
                    shown |= {message.body["document"]["file_id"]} if "document" in message.body else set()
        rows = self._db.execute("SELECT id, name, mime, content, width, height FROM file ORDER BY rowid").fetchall()
        spare = [row[0] for row in rows if row[0] not in shown][:-_SPARE_FILES]
        self._db.executemany("DELETE FROM file WHERE id = ?", [(one,) for one in spare])
        for row in rows:
            if row[0] not in spare:
                world.files.restore(Kept(*row))

    def _read(self, kind: str) -> list[Any]:
        rows = self._db.execute("SELECT value FROM kept WHERE kind = ? ORDER BY key", (kind,)).fetchall()
        return [json.loads(row[0]) for row in rows]

    def _write(self, world: World, change: Change) -> None:
        match change.kind:
            case "user" | "chat":
                self._keep(change.kind, change.thing.id, to_json(change.thing))
            case "message":
                self._keep("message", f"{change.thing.chat_id}:{change.thing.id}", to_json(change.thing))
            case "settings":
                self._keep("settings", "", world.settings)
            case "file":
                one: Kept = change.thing
                row = (one.id, one.name, one.mime, one.width, one.height, one.content)
                self._db.execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?)", row)
            case _:
                pass  # presses and their answers are over before a restart
        if change.kind in {"message", "counters"}:
            self._keep("counters", "", {"message": world.last_message_id, "update": world.last_update_id})

    def _put_parcel(self, parcel: Parcel) -> None:
        self._keep("update", parcel.id, to_json(parcel) | {"in_flight": False})

    def _keep(self, kind: str, key: str | int, value: Any) -> None:
        text = json.dumps(value, ensure_ascii=False)
        self._db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (kind, str(key), text))

    def _forget(self, kind: str, key: int) -> None:
        self._db.execute("DELETE FROM kept WHERE kind = ? AND key = ?", (kind, str(key)))
