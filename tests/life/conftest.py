import pytest

from tests.hostile.scene import use_plain_pictures


@pytest.fixture(autouse=True)
def plain_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a board looks like is nothing to these tests."""
    use_plain_pictures(monkeypatch)
