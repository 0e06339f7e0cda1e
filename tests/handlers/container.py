"""What a Lambda container does in its life, in a process of its own: several events through the module's handler.

Reads the events as JSON from standard input, one a line; writes one response a line, and last what it has asked of
Telegram.
"""

from __future__ import annotations

import json
import sys
import time

from emulator.model import User
from emulator.request import InProcessRequest
from emulator.telegram import Telegram
from handlers import bootstrap, webhook


def main() -> None:
    """Answer every event."""
    telegram = Telegram(time.time, username="tablee_bot", name="Tablée")
    people = [User(number, f"Player {number}") for number in (5300000001, 5300000002)]
    for person in people:
        telegram.world.add_user(person)
    telegram.people.groups.create("Friends", *people, chat_id=-1002300000001)
    made = []

    def request(_: str) -> InProcessRequest:
        made.append(1)
        return InProcessRequest(telegram)

    # The network is the only thing that is not real here.
    vars(bootstrap)["request"] = request
    for line in sys.stdin:
        sys.stdout.write(json.dumps(webhook.handler(json.loads(line), None)) + "\n")
    asked = [call.method for call in telegram.log]
    sys.stdout.write(json.dumps({"asked": asked, "bots": len(made), "violations": telegram.violations}) + "\n")


if __name__ == "__main__":
    main()
