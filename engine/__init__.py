"""The rules of the games, pure: no clock, no I/O, no third party, no word meant for a player."""
