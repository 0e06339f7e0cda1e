"""What a cold start takes: everything until the first press is answered, in a fresh interpreter each time.

Our side runs from the package as it is uploaded, the floor from the same libraries as they are installed; both with
their bytecode there. Each starts in a plain interpreter, and under Lambda's runtime and emulator where these are.
"""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench import emulated, scenes, stub
from bench.figures import Cost, several
from bench.press import SECRET, TOKEN, environment
from bench.tables import show
from emulator.function_url import function_url_event
from emulator.model import Json
from ops.package.build import HERE, build, compiler
from ops.package.programs import BuildError
from testing.missing import Missing

AIM = 1.2
"""Times the floor that a cold start may take."""

FLOOR = "floor: import telegram.ext and boto3, make a DynamoDB client"
DEPLOYED = "likewise, secrets from SSM, as deployed"
EMULATED_FLOOR, EMULATED = "floor, under Lambda's emulator", "as deployed, a press without a picture, likewise"

ROOT = Path(__file__).parents[1]
HIDDEN = ("click", "rich", "cryptography")
"""Libraries of the tests that others load without need where they are installed; kept from both sides."""

TOKEN_NAME, SECRET_NAME = "/bench/token", "/bench/secret"
ENTRY = "handlers.webhook.handler"

_FLOOR = """
import sys, time
began = time.perf_counter()
sys.path.insert(0, {libraries!r})
sys.modules.update(dict.fromkeys({hidden!r}, None))
import telegram.ext, boto3
boto3.client("dynamodb")
print(time.process_time(), time.perf_counter() - began)
"""

_OURS = """
import os, sys, time
began = time.perf_counter()
sys.path[:0] = {paths!r}
sys.modules.update(dict.fromkeys({hidden!r}, None))
said = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
event = sys.stdin.read()
import json
from handlers.webhook import handler
if event:
    assert handler(json.loads(event), None)["statusCode"] == 200
print(time.process_time(), time.perf_counter() - began, file=said, flush=True)
"""


@dataclass(frozen=True, slots=True)
class Ours:
    """Where our side is: the built package, or where that could not be built, this checkout. `remark` says which."""

    paths: list[str]
    package: Path | None
    remark: str


@contextmanager
def packed(*, built: bool) -> Iterator[Ours]:
    """Our side, for as long as the block lasts; from the checkout where it need not be `built`."""
    checkout = Ours([str(ROOT), libraries()], None, "Ours runs from the checkout")
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "package"
        try:
            if built:
                build(package, HERE, compiler(HERE))
        except BuildError as error:
            yield Ours(checkout.paths, None, f"{checkout.remark}, as the package could not be built: {error}.")
        else:
            yield Ours([str(package)], package, "Ours runs from the built package.") if built else checkout


def libraries() -> str:
    """Where this environment's libraries are."""
    return sysconfig.get_paths()["purelib"]


def start(code: str, environ: dict[str, str], event: str = "") -> Cost:
    """One start, the interpreter's own CPU included. Raises `CalledProcessError` where it fails."""
    done = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-I", "-S", "-W", "ignore", "-c", code],
        env=environ,
        input=event,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    cpu, wall = map(float, done.stdout.split())
    return Cost(1000 * cpu, 1000 * wall)


async def measure(ours: Ours, runs: int) -> tuple[dict[str, Cost], dict[str, Cost]]:
    """By name, the floor first: the costs in a plain interpreter, and those under the emulator, or none."""
    secret = await scenes.moving("dekal", secret=True)
    drawn = await scenes.moving("skyjo", secret=False)
    code = _OURS.format(paths=ours.paths, hidden=HIDDEN)
    bare = _FLOOR.format(libraries=libraries(), hidden=HIDDEN)
    quiet, loud = function_url_event(secret.update, SECRET), function_url_event(drawn.update, SECRET)
    with stub.running(secret.items | drawn.items, {TOKEN_NAME: TOKEN, SECRET_NAME: SECRET}) as server:
        here = environment(server.url)
        deployed = _deployed(here)
        # The entry starts within its import, as it does on Lambda.
        lambda_ = {"AWS_LAMBDA_RUNTIME_API": "127.0.0.1:0"}
        plain: dict[str, Callable[[], Cost]] = {
            FLOOR: partial(start, bare, here),
            "start alone": partial(start, code, here | lambda_),
            "start and a press without a picture": partial(start, code, here | lambda_, json.dumps(quiet)),
            DEPLOYED: partial(start, code, deployed | lambda_, json.dumps(quiet)),
            "as deployed, and a press with a picture": partial(start, code, deployed | lambda_, json.dumps(loud)),
        }
        return several(plain, runs), _emulated(ours, here, quiet, runs)


def _deployed(environ: dict[str, str]) -> dict[str, str]:
    """The environment with names in SSM in place of secrets."""
    secrets = {"TELEGRAM_TOKEN": TOKEN_NAME, "TELEGRAM_WEBHOOK_SECRET": SECRET_NAME}
    kept = {name: value for name, value in environ.items() if name not in secrets}
    return kept | {f"{setting}_PARAMETER": name for setting, name in secrets.items()}


def _emulated(ours: Ours, environ: dict[str, str], event: Json, runs: int) -> dict[str, Cost]:
    if ours.package is None:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        bare = emulated.floor(Path(folder) / "floor", libraries(), HIDDEN)
        try:
            return several(
                {
                    EMULATED_FLOOR: partial(emulated.start, bare, emulated.FLOOR_ENTRY, environ, event),
                    EMULATED: partial(emulated.start, ours.package, ENTRY, _deployed(environ), event),
                },
                runs,
            )
        except Missing as missing:
            print(f"not under Lambda's emulator: {missing}")
            return {}


async def report(runs: int = 7, *, built: bool = True) -> dict[str, Cost]:
    """Print the table, and return the costs by name."""
    with packed(built=built) as ours:
        groups = await measure(ours, runs)
    rows = []
    for costs in filter(None, groups):
        floor = next(iter(costs.values()))
        rows += [
            (name, round(cost.cpu), cost.cpu / floor.cpu, round(cost.wall), cost.wall / floor.wall)
            for name, cost in costs.items()
        ]
    show(
        "A cold start (ms)",
        ("until the first answer", "CPU", "ratio", "wall", "ratio"),
        rows,
        ours.remark,
        f"Aim: at most {AIM} times the floor. Ours holds Powertools and, as deployed, SSM; the floor answers nothing.",
    )
    return groups[0] | groups[1]
