"""How long the bot waits for what, in seconds."""

from __future__ import annotations

from typing import Final

SETTLED: Final = 5
"""After a save this old the board should be drawn; a press on an older look means that it is not."""

LOOK: Final = 60
"""How soon the ticker looks at a match that is played again, or that has just ended."""

SURE: Final = 180
"""How long a board may be behind after a failure, where nobody presses anything."""

PUZZLED: Final = 300
"""How long the ticker leaves a match alone after an error that nobody has thought of."""

BROKEN: Final = 24 * 3600
"""How long it leaves alone what cannot be read: often enough to be told of, for somebody may mend it."""

TABLE: Final = 3600
"""How long an open table waits for somebody to join."""

ARCHIVE: Final = 7 * 24 * 3600
"""After this long without a move a match is put away."""

RAREST_LOOK: Final = 6 * 3600
"""The longest pause between two looks at a match that nobody plays."""

PATIENCE: Final = 2
"""How many of the chat's delays others must wait before they may play on."""

DEAL_AGAIN: Final = 60
"""How long the deal is not laid open again."""

KEEP: Final = 90 * 24 * 3600
"""How long a match stays readable after its last save."""
