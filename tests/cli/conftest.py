"""Fixtures that run the command line, in this process or as a subprocess."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cupboard.cli.app import app

RECORDS = Path(__file__).parents[2] / "src/cupboard/games/jumping_cups/records"
PROGRAM = [sys.executable, "-c", "from cupboard.cli import main; main()"]

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary data folder for each test; returns where games saved without a name go."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("FORCE_COLOR", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):  # sentences are expected in English
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "data" / "cupboard" / "games"


@pytest.fixture
def run() -> Run:
    """A function that runs a command in this process, with `lines` as its input, and returns Typer's result."""

    def invoke(*args: object, lines: tuple[str, ...] = ()) -> Any:
        result = CliRunner().invoke(app, [str(arg) for arg in args], input="".join(f"{line}\n" for line in lines))
        # An exception that is no SystemExit would have been a traceback.
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return invoke


@pytest.fixture
def program() -> Run:
    """A function that runs a command as a subprocess with pipes, and returns the completed process."""

    def start(*args: object, text: str | None = "", **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*PROGRAM, *map(str, args)],
            input=text,
            capture_output=True,
            encoding="utf-8",
            env=os.environ | variables,
            timeout=120,
        )

    return start
