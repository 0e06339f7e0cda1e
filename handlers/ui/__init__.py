"""Screens: words, buttons and pictures made from views and events, never from states."""
