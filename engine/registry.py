"""The games there are. Everything that handles every game finds them here."""

from __future__ import annotations

from typing import Final

from engine.core import AnyRules
from engine.dekal.game import DEKAL
from engine.skyjo.game import SKYJO

GAMES: Final[dict[str, AnyRules]] = {rules.key: rules for rules in (DEKAL, SKYJO)}
"""Games by their key, a persisted spelling."""
