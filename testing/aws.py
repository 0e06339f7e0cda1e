"""An environment whose AWS is nobody's."""

from __future__ import annotations

import os
from collections.abc import MutableMapping
from typing import Final

REGION: Final = "eu-west-3"
KEY: Final = "testing"
"""The key and the secret of an account that there is not."""


def isolate(environ: MutableMapping[str, str]) -> None:
    """Take a developer's own AWS configuration out of `environ`, so that no client made with it reaches an account."""
    for name in [name for name in environ if name.startswith("AWS_")]:
        del environ[name]
    environ.update(
        {
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": KEY,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
            # Without it a client that finds no credentials asks a machine of Amazon's for some.
            "AWS_EC2_METADATA_DISABLED": "true",
        }
    )
