"""The project's makefiles with nothing behind them: every module that they run only notes with which words."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.ops.template.stack import ROOT

MODULES: Final = ("ops.play", "ops.deploy", "ops.package", "handlers.poll", "tests.hostile.fuzz")
STAMPS: Final = (".venv/.play", ".venv/.dev", ".venv/.fuzz", ".venv-deploy/.done")
NOTE: Final = "import json, sys; print(json.dumps([__spec__.name, *sys.argv[1:]]), file=open('ran', 'a'))\n"


class Makefiles:
    """A copy of the makefiles in `folder`, which stands for the project's; its environments count as installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT / "mk", folder / "mk")
        shutil.copy(ROOT / "Makefile", folder)
        (folder / "requirements").mkdir()
        for name in ("play", "dev", "fuzz", "deploy"):
            (folder / "requirements" / f"{name}.txt").touch()
        for module in MODULES:
            note = folder / f"{module.replace('.', '/')}.py"
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_text(NOTE)
        shutil.copy(ROOT / "ops" / "args.py", folder / "ops")
        (folder / ".venv" / "bin").mkdir(parents=True)
        (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
        for stamp in STAMPS:
            (folder / stamp).parent.mkdir(exist_ok=True)
            (folder / stamp).touch()

    def run(self, *command: str, **environ: str) -> list[list[str]]:
        """Run `command` there; every module that ran, with its words. Raises CalledProcessError where it fails."""
        subprocess.run(command, cwd=self.folder, env=_environment() | environ, check=True)  # noqa: S603 - ours
        ran = (self.folder / "ran").read_text().splitlines()
        (self.folder / "ran").unlink()
        return [json.loads(line) for line in ran]

    @property
    def files(self) -> set[str]:
        """What lies in the folder itself."""
        return {path.name for path in self.folder.iterdir()}


def _environment() -> dict[str, str]:
    """This process's, without what a `make` above the tests has said."""
    ours = {"ARGS", "TABLEE_ARGS", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES"}
    return {name: value for name, value in os.environ.items() if name not in ours}
