"""The first start on a machine compiles; it says so, and goes on saying that it goes on."""

from __future__ import annotations

import signal
import time
from contextlib import suppress
from typing import Any

import pytest
from numba.core import event

from cupboard.cli import compile_progress


def compile_something() -> None:
    notice: Any = event
    notice.broadcast(notice.Event("numba:compile", notice.EventStatus.START, None))


def test_a_long_build_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(compile_progress, "PATIENCE_SECONDS", 0.01)
    monkeypatch.setattr(compile_progress, "WORD_EVERY_SECONDS", 0.05)
    with compile_progress.compile_progress("Ludo"):
        compile_something()
        compile_something()
        time.sleep(0.5)
    first, *others = capsys.readouterr().err.splitlines()
    assert first == "Building the Ludo engine, once on this machine …"
    assert len(others) >= 2 and all(line.startswith("  still building: part 2, ") for line in others)


def test_ctrl_c_that_the_compiler_swallows_stops_at_the_next_part() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), compile_progress.compile_progress("Ludo"):
        compile_something()
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        compile_something()
    assert signal.getsignal(signal.SIGINT) is before


def test_loading_from_the_cache_says_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compile_progress, "PATIENCE_SECONDS", 0.01)
    with compile_progress.compile_progress("Ludo"):
        time.sleep(0.2)
    assert capsys.readouterr().err == ""
