"""The use cases: open a table, join, start, move, look, stop. They judge purely, save once, then speak."""
