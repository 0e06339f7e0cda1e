"""Whether a table can take the place of the stack's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from infra.table import definition
from ops.deploy.aws import Aws
from ops.deploy.console import DeployError

_USABLE: Final = ("ACTIVE", "UPDATING")


def check(aws: Aws, name: str) -> None:
    """Raises `DeployError` where there is no table `name`, or the bot could not keep matches in it."""
    table = aws.table(name)
    if table is None:
        raise DeployError(f"there is no table {name} in {aws.region}: give --restored-table another, or '' for none")
    if table["TableStatus"] not in _USABLE:
        raise DeployError(f"the table {name} is {table['TableStatus']}: wait until it is ACTIVE, then make deploy")
    wanted = definition(name)
    if _key(table, table) != _key(wanted, wanted):
        raise DeployError(f"the table {name} is none of this bot's: its keys are not those of a table of matches")
    indexes = {one["IndexName"]: one for one in table.get("GlobalSecondaryIndexes", ())}
    for index in wanted["GlobalSecondaryIndexes"]:
        found = indexes.get(index["IndexName"])
        if found is None or _key(found, table) != _key(index, wanted):
            raise DeployError(f"the table {name} lacks the index {index['IndexName']}: restore it with its indexes")
        if found.get("IndexStatus", "ACTIVE") not in _USABLE:
            raise DeployError(
                f"the index {index['IndexName']} of {name} is {found['IndexStatus']}: "
                "wait until it is ACTIVE, then make deploy"
            )


def _key(keyed: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """What the key of a table or of one of its indexes is made of: an attribute and its type for each part."""
    types = {one["AttributeName"]: one["AttributeType"] for one in table["AttributeDefinitions"]}
    return {one["KeyType"]: (one["AttributeName"], types[one["AttributeName"]]) for one in keyed["KeySchema"]}
