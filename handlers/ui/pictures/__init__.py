"""Board pictures: one module a game, each with `draw(view, names, words) -> bytes`, an encoded image.

A game's module is imported when its attribute is first read (`pictures.skyjo.draw(...)`), and Pillow with it: a cold
start that draws nothing does not pay for it. The shared parts know no game: `palette` (colours), `scripts` (names in
any script), `fonts` (the bundled font), `canvas` (drawing and encoding), `cards` (sprites), `layout` (where things
stand), `seats` (a player's panel) and `header` (the strip above them).
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handlers.ui.pictures import dekal, skyjo

__all__ = ["dekal", "skyjo"]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")
