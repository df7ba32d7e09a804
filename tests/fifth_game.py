"""A copy of the package with a fifth game, examples/noughts, dropped among the others."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import cupboard

ROOT = Path(__file__).parents[1]
NOUGHTS = ROOT / "examples" / "noughts"


class Copy:
    """A copy of the package with one game more; the machine code of the others comes along."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.folder = home / "src" / "cupboard" / "games" / "noughts"
        shutil.copytree(Path(cupboard.__file__).parent, home / "src" / "cupboard")
        shutil.copytree(NOUGHTS, self.folder)
        shutil.copy(ROOT / "pyproject.toml", home)
        self.environment = os.environ | {"PYTHONPATH": str(home / "src"), "XDG_DATA_HOME": str(home / "data")}

    def run(self, *words: object, fails: bool = False) -> str:
        """What a Python program of the copy prints."""
        done = subprocess.run(
            [sys.executable, *map(str, words)],
            cwd=self.home,
            env=self.environment,
            capture_output=True,
            encoding="utf-8",
        )
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stdout

    def cupboard(self, *words: object) -> str:
        """What the command line prints."""
        return self.run("-W", "error", "-m", "cupboard", *words)

    def levels(self) -> list[str]:
        """The levels offered."""
        find = "from cupboard import load; from cupboard.players.levels import levels_of"
        return self.run("-c", f"{find}; print(*levels_of(load('noughts')))").split()
