"""The people at the page: one group with the bot, up to eight who play, and what the page shows of it."""

from collections.abc import Sequence
from typing import Any

from emulator import wire
from emulator.errors import bad_request
from emulator.methods.settings import described, menu
from emulator.model import Chat, Json, Message, Query, User
from emulator.telegram import Telegram

MOST = 8
FEWEST = 2
NAMES = ("Ana", "Bruno", "Chloé", "David", "Emma", "Félix", "Greta", "Hugo")
LANGUAGES = ("en", "fr")
_SHOWN_MESSAGES = 200


class Party:
    """Who is at the page. The group is found again where a history has one.

    `languages` are those to which people can set their app, as codes of Telegram's.
    """

    def __init__(self, telegram: Telegram, title: str = "Friends", languages: Sequence[str] = LANGUAGES) -> None:
        self.telegram = telegram
        self.languages = languages
        self.world = telegram.world
        self._deeds = telegram.people
        found = [one for one in self.world.chats.values() if one.type == "supergroup"]
        if found:
            self.group = found[0]
        else:
            owner = self._deeds.create_user(NAMES[0])
            self.group = self._deeds.groups.create(title, owner)

    # -- who is there

    def people(self) -> list[User]:
        """Who sits at the page, in the order they came."""
        members = self.group.members.items()
        present = [self.world.users[key] for key, member in members if member.present]
        return [one for one in present if not one.is_bot]

    def person(self, user_id: int) -> User:
        """The person with an id.

        Raises:
            ApiError: nobody at the page has it.
        """
        for one in self.people():
            if one.id == user_id:
                return one
        raise bad_request("user not found")

    def add(self) -> User:
        """One more person, with the first name that is free.

        Raises:
            ApiError: the page is full.
        """
        if len(self.people()) >= MOST:
            raise bad_request("the page has room for 8 people")
        used = {one.first_name for one in self.people()}
        name = next((name for name in NAMES if name not in used), f"{NAMES[0]} {len(self.world.users)}")
        user = self._deeds.create_user(name, user_id=self._free_id())
        self._deeds.groups.join(user, self.group)
        return user

    def _free_id(self) -> int:
        """An id whose place among eight nobody at the page has, for the page colours people by it."""
        taken = {one.id % MOST for one in self.people()}
        first = max(one.id for one in self.world.users.values() if not one.is_bot) + 1
        return next(number for number in range(first, first + MOST) if number % MOST not in taken)

    def remove(self, user: User) -> None:
        """The person leaves the group and the page.

        Raises:
            ApiError: two have to stay.
        """
        if len(self.people()) <= FEWEST:
            raise bad_request("two people have to stay")
        self._deeds.groups.leave(user, self.group)

    def change(self, user: User, name: str | None, language: str | None) -> None:
        """Another name (1–64 characters) or language for somebody.

        Raises:
            ApiError: no such language, or no name at all.
        """
        if name is not None:
            if not name.strip():
                raise bad_request("a name cannot be empty")
            user.first_name = name.strip()[:64]
        if language is not None:
            if language not in self.languages:
                raise bad_request("LANG_CODE_NOT_SUPPORTED")
            user.language_code = language
        self.world.add_user(user)

    def seat(self, number: int) -> None:
        """Let so many people come, if there are fewer."""
        while len(self.people()) < number:
            self.add()

    # -- what they do

    def act(self, person: int, deed: str, given: Json) -> Json:
        """One deed from the page, by the person with this id; what the page needs to know of it.

        Raises:
            ApiError: Telegram would not let them.
            LookupError: there is no such button, or no such deed.
        """
        user = self.person(person)
        match deed:
            case "write":
                chat = self._chat(given["chat"])
                reply = self.world.message(chat.id, given["reply_to"]) if given.get("reply_to") else None
                return {"message": self._deeds.write(user, chat, str(given["text"]), reply_to=reply).id}
            case "press":
                return {"query": self._press(user, given).id}
            case "delete":
                self._deeds.delete(user, self._message(given))
            case "start":
                self._deeds.private_chat(user)
                self._deeds.unblock_bot(user)
            case "block":
                self._deeds.block_bot(user)
            case "change":
                self.change(user, given.get("name"), given.get("language"))
            case "remove":
                self.remove(user)
            case _:
                raise LookupError(f"nobody can {deed}")
        return {}

    def _press(self, user: User, given: Json) -> Query:
        message = self._message(given)
        data = given.get("data")
        if data is None:
            return self._deeds.press(user, message, (int(given["row"]), int(given["column"])))
        try:
            return self._deeds.press(user, message, str(data))
        except LookupError:
            # The screen was older than the message: what was on it is sent all the same.
            return self._deeds.press_unseen(user, message, str(data))

    def _chat(self, chat_id: Any) -> Chat:
        return self.world.chat(int(chat_id))

    def _message(self, given: Json) -> Message:
        chat = self._chat(given["chat"])
        message = self.world.message(chat.id, int(given["message"]))
        if message is None:
            raise bad_request("MESSAGE_ID_INVALID")
        return message

    # -- what the page shows

    def state(self) -> Json:
        """All that the page needs to draw itself."""
        people = self.people()
        chats = [self.group, *(self.world.chats[one.id] for one in people if one.id in self.world.chats)]
        return {
            "bot": wire.user_json(self.world.bot),
            "group": self.group.id,
            "title": self.group.title,
            "most": MOST,
            "fewest": FEWEST,
            "languages": self.languages,
            "people": [self.person_shown(one) for one in people],
            "chats": {str(chat.id): self._messages(chat) for chat in chats},
            "menus": self.menus(),
        }

    def person_shown(self, user: User) -> Json:
        """A person as the page shows them; `started` is whether their chat with the bot is open."""
        private = self.world.chats.get(user.id)
        started = private is not None and private.member(self.world.bot.id).present
        return wire.user_json(user) | {"started": started}

    def message_shown(self, message: Message) -> Json:
        """A message as the page shows it."""
        return wire.message_json(self.world, message)

    def menus(self) -> Json:
        """The bot's commands by language and kind of chat, and how it describes itself."""
        return {
            code: {
                "group": menu(self.world, private=False, language=code),
                "private": menu(self.world, private=True, language=code),
                "description": described(self.world, code),
            }
            for code in self.languages
        }

    def _messages(self, chat: Chat) -> list[Json]:
        return [self.message_shown(one) for one in self.world.present(chat.id)[-_SHOWN_MESSAGES:]]
