"""Matches to store in tests."""

from __future__ import annotations

from engine.core import Length
from infra.matches import Match, Player, Shown, Status

GROUP = -4_000_123
SUPERGROUP = -1_001_234_567_890
SECRET = bytes(range(32))
EXPIRES = 1_700_000_000 + 30 * 86_400


def table(match_id: str = "m1", chat: int = GROUP, topic: int = 0) -> Match:
    """An open table that has not been saved."""
    return Match(
        id=match_id,
        chat=chat,
        topic=topic,
        language="fr",
        game="dekal",
        secret=SECRET,
        opener=7,
        players=(Player(7, "Zoë"),),
        saved=1_700_000_000,
        expires=EXPIRES,
    )


def playing() -> Match:
    """A match with every field set."""
    return Match(
        id="m2",
        chat=SUPERGROUP,
        topic=42,
        language="en",
        game="skyjo",
        secret=SECRET,
        opener=8_123_456_789,
        length=Length.HUNDRED,
        players=(Player(8_123_456_789, "Zoë", 16), Player(9, "名前"), Player(10, "", 3)),
        status=Status.PLAYING,
        position="2|abc|def",
        moves="abcXYZ",
        pages=2,
        absent=(0, 2),
        shown=Shown(
            board=11,
            posted=1_700_000_001,
            edits=3,
            rounds=2,
            look=4,
            drawer=987_654_321,
            until_ms=1_700_000_002_000,
            ready_ms=1_700_000_002_345,
            lobby=9,
            old=10,
            checked=3,
            call=12,
        ),
        version=12,
        notes="0 7L;1 3T",
        closed_by="Zoë",
        patience=1_700_000_360,
        proved=True,
        saved=1_700_000_003,
        due=1_700_000_180,
        expires=EXPIRES,
    )
