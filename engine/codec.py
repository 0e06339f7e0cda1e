"""What the codecs of all games share: the fields that begin every position, and how one is read without trust.

A position is one line of fields with blanks between. First come the seed and the sheet of scores, then the game's own
fields; one of these has a part a seat, with `/` between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeVar

from engine.core import CorruptError, NotUnderstoodError
from engine.match import Sheet, parse_sheet
from engine.notation import parse_seed, seed_text

_SEATS = "/"
_SHARED = 2
"""Seed and sheet."""


class Dealt(Protocol):
    """What the states of all games have."""

    @property
    def seed(self) -> bytes:
        """Where all chance of the match comes from."""
        ...

    @property
    def sheet(self) -> Sheet:
        """The finished rounds."""
        ...


StateT = TypeVar("StateT", bound=Dealt)
WordT = TypeVar("WordT", bound=Enum)


@dataclass(frozen=True, slots=True)
class Layout:
    """A game's own fields: how many, the place of the one with a part a seat, and how many seats there may be."""

    fields: int
    by_seat: int
    seats: range


def write(state: Dealt, *fields: str) -> str:
    """The text of a position with these fields of its game's."""
    return " ".join((seed_text(state.seed), str(state.sheet), *fields))


def read(
    text: str,
    layout: Layout,
    parse: Callable[[bytes, Sheet, Sequence[str]], StateT],
    encode: Callable[[StateT], str],
) -> StateT:
    """The position that `text` is; `parse` makes it of seed, sheet and the game's own fields.

    Raises `CorruptError` where there are too few or too many fields or seats, where `parse` raises that or
    `NotUnderstoodError`, and where `encode` would have written the position in another way.
    """
    found = text.split(" ")
    if len(found) != _SHARED + layout.fields:
        raise CorruptError(f"a position has {_SHARED + layout.fields} fields, not {len(found)}")
    seed, sheet, *fields = found
    seats = len(parts(fields[layout.by_seat]))
    if seats not in layout.seats:
        raise CorruptError(f"there is no table of {seats}")
    try:
        state = parse(parse_seed(seed), parse_sheet(sheet, seats), fields)
    except NotUnderstoodError as error:
        raise CorruptError(str(error)) from error
    if encode(state) != text:
        raise CorruptError("the position is not written in its one right way")
    return state


def by_seat(texts: Iterable[str]) -> str:
    """A field with a part a seat."""
    return _SEATS.join(texts)


def parts(field: str) -> list[str]:
    """The inverse of `by_seat`."""
    return field.split(_SEATS)


def parse_word(text: str, words: type[WordT]) -> WordT:
    """The member of an enumeration that is spelled `text`. Raises `CorruptError`."""
    try:
        return words(text)
    except ValueError:
        raise CorruptError(f"no {words.__name__.lower()}: {text!r}") from None


def check_end(state: Dealt, *, over: bool) -> None:
    """Raise `CorruptError` unless the match is `over` exactly when its finished rounds say so."""
    if (state.sheet.ending is not None) is not over:
        raise CorruptError("the sheet and the position disagree on the end")
