"""Laying a finished deal open: everything that `python3 -m engine verify` needs."""

from __future__ import annotations

import json
from collections.abc import Sequence

from engine.record import commitment, seed_message
from handlers.app.games import cuts_of, record_of
from handlers.ui import table
from handlers.ui.languages import words
from infra.matches import Match


def file_name(match: Match) -> str:
    """What the file is called."""
    return f"tablee-{match.id}.json"


def document(match: Match, pages: Sequence[str]) -> tuple[bytes, str]:
    """The match's record with its proof as a JSON file, and the caption that says what it is."""
    players = [player.id for player in match.players]
    cuts = cuts_of(match)
    fields = {
        "commitment": commitment(match.secret),
        "secret": match.secret.hex(),
        "players": players,
        **({"cuts": cuts} if any(cuts) else {}),
        "ended": match.status.value,
        **json.loads(str(record_of(match, pages))),
    }
    message = seed_message(players, cuts)
    caption = table.deal_caption(
        fields["commitment"], fields["secret"], message, file_name(match), words(match.language), is_cut=any(cuts)
    )
    return (json.dumps(fields, separators=(",", ":")) + "\n").encode("ascii"), caption
