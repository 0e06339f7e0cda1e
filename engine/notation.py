"""How the fields of a position are written: cards as letters, as chess writes men; seeds and numbers.

    A … L  1 … 12      O  0      Y  -1      Z  -2      .  an empty cell

A capital lies face up, a small letter face down; `-` stands for nothing.
"""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Sequence

from engine.chance import SEED_BYTES
from engine.core import CorruptError

NOTHING = "-"
_LETTERS = {value: chr(ord("A") + value - 1) for value in range(1, 13)} | {0: "O", -1: "Y", -2: "Z"}
_VALUES = {letter: value for value, letter in _LETTERS.items()}
_UP = _LETTERS.__getitem__
_DOWN = {value: letter.lower() for value, letter in _LETTERS.items()}.__getitem__


def up(card: int) -> str:
    """The letter of a card that lies face up."""
    return _UP(card)


def down(card: int) -> str:
    """The letter of a card that lies face down."""
    return _DOWN(card)


def value(letter: str) -> int:
    """The card of a letter, capital or small. Raises `CorruptError`."""
    try:
        return _VALUES[letter.upper()]
    except KeyError:
        raise CorruptError(f"no card: {letter!r}") from None


def cards_text(cards: Iterable[int]) -> str:
    """A row of cards, or `-` for none."""
    return "".join(map(_UP, cards)) or NOTHING


def parse_cards(text: str) -> tuple[int, ...]:
    """The inverse of `cards_text`. Raises `CorruptError`."""
    if text == NOTHING:
        return ()
    try:
        return tuple([_VALUES[letter] for letter in text])
    except KeyError:
        raise CorruptError(f"no cards: {text!r}") from None


def seed_text(seed: bytes) -> str:
    """The seed in 43 characters of the URL-safe base64 alphabet."""
    return urlsafe_b64encode(seed).decode("ascii").rstrip("=")


def parse_seed(text: str) -> bytes:
    """The inverse of `seed_text`. Raises `CorruptError`."""
    try:
        seed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError) as error:
        raise CorruptError("the seed is not base64") from error
    if len(seed) != SEED_BYTES:
        raise CorruptError(f"the seed has {len(seed)} bytes")
    return seed


def number_text(number: int | None) -> str:
    """A number, or `-` for None."""
    return NOTHING if number is None else str(number)


def parse_number(text: str, allowed: range) -> int | None:
    """The inverse of `number_text`. Raises `CorruptError` for a number out of `allowed`."""
    if text == NOTHING:
        return None
    return parse_count(text, allowed)


def parse_count(text: str, allowed: range) -> int:
    """The number that must stand here. Raises `CorruptError` for any other text or a number out of `allowed`."""
    try:
        number = int(text)
    except ValueError:
        raise CorruptError(f"no number: {text!r}") from None
    if number not in allowed:
        raise CorruptError(f"{number} is impossible here")
    return number


def check_deck(cards: Sequence[int], deck: Sequence[int]) -> None:
    """Raise `CorruptError` unless `cards` are exactly those of `deck` (ascending), in any order."""
    if sorted(cards) != list(deck):
        raise CorruptError("cards are missing or too many")
