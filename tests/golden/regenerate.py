"""Write the golden playthroughs anew: `python -m tests.golden.regenerate`.

Only a change of the rules, of a view or of a notation makes that necessary: commit the new texts with it, and name it.
"""

from __future__ import annotations

from tests.golden.playthrough import PLAYTHROUGHS, render


def main() -> None:
    """Write every playthrough to its file."""
    for play in PLAYTHROUGHS:
        play.path.write_text(render(play), encoding="utf-8")


if __name__ == "__main__":
    main()
