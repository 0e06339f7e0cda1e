"""The screens there are."""

from __future__ import annotations

from typing import Final

from handlers.ui.dekal import DekalScreen
from handlers.ui.screen import Screen
from handlers.ui.skyjo import SkyjoScreen

SCREENS: Final[dict[str, Screen]] = {"dekal": DekalScreen(), "skyjo": SkyjoScreen()}
"""How each game of `engine.registry.GAMES` is shown, by its key."""
