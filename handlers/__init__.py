"""What Telegram and the clock call: the entries, the use cases behind them, and the screens."""
