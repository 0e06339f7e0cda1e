from __future__ import annotations

import json
from random import Random

import pytest

from engine.core import Length
from engine.record import parse, trace
from tests.engine.play import RULES, in_every_game
from tests.engine.recorded import GOLDEN, Recorded, read_back, recorded
from tests.engine.write_record import main, random_match, written

RECORDED = {match.name: match for match in recorded()}
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in GOLDEN.glob("records-*.txt")}


@pytest.mark.parametrize("match", RECORDED.values(), ids=RECORDED)
def test_a_match_is_written_as_the_golden_ones_are(match: Recorded) -> None:
    """Character by character."""
    record = parse(match.record)
    assert f"\n\n{written(record)}\n" in TEXTS[f"records-{record.game}.txt"]


@in_every_game
@pytest.mark.parametrize("length", Length)
def test_what_is_written_is_read_back(key: str, length: Length) -> None:
    """Every line of the trace, with grids or without."""
    record = random_match(key, 2, length, Random(3))
    back = read_back(written(record))
    assert parse(back.record, RULES) == record
    assert list(back.trace) == json.loads(json.dumps(list(trace(record, RULES))))


def test_new_matches_are_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """One for every number of seats and one to 100, each from its deal to its last move."""
    main("dekal")
    blocks = capsys.readouterr().out.strip().split("\n\n")
    assert [block.partition('"seats": ')[2][0] for block in blocks] == ["2", "3", "4", "5", "6", "2"]
    assert all(" dealt " in block and "over=true" in block.rpartition("\n")[2] for block in blocks)
