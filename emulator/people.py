"""What people do in Telegram: write, press, come and go. Each deed tells the bot what Telegram would."""

from typing import Any

from emulator import updates, wire
from emulator.entities import found_in
from emulator.errors import bad_request
from emulator.groups import Groups
from emulator.model import GENERAL, GROUP_ANONYMOUS_BOT, Chat, Json, Member, Message, Query, User
from emulator.world import World

_FIRST_USER_ID = 5_300_000_001


class People:
    """The hands of everybody but the bot. `groups` holds what is done to groups as such."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.groups = Groups(world)

    # -- accounts

    def create_user(
        self,
        first_name: str,
        last_name: str | None = None,
        *,
        username: str | None = None,
        language: str | None = "en",
        user_id: int | None = None,
    ) -> User:
        """A new account. Without an id it gets the next free one."""
        taken = [one.id for one in self.world.users.values() if not one.is_bot]
        number = user_id or max([_FIRST_USER_ID - 1, *(one for one in taken if one < 2**40)]) + 1
        return self.world.add_user(User(number, first_name, last_name, username, language))

    def delete_account(self, user: User) -> None:
        """The account goes: nameless from now on, and out of every group."""
        user.deleted = True
        self.world.add_user(user)
        for chat in list(self.world.chats.values()):
            if chat.is_group and chat.member(user.id).present:
                chat.members[user.id] = Member("left")
                self.world.put_chat(chat)

    def private_chat(self, user: User) -> Chat:
        """The person's chat with the bot, opened if need be (the Start button is a typed /start)."""
        found = self.world.chats.get(user.id)
        if found:
            return found
        members = {user.id: Member("member"), self.world.bot.id: Member("member")}
        return self.world.put_chat(Chat(user.id, "private", members=members))

    def block_bot(self, user: User) -> None:
        """The person stops the bot."""
        self._set_blocked(user, Member("kicked"))

    def unblock_bot(self, user: User) -> None:
        """The person starts the bot again."""
        self._set_blocked(user, Member("member"))

    def _set_blocked(self, user: User, after: Member) -> None:
        chat = self.private_chat(user)
        before = self.world.bot_member(chat)
        if before.status == after.status:
            return
        chat.members[self.world.bot.id] = after
        self.world.put_chat(chat)
        updates.send_standing(self.world, chat, user, before, after)

    # -- writing

    def write(
        self,
        user: User,
        chat: Chat,
        text: str,
        *,
        thread: int | None = None,
        reply_to: Message | None = None,
    ) -> Message:
        """The person sends a text; an anonymous administrator does it in the group's name.

        Raises:
            ApiError: the person may not write here.
        """
        thread, topic = self._thread(user, chat, thread, reply_to)
        return self._send(user, chat, _text_body(text), thread=thread, topic=topic, reply_to=reply_to)

    def forward(self, user: User, message: Message, chat: Chat, *, thread: int | None = None) -> Message:
        """The person forwards a message here; a keyboard of buttons that call back stays behind."""
        author = self.world.users[message.sender]
        origin: Json = {"type": "user", "date": message.date, "sender_user": wire.user_json(author)}
        if message.sender_chat is not None:
            shown = wire.chat_json(self.world, self.world.chats[message.sender_chat])
            origin = {"type": "chat", "date": message.date, "sender_chat": shown}
        thread, topic = self._thread(user, chat, thread, None)
        body = {"forward_origin": message.body.get("forward_origin", origin)} | message.body
        return self._send(user, chat, body, thread=thread, topic=topic)

    def edit(self, user: User, message: Message, text: str) -> None:
        """The person edits an own message.

        Raises:
            ApiError: it is not theirs.
        """
        if message.sender not in {user.id, GROUP_ANONYMOUS_BOT} or message.deleted:
            raise bad_request("MESSAGE_AUTHOR_REQUIRED")
        message.body = _text_body(text)
        message.edit_date = int(self.world.now())
        self.world.changed(message)
        updates.send_message(self.world, message, edited=True)

    def delete(self, user: User, message: Message) -> None:
        """The person deletes a message: an own one, or any as an administrator.

        Raises:
            ApiError: neither applies.
        """
        chat = self.world.chats[message.chat_id]
        if message.sender != user.id and chat.is_group and not chat.member(user.id).governs:
            raise bad_request("MESSAGE_DELETE_FORBIDDEN")
        message.deleted = True
        self.world.changed(message)

    def _send(self, user: User, chat: Chat, body: Json, *, reply_to: Message | None = None, **more: Any) -> Message:
        member = chat.member(user.id)
        if not member.present or not member.can_send:
            raise bad_request("CHAT_WRITE_FORBIDDEN")
        sender, sender_chat = user.id, None
        if member.anonymous and chat.type == "supergroup":
            sender, sender_chat = GROUP_ANONYMOUS_BOT, chat.id
        target = reply_to.id if reply_to else None
        message = self.world.post(chat, sender, body, sender_chat=sender_chat, reply_to=target, **more)
        updates.send_message(self.world, message)
        return message

    def _thread(self, user: User, chat: Chat, thread: int | None, reply_to: Message | None) -> tuple[int | None, bool]:
        if chat.is_forum:
            if thread is None and reply_to is not None and reply_to.topic:
                thread = reply_to.thread
            topic = chat.topics.get(thread or GENERAL)
            if thread is not None and (topic is None or topic.deleted):
                raise bad_request("message thread not found")
            if topic and topic.closed and not chat.member(user.id).governs:
                raise bad_request("TOPIC_CLOSED")
            return thread, thread is not None
        if chat.type == "supergroup" and reply_to is not None:
            # Outside forums the first message of a chain of replies is the thread.
            return reply_to.thread or reply_to.id, False
        return None, False

    # -- pressing

    def press(self, user: User, message: Message, button: str | tuple[int, int]) -> Query:
        """The person presses a button, named by its data, its words, or its row and column.

        The bot learns the real person, anonymous administrator or not.

        Raises:
            ApiError: the message or the person is not there.
            LookupError: there is no such button.
        """
        chat = self.world.chats[message.chat_id]
        data = self.find_button(message, button)["callback_data"]
        if message.deleted or chat.migrated_to is not None:
            raise bad_request("MESSAGE_ID_INVALID")
        if not chat.member(user.id).present or not self.world.bot_member(chat).present:
            raise bad_request("CHANNEL_PRIVATE")
        return self.press_unseen(user, message, data)

    def press_unseen(self, user: User, message: Message, data: str) -> Query:
        """A press with any data, as a hand-made client could send it or one whose screen is old."""
        query = self.world.open_query(user.id, message, data)
        updates.send_press(self.world, query)
        return query

    @staticmethod
    def find_button(message: Message, wanted: str | tuple[int, int]) -> Json:
        """The button with this data, these words, or at this row and column.

        Raises:
            LookupError: there is none.
        """
        rows: list[list[Json]] = (message.reply_markup or {}).get("inline_keyboard", [])
        if isinstance(wanted, tuple):
            return rows[wanted[0]][wanted[1]]
        for key in ("callback_data", "text"):
            for button in (button for row in rows for button in row):
                if button.get(key) == wanted:
                    return button
        raise LookupError(f"message {message.id} has no button {wanted!r}")


def _text_body(text: str) -> Json:
    plain = text.strip()
    if not plain:
        raise bad_request("MESSAGE_EMPTY")
    found = found_in(plain)
    return {"text": plain} | ({"entities": found} if found else {})
