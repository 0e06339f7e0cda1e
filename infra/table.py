"""The one DynamoDB table as `create_table` wants it, for tests and for DynamoDB on one's own machine.

`template.yaml` describes the same table for AWS.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

DUE_INDEX: Final = "due"
"""The sparse index of the matches that have a `due`: partition key `sk` ("match" for all of them), sort key `due`.

It holds the keys alone: a save that leaves `due` as it is writes nothing to it and costs nothing for it, and a look at
what is due reads some 60 bytes a match, half a read unit for the first 68 of them.
"""

EXPIRES: Final = "expires"
"""The attribute that DynamoDB's time to live looks at."""


def definition(name: str) -> dict[str, Any]:
    """The arguments of `create_table` for a table called `name`."""
    return {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "S"},
            {"AttributeName": "due", "AttributeType": "N"},
        ],
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": DUE_INDEX,
                "KeySchema": [
                    {"AttributeName": "sk", "KeyType": "HASH"},
                    {"AttributeName": "due", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
    }


def create(client: DynamoDBClient, name: str) -> None:
    """Make the table, unless one of that name is there: an attempt whose answer was lost may have made it."""
    with suppress(client.exceptions.ResourceInUseException):
        client.create_table(**definition(name))
