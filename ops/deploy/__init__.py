"""Putting the bot on AWS, looking after its webhook, and taking it off again, from the owner's machine."""
