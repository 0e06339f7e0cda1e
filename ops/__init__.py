"""What is done with the bot on an owner's or a developer's machine: play with it, deploy it."""
