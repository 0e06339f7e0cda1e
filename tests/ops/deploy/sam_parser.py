"""Run by SAM's own Python: what its command line understands of commands.

Standard input is JSON, a list of commands without their program; standard output is JSON, the options of each by name.
"""

import importlib
import json
import sys

options = []
for what, *words in json.load(sys.stdin):
    command = importlib.import_module(f"samcli.commands.{what}.command").cli
    context = command.make_context(what, words)
    options.append(context.params | {"region": getattr(context.obj, "region", None), "left over": context.args})
json.dump(options, sys.stdout, default=str)
