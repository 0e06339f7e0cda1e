"""The command line: what is missing is said in one line, whatever it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import botocore.exceptions
import pytest

from ops.deploy import sam
from ops.deploy.__main__ import main
from ops.deploy.aws import Aws
from ops.deploy.console import DeployError, Silent
from ops.deploy.stage import Stage
from tests.ops.deploy.conftest import Script
from tests.ops.template.stack import sam_template


def never(command: Sequence[str], folder: Path, _environ: Mapping[str, str]) -> int:
    """A SAM that must not be run."""
    raise AssertionError(f"{command} was run in {folder}")


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command says when it fails: one line."""
    assert main(arguments, Script(), lambda: "sam", never) == 1
    (line,) = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.usefixtures("account")
def test_without_a_region(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The line says how to choose one."""
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    assert complaint(capsys, "deploy") == "error: choose a region: set AWS_DEFAULT_REGION, or run aws configure"


def test_without_credentials(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The line says how to log in."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    assert complaint(capsys, "deploy", "--region", "eu-west-3").startswith(
        "error: log in to AWS first: run aws configure"
    )


def test_with_a_profile_that_is_not_there(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The line names the profile."""
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    assert complaint(capsys, "deploy").startswith("error: correct AWS_PROFILE:")


@pytest.mark.usefixtures("account")
def test_a_refusal_of_awss(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line names the call, the code and AWS's reason."""

    class Refusing:
        def client(self, _service: str) -> Refusing:
            return self

        def get_caller_identity(self) -> dict[str, str]:
            said = {"Error": {"Code": "ExpiredToken", "Message": "The token has expired"}}
            raise botocore.exceptions.ClientError(said, "GetCallerIdentity")  # type: ignore[arg-type]

    aws = Aws()
    monkeypatch.setattr(aws, "_session", Refusing())
    with pytest.raises(DeployError, match="AWS refused GetCallerIdentity: ExpiredToken: The token has expired"):
        aws.account()


@pytest.mark.usefixtures("account")
def test_a_bad_stage(capsys: pytest.CaptureFixture[str]) -> None:
    """Names of stacks and functions are made of it."""
    assert complaint(capsys, "deploy", "--stage", "My Stage").startswith("error: call the stage something like prod")


@pytest.mark.usefixtures("account")
def test_nobody_at_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A machine that deploys by itself cannot be asked for a token: the line says so."""
    monkeypatch.setattr(Aws, "concurrency", lambda _: 10)
    assert main(["deploy", "--silent"], None, lambda: "sam", never) == 1
    assert capsys.readouterr().err == "error: nobody is here to answer: The bot's token\n"


@pytest.mark.usefixtures("account")
def test_the_terminal_goes_away(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C or the end of input stops without a traceback."""
    monkeypatch.setattr(Aws, "concurrency", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
    assert main(["deploy"], Script(), lambda: "sam", never) == 130
    assert "stopped" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "the following arguments are required"),
        (("deploy", "--foo"), "unrecognized arguments: --foo"),
        (("fly",), "argument deploy|webhook-info|undeploy: invalid choice: 'fly'"),
        (("webhook-info", "--alarm-email", "you@example.org"), "unrecognized arguments: --alarm-email"),
        (("undeploy", "--new-token"), "unrecognized arguments: --new-token"),
        (("deploy", "--reserved-concurrency", "-1"), "reserve a whole number of presses at once"),
        (("deploy", "--reserved-concurrency=-1"), "reserve a whole number of presses at once"),
    ],
)
def test_what_cannot_be_meant_is_one_line_before_aws_is_asked(
    arguments: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No usage, and no look at the account: it is not even reachable here."""
    monkeypatch.delenv("AWS_DEFAULT_REGION", raising=False)
    assert complaint(capsys, *arguments).startswith(f"error: {says}")


def test_without_sam(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The message says which make target installs it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DeployError, match="install make"):
        sam.find(tmp_path)
    make = tmp_path / "make"
    make.touch(mode=0o755)
    with pytest.raises(DeployError, match="install the SAM command line"):
        sam.find(tmp_path)
    own = tmp_path / ".venv-deploy" / "bin" / "sam"
    own.parent.mkdir(parents=True)
    own.touch(mode=0o755)
    assert sam.find(tmp_path) == str(own)


def test_a_silent_console_takes_defaults() -> None:
    """Questions that have one are answered by it."""
    assert Silent().ask("How many?", "3") == "3"


def test_stage_names_are_the_templates() -> None:
    """The stage names its secrets as the template's functions look for them."""
    variables = sam_template()["Globals"]["Function"]["Environment"]["Variables"]
    stage = Stage("two")
    assert variables["TELEGRAM_TOKEN_PARAMETER"]["Fn::Sub"].replace("${Stage}", "two") == stage.token
    webhook = sam_template()["Resources"]["WebhookFunction"]["Properties"]["Environment"]["Variables"]
    assert webhook["TELEGRAM_WEBHOOK_SECRET_PARAMETER"]["Fn::Sub"].replace("${Stage}", "two") == stage.secret
    assert webhook["TELEGRAM_WEBHOOK_SECRET_NEXT_PARAMETER"]["Fn::Sub"].replace("${Stage}", "two") == stage.next_secret
