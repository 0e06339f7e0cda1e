"""Whole screens as their readers see them, word for word."""

from __future__ import annotations

import pytest

from handlers.ui.screens import SCREENS
from tests.ui.regenerate import KEPT, golden, path


@pytest.mark.parametrize("language", KEPT)
@pytest.mark.parametrize("key", SCREENS)
def test_screens_read_as_they_did(key: str, language: str) -> None:
    """No word of a caption, toast or button changes by accident."""
    assert golden(key, language) == path(key, language).read_text(encoding="utf-8")
