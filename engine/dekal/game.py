"""Dékal as one value: `DEKAL` is its `engine.core.Rules`."""

from __future__ import annotations

from typing import Final

from engine.core import Rules
from engine.dekal import codec, rules
from engine.dekal.model import MAX_SEATS, MIN_SEATS, DekalReason, Move, State
from engine.dekal.views import View

DEKAL: Final[Rules[State, Move, View]] = Rules(
    key="dekal",
    min_seats=MIN_SEATS,
    max_seats=MAX_SEATS,
    deal=rules.deal,
    actors=rules.actors,
    legal_moves=rules.legal_moves,
    apply=rules.apply,
    reasons=tuple(DekalReason),
    chosen=rules.chosen,
    retract=rules.retract,
    epoch=rules.epoch,
    outcome=rules.outcome,
    view=rules.view,
    facts=rules.facts,
    moves=codec.MOVES,
    encode=codec.encode,
    decode=codec.decode,
)
