"""`python -m ops.deploy deploy|webhook-info|undeploy`: what `make deploy` and its likes run."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import NoReturn

from infra.logs import configure
from infra.proxies import keep_loopback_direct, suspect, unusable
from infra.settings import LEAST_CHAT_BUDGET
from ops.deploy import sam, steps
from ops.deploy.aws import Aws
from ops.deploy.bytecode import OPTION, settled
from ops.deploy.choices import RETENTIONS, Choices
from ops.deploy.console import Console, DeployError, Silent, Terminal
from ops.deploy.stage import Stage

OPTIONS = {
    "alarm_email": "who hears of alarms",
    "reserved_concurrency": "presses handled at once; 0 for the account's limit",
    "snap_start": "on or off: start the webhook from a snapshot, which costs money while idle",
    "webhook_memory": "megabytes of the webhook function, 256 to 3008",
    "log_retention_days": f"days that log lines are kept: {', '.join(map(str, RETENTIONS))}",
    "telegram_api_url": "where the Bot API answers",
    "chat_budget": f"messages and edits a minute in one chat, {LEAST_CHAT_BUDGET} to 30",
    "restored_table": "name of a table to use instead of the stack's own",
}
"""Choices that can be given beforehand, and changed later; those not given stay as they are."""

STEPS = {
    "deploy": "deploy, step by step",
    "webhook-info": "show what Telegram says of the webhook",
    "undeploy": "take the bot off AWS; its table stays",
}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, where argparse would add every option."""
        raise DeployError(f"{message}; --help tells what there is")


def parser() -> argparse.ArgumentParser:
    """The command line. What it cannot read is a `DeployError`."""
    top = _Parser(prog="python -m ops.deploy", description="Tablée on AWS.")
    steps_of = top.add_subparsers(dest="step", required=True, metavar="deploy|webhook-info|undeploy")
    for step, meaning in STEPS.items():
        # Without abbreviations: a slip must not pass for an option.
        one = steps_of.add_parser(step, help=meaning, description=meaning, allow_abbrev=False)
        one.add_argument("--stage", default="prod", help="which of several deployments (default: %(default)s)")
        one.add_argument("--region", help="where; else AWS_DEFAULT_REGION or the profile's")
        one.add_argument("--silent", action="store_true", help="ask nothing; fail where an answer is needed")
    deploy = steps_of.choices["deploy"]
    deploy.add_argument("--new-token", action="store_true", help="ask for the bot's token anew")
    deploy.add_argument("--new-secret", action="store_true", help="draw the webhook's secret anew")
    deploy.add_argument(OPTION, action="store_true", help="deploy although starts will be slow")
    for name, meaning in OPTIONS.items():
        deploy.add_argument(f"--{name.replace('_', '-')}", help=meaning)
    return top


def _check_proxies() -> None:
    if name := suspect(os.environ):
        raise DeployError(unusable(name))


def main(
    arguments: Sequence[str],
    console: Console | None = None,
    find_sam: Callable[[], str] = sam.find,
    run: sam.Run = sam.run,
) -> int:
    """Do one step. The exit status; what is wrong is said in one line."""
    configure(os.environ)
    keep_loopback_direct(os.environ)
    try:
        asked = parser().parse_args(arguments)
        _check_proxies()
        console = console or (Silent() if asked.silent else Terminal())
        stage = Stage(asked.stage)
        changes = {name: getattr(asked, name, None) for name in OPTIONS}
        # Whatever is wrong with a choice is told before AWS is asked for anything.
        Choices.made({}, changes)
        aws = Aws(asked.region)
        # Looking at the webhook needs no SAM.
        program = "" if asked.step == "webhook-info" else find_sam()
        bytecode = partial(settled, forgone=getattr(asked, "without_bytecode", False))
        owner = steps.Owner(stage, console, aws, sam.Sam(program, aws.region, runner=run), bytecode)
        if asked.step == "deploy":
            asyncio.run(steps.deploy(owner, changes, steps.Renewal(asked.new_token, asked.new_secret)))
        elif asked.step == "undeploy":
            asyncio.run(steps.undeploy(owner))
        else:
            asyncio.run(steps.webhook_info(owner))
    except DeployError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    except (KeyboardInterrupt, EOFError):
        sys.stderr.write("\nstopped; the same command again goes on from here\n")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
