"""The bot as whoever deploys reaches it: what goes wrong is one line, and the token is in none of them."""

from __future__ import annotations

import logging

import pytest
from telegram.error import NetworkError

from emulator.telegram import TOKEN, Telegram
from infra.logs import PIECE, configure
from ops.deploy.bot import connected
from ops.deploy.console import DeployError
from tests.handlers.polling import PAGE, Odd, refusal

ANSWERS: dict[str, tuple[int, bytes] | Exception] = {
    "a page with 502": (502, PAGE),
    "a page with 404": (404, PAGE),
    "a page with 400": (400, PAGE),
    "a page with 200": (200, PAGE),
    "401": refusal(401, "Unauthorized"),
    "words that repeat it": refusal(400, f"Bad Request: no such method at /bot{TOKEN.replace(':', '%3A')}/x"),
    "an error that repeats it": NetworkError(f"no route to https://example.org/bot{TOKEN}/getMe"),
}


@pytest.mark.parametrize("name", ANSWERS)
async def test_the_token_is_in_no_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither in the error that the owner reads, nor in what a library logs."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    configure({})
    try:
        with pytest.raises(DeployError) as caught:
            async with connected(
                TOKEN, "https://example.org", Odd(Telegram(lambda: 0.0), ANSWERS[name], method="getMe")
            ):
                raise AssertionError("it is not reached")
    finally:
        root.handlers[:], root.level = before
    told = f"{caught.value}\n{capsys.readouterr().err}"
    letters = TOKEN.partition(":")[2]
    assert not [at for at in range(len(letters) - PIECE + 1) if letters[at : at + PIECE] in told]
    assert "\n" not in str(caught.value)
