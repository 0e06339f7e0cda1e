"""Whether the package will have bytecode: settled with the owner before anything is built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ops.deploy.console import Console, DeployError
from ops.package import build, interpreter
from ops.package.programs import BuildError, run

COST: Final = "Without bytecode every cold start takes three times the processor's time: 1.2 seconds instead of 0.4"
OPTION: Final = "--without-bytecode"


def _find() -> object | None:
    return build.compiler(build.LAMBDA)


def _fetch() -> object:
    return interpreter.fetch(run)


def settled(
    console: Console,
    *,
    forgone: bool = False,
    find: Callable[[], object | None] = _find,
    fetch: Callable[[], object] = _fetch,
) -> bool:
    """Whether there will be bytecode; where no interpreter can make it, whoever deploys decides.

    `forgone` is that decision made beforehand. Raises `DeployError` where nothing shall be deployed without.
    """
    version = build.LAMBDA.version
    if forgone:
        console.say(COST)
        return False
    if find() is not None:
        return True
    console.say(f"This machine has no Python {version}: fetching one as a package, once ({interpreter.MEGABYTES} MB)")
    try:
        fetch()
    except BuildError as error:
        console.say(f"It cannot be had: {error}")
        console.say(COST)
        if console.ask("Deploy without bytecode (yes or no)", "no") == "yes":
            return False
        raise DeployError(f"install Python {version}, or say make deploy ARGS={OPTION}") from error
    return True
