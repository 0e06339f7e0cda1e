"""What must hold when everybody has played: nothing is lost, nothing is made up, and the chats show the end."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from engine.registry import GAMES
from handlers.app.games import position_of, record_of, seed_of
from infra.matches import Match, Status
from infra.store import Store
from tests.load.party import Party, look_of


class LostError(AssertionError):
    """The store and what players were told differ; the message says where."""


@dataclass(frozen=True, slots=True)
class Moves:
    """How many moves players made and how many the bot made for them, having no alternative."""

    players: int
    bot: int


async def check(party: Party, store: Store) -> Moves:
    """Replay the stored match and compare it with what its players were told. Raises `LostError`."""
    match = await store.match(party.match)
    if match is None or match.status is not Status.OVER:
        raise LostError(f"{party.match}: not over")
    if tuple(sorted(player.id for player in match.players)) != party.users:
        raise LostError(f"{party.match}: not everybody who joined plays")
    if look_of(party) != match.shown.look:
        raise LostError(f"{party.match}: the chat does not show the end")
    made, by_bot, secret = replay(match, await store.pages(match))
    ids = [player.id for player in match.players]
    told = {(ids.index(user), epoch): list(moves) for (user, epoch), moves in party.told.items()}
    unsure = {(ids.index(user), epoch) for user, epoch in party.unsure}
    for key in (made.keys() | told.keys()) - unsure:
        recorded, heard = made.get(key, []), told.get(key, [])
        # A secret choice may be changed: the last one counts.
        kept = heard[-len(recorded) :] if key[1] in secret else heard
        if recorded != kept:
            raise LostError(f"{party.match}: seat and epoch {key} has {recorded}, its player was told {heard}")
    return Moves(sum(map(len, made.values())), by_bot)


def replay(match: Match, pages: tuple[str, ...]) -> tuple[dict[tuple[int, int], list[str]], int, set[int]]:
    """The players' moves by seat and epoch, how many the bot made, and the epochs in which choices were secret.

    Raises `LostError` where the record does not lead to the stored position and to an end.
    """
    rules, record = GAMES[match.game], record_of(match, pages)
    state: Any = rules.start(record.seats, seed_of(match), record.length)
    made: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    by_bot, secret = 0, set()
    for seat, text in record.moves:
        epoch = rules.epoch(state)
        if len(rules.legal_moves(state, seat)) == 1:
            by_bot += 1
        else:
            made[seat, epoch].append(text)
        state = rules.apply(state, seat, rules.parse_move(text)).state
        if rules.chosen(state):
            secret.add(rules.epoch(state))
    if rules.outcome(state) is None or position_of(rules, state) != match.position:
        raise LostError(f"{match.id}: the record does not lead to the stored end")
    return made, by_bot, secret
