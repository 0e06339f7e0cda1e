"""AWS on loopback: moto's server, which makes of this project's template what SAM's transform would make of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest import mock

from moto.awslambda.urls import url_paths as lambda_paths
from moto.cloudformation.models import ChangeSet, CloudFormationBackend
from moto.core.authorization import ActionAuthenticatorMixin
from moto.core.config import default_user_config
from moto.moto_api._internal.models import moto_api_backend
from moto.moto_server.threaded_moto_server import ThreadedMotoServer
from samtranslator.yaml_helper import yaml_parse  # type: ignore[import-untyped]

from tests.ops.template import stack as stacks

CONCURRENCY: Final = 1_000
"""How many invocations the account may run at once."""


def _limits(*_: object) -> tuple[int, dict[str, str], str]:
    # moto does not know an account's limits.
    return 200, {}, json.dumps({"AccountLimit": {"ConcurrentExecutions": CONCURRENCY}})


@contextmanager
def moto_server(heard: set[str]) -> Iterator[str]:
    """Its address, with an empty account behind it. What moto cannot make, `stacks.StandIn` stands for.

    Every call that the server is asked for is put into `heard`, as IAM calls it, but for the account's limits.
    """

    def hear(response: Any, *_: object) -> None:
        heard.add(f"{response.service_name}:{response._get_action()}")

    asked, applied = CloudFormationBackend.create_change_set, ChangeSet.apply

    def create(self: CloudFormationBackend, **words: Any) -> Any:
        parsed = yaml_parse(words["template"])
        if "Transform" in parsed:
            words["template"] = json.dumps(stacks.transformed(parsed, words["parameters"]))
        return asked(self, **words)

    def apply(self: ChangeSet) -> None:
        applied(self)
        # moto leaves a new stack with the outputs that it had before it was made: none.
        self.stack.template = self.template
        self.stack._parse_template()
        self.stack.output_map = self.stack._create_output_map()

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    with (
        mock.patch.object(CloudFormationBackend, "create_change_set", create),
        mock.patch.object(ChangeSet, "apply", apply),
        # Where moto would look whether a call is allowed.
        mock.patch.object(ActionAuthenticatorMixin, "_authenticate_and_authorize_action", hear),
        mock.patch.dict(lambda_paths, {r"{0}/(?P<version>[^/]+)/account-settings$": _limits}),
        mock.patch.dict(default_user_config, {"lambda": {"use_docker": False}}),
        stacks.stand_ins(stacks.cloudformation()),
    ):
        moto_api_backend.reset()
        server.start()
        try:
            _, port = server.get_host_and_port()
            yield f"http://localhost:{port}"
        finally:
            server.stop()
            moto_api_backend.reset()
