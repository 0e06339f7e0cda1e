"""Clients of AWS's services for the running bot: with short time-outs, so that no update waits long for one answer."""

from __future__ import annotations

from typing import Any, Final

from botocore.config import Config
from botocore.session import Session, get_session

CONNECT_SECONDS: Final = 1.0
READ_SECONDS: Final = 1.0
ATTEMPTS: Final = 3
"""A client's own attempts at a request that was throttled or not answered: with the waits between, at worst 9 s.

That is less than the 10 s that Lambda gives a function to start in, which is when secrets are fetched.
"""

CONNECTIONS: Final = 16
"""Requests at once, where they are made from threads; a connection is made when it is first needed."""


def client(service: str, region: str | None = None, session: Session | None = None) -> Any:
    """A client of `service`: short time-outs, few attempts, no second look at what we send.

    Region, credentials and endpoint (`AWS_ENDPOINT_URL_…`) come from the environment as usual. Give the `session` that
    has made other clients, where there is one: this one is then ready in half the time, some 30 ms of CPU sooner. It
    is botocore's and not boto3's, whose import takes another 30 ms. Raises botocore's errors for what is not set.
    """
    config = Config(
        connect_timeout=CONNECT_SECONDS,
        read_timeout=READ_SECONDS,
        retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
        tcp_keepalive=True,
        max_pool_connections=CONNECTIONS,
        parameter_validation=False,
    )
    return (session or get_session()).create_client(service, region_name=region, config=config)
