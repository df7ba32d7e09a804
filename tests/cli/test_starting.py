"""The first start on a machine may compile what it needs; the second must not."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from .conftest import Run

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(sys.prefix == sys.base_prefix, reason="outside an environment of its own Python is left as it is")
def test_bytecode_is_kept_on_machines_that_keep_none(program: Run, tmp_path: Path) -> None:
    variables = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": str(tmp_path)}
    for words in (("games",), ("perft", "jumping-cups", "1")):
        assert program(*words, **variables).returncode == 0
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.pyc")}
    assert any(path.match("numba/core/caching.*.pyc") for path in kept)
    assert program("perft", "jumping-cups", "1", **variables).returncode == 0
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.pyc")} == kept


def test_uv_is_not_told_to_look_through_all_installed_files_at_every_run() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "compile-bytecode" not in project["tool"]["uv"]
