"""The running bot's clients of AWS: none of them keeps an update, or a start, waiting for long."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from botocore.config import Config
from botocore.session import Session

from handlers.bootstrap import make_store
from infra import aws
from infra.settings import Settings, ssm_parameters
from ops.package import contents

ROOT = Path(__file__).parents[2]
START_SECONDS = 10
"""What Lambda gives a function to start in."""

WAITS = (1, 2)
"""The most seconds that botocore's standard mode waits before the second and the third attempt."""


class Watched(Session):
    """A session that notes with which settings clients are made."""

    def __init__(self) -> None:
        super().__init__()
        self.made: dict[str, Config] = {}

    def create_client(self, service_name: str, *args: Any, **kwargs: Any) -> Any:
        """The client, noted."""
        self.made[service_name] = kwargs["config"]
        return super().create_client(service_name, *args, **kwargs)


def test_no_service_is_waited_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """All attempts at one request, the waits between them too, end before Lambda gives up a start."""
    # Nothing listens there: refused at once.
    monkeypatch.setenv("AWS_ENDPOINT_URL_SSM", "http://127.0.0.1:9")
    monkeypatch.setattr(aws, "ATTEMPTS", 1)
    session = Watched()
    make_store(Settings(token="1:x", bot_username="tablee_bot", table_name="any"), lambda: session)
    with pytest.raises(Exception, match="make SSM reachable"):
        ssm_parameters(["/any"], session)
    monkeypatch.undo()
    assert set(session.made) == set(contents.SERVICES)
    for config in session.made.values():
        settings = vars(config)
        once = settings["connect_timeout"] + settings["read_timeout"]
        assert once * aws.ATTEMPTS + sum(WAITS[: aws.ATTEMPTS - 1]) < START_SECONDS
        assert settings["retries"]["total_max_attempts"] == 1, "as set above"


def test_clients_are_made_in_one_place() -> None:
    """Whatever else the bot will call through botocore has the same time-outs."""
    makers = set()
    for room in contents.OURS:
        for path in (ROOT / room).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            for node in ast.walk(ast.parse(path.read_text())):
                imports = [one.name for one in node.names] if isinstance(node, ast.Import) else []
                if "boto3" in imports or (isinstance(node, ast.Attribute) and node.attr == "create_client"):
                    makers.add(name)
    assert makers == {"infra/aws.py"}
