"""A cold start on Lambda, made short. Entries import this before anything heavy.

What a start loads stays for the container's life; to look for garbage among it would take an eighth of the start. And
the start belongs to the import: until that ends a function has a whole processor, afterwards only its memory's share.
"""

from __future__ import annotations

import gc
import os
from typing import Final

ON_LAMBDA: Final = "AWS_LAMBDA_RUNTIME_API" in os.environ
"""Whether Lambda's runtime imports the entry; not so where a laptop or a test does."""

if ON_LAMBDA:
    gc.disable()


def over() -> None:
    """The start is over: what is there now is left alone, and what comes is looked after as usual."""
    if ON_LAMBDA:
        gc.freeze()
        gc.enable()
