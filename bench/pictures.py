"""What a picture costs: run `python -m bench.pictures`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from handlers.ui.languages import words
from handlers.ui.pictures import canvas, dekal, skyjo
from testing import views

ROUNDS = 15


def main() -> None:
    """Print, a game and number of seats, the best time of drawing and of encoding, and the largest file."""
    print("| game | seats | pixels | draw ms | encode ms | kB |")
    print("|---|---:|---:|---:|---:|---:|")
    for game, seats, draw in _tables():
        costs = [_cost(draw, stage) for stage in views.STAGES]
        size = costs[0][3]
        drawing, encoding, weight = (max(cost[part] for cost in costs) for part in range(3))
        print(f"| {game} | {seats} | {size[0]}x{size[1]} | {drawing:.1f} | {encoding:.1f} | {weight:.0f} |")


def _tables() -> Iterator[tuple[str, int, Callable[[views.Stage], bytes]]]:
    english = words("en")
    games: tuple[tuple[str, Any, Callable[..., Any], range], ...] = (
        ("dekal", dekal, views.dekal_view, views.DEKAL_SEATS),
        ("skyjo", skyjo, views.skyjo_view, views.SKYJO_SEATS),
    )
    for game, module, view, several in games:
        for seats in several:

            def draw(stage: views.Stage, *, module: Any = module, view: Any = view, seats: int = seats) -> bytes:
                drawn: bytes = module.draw(view(seats, stage, hundred=True), views.NAMES[:seats], english)
                return drawn

            yield game, seats, draw


def _cost(draw: Callable[[views.Stage], bytes], stage: views.Stage) -> tuple[float, float, float, tuple[int, int]]:
    """Milliseconds of CPU for drawing and for encoding, kilobytes, and the size in pixels; caches are warm."""
    encode = canvas.Canvas.encode
    encoding: list[float] = []
    sizes: list[tuple[int, int]] = []

    def timed(self: canvas.Canvas) -> bytes:
        start = time.process_time()
        data = encode(self)
        encoding.append(time.process_time() - start)
        sizes.append(self.image.size)
        return data

    whole: list[float] = []
    canvas.Canvas.encode = timed  # type: ignore[method-assign]
    try:
        for _ in range(ROUNDS):
            start = time.process_time()
            data = draw(stage)
            whole.append(time.process_time() - start)
    finally:
        canvas.Canvas.encode = encode  # type: ignore[method-assign]
    drawing = min(total - part for total, part in zip(whole, encoding, strict=True))
    return 1000 * drawing, 1000 * min(encoding), len(data) / 1000, sizes[0]


if __name__ == "__main__":
    main()
