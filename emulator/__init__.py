"""Telegram on one's own machine: the Bot API and the people of a group chat, emulated.

Nothing here knows the bot; it is handed in, or loaded by its dotted name.
"""
