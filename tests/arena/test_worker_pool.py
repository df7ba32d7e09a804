"""Arenas as real processes: what Ctrl-C and a kill leave behind, and programs that fail at the start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from time import monotonic, sleep

import pytest

from cupboard.arena.entrants import BadEntrant, Entrant, label_all, read_entrants
from cupboard.arena.game_runner import GameResult
from cupboard.arena.ratings import RunningScore
from cupboard.arena.report import HEADER, WIDTH_OF_NUMBERS, TournamentReport, figure_of
from cupboard.arena.schedule import Schedule
from cupboard.cli import arena as verb
from cupboard.core.registry import load

CUPBOARD = (sys.executable, "-c", "from cupboard.cli import main; main()")
ENDLESS = ("arena", "jumping-cups", "--player", "greedy", "--player", "random", "--games", "1000000", "--workers", "2")


def children(pid: int) -> list[int]:
    """The processes that `pid` has started, as Linux lists them."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[1]) == pid and words[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def running(pids: Iterable[int]) -> list[int]:
    alive = []
    for pid in pids:
        stat = Path(f"/proc/{pid}/stat")
        if stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z":
            alive.append(pid)
    return alive


def wait_until_played(out: Path, process: subprocess.Popen[str]) -> None:
    until = monotonic() + 120
    while not (out / "games.jsonl").exists() or not (out / "games.jsonl").read_text():
        assert process.poll() is None and monotonic() < until
        sleep(0.1)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_workers_end_by_themselves_when_their_parent_was_killed(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*CUPBOARD, *ENDLESS, "--out", str(tmp_path)], text=True, stderr=subprocess.DEVNULL
    ) as parent:
        wait_until_played(tmp_path, parent)
        workers = children(parent.pid)
        assert len(workers) >= 2
        parent.kill()
    until = monotonic() + 20
    while running(workers) and monotonic() < until:
        sleep(0.1)
    left = running(workers)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left


def test_ctrl_c_says_what_was_kept_and_leaves_at_once(tmp_path: Path) -> None:
    command = [*CUPBOARD, *ENDLESS, "--out", str(tmp_path)]
    # A session of its own: as in a terminal, the workers get the interrupt, too.
    process = subprocess.Popen(command, text=True, stderr=subprocess.PIPE, start_new_session=True)
    wait_until_played(tmp_path, process)
    began = monotonic()
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and monotonic() - began < 30
    kept = len((tmp_path / "games.jsonl").read_text().splitlines())
    assert f"Stopped. {kept} of 1000000 games are kept in {tmp_path}" in said.replace("\n", " ")
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    assert (tmp_path / "report.json").exists()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import sys; sys.exit('no licence')", "(exit code 1). Its last words: no licence"),
        ("raise SystemExit(3)", "(exit code 3)."),
        ("import os; os.kill(os.getpid(), 9)", "(killed by signal 9)."),
    ],
)
def test_a_program_that_exits_at_once_is_reported_with_its_code_and_last_words(
    source: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "engine.py"
    path.write_text(source)
    player = f"mine=cmd:{sys.executable} -S {path}"
    command = [*CUPBOARD, "arena", "jumping-cups", "--player", player, "--player", "random", "--workers", "0"]
    done = subprocess.run([*command, "--out", str(tmp_path / "out")], text=True, capture_output=True, timeout=120)
    assert done.returncode == 1
    assert "has stopped" in done.stderr and words in done.stderr.replace("\n", " ")


def test_a_program_takes_a_short_name() -> None:
    mine, other = Entrant.read("mine=cmd:./engine --level=3"), Entrant.read("cmd:./engine --level=3")
    assert mine.command == other.command == ("./engine", "--level=3")
    assert label_all([mine, other, mine]) == ("mine", "cmd:./engine --level=3", "mine#2")
    with pytest.raises(BadEntrant, match="is no name for a program"):
        Entrant.read("my engine=cmd:./engine")
    game = load("jumping-cups")
    one, two = (Schedule(game, read_entrants([f"mine=cmd:./{name}", "random"])) for name in ("one", "two"))
    assert one.labels == two.labels and one.fingerprint != two.fingerprint


def played(number: int, labels: tuple[str, ...]) -> GameResult:
    return GameResult(f"{number:06d}-0", number, labels, (1.0, 0.0), "filled", 20, (0.1, 0.1), (10, 10))


def test_the_running_score_looks_at_each_game_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was counted anew over all games after each."""
    looked = 0

    class Watched(GameResult):
        def __getattribute__(self, name: str) -> object:
            nonlocal looked
            looked += name == "scores"
            return super().__getattribute__(name)

    schedule = Schedule(load("jumping-cups"), read_entrants(["greedy", "random"]), games=400)
    done: dict[str, GameResult] = {}

    def play_all(schedule: Schedule, pool: object, done: dict[str, GameResult], keep: object, enough: object) -> None:
        for n in range(400):
            keep(Watched(f"{n:06d}-0", n, ("greedy", "random"), (1.0, 0.0), "filled", 2, (0.1, 0.1), (1, 1)))  # type: ignore[operator]

    monkeypatch.setattr("cupboard.arena.tournament.run_tournament", play_all)
    verb._play(schedule, done, lambda game: done.setdefault(game.id, game), None, verb._worker_pool(0, None))
    assert len(done) == 400 and looked <= 2 * 400
    assert str(RunningScore("greedy", done.values())) == "greedy 100.0%"


def test_the_report_fits_a_terminal_and_its_legend_lies_beside_the_lines(tmp_path: Path) -> None:
    long = "cmd:/somewhere/far/away/engine --with many --options"
    schedule = Schedule(load("jumping-cups"), read_entrants([long, "random"]), games=4)
    report = TournamentReport.of(schedule, [played(n, (long, "random")) for n in range(2000)])
    assert len(set(HEADER)) == len(HEADER)
    rows = [HEADER, *report.rows(80 - WIDTH_OF_NUMBERS)]
    widths = [max(len(row[column]) for row in rows) + 2 for column in range(len(HEADER))]
    assert sum(widths) - 2 <= 80
    assert report.rows()[0][0] == long
    figure = figure_of(report)
    figure.canvas.draw()
    lines = figure.axes[1]
    assert lines.get_legend().get_window_extent().x0 >= lines.get_window_extent().x1
