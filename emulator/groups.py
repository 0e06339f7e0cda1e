"""What is done to groups: made, joined, left, governed, divided into topics, upgraded."""

from emulator import updates, wire
from emulator.errors import bad_request
from emulator.model import GENERAL, GROUP_ANONYMOUS_BOT, Chat, Json, Member, Message, Topic, User
from emulator.world import World

_FIRST_GROUP = -4_100_000_001
_FIRST_SUPERGROUP = -1_002_300_000_001
_BOT_RIGHTS = ("can_delete_messages", "can_pin_messages", "can_manage_topics", "can_invite_users")


class Groups:
    """Deeds on groups. Each tells the bot what Telegram would."""

    def __init__(self, world: World) -> None:
        self.world = world

    def create(
        self,
        title: str,
        owner: User,
        *people: User,
        supergroup: bool = True,
        forum: bool = False,
        with_bot: bool = True,
        chat_id: int | None = None,
    ) -> Chat:
        """A group with its owner, others, and the bot unless told otherwise."""
        kind = "supergroup" if supergroup or forum else "group"
        first = _FIRST_SUPERGROUP if kind == "supergroup" else _FIRST_GROUP
        same = [one.id for one in self.world.chats.values() if one.type == kind and one.id > first * 2]
        chat = Chat(
            chat_id or min([first + 1, *same]) - 1,
            "supergroup" if kind == "supergroup" else "group",
            title,
            is_forum=forum,
            members={owner.id: Member("creator")} | {person.id: Member("member") for person in people},
        )
        if forum:
            chat.topics[GENERAL] = Topic(GENERAL, "General")
        self.world.put_chat(chat)
        if with_bot:
            self.add_bot(chat, owner)
        return chat

    # -- people

    def join(self, user: User, chat: Chat) -> None:
        """The person comes in."""
        if chat.member(user.id).present:
            return
        chat.members[user.id] = Member("member")
        self.world.put_chat(chat)
        self._service(chat, user, {"new_chat_members": [wire.user_json(user)]})

    def leave(self, user: User, chat: Chat) -> None:
        """The person goes."""
        self._out(user, user, chat, "left")

    def kick(self, admin: User, user: User, chat: Chat) -> None:
        """The person is shown out."""
        self._out(admin, user, chat, "kicked")

    def _out(self, actor: User, user: User, chat: Chat, status: str) -> None:
        chat.members[user.id] = Member("kicked" if status == "kicked" else "left")
        self.world.put_chat(chat)
        self._service(chat, actor, {"left_chat_member": wire.user_json(user)})

    def promote(self, user: User, chat: Chat, *, anonymous: bool = False) -> None:
        """The person becomes an administrator (an owner stays one), perhaps a nameless one."""
        before = chat.member(user.id)
        status = "creator" if before.status == "creator" else "administrator"
        chat.members[user.id] = Member("creator" if status == "creator" else "administrator", anonymous=anonymous)
        self.world.put_chat(chat)

    def demote(self, user: User, chat: Chat) -> None:
        """The person is a plain member again."""
        chat.members[user.id] = Member("member")
        self.world.put_chat(chat)

    # -- the bot

    def add_bot(self, chat: Chat, actor: User) -> None:
        """Somebody adds the bot, for the first time or again."""
        self._set_bot(chat, actor, Member("member"))
        self._service(chat, actor, {"new_chat_members": [wire.user_json(self.world.bot)]})

    def remove_bot(self, chat: Chat, actor: User) -> None:
        """Somebody removes the bot."""
        if chat.type == "group":
            self._service(chat, actor, {"left_chat_member": wire.user_json(self.world.bot)})
        self._set_bot(chat, actor, Member("kicked"))

    def promote_bot(self, chat: Chat, actor: User, *rights: str) -> None:
        """The bot becomes an administrator with these rights, or the usual ones."""
        self._set_bot(chat, actor, Member("administrator", rights=list(rights or _BOT_RIGHTS)))

    def restrict_bot(self, chat: Chat, actor: User) -> None:
        """The bot may read but not write."""
        self._set_bot(chat, actor, Member("restricted", can_send=False))

    def _set_bot(self, chat: Chat, actor: User, after: Member) -> None:
        before = self.world.bot_member(chat)
        chat.members[self.world.bot.id] = after
        self.world.put_chat(chat)
        updates.send_standing(self.world, chat, actor, before, after)

    def delete_chat(self, chat: Chat) -> None:
        """The group is no more."""
        chat.deleted = True
        self.world.put_chat(chat)

    # -- topics

    def create_topic(self, chat: Chat, user: User, name: str) -> int:
        """A new topic; its id, which is that of the message that opens it."""
        if not chat.is_forum:
            raise bad_request("the chat is not a forum")
        number = chat.last_message_id + 1
        chat.topics[number] = Topic(number, name)
        self._service(chat, user, {"forum_topic_created": {"name": name, "icon_color": 7322096}}, thread=number)
        return number

    def close_topic(self, chat: Chat, user: User, thread: int | None) -> None:
        """Only administrators may write in the topic (None is General) from now on."""
        chat.topics[thread or GENERAL].closed = True
        self.world.put_chat(chat)
        if thread is not None:
            self._service(chat, user, {"forum_topic_closed": {}}, thread=thread)

    def reopen_topic(self, chat: Chat, user: User, thread: int | None) -> None:
        """Everybody may write in the topic again."""
        chat.topics[thread or GENERAL].closed = False
        self.world.put_chat(chat)
        if thread is not None:
            self._service(chat, user, {"forum_topic_reopened": {}}, thread=thread)

    def delete_topic(self, chat: Chat, thread: int) -> None:
        """The topic goes with all its messages; nobody is told."""
        chat.topics[thread].deleted = True
        self.world.put_chat(chat)
        for message in self.world.messages[chat.id].values():
            if message.topic and message.thread == thread and not message.deleted:
                message.deleted = True
                self.world.changed(message)

    # -- upgrade

    def upgrade(self, chat: Chat, actor: User | None = None) -> Chat:
        """The basic group becomes a supergroup with another id; the new chat.

        Both chats get a service message, and nobody "leaves".
        """
        if chat.type != "group":
            raise bad_request("only a basic group can be upgraded")
        owner = actor or next(self.world.users[key] for key, one in chat.members.items() if one.status == "creator")
        new = self.create(chat.title or "", owner, with_bot=False)
        new.members = dict(chat.members)
        self.world.put_chat(new)
        self._service(chat, owner, {"migrate_to_chat_id": new.id})
        chat.migrated_to = new.id
        self.world.put_chat(chat)
        message = self.world.post(new, GROUP_ANONYMOUS_BOT, {"migrate_from_chat_id": chat.id}, sender_chat=new.id)
        updates.send_message(self.world, message)
        return new

    def _service(self, chat: Chat, actor: User, body: Json, *, thread: int | None = None) -> Message:
        message = self.world.post(chat, actor.id, body, thread=thread, topic=thread is not None)
        updates.send_message(self.world, message)
        return message
