"""Skyjo: swap cards in a 3×4 grid for lower ones; three equal in a column vanish."""
