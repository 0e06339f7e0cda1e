import pytest

from tests.emulator.table import Table


@pytest.fixture
def table() -> Table:
    """A strict Telegram, its clock standing."""
    return Table()
