"""Stored positions that something has damaged."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import AnyRules, CorruptError, EngineError, Length
from tests.engine.play import REPEATABLE, RULES, in_every_game, positions

CHARACTERS = "ABKLMOYZacklmoyz0123456789-.,:/=_ +\n²٣ßé"


def texts(key: str) -> list[str]:
    """Positions of many kinds, written down."""
    rules = RULES[key]
    sizes = (rules.min_seats, rules.max_seats)
    states = (
        state for seats in sizes for length in Length for state in islice(positions(key, seats, length), 0, 300, 9)
    )
    return [rules.encode(state) for state in states]


TEXTS = {key: texts(key) for key in RULES}
PLACES = st.integers(0, 10_000)
EDITS = st.tuples(
    st.sampled_from(["delete", "double", "replace", "insert", "swap"]), PLACES, st.sampled_from(CHARACTERS)
)


def damaged(text: str, kind: str, place: int, character: str) -> str:
    """The text with one character deleted, doubled, replaced, inserted or swapped with the next."""
    i = place % len(text)
    here, rest = text[i], text[i + 1 :]
    middle = {
        "delete": "",
        "double": here * 2,
        "replace": character,
        "insert": here + character,
        "swap": rest[:1] + here,
    }[kind]
    return text[:i] + middle + (rest[1:] if kind == "swap" else rest)


def check(rules: AnyRules, text: str) -> None:
    """Reading gives an error of the right kind, or a position written just so that can be looked at and played."""
    try:
        state = rules.decode(text)
    except CorruptError:
        return
    assert rules.encode(state) == text
    rules.view(state, None)
    rules.outcome(state)
    rules.epoch(state)
    for seat in rules.actors(state):
        for move in rules.legal_moves(state, seat):
            rules.apply(state, seat, move)


@in_every_game
@REPEATABLE
@given(data=st.data())
def test_a_damaged_text_is_corrupt_or_another_position(key: str, data: st.DataObject) -> None:
    """Never any other error, and never a position that is written differently."""
    text = data.draw(st.sampled_from(TEXTS[key]))
    for edit in data.draw(st.lists(EDITS, min_size=1, max_size=3)):
        text = damaged(text, *edit)
    check(RULES[key], text)


@in_every_game
@REPEATABLE
@given(data=st.data())
def test_fields_of_different_positions_do_not_mix_unnoticed(key: str, data: st.DataObject) -> None:
    """One field taken from another position: likewise."""
    mine = data.draw(st.sampled_from(TEXTS[key])).split(" ")
    other = data.draw(st.sampled_from(TEXTS[key])).split(" ")
    place = data.draw(st.integers(0, len(mine) - 1))
    mine[place] = other[place]
    check(RULES[key], " ".join(mine))


@in_every_game
@REPEATABLE
@given(text=st.text())
def test_any_text_is_read_or_corrupt(key: str, text: str) -> None:
    """Nonsense is corrupt."""
    with pytest.raises(CorruptError):
        RULES[key].decode(text)


def test_what_the_rules_cannot_reach_is_corrupt() -> None:
    """A card too many, a missing one, two holes, a choice of an open card, a closed seat that moves."""
    dekal, skyjo = TEXTS["dekal"][0], TEXTS["skyjo"][0]
    seed = dekal.split(" ", 1)[0]
    for rules, text in (
        (RULES["dekal"], dekal.replace(" - - 0 ", " 0 - 0 ").replace("reveal", "pick")),
        (RULES["dekal"], dekal.replace(" 1 reveal", " 17 reveal")),
        (RULES["dekal"], dekal.replace(seed, seed[:-4])),
        (RULES["dekal"], dekal + " "),
        (RULES["dekal"], dekal.replace("single:", "single:1,2")),
        (RULES["skyjo"], skyjo.replace(" flip ", " over ")),
        (RULES["skyjo"], skyjo.replace(" flip 0 - ", " flip 0 A ")),
        (RULES["skyjo"], skyjo.replace(" flip 0 ", " flip 2 ")),
        (RULES["skyjo"], skyjo.replace(" flip ", " FLIP ")),
    ):
        assert text not in (dekal, skyjo)
        with pytest.raises(EngineError) as caught:
            rules.decode(text)
        assert type(caught.value) is CorruptError
