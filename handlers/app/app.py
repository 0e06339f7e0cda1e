"""The use cases as Telegram's updates ask for them. Each saves before it speaks, and speaks at most once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeVar

from engine.core import Length
from handlers.app import proof, times
from handlers.app.again import seats_again
from handlers.app.answer import Answer
from handlers.app.display import Display
from handlers.app.games import Choose, check
from handlers.app.judge import judge
from handlers.app.moves import QUESTIONS
from handlers.app.pen import anew, is_lost, sends
from handlers.app.presses import Press
from handlers.app.saving import TRIES, BusyError, MatchGoneError, Saved, Saver
from handlers.app.trouble import NotShownError, nothing_lost, report
from handlers.app.verdict import After, Draw, Given, Verdict
from handlers.app.watch import call_of, look_at, made_sure
from handlers.ui.languages import words
from handlers.ui.markup import markup
from handlers.ui.refusals import Refusal, say
from infra.logs import Metric, count, fields, logger
from infra.matches import CorruptItemError, Match, Player, Shown, Status, cut_name
from infra.store import Chat, ConflictError, Store
from infra.telegram import ChatMovedError, Messenger, MessengerError, is_private


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table stands: a chat, its topic (0 where there is none), and the language spoken there."""

    chat: int
    topic: int
    language: str


Sent = TypeVar("Sent")


@dataclass(frozen=True, slots=True)
class Looked:
    """What the clock's look at a match has saved, and whether those who keep others waiting are to be called."""

    saved: Saved
    call: bool

    @property
    def speaks(self) -> bool:
        """Whether anything is to be drawn or said."""
        return self.call or self.saved.start_ms is not None


STALE_MS = 1_000
"""What was read longer ago is read again before it is drawn."""

NO_UPDATE = 0
"""The update of what the clock does: never the one of a press."""

LIVE = (Status.OPEN, Status.PLAYING)


