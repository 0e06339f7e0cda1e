"""`python -m ops.args MODULE [WORD…]`: run a module with these words, and after them the words of `make … ARGS=…`.

`make` hands over what was typed in the environment's `TABLEE_ARGS`. It is split into words as a shell would, quotes and
all, but nothing in it is ever carried out: no shell and no make reads it.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import Final

TYPED: Final = "TABLEE_ARGS"


def command(words: Sequence[str], environ: Mapping[str, str]) -> list[str]:
    """The program to run, with its words. Raises ValueError for a quote without its end."""
    return [sys.executable, "-m", *words, *shlex.split(environ.get(TYPED, ""))]


if __name__ == "__main__":
    try:
        found = command(sys.argv[1:], os.environ)
    except ValueError as error:
        sys.exit(f"error: ARGS cannot be read: {error}")
    # In the place of this process, so that the terminal and signals are the module's own.
    os.execv(found[0], found)  # noqa: S606 - our own interpreter, and no shell
