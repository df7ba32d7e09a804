"""docs/engine.md shows what the engine really says. With CUPBOARD_WRITE_DOCS=1 this test writes the page anew."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "engine.md"
ENGINE = (sys.executable, "-c", "from cupboard.cli import main; main()", "engine")


def said(lines: list[str]) -> list[str]:
    """The exchange as the page writes it: what is sent, and below each line the answers, long searches cut."""
    with subprocess.Popen(
        [*ENGINE, "jumping-cups"], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as engine:
        assert engine.stdin is not None and engine.stdout is not None
        page: list[str] = []
        for line in lines:
            # A command there is not is answered with an error: then all answers to the line before it have come.
            last = "bestmove" if line.startswith("go") else "info string error bad-command"
            more = "" if line.startswith("go") or line == "quit" else "mark\n"
            engine.stdin.write(f"{line}\n{more}")
            engine.stdin.flush()
            answers: list[str] = []
            for answer in engine.stdout:
                answers.append(f"< {answer.strip()}")
                if answer.startswith(last):
                    break
            answers = answers[:-1] if more else answers
            # The last thought is told twice when only its time has changed.
            answers = [one for n, one in enumerate(answers) if timeless([one]) != timeless(answers[n + 1 : n + 2])]
            long = line.startswith("go") and len(answers) > 5
            page += [f"> {line}", *([*answers[:2], "< …", *answers[-2:]] if long else answers)]
        return page


def timeless(lines: list[str]) -> list[str]:
    return [re.sub(r" time \d+", "", line) for line in lines]


def test_the_page_shows_a_real_exchange() -> None:
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(r"```\n(> uci\n.*?)\n```", text, re.DOTALL)
    assert found is not None
    page = found[1].splitlines()
    real = said([line[2:] for line in page if line.startswith("> ")])
    if os.environ.get("CUPBOARD_WRITE_DOCS"):
        PAGE.write_text(text.replace(found[1], "\n".join(real)), encoding="utf-8")
        return
    assert timeless(page) == timeless(real), "run this test with CUPBOARD_WRITE_DOCS=1 to write the page anew"


@pytest.mark.parametrize("game", ["cup-king", "chinese-checkers"])
def test_uci_is_answered_before_anything_is_compiled(game: str, tmp_path: Path) -> None:
    """A cold engine compiles at `isready`, for which a program waits longer."""
    cold = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen(
        [*ENGINE, game], text=True, env=cold, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as engine:
        assert engine.stdin is not None and engine.stdout is not None
        engine.stdin.write("uci\nsetoption name Player value greedy\n")
        engine.stdin.flush()
        began = monotonic()
        for line in engine.stdout:
            assert "error" not in line
            if line == "uciok\n":
                break
        assert monotonic() - began < 20
        assert not any(tmp_path.rglob("*.nb[ic]")), "something was compiled"
        engine.stdin.write("quit\n")
        engine.stdin.flush()


def test_isready_compiles_and_then_a_move_needs_no_more(tmp_path: Path) -> None:
    cold = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    lines = "uci\nsetoption name Player value greedy\nisready\n"
    done = subprocess.run(
        [*ENGINE, "jumping-cups"], input=lines, text=True, env=cold, capture_output=True, timeout=300, check=True
    )
    assert done.stdout.splitlines()[-1] == "readyok"
    assert any(tmp_path.rglob("*.nb[ic]"))
