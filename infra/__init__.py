"""The outside world behind small classes: stores, Telegram, settings, logs."""