class App:
    """The bot without Telegram's update objects.

    `now_ms` is the clock (Unix ms), `sleep` waits seconds, `secret` gives 32 fresh random bytes, `new_id` an id for a
    match, and `choose` picks a move for an absent player.
    """

    def __init__(
        self,
        *,
        store: Store,
        messenger: Messenger,
        saver: Saver,
        now_ms: Callable[[], int],
        sleep: Callable[[float], Awaitable[None]],
        secret: Callable[[], bytes],
        new_id: Callable[[], str],
        choose: Choose,
    ) -> None:
        self._store = store
        self._messenger = messenger
        self._saver = saver
        self._display = Display(store, messenger)
        self._now_ms = now_ms
        self._sleep = sleep
        self._secret = secret
        self._new_id = new_id
        self._choose = choose

    async def press(self, press: Press, answer: Answer) -> None:
        """A button of a match was pressed: decide, save, put the toast into `answer`, draw."""
        match = await self._match(press.data.match)
        if match is None:
            answer.text = say(Refusal.NO_MATCH, words(press.language))
            return
        if match.chat != press.chat:
            logger.warning("press from chat %d, which has no such match", press.chat, extra=fields(match))
            answer.text = say(Refusal.WRONG_CHAT, words(press.language))
            return
        if press.data.verb == "deal" and match.status not in LIVE and match.position:
            # A log that cannot be read is told before it is noted that the deal has been laid open.
            proof.document(match, await self._store.pages(match))
        try:
            saved = await self._judged(match, press)
        except (BusyError, MatchGoneError):
            answer.text = say(Refusal.BUSY, words(match.language))
            return
        verdict = saved.verdict
        answer.text, answer.alert = verdict.toast, verdict.alert
        if verdict.match is not None:
            logger.info("saved", extra=fields(saved.match, press.data.verb, saved.match.status.value))
            count(Metric.MATCHES if press.data.verb == "start" else Metric.MOVES)
        _, failure = await self._finish(saved, press.update, answer)
        if failure:
            # What was decided is saved, and its drawing is owed: a repeated press would do no more.
            report(failure, fields(saved.match))
        if verdict.after is not None:
            await self._afterwards(verdict.after, saved.match, press, answer)
        if press.offered and press.data.verb not in QUESTIONS and is_lost(match.shown, press.message, self._now_ms()):
            # It matters little, so no failure of it may let the press be sent again.
            with suppress(MessengerError):
                await self._messenger.strip_buttons(match.chat, press.message)

    async def _judged(self, match: Match, press: Press) -> Saved:
        admin: bool | None = None

        def decide(current: Match) -> Verdict:
            return judge(current, press, Given(self._now_ms() // 1000, admin, self._choose))

        saved = await self._saver.change(match, decide, press.update)
        if saved.verdict.needs_admin:
            # In a private chat there is nobody else to ask.
            admin = is_private(press.chat) or await self._messenger.is_administrator(press.chat, press.user)
            if admin is None:
                verdict = Verdict(toast=say(Refusal.ROLE_UNKNOWN, words(saved.match.language)))
                return Saved(saved.match, verdict, None)
            saved = await self._saver.change(saved.match, decide, press.update)
        return saved

    async def _finish(self, saved: Saved, update: int, answer: Answer | None) -> tuple[Match, Exception | None]:
        """Draw what this update has promised to draw, until nobody has changed it meanwhile.

        Returns the match after that, and what has kept it from being drawn, if anything: that is noted with the match,
        for the next press or the ticker.
        """
        match, start_ms = saved.match, saved.start_ms
        try:
            while start_ms is not None:
                wait_ms = start_ms - self._now_ms()
                if wait_ms > 0:
                    if answer is not None:
                        with nothing_lost(fields(match)):
                            await answer.say_now(self._messenger)
                    await self._sleep(wait_ms / 1000)
                    match = await self._match(match.id) or match
                match, start_ms = await self._draw(match, update)
        except Exception as error:  # noqa: BLE001 - whatever it is, what was saved must not be lost for it
            with nothing_lost(fields(match)):
                match = await self._owe(match, update)
            return match, error
        return match, None

    async def _owe(self, match: Match, update: int) -> Match:
        """Note that the newest look of a match is still to be drawn, and that nobody is about to."""

        def note(current: Match) -> Verdict:
            now_ms = self._now_ms()
            if current.shown.drawer != update and current.shown.until_ms > now_ms:
                return Verdict()
            # Who asked the ticker to look has said already when it is to look again.
            due = current.due if update == NO_UPDATE else min(current.due or now_ms, now_ms // 1000)
            return Verdict(replace(current, due=due, shown=replace(current.shown, until_ms=now_ms)))

        return (await self._saver.change(match, note, update, touch=False)).match

    async def _draw(self, match: Match, update: int) -> tuple[Match, int | None]:
        """Draw once; afterwards save new message ids and give the pen back. The time to draw again, or None."""
        drawn = match.shown
        try:
            shown = await self._display.draw(match)
        except ChatMovedError as moved:
            return await self._draw(await self._moved(match, moved.chat), update)
        if shown == drawn and drawn.until_ms <= self._now_ms():
            return match, None

        def settle(current: Match) -> Verdict:
            known = current.shown
            # Somebody may have asked meanwhile for what was drawn to be posted anew.
            moved = (known.lobby, known.board, known.old) != (drawn.lobby, drawn.board, drawn.old)
            if shown != drawn:
                known = replace(known, lobby=shown.lobby, board=shown.board, old=shown.old, rounds=shown.rounds)
            if known.look != drawn.look or moved:
                return Verdict(replace(current, shown=replace(known, until_ms=0)), draw=Draw.AGAIN)
            return Verdict(replace(current, shown=replace(known, until_ms=0)))

        settled = await self._saver.change(match, settle, update, touch=False)
        return settled.match, settled.start_ms

    async def _afterwards(self, after: After, match: Match, press: Press, answer: Answer) -> None:
        match after:
            case After.LAY_OPEN:
                await self._lay_open(match)
            case After.PLAY_AGAIN:
                place = Place(match.chat, match.topic, match.language)
                opener = Player(press.user, cut_name(press.name))
                try:
                    opened = await self.open(place, match.game, opener, press.update, again=match)
                except NotShownError as error:
                    # The table is there, and due: the press need not be repeated for it.
                    report(error, fields(match))
                    return
                if not opened:
                    current = await self.current(match.chat, match.topic)
                    is_open = current is not None and current.status is Status.OPEN
                    answer.text = say(Refusal.TABLE_OPEN if is_open else Refusal.RUNNING, words(match.language))
            case After.DROP_QUESTION if press.offered:
                with suppress(MessengerError):
                    await self._messenger.delete(match.chat, press.message)
            case After.DROP_QUESTION:
                pass  # a forged press may name any message

    async def _lay_open(self, match: Match) -> None:
        content, caption = proof.document(match, await self._store.pages(match))

        async def send(there: Match) -> None:
            await self._messenger.send_file(there.chat, there.topic, proof.file_name(there), content, caption)

        await self._there(match, send)

    async def open(
        self, place: Place, game: str, opener: Player | None, update: int, *, again: Match | None = None
    ) -> Match | None:
        """Open a table, with the seats of `again` if given. None where the chat plays already: that match is shown.

        Whoever has left the chat sits down at no other table.
        """
        pointed = await self._store.current(place.chat, place.topic)
        try:
            current = await self._match(pointed) if pointed else None
        except CorruptItemError as error:
            # The broken match stays stored, but it must not keep the chat from playing for ever.
            logger.error("left as it is, and no longer the chat's: %s", error, extra={"match": pointed})
            current = None
        if current is not None and current.status in LIVE:
            return await self._not_twice(current, update)
        seats: tuple[Player, ...] = (opener,) if opener else ()
        if again and opener:
            seats = await seats_again(self._messenger, again, opener)
        new = Match(
            id=self._new_id(),
            chat=place.chat,
            topic=place.topic,
            language=place.language,
            game=game,
            secret=self._secret(),
            opener=opener.id if opener else 0,
            length=again.length if again else Length.SINGLE,
            players=seats,
            due=self._now_ms() // 1000 + times.LOOK,
            # What the match before has sent counts in this minute too.
            shown=Shown(ready_ms=current.shown.ready_ms if current else 0),
        )
        verdict = Verdict(new, draw=Draw.CHANGE)
        first = self._saver.promised(new, verdict, update)
        try:
            saved = await self._store.open(first.match, pointed)
        except ConflictError as conflict:
            # Two opened at the same moment; the other one won.
            return await self._not_twice(conflict.winner, update) if conflict.winner else None
        logger.info("opened", extra=fields(saved, game, saved.status.value))
        await self._show(replace(first, match=saved), update)
        return saved

    async def _show(self, saved: Saved, update: int) -> Match:
        """Draw what somebody has asked to see. Raises `NotShownError`: a later try may do better."""
        match, failure = await self._finish(saved, update, None)
        if failure:
            raise NotShownError(failure) from failure
        return match

    async def _not_twice(self, current: Match, update: int) -> Match | None:
        shown = current.shown
        unseen = not (shown.lobby or shown.board) and shown.until_ms <= self._now_ms()
        if shown.drawer == update or unseen:
            # This update was here before, or whoever opened the table died before showing it.
            await self._show(Saved(current, Verdict(), self._now_ms()), update)
            return current
        return None

    async def current(self, chat: int, topic: int) -> Match | None:
        """The match that the chat and topic play, or played last. Raises `CorruptItemError`."""
        pointed = await self._store.current(chat, topic)
        return await self._match(pointed) if pointed else None

    async def settings(self, chat: int) -> Chat:
        """What the chat has chosen; the usual where it cannot be read, for play goes on without."""
        try:
            return await self._store.chat(chat)
        except CorruptItemError as error:
            logger.error("left as it is: %s", error, extra={"chat": chat})
            return Chat(chat)

    async def _match(self, match_id: str) -> Match | None:
        """The stored match, or None. Raises `CorruptItemError` for one that can be neither played nor shown."""
        match = await self._store.match(match_id)
        if match is not None:
            check(match)
        return match

    async def post_board(self, match: Match, update: int) -> None:
        """Post the table or board anew at the bottom of the chat."""

        def decide(current: Match) -> Verdict:
            if current.shown.drawer == update:
                return Verdict(draw=Draw.REPEAT)
            shown = current.shown
            shown = anew(shown) if current.position else replace(shown, lobby=0, old=shown.lobby or shown.old)
            if not self._saver.soon(shown, sends(current.status, shown)):
                # Who asks again and again would put off every other board.
                return Verdict()
            return Verdict(replace(current, shown=shown), draw=Draw.AGAIN)

        # Nobody has moved: whoever is waited for is as late as before.
        await self._show(await self._saver.change(match, decide, update, touch=False), update)

    async def speak(self, match: Match, language: str, update: int) -> None:
        """Show the match in another language from now on."""

        def decide(current: Match) -> Verdict:
            if current.shown.drawer == update:
                return Verdict(draw=Draw.REPEAT)
            if current.language == language:
                return Verdict()
            return Verdict(replace(current, language=language), draw=Draw.ASIDE)

        await self._show(await self._saver.change(match, decide, update, touch=False), update)

    async def look(self, match_id: str) -> Looked | None:
        """Look at a match that is due, and save what that leads to; None where it is gone."""
        match = await self._match(match_id)
        if match is None:
            return None
        delay = (await self.settings(match.chat)).delay
        call = False

        def decide(current: Match) -> Verdict:
            nonlocal call
            look = look_at(current, self._now_ms() // 1000, delay)
            call = look.call
            return look.verdict

        saved = await self._saver.change(match, decide, NO_UPDATE, touch=False)
        return Looked(saved, call)

    async def speak_of(self, looked: Looked) -> None:
        """Draw what a look has promised to draw, and call those who keep others waiting."""
        saved = looked.saved
        match = saved.match
        if saved.start_ms is not None:
            if self._now_ms() > saved.start_ms + STALE_MS:
                match = await self._match(match.id) or match
            match = await self._show(replace(saved, match=match), NO_UPDATE)

            def note(current: Match) -> Verdict:
                return Verdict(made_sure(current, saved.match.shown.look))

            # Only now: what could not be drawn is tried again.
            match = (await self._saver.change(match, note, NO_UPDATE, touch=False)).match
        if looked.call and match.position == saved.match.position:
            await self._call(match)

    async def _call(self, match: Match) -> None:
        text, rows = call_of(match)

        async def send(there: Match) -> int:
            return await self._messenger.send_text(there.chat, there.topic, text, markup(rows))

        there, message = await self._there(match, send)

        def note(current: Match) -> Verdict:
            if current.position != match.position:
                return Verdict()
            return Verdict(replace(current, shown=replace(current.shown, call=message)))

        await self._saver.change(there, note, NO_UPDATE, touch=False)

    async def move(self, chat: int, to: int, update: int) -> None:
        """A group has become a supergroup: what it plays and has chosen moves along, and the board is posted there."""
        match = await self.current(chat, 0)
        if match is not None and match.chat == chat:
            match = await self._moved(match, to)
            if match.status in LIVE:
                again = await self._saver.change(match, lambda _: Verdict(draw=Draw.AGAIN), update, touch=False)
                await self._show(again, update)
            return
        chosen, there = await self.settings(chat), await self.settings(to)
        if chosen.version and not there.version:
            with suppress(ConflictError):
                await self._store.save_chat(replace(chosen, id=to, version=0, moved_to=0))

    async def _moved(self, match: Match, chat: int) -> Match:
        """The match in the supergroup `chat`. Messages are counted anew there, so it has none yet."""
        for _ in range(TRIES):
            bare = replace(match, shown=replace(match.shown, lobby=0, board=0, old=0, call=0))
            try:
                return await self._store.move_chat(bare, chat)
            except ConflictError as conflict:
                if conflict.winner is None:
                    raise MatchGoneError(match.id) from conflict
                match = conflict.winner
            if match.chat == chat:
                return match
        raise BusyError(match.id)

    async def _there(self, match: Match, send: Callable[[Match], Awaitable[Sent]]) -> tuple[Match, Sent]:
        """Send something to where the match is, even if the group has just moved."""
        try:
            return match, await send(match)
        except ChatMovedError as moved:
            match = await self._moved(match, moved.chat)
            return match, await send(match)
