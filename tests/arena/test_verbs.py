"""The verbs arena, engine and analyse, as one types them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

import cupboard.games
from cupboard.cli.app import app
from cupboard.core.ladder import FullSearch, Rung, Skill
from cupboard.games.jumping_cups.levels import LADDERS

FILLED = Path(cupboard.games.__path__[0]) / "jumping_cups" / "records" / "filled.game"
CUPBOARD = (sys.executable, "-c", "from cupboard.cli import main; main()")


def cupboard_(*words: object, stdin: str = "") -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], input=stdin)


def test_a_match_leaves_ratings_records_a_plot_and_a_page(tmp_path: Path) -> None:
    out = tmp_path / "match"
    words = ("arena", "jumping-cups", "--player", "greedy", "--player", "random", "--workers", 0, "--out", out)
    result = cupboard_(*words, "--games", 20)
    assert result.exit_code == 0, result.output
    head, first, *_ = result.stdout.splitlines()
    assert head.split()[0] == "player" and first.split()[0] == "greedy"
    assert "greedy against random: +" in result.stdout and "Seats took" in result.stdout
    assert len(list((out / "games").glob("*.game"))) == 20
    assert (out / "ratings.png").read_bytes().startswith(b"\x89PNG")
    ElementTree.parse(out / "ratings.svg")
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "<svg" in page and page.count('href="games/') == 20
    assert json.loads((out / "report.json").read_text(encoding="utf-8"))["games"] == 20


def test_the_same_command_goes_on_and_finished_games_are_not_played_again(tmp_path: Path) -> None:
    words = ("arena", "jumping-cups", "--player", "greedy", "--player", "random", "--workers", 0, "--out", tmp_path)
    assert cupboard_(*words, "--games", 4).exit_code == 0
    before = (tmp_path / "games.jsonl").read_text()
    result = cupboard_(*words, "--games", 10, "--json")
    assert json.loads(result.stdout.splitlines()[0])["games"] == 10
    after = (tmp_path / "games.jsonl").read_text()
    assert after.startswith(before) and len(after.splitlines()) == 10


def test_a_test_stops_as_soon_as_it_is_clear(tmp_path: Path) -> None:
    words = ("--player", "greedy", "--player", "random", "--workers", 0, "--out", tmp_path, "--sprt", "0,50")
    result = cupboard_("arena", "jumping-cups", *words, "--games", 2000)
    assert "SPRT: better by 50 Elo" in result.stdout
    assert 16 <= len((tmp_path / "games.jsonl").read_text().splitlines()) < 300


def test_three_players_at_a_table_of_three(tmp_path: Path) -> None:
    words = ("--seats", 3, "--player", "random", "--player", "greedy", "--workers", 0, "--out", tmp_path)
    result = cupboard_("arena", "double-dutch", *words, "--games", 6, "--json")
    report = json.loads(result.stdout.splitlines()[0])
    assert report["seats"] == 3 and report["games"] == 6 and len(report["seat_shares"]) == 3


def test_a_ladder_tells_how_high_each_step_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("sprout", "sapling", "birch", "maple", "sequoia")
    *below, best = names
    people = (Rung(name, Skill(nodes=10 * n, doubt=1.0)) for n, name in enumerate(below, 1))
    monkeypatch.setitem(LADDERS, 2, (*people, Rung(best, FullSearch(nodes=50))))
    words = ("arena", "jumping-cups", "--ladder", "--nodes", 50, "--workers", 0, "--out", tmp_path)
    result = cupboard_(*words, "--games", 40)
    climbs = [line for line in result.stdout.splitlines() if " over " in line]
    assert [line.partition(":")[0] for line in climbs] == [
        "sapling over sprout", "birch over sapling", "maple over birch", "sequoia over maple",
    ]  # fmt: skip
    assert len(json.loads((tmp_path / "report.json").read_text())["steps"]) == 4
    assert cupboard_(*words, "--player", "greedy").exit_code != 0


@pytest.mark.parametrize(
    "words",
    [
        ("arena", "jumping-cups", "--player", "greedy"),
        ("arena", "jumping-cups", "--player", "gredy", "--player", "random"),
        ("arena", "jumping-cups", "--player", "cmd:./no-such-program", "--player", "random"),
        ("arena", "jumping-cups", "--player", "random", "--player", "greedy", "--sprt", "x"),
        ("arena", "jumping-cup", "--player", "random", "--player", "greedy"),
        ("arena", "jumping-cups", "--player", "random", "--player", "greedy", "--out", "/dev/null"),
        ("arena", "jumping-cups", "--player", "random", "--player", "greedy", "--dask", "nowhere"),
        ("analyse", "no-such-file"),
        ("analyse", FILLED, "--player", "nobody"),
        ("analyse", FILLED, "--player", "random"),
        ("engine", "jumping-cups", "--player", "nobody"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    words: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = cupboard_(*words)
    assert result.exit_code == 1
    assert len(result.stderr.strip().splitlines()) == 1 and len(result.stderr) > 20


def test_ctrl_c_keeps_what_was_finished(tmp_path: Path) -> None:
    words = ("arena", "jumping-cups", "--player", "greedy", "--player", "random", "--games", "100000", "--workers", "1")
    process = subprocess.Popen(
        [*CUPBOARD, *words, "--out", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    journal = tmp_path / "games.jsonl"
    began = monotonic()
    while not (journal.exists() and journal.stat().st_size > 3000):
        assert process.poll() is None and monotonic() - began < 60
        sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in err
    assert all(json.loads(line)["id"] for line in journal.read_text().splitlines())
    assert (tmp_path / "report.html").exists()


def test_mistakes_are_told_as_text_json_and_comments() -> None:
    words = ("analyse", FILLED, "--nodes", 50_000)
    assert "A:6-7 ??  8-11 was better and wins" in cupboard_(*words).stdout
    data = json.loads(cupboard_(*words, "--json").stdout)
    (blunder,) = [move for move in data["moves"] if move["n"] == 37]
    assert (blunder["move"], blunder["best"], blunder["mark"]) == ("6-7", "8-11", "??") and blunder["cost"] > 0.3
    assert data["seats"][0]["marks"]["??"] >= 1
    assert "A:6-7 {?? 8-11 was better" in cupboard_(*words, "--record").stdout
    piped = cupboard_("analyse", "-", "--nodes", 100, stdin=FILLED.read_text())
    assert piped.exit_code == 0


def test_the_engine_speaks_through_pipes() -> None:
    lines = "uci\nisready\nposition start moves lot-B\ngo depth 2\n\xff\nquit\n"
    done = subprocess.run(
        [*CUPBOARD, "engine", "jumping-cups"],
        input=lines.encode("latin-1"),
        capture_output=True,
        check=True,
        timeout=60,
    )
    said = done.stdout.decode().splitlines()
    assert "uciok" in said and "readyok" in said and any(line.startswith("bestmove ") for line in said)
    assert done.stderr == b""
    done = subprocess.run(
        [*CUPBOARD, "engine", "jumping-cups", "--json"],
        input=b'{"moves": ["lot-A"], "depth": 2}\n',
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert json.loads(done.stdout)["seat"] == "A"
