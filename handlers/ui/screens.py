"""The screens there are."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from engine.core import Rules, View
from engine.dekal.game import DEKAL
from engine.skyjo.game import SKYJO
from handlers.ui.dekal import DekalScreen
from handlers.ui.screen import Screen
from handlers.ui.skyjo import SkyjoScreen

ViewT = TypeVar("ViewT", bound=View)


def shown_by(screen: Screen[ViewT], rules: Rules[Any, Any, ViewT]) -> dict[str, Screen[Any]]:
    """A game's screen by the game's key. Type checkers refuse one for other views than the game's."""
    return {rules.key: screen}


SCREENS: Final = shown_by(DekalScreen(), DEKAL) | shown_by(SkyjoScreen(), SKYJO)
"""How each game of `engine.registry.GAMES` is shown, by its key."""
