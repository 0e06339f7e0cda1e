"""What holds for the whole suite."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from infra.proxies import keep_loopback_direct, suspect

# Whatever a developer's own proxies are: tests talk to this machine alone, and no client is made with a broken one.
keep_loopback_direct(os.environ)
while name := suspect(os.environ):
    del os.environ[name]


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Say what was tried at the end of the run, whichever process ran the test."""
    return lambda text: record_property("told", text)


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
