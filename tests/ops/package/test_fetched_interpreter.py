"""The interpreter that is fetched where a machine has none of Lambda's version: it runs, and reads what it has made."""

from __future__ import annotations

from pathlib import Path

import pytest

from ops.package import contents, interpreter
from ops.package.build import LAMBDA
from ops.package.interpreter import Compiler
from ops.package.programs import BuildError, run

pytestmark = pytest.mark.long

SOURCE = '''"""A bit of everything that a compiler sees."""
import dataclasses, enum

class Suit(enum.Enum):
    HEARTS = "♥"

@dataclasses.dataclass(frozen=True, slots=True)
class Card:
    suit: Suit
    value: int = 2**70
    share: float = 0.1

async def later(cards):
    return [card async for card in cards]

def told(card: Card) -> str:
    match card:
        case Card(Suit.HEARTS, value, 0.1):
            return f"{card.suit.value} {value!r}"
    raise ValueError
'''
ASKING = """
import sys
sys.path.insert(0, sys.argv[1])
from theirs import sample
from engine import ours
assert sample.__file__.endswith("sample.pyc"), sample.__file__
assert ours.__cached__.endswith(".cpython-314.pyc"), ours.__cached__
assert sample.told.__code__.co_filename == "/var/task/theirs/sample.py"
print(*sys.version_info[:2], sample.told(sample.Card(sample.Suit.HEARTS)))
"""


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    """It, fetched where it is not yet."""
    return interpreter._fetched(interpreter.FETCHED) if interpreter.FETCHED.exists() else interpreter.fetch(run)


def test_bytecode_by_the_fetched_interpreter(compiler: Compiler, tmp_path: Path) -> None:
    """It has Lambda's version and magic number, its paths may have blanks, and it imports what it has compiled."""
    package = tmp_path / "my own package"
    for name in ("theirs/sample.py", "engine/ours.py"):
        (package / name).parent.mkdir(parents=True)
        (package / name).write_text(SOURCE)
    run([*compiler, str(package), "engine"])
    assert contents.without_bytecode(package, LAMBDA.magic) == []
    assert not (package / "theirs" / "sample.py").exists()
    asking = tmp_path / "asking.py"
    asking.write_text(ASKING)
    assert run([*compiler[:-1], str(asking), str(package)]) == f"3 14 ♥ {2**70}\n"


def test_what_is_wrong_with_a_source_is_told(compiler: Compiler, tmp_path: Path) -> None:
    """As with any other interpreter, by the last line of its complaint."""
    (tmp_path / "broken.py").write_text("def")
    with pytest.raises(BuildError, match="SyntaxError: invalid syntax"):
        run([*compiler, str(tmp_path)])
