"""AWS Lambda on loopback: the runtime emulator that comes with SAM, and AWS's own runtime client for Python.

The function's process gets the package, the runtime client and the standard library, and nothing else of this machine:
what it imports, it has brought along. Starting an emulator is a cold start; an invocation is one HTTP request.
"""

from __future__ import annotations

import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import httpx

from testing.aws import REGION
from testing.missing import Missing
from testing.patience import PATIENCE

TOOLS: Final = Path(__file__).parent.parent / ".venv-deploy"
RUNTIME_CLIENT: Final = ("awslambdaric", "simplejson", "snapshot_restore_py.py", "runtime_client.*.so")
INVOCATIONS: Final = "/2015-03-31/functions/function/invocations"


class LambdaEmulator:
    """One function, from its cold start until `close`. `log` is what it has written.

    `package` is the unpacked function, `handler` its entry, `environ` its environment; `scratch` is a folder for the
    runtime client and the log. Raises `Missing` where the tools are not installed.
    """

    def __init__(self, package: Path, handler: str, environ: Mapping[str, str], scratch: Path) -> None:
        client = _runtime_client(scratch / "client")
        address, runtime = _free_address(), _free_address()
        scratch.mkdir(parents=True, exist_ok=True)
        self._url = f"http://{address}{INVOCATIONS}"
        self._log = (scratch / f"{handler}.log").open("ab+")
        name = handler.partition(".handler")[0].replace("handlers.", "tablee-local-")
        # -S: nothing that is installed here; -s: nothing that the user has installed.
        python = [sys.executable, "-S", "-s", "-m", "awslambdaric", handler]
        options = ["--runtime-interface-emulator-address", address, "--runtime-api-address", runtime]
        self._process = subprocess.Popen(  # noqa: S603 - fixed programs
            [str(_emulator()), *options, *python],
            cwd=package,
            env={
                "PATH": os.environ.get("PATH", ""),
                "PYTHONPATH": os.pathsep.join([str(package), str(client)]),
                "LAMBDA_TASK_ROOT": str(package),
                "AWS_LAMBDA_FUNCTION_NAME": name,
                "AWS_LAMBDA_FUNCTION_TIMEOUT": str(round(PATIENCE)),
                **dict.fromkeys(("AWS_REGION", "AWS_DEFAULT_REGION"), REGION),
                "AWS_ACCESS_KEY_ID": "testing",
                "AWS_SECRET_ACCESS_KEY": "testing",
                **environ,
            },
            stdout=self._log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        _await(address, self._process)

    def invoke(self, event: Any) -> Any:
        """What the function returns for one event; for an unhandled error, the runtime's description of it."""
        return httpx.post(self._url, json=event, timeout=PATIENCE).json()

    async def invoke_soon(self, event: Any) -> Any:
        """Likewise, while the event loop goes on: for a function that calls back into this process."""
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            return (await client.post(self._url, json=event)).json()

    @property
    def log(self) -> str:
        """Everything that the function and the emulator have written."""
        self._log.flush()
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    def close(self) -> None:
        """End the function and the emulator."""
        # The emulator leaves the function running; they are one group, which we have started.
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._log.close()


def _emulator() -> Path:
    name = {"x86_64": "aws-lambda-rie-x86_64", "aarch64": "aws-lambda-rie-arm64"}.get(platform.machine(), "none")
    found = sorted(TOOLS.glob(f"lib/python*/site-packages/samcli/local/rapid/{name}"))
    if not found:
        raise Missing("the Lambda emulator comes with SAM: make .venv-deploy/.done")
    return found[0]


def _runtime_client(folder: Path) -> Path:
    """The runtime client alone: the environment that it is installed in has far more than Lambda gives a function."""
    if not folder.exists():
        for pattern in RUNTIME_CLIENT:
            found = sorted(TOOLS.glob(f"lib/python*/site-packages/{pattern}"))
            if not found:
                raise Missing("Lambda's runtime client is missing: make .venv-deploy/.done")
            folder.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if found[0].is_dir() else shutil.copy
            copy(found[0], folder / found[0].name)
    return folder


def _free_address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def _await(address: str, process: subprocess.Popen[bytes]) -> None:
    """Return once something listens at `address`."""
    host, _, port = address.partition(":")
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex((host, int(port))) == 0:
                return
        time.sleep(0.02)
    raise Missing("the Lambda emulator did not start")
