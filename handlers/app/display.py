"""Making the chat show a match: the table message, the board message, the end of a round.

Nothing here decides anything: a match says which messages it has, and `draw` makes them what they should be. Drawing
twice does no harm.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from engine.core import View
from engine.record import commitment
from handlers.app.games import notes_of, round_ends, rules_of, seat_of, seats_of, seen, state_of
from handlers.app.presses import maker
from handlers.ui import table
from handlers.ui.captions import goes_on_below
from handlers.ui.languages import Words, words
from handlers.ui.markup import markup
from handlers.ui.people import visible
from handlers.ui.screen import NO_BUTTONS, Rows
from handlers.ui.screens import SCREENS
from infra.matches import Match, Shown, Status
from infra.store import Store
from infra.telegram import MessageGoneError, Messenger


@dataclass(frozen=True, slots=True)
class Board:
    """A board ready to be sent."""

    picture: bytes
    caption: str
    buttons: Rows


class Display:
    """What the chats see."""

    def __init__(self, store: Store, messenger: Messenger) -> None:
        self._store = store
        self._messenger = messenger

    async def draw(self, match: Match) -> Shown:
        """Show the match as it is now, and say which messages it has after that (the rest of `Shown` as it was)."""
        if not match.position:
            return await self._draw_table(match)
        shown = match.shown
        if shown.board:
            try:
                await self._edit(match, shown.board, board(match))
            except MessageGoneError:
                shown = replace(shown, board=0)
            else:
                return shown
        return await self._post(match, shown)

    async def _draw_table(self, match: Match) -> Shown:
        shown = match.shown
        text, rows = table_message(match)
        if shown.lobby:
            try:
                await self._messenger.edit_text(match.chat, shown.lobby, text, markup(rows))
            except MessageGoneError:
                pass
            else:
                return shown
        if shown.old:
            with suppress(MessageGoneError):
                await self._messenger.strip_buttons(match.chat, shown.old)
        message = await self._messenger.send_text(match.chat, match.topic, text, markup(rows))
        return replace(shown, lobby=message, old=0)

    async def _post(self, match: Match, shown: Shown) -> Shown:
        """A new board at the bottom of the chat; what stood for the match before loses its buttons."""
        made = board(match)
        if shown.old:
            await self._close_old(match, shown)
        message = await self._messenger.send_picture(
            match.chat, match.topic, made.picture, made.caption, markup(made.buttons)
        )
        if shown.lobby:
            text, rows = table_message(match)
            with suppress(MessageGoneError):
                await self._messenger.edit_text(match.chat, shown.lobby, text, markup(rows))
        return replace(shown, board=message, old=0, lobby=0, rounds=rounds_ended(match))

    async def _close_old(self, match: Match, shown: Shown) -> None:
        with suppress(MessageGoneError):
            if shown.rounds < rounds_ended(match):
                await self._edit(match, shown.old, await self._round_end(match))
            else:
                # A prompt left above would still name somebody whose turn it no longer is.
                below = goes_on_below(match.game, words(match.language))
                await self._messenger.close_picture(match.chat, shown.old, below)

    async def _round_end(self, match: Match) -> Board:
        """The last finished round, as its last move left it: the old board keeps it for everyone to read."""
        tell, seats = words(match.language), seats_of(match)
        view = round_ends(match, await self._store.pages(match))[rounds_ended(match) - 1]
        return Board(_picture(match, view, tell), SCREENS[match.game].caption(view, (), seats, tell), NO_BUTTONS)

    async def _edit(self, match: Match, message: int, made: Board) -> None:
        await self._messenger.edit_picture(match.chat, message, made.picture, made.caption, markup(made.buttons))


def rounds_ended(match: Match) -> int:
    """How many rounds have ended with another one following."""
    view = seen(match)
    return len(view.rounds) - (view.outcome is not None)


def board(match: Match) -> Board:
    """The live board of a match that has been dealt."""
    rules, state, tell = rules_of(match), state_of(match), words(match.language)
    view, seats = seen(match), seats_of(match)
    screen = SCREENS[match.game]
    press = maker(match.id, rules.epoch(state), match.shown.look)
    match match.status:
        case Status.OVER:
            caption, rows = screen.caption(view, notes_of(match), seats, tell), table.over_buttons(press, tell)
        case Status.STOPPED:
            caption, rows = (
                table.stopped_caption(match.game, match.closed_by, tell),
                table.stopped_buttons(press, tell),
            )
        case _:
            caption = screen.caption(view, notes_of(match), seats, tell)
            legal = {
                seat: tuple(rules.move_text(move) for move in rules.legal_moves(state, seat)) for seat in view.to_move
            }
            rows = screen.buttons(view, legal, press, tell)
    return Board(_picture(match, view, tell), caption, rows)


def table_message(match: Match) -> tuple[str, Rows]:
    """The text and buttons of the table message, from opening to start or end."""
    tell, seats, promise = words(match.language), seats_of(match), commitment(match.secret)
    if match.status is Status.OPEN:
        rules = rules_of(match)
        limits, opener = (rules.min_seats, rules.max_seats), seat_of(match, match.opener)
        text = table.open_text(match.game, seats, limits, opener, match.length, promise, tell)
        return text, table.open_buttons(maker(match.id, 0, match.shown.look), match.length, tell)
    if not match.position:
        return table.cancelled_text(match.game, match.closed_by, tell), NO_BUTTONS
    return table.started_text(match.game, seats, match.length, promise, tell), NO_BUTTONS


def _picture(match: Match, view: View, tell: Words) -> bytes:
    return SCREENS[match.game].picture(view, [visible(player.name) for player in match.players], tell)
