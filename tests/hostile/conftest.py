import pytest

from tests.hostile.scene import use_plain_pictures


@pytest.fixture
def plain_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """No boards are drawn, where thousands would be."""
    use_plain_pictures(monkeypatch)
