"""Skyjo as one value: `SKYJO` is its `engine.core.Rules`."""

from __future__ import annotations

from typing import Final

from engine.core import Rules
from engine.skyjo import codec, rules
from engine.skyjo.model import MAX_SEATS, MIN_SEATS, Move, SkyjoReason, State
from engine.skyjo.views import View

SKYJO: Final[Rules[State, Move, View]] = Rules(
    key="skyjo",
    min_seats=MIN_SEATS,
    max_seats=MAX_SEATS,
    deal=rules.deal,
    actors=rules.actors,
    legal_moves=rules.legal_moves,
    apply=rules.apply,
    reasons=tuple(SkyjoReason),
    epoch=rules.epoch,
    outcome=rules.outcome,
    view=rules.view,
    facts=rules.facts,
    moves=codec.MOVES,
    encode=codec.encode,
    decode=codec.decode,
)
