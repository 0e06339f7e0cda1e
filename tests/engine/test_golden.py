from __future__ import annotations

import pytest

from engine.registry import GAMES
from tests.golden.playthrough import FOLDER, PLAYTHROUGHS, Playthrough, render


@pytest.mark.parametrize("play", PLAYTHROUGHS, ids=lambda play: play.path.stem)
def test_a_playthrough_reads_as_it_did(play: Playthrough) -> None:
    """Line by line; where the rules were meant to change, `python -m tests.golden.regenerate` writes it anew."""
    assert render(play).splitlines() == play.path.read_text(encoding="utf-8").splitlines()


def test_every_game_has_two_playthroughs_and_no_text_is_left_over() -> None:
    """A new game brings its own."""
    for key in GAMES:
        kept = {path.name for path in FOLDER.glob(f"{key}-*.txt")}
        assert kept == {play.path.name for play in PLAYTHROUGHS if play.game == key}
        assert len(kept) >= 2
