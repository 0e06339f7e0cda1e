"""Who sits down again at the table after a match."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from infra.logs import fields, logger
from infra.matches import Match, Player, cut_name
from infra.telegram import Messenger, MessengerError


async def seats_again(messenger: Messenger, match: Match, opener: Player) -> tuple[Player, ...]:
    """The players of a match that is over, as they are called now, without those who have left the chat.

    Telegram is asked about all of them at once but `opener`, who has just pressed. Whoever it does not tell about keeps
    the seat, for leaving a table is one tap, and a lost seat may be taken by others. No cut of the match before counts:
    the next secret is drawn before anybody can cut.
    """

    async def seated(player: Player) -> Player | None:
        if player.id == opener.id:
            return opener
        try:
            name = await messenger.name_of_member(match.chat, player.id)
        except MessengerError as error:
            logger.info("nobody tells who is still here: %s", error, extra=fields(match))
            return replace(player, cut=0)
        return None if name is None else Player(player.id, cut_name(name))

    found = await asyncio.gather(*map(seated, match.players))
    return tuple(player for player in found if player is not None)
