"""What is said of a program that is not installed."""


class Missing(Exception):  # noqa: N818 - it is a reason to skip, not a failure
    """A program that stands for AWS is not on this machine; the message says which one and what to do."""
