"""`ops/deploy/policy.json`: what whoever deploys must be allowed, read as IAM reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from tests.ops.template.stack import ROOT

FILE: Final[Path] = ROOT / "ops" / "deploy" / "policy.json"
Grant = tuple[str, str]
"""An IAM action and the ARN that it is for; in the policy both may have wildcards."""


def statements() -> list[dict[str, Any]]:
    """The policy's statements, actions and resources as lists."""
    found: list[dict[str, Any]] = json.loads(FILE.read_text())["Statement"]
    for statement in found:
        for key in ("Action", "Resource"):
            if isinstance(statement[key], str):
                statement[key] = [statement[key]]
    return found


def grants() -> Iterator[Grant]:
    """Every action with every resource that it is allowed for."""
    for statement in statements():
        assert statement["Effect"] == "Allow"
        yield from ((action, resource) for action in statement["Action"] for resource in statement["Resource"])


def allows(action: str, arn: str) -> bool:
    """Whether the policy allows an action on a resource."""
    return any(fnmatchcase(action, one) and fnmatchcase(arn, resource) for one, resource in grants())
