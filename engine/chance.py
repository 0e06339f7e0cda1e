"""The one source of chance: a documented shuffle, so that anyone can deal a finished match again.

words = 32-bit big-endian words of SHA-256(seed || ascii(label) || uint32_be(i)), i = 0, 1, 2, …
for i from len(cards)-1 down to 1:
    n = i+1; take the next word w, skipping w >= 2^32 - (2^32 mod n); swap cards[i], cards[w mod n]
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from hashlib import sha256

SEED_BYTES = 32
_SPAN = 1 << 32
_unpack = struct.Struct(">8I").unpack
_pack = struct.Struct(">I").pack


def shuffle(cards: Sequence[int], seed: bytes, label: str) -> tuple[int, ...]:
    """`cards` in the order that `seed` (32 bytes) and `label` (ASCII) give them. Each call starts a new stream."""
    shuffled = list(cards)
    stream = _words(seed + label.encode("ascii"))
    for i in range(len(shuffled) - 1, 0, -1):
        size = i + 1
        limit = _SPAN - _SPAN % size
        word = next(stream)
        while word >= limit:
            word = next(stream)
        j = word % size
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return tuple(shuffled)


def _words(prefix: bytes) -> Iterator[int]:
    start = sha256(prefix)
    block = 0
    while True:
        digest = start.copy()
        digest.update(_pack(block))
        yield from _unpack(digest.digest())
        block += 1
