"""Dékal: slide cards into a 4×4 grid so that equal values meet and vanish."""
