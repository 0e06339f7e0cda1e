from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import chance
from engine.chance import shuffle
from tests.engine.oracle_dekal import deal_out
from tests.engine.oracle_skyjo import mix
from tests.engine.play import REPEATABLE

LABELS = st.sampled_from(["dekal deck 1", "skyjo reshuffle 2 13", "", "x" * 100])


@REPEATABLE
@given(size=st.integers(0, 200), seed=st.binary(min_size=32, max_size=32), label=LABELS)
def test_a_shuffle_is_what_the_rules_document(size: int, seed: bytes, label: str) -> None:
    """Two plain re-implementations give the same order; no card is lost."""
    cards = list(range(size))
    shuffled = shuffle(cards, seed, label)
    assert list(shuffled) == deal_out(cards, seed, label) == mix(cards, seed, label)
    assert sorted(shuffled) == cards


def test_a_shuffle_never_changes() -> None:
    """Finished matches must deal the same for ever: these orders are fixed."""
    assert shuffle(range(10), bytes(32), "dekal deck 1") == FIXED
    assert shuffle(range(10), bytes(32), "dekal deck 2") != FIXED
    assert shuffle(range(10), bytes(31) + b"\x01", "dekal deck 1") != FIXED


FIXED = (9, 0, 8, 3, 2, 4, 6, 5, 1, 7)


def test_words_that_would_favour_low_cards_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three cards, words from 2^32 - 1 on are skipped; of two, none is."""
    words = [2**32 - 1, 5, 2**32 - 1]
    monkeypatch.setattr(chance, "_words", lambda _: iter(words))
    # 5 mod 3 is 2: the last card stays; 2^32 - 1 mod 2 is 1: the second stays.
    assert shuffle((7, 8, 9), bytes(32), "x") == (7, 8, 9)
    words = [2**32 - 2, 0]
    # 2^32 - 2 mod 3 is 2; then the first two are exchanged.
    assert shuffle((7, 8, 9), bytes(32), "x") == (8, 7, 9)
