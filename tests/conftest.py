"""What holds for the whole suite."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from infra.proxies import keep_loopback_direct, suspect
from testing.aws import isolate
from testing.dynamodb_local import DynamoDBLocal
from testing.missing import Missing

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

# Whatever a developer's own proxies are: tests talk to this machine alone, and no client is made with a broken one.
keep_loopback_direct(os.environ)
while name := suspect(os.environ):
    del os.environ[name]
isolate(os.environ)

# The same examples every time, however busy the machine is; `make fuzz` is what looks for new ones.
settings.register_profile(
    "tablee", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tablee")


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Say what was tried at the end of the run, whichever process ran the test."""
    return lambda text: record_property("told", text)


@pytest.fixture(scope="session")
def dynamodb_local() -> Iterator[DynamoDBLocal]:
    """Amazon's DynamoDB Local, started once; the test is skipped where Java or the jar is missing."""
    try:
        server = DynamoDBLocal()
    except Missing as missing:
        pytest.skip(str(missing))
    with closing(server):
        yield server


@pytest.fixture(scope="session")
def local_client(dynamodb_local: DynamoDBLocal) -> Iterator[DynamoDBClient]:
    """A client of it; whoever needs a table makes one of a name of their own."""
    with closing(dynamodb_local.client()) as client:
        yield client


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What tests have told of themselves."""
    properties = [pair for report in terminalreporter.stats.get("passed", []) for pair in report.user_properties]
    lines = [str(text) for key, text in properties if key == "told"]
    if lines:
        terminalreporter.section("what was tried")
        for line in sorted(lines):
            terminalreporter.write_line(line)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything can be installed (`CI` is set) a skipped test is a failure: nobody would notice it."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
