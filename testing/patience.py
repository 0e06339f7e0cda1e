"""How long tests wait."""

from typing import Final

PATIENCE: Final = 300.0
"""Seconds to wait for what must come. No busy machine takes so long: whoever meets this limit has found a fault."""
