"""cupboard bench: not how fast it is, but that what it says is measured."""

from __future__ import annotations

import builtins
import importlib.util
from typing import Any

import pytest

from cupboard.cli import bench, speed
from cupboard.core.registry import load, names

from .conftest import Run


def test_bench_prints_one_line_for_each_number_of_seats(run: Run) -> None:
    result = run("bench", "double-dutch", "--seconds", "0.1")
    assert result.exit_code == 0
    header, *lines = result.stdout.splitlines()
    assert header.split()[:2] == ["game", "seats"]
    assert [line.split()[:2] for line in lines] == [["double-dutch", "2"], ["double-dutch", "3"]]
    assert all("reached" in line or "short" in line for line in lines)


@pytest.mark.parametrize(("name", "seats"), [(name, seats) for name in names() for seats in bench._seats(name)])
def test_random_games_start_where_moves_can_be_listed(name: str, seats: int) -> None:
    game = load(name, seats)
    assert 0 < len(speed.open_position(game).moves()) < 1000
    row = speed.start_row(game)
    assert (len(row) > game.kernel.size) == (name == "chinese-checkers"), "only that game remembers its past"


def test_a_goal_is_reached_or_missed() -> None:
    assert [bench._verdict(value, 2.0) for value in (1.9, 2.0)] == ["short", "reached"]
    assert bench._verdict(1.0, None) == ""


def test_without_openspiel_the_comparison_says_what_is_missing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "find_spec", lambda name: None)
    result = run("bench", "--compare")
    assert result.exit_code == 1 and "pyspiel is missing" in result.stderr


def test_the_comparison_runs_both(run: Run) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: nothing to compare with")
    lines = run("bench", "--compare", "--seconds", "0.1").stdout.splitlines()
    assert [line.split()[1] for line in lines[1:]] == ["2", "6"]


def test_only_chinese_checkers_can_be_compared(run: Run) -> None:
    assert run("bench", "jumping-cups", "--compare").exit_code == 1


def test_help_needs_neither_games_nor_compiler(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def watch(name: str, *args: Any) -> Any:
        assert not name.startswith(("numba", "cupboard.games", "prompt_toolkit")), f"--help imports {name}"
        return real(name, *args)

    assert importlib.util.find_spec("numba") is not None
    monkeypatch.setattr(builtins, "__import__", watch)
    assert run("--help").exit_code == 0
