"""The table message, and the life of a match around its board: opening, starting, stopping, looking back."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Final

from engine.core import Length
from engine.record import PLACES
from handlers.ui.captions import TOAST, paragraphs
from handlers.ui.languages import Words
from handlers.ui.people import People, clip, in_html, visible
from handlers.ui.screen import Button, Rows, Seat, Style, in_rows

PER_ROW: Final = 8
"""As many buttons as Telegram puts beside each other."""

VERIFY: Final = "python3 -m engine verify --commitment HEX"
Press = Callable[[str], str]


def title(game: str, words: Words) -> str:
    """The name of a game, by its key in `GAMES`, for any sentence."""
    return words(f"game.{game}")


def _seats(seats: Sequence[Seat], words: Words) -> list[str]:
    people = People(seats, words)
    return [_seat(number, people.name(number), seat.cut, words) for number, seat in enumerate(seats)]


def _seat(number: int, name: str, place: int, words: Words) -> str:
    if place:
        return words("table.seat.cut", number=number + 1, name=name, place=place)
    return words("table.seat", number=number + 1, name=name)


def _starter(seats: Sequence[Seat], opener: int | None, words: Words) -> str:
    if opener is None:
        return words("table.starter.nobody")
    return words("table.starter", name=People(seats, words).name(opener))


def _length(game: str, length: Length, words: Words) -> str:
    """How long the match will be; who wins several rounds is the game's to say."""
    return words("table.length.single") if length is Length.SINGLE else words(f"table.length.{length.value}.{game}")


def _commitment(commitment: str, words: Words) -> str:
    return words("table.commitment", commitment=html.escape(commitment))


def open_text(  # noqa: PLR0917 - a table is shown in one call
    game: str,
    seats: Sequence[Seat],
    limits: tuple[int, int],
    opener: int | None,
    length: Length,
    commitment: str,
    words: Words,
) -> str:
    """The message of an open table, HTML.

    `limits` are the fewest and the most players; `opener` is the seat of who may start, None as long as whoever sits
    down first will be that; `commitment` is the SHA-256, in hex, of the secret that the deal will come from.
    """
    least, most = limits
    sitting = _seats(seats, words) or [words("table.nobody")]
    return paragraphs(
        (words("table.title", game=title(game, words)), words(f"table.teaser.{game}")),
        (words.plural("table.seated", len(seats), least=least, most=most), *sitting),
        (_length(game, length, words), _starter(seats, opener, words)),
        (_commitment(commitment, words), words("table.cut")),
    )


def open_buttons(press: Press, length: Length, words: Words) -> Rows:
    """The buttons of an open table; `length` is the one chosen now."""
    toggles = tuple(Button(_toggle(each, each is length, words), press(f"length {each.value}")) for each in (*Length,))
    return (
        (
            Button(words("table.button.join"), press("join"), style=Style.SUCCESS),
            Button(words("table.button.leave"), press("leave")),
        ),
        *_places(press),
        toggles,
        (
            Button(words("table.button.start"), press("start"), style=Style.PRIMARY),
            Button(words("table.button.cancel"), press("cancel"), style=Style.DANGER),
        ),
    )


def _places(press: Press) -> Rows:
    """A button for every place where the deck may be cut; they stand away from those that end the table."""
    return in_rows([Button(str(place), press(f"cut {place}")) for place in range(1, PLACES + 1)], PER_ROW)


def cut_toast(place: int, words: Words) -> str:
    """The toast for whoever has cut the deck."""
    return clip(words("toast.cut", place=place), TOAST)


def _toggle(length: Length, is_chosen: bool, words: Words) -> str:
    label = words(f"table.button.{length.value}")
    return words("table.button.chosen", label=label) if is_chosen else label


def started_text(game: str, seats: Sequence[Seat], length: Length, commitment: str, words: Words) -> str:
    """What the table message says once the match has begun, HTML; it keeps the promise that the deal is checked by."""
    return paragraphs(
        (words("table.started", game=title(game, words)),),
        _seats(seats, words),
        (_length(game, length, words),),
        (_commitment(commitment, words),),
    )


def cancelled_text(game: str, by: str, words: Words) -> str:
    """What the table message says once the table is closed by somebody, or (empty) because nobody came; HTML."""
    if not by:
        return words("table.expired", game=title(game, words))
    return words("table.cancelled", game=title(game, words), name=in_html(visible(by)))


def over_buttons(press: Press, words: Words) -> Rows:
    """The buttons below the last board of a finished match."""
    return (
        (
            Button(words("over.button.again"), press("again"), style=Style.SUCCESS),
            Button(words("over.button.deal"), press("deal")),
        ),
    )


def stopped_buttons(press: Press, words: Words) -> Rows:
    """The buttons below the board of a stopped match: the same, since its deal may be seen as well."""
    return over_buttons(press, words)


def stop_question(game: str, words: Words) -> str:
    """What `/stop` asks before it stops a match; HTML."""
    return words("stop.question", game=title(game, words))


def stop_buttons(press: Press, words: Words) -> Rows:
    """The answers to `stop_question`."""
    return (
        (
            Button(words("stop.button.yes"), press("stop yes"), style=Style.DANGER),
            Button(words("stop.button.no"), press("stop no")),
        ),
    )


def close_question(game: str, words: Words) -> str:
    """What `/stop` asks before it closes an open table; HTML."""
    return words("close.question", game=title(game, words))


def close_buttons(press: Press, words: Words) -> Rows:
    """The answers to `close_question`, with the same verbs as those to `stop_question`."""
    return (
        (
            Button(words("close.button.yes"), press("stop yes"), style=Style.DANGER),
            Button(words("close.button.no"), press("stop no")),
        ),
    )


def stopped_caption(game: str, by: str, words: Words) -> str:
    """The caption of the board of a match that somebody stopped, or (empty) that nobody has touched for days; HTML."""
    if not by:
        return words("stop.abandoned", game=title(game, words))
    return words("stop.stopped", game=title(game, words), name=in_html(visible(by)))


def deal_caption(commitment: str, secret: str, message: str, file: str, words: Words, *, is_cut: bool) -> str:
    """The caption of the file that lets anyone check a finished match's deal, HTML.

    `commitment` and `secret` are hex digits, `message` is what the seed is the HMAC of, with cuts in it where anybody
    `is_cut`, `file` the file's name.
    """
    return paragraphs(
        (words("deal.title"),),
        (words("deal.promise", commitment=html.escape(commitment)), words("deal.secret", secret=html.escape(secret))),
        (words("deal.seed.cut" if is_cut else "deal.seed", message=html.escape(message)),),
        (words("deal.check", command=html.escape(f"{VERIFY} < {file}")),),
    )
