"""The games there are. Everything that handles every game finds them here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from engine.core import AnyRules
from engine.dekal.game import DEKAL
from engine.skyjo.game import SKYJO

Games: TypeAlias = Mapping[str, AnyRules]
"""Rules by the keys of their games, which are persisted spellings."""

GAMES: Final[Games] = {rules.key: rules for rules in (DEKAL, SKYJO)}
"""The games there are."""
