"""Who is in a chat, as Telegram tells it."""

from __future__ import annotations

from typing import Any, cast

import pytest
from telegram import Bot, ChatMember, ChatMemberRestricted
from telegram.error import BadRequest

from infra.telegram import Messenger, RefusedError

USER = {"id": 7, "is_bot": False, "first_name": "Zoé", "last_name": "Martin"}
RIGHTS = [name for name in ChatMemberRestricted.__slots__ if name.startswith("can_")]


class OneMember:
    """A bot that knows of one member, or is refused."""

    def __init__(self, answer: dict[str, Any] | Exception) -> None:
        self._answer = answer

    async def get_chat_member(self, chat: int, user: int) -> ChatMember:
        """See `Bot.get_chat_member`."""
        assert (chat, user) == (-1, 7)
        if isinstance(self._answer, Exception):
            raise self._answer
        return ChatMember.de_json({"user": USER, **self._answer})


def messenger(answer: dict[str, Any] | Exception) -> Messenger:
    """What speaks through such a bot."""
    return Messenger(cast("Bot", OneMember(answer)))


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ({"status": "creator", "is_anonymous": True}, "Zoé Martin"),
        ({"status": "member"}, "Zoé Martin"),
        ({"status": "restricted", "is_member": True, "until_date": 0, **dict.fromkeys(RIGHTS, False)}, "Zoé Martin"),
        ({"status": "restricted", "is_member": False, "until_date": 0, **dict.fromkeys(RIGHTS, False)}, None),
        ({"status": "left"}, None),
        ({"status": "kicked", "until_date": 0}, None),
        ({"status": "something new"}, "Zoé Martin"),
        (BadRequest("Bad Request: user not found"), None),
        (BadRequest("PARTICIPANT_ID_INVALID"), None),
    ],
    ids=repr,
)
async def test_members_have_names(answer: dict[str, Any] | Exception, name: str | None) -> None:
    """Whoever is in the chat, in whatever standing; others have none."""
    assert await messenger(answer).name_of_member(-1, 7) == name


async def test_what_is_not_told_is_not_guessed_at() -> None:
    """A refusal that says nothing about the member is raised."""
    with pytest.raises(RefusedError):
        await messenger(BadRequest("something new")).name_of_member(-1, 7)
