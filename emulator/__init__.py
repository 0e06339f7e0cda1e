"""Telegram on one's own machine: the Bot API and the people of a group chat, emulated, for any bot."""
