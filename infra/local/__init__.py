"""A group chat on one's own machine: an emulated Bot API and the page that stands for Telegram."""
