"""The same press again and again, in a process of its own: `python -m bench.press` does what standard input says.

Either side is measured as Lambda would run it: one loop and one set of clients for the life of the process.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bench.figures import Cost
from emulator.function_url import function_url_event

ROOT = Path(__file__).parents[1]
TOKEN = "1234567890:bench-AAHjRmYkXhkzSKp2vWyq0dTn7bQx4cEu"  # noqa: S105 - nobody's
SECRET = "bench"  # noqa: S105 - likewise
TABLE = "bench"
WARMING = 30
OURS, FLOOR, FLOOR_WITHOUT_TELEGRAM = "ours", "floor", "floor without Telegram"


def environment(url: str) -> dict[str, str]:
    """The environment of a function on Lambda whose AWS and whose Telegram are at `url`."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return kept | {
        "AWS_LAMBDA_FUNCTION_NAME": "bench",
        "AWS_REGION": "eu-west-3",
        "AWS_DEFAULT_REGION": "eu-west-3",
        "AWS_ACCESS_KEY_ID": "bench",
        "AWS_SECRET_ACCESS_KEY": "bench",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_ENDPOINT_URL": url,
        "TELEGRAM_API_URL": url,
        "TELEGRAM_TOKEN": TOKEN,
        "TELEGRAM_WEBHOOK_SECRET": SECRET,
        "TELEGRAM_BOT_USERNAME": "tablee_bot",
        "TABLE_NAME": TABLE,
        "POWERTOOLS_SERVICE_NAME": "tablee-bench",
    }


@dataclass(frozen=True, slots=True)
class Job:
    """What to measure: one side's cost of a press, `presses` in each of so many rounds.

    `picture` is sent in place of a drawn one; ours draws where it is empty. `key` is where the match is stored.
    """

    side: str
    url: str
    update: dict[str, Any]
    key: str
    picture: bytes
    rounds: int
    presses: int


def measure(job: Job) -> Cost:
    """Do the job in a process of its own. Raises `CalledProcessError` where that fails."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.press"],
        cwd=ROOT,
        env=environment(job.url),
        input=json.dumps(asdict(job) | {"picture": b64encode(job.picture).decode()}),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return Cost(**json.loads(done.stdout))


def timed(press: Callable[[int], object], rounds: int, presses: int) -> Cost:
    """The cost of a press, each an update of its own: the CPU of the best round, the wall's time of the median one."""
    for number in range(WARMING):
        press(number)
    cpu, wall, number = [], [], WARMING
    for _ in range(rounds):
        began, at = time.process_time(), time.perf_counter()
        for _ in range(presses):
            number += 1
            press(number)
        cpu.append(time.process_time() - began)
        wall.append(time.perf_counter() - at)
    return Cost(1000 * min(cpu) / presses, 1000 * median(wall) / presses)


def ours(job: Job) -> Callable[[int], object]:
    """A press through the Lambda handler."""
    from handlers.ui import screens  # noqa: PLC0415 - the other side must not load it
    from handlers.webhook import handler  # noqa: PLC0415 - likewise

    if job.picture:
        for game, screen in screens.SCREENS.items():
            screens.SCREENS[game] = _ready_made(screen, job.picture)

    def press(number: int) -> None:
        event = function_url_event({**job.update, "update_id": number}, SECRET)
        answer = handler(event, None)
        assert answer["statusCode"] == 200, answer  # noqa: PLR2004 - HTTP's own

    return press


def _ready_made(screen: Any, picture: bytes) -> Any:
    class ReadyMade(type(screen)):  # type: ignore[misc]
        def picture(self, *_: object) -> bytes:
            return picture

    return ReadyMade()


def floor(job: Job) -> Callable[[int], object]:
    """The least that a bot of this kind does: the libraries as they come, and nothing decided."""
    import boto3  # noqa: PLC0415 - ours must not load it
    from telegram import Bot, InputMediaPhoto, Update  # noqa: PLC0415 - likewise

    client: Any = boto3.client("dynamodb")
    bot = Bot(TOKEN, base_url=f"{job.url}/bot")
    loop = asyncio.new_event_loop()
    pk, sk = job.key.split(" ")
    speaks = job.side == FLOOR

    async def handle(event: dict[str, Any]) -> None:
        update = Update.de_json(json.loads(event["body"]), bot)
        found = client.get_item(TableName=TABLE, Key={"pk": {"S": pk}, "sk": {"S": sk}}, ConsistentRead=True)
        client.put_item(TableName=TABLE, Item=found["Item"])
        query = update.callback_query
        assert query is not None, "a press"
        message: Any = query.message
        if speaks:
            media = InputMediaPhoto(job.picture, caption=message.caption, filename="board")
            await bot.edit_message_media(media, message.chat.id, message.message_id, reply_markup=message.reply_markup)

    def press(number: int) -> None:
        loop.run_until_complete(handle(function_url_event({**job.update, "update_id": number}, SECRET)))

    return press


def main() -> None:
    """Do one job and print its cost; log lines go nowhere."""
    fields = json.load(sys.stdin)
    job = Job(**fields | {"picture": b64decode(fields["picture"])})
    said = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    press = ours(job) if job.side == OURS else floor(job)
    cost = timed(press, job.rounds, job.presses)
    print(json.dumps(asdict(cost)), file=said, flush=True)


if __name__ == "__main__":
    main()
