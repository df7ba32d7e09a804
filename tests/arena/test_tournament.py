"""Tournaments: no game lost, none doubled, whoever dies meanwhile."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from cupboard.arena.entrants import read_entrants
from cupboard.arena.game_runner import GameResult, play_fixture
from cupboard.arena.journal import BadJournal, Journal
from cupboard.arena.schedule import Schedule
from cupboard.arena.tournament import run_tournament
from cupboard.arena.worker_pool import (
    ArenaFailed,
    WorkerPool,
    _SameThreadExecutor,
    dask_pool,
    in_process_pool,
    process_pool,
)
from cupboard.core.record import Record
from cupboard.core.registry import load

SCHEDULE = Schedule(load("jumping-cups"), read_entrants(["greedy", "random"]), games=40)


def untimed(played: GameResult) -> dict[str, object]:
    """What must be the same wherever it was played."""
    return {**played.to_json(), "seconds": None, "record": played.record}


@pytest.fixture(scope="module")
def expected() -> dict[str, dict[str, object]]:
    """Every game as it is when nothing goes wrong."""
    return {fixture.id: untimed(play_fixture(fixture)) for fixture in SCHEDULE.fixtures()}


def check_journal(folder: Path, expected: dict[str, dict[str, object]]) -> None:
    """Exactly the scheduled games, each once, each the game it had to be, each with its record."""
    lines = [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]
    assert sorted(line["id"] for line in lines) == sorted(expected)
    for line in lines:
        record = (folder / "games" / f"{line['id']}.game").read_text()
        wanted = json.loads(json.dumps(expected[line["id"]]))
        assert {**line, "seconds": None, "record": record} == wanted
        Record.read(record).replay()


def test_a_journal_holds_every_game_once(tmp_path: Path, expected: Any) -> None:
    with Journal.open(tmp_path, SCHEDULE.heading()) as journal, in_process_pool() as pool:
        run_tournament(SCHEDULE, pool, journal.done, journal.add)
    check_journal(tmp_path, expected)


def test_a_stopped_tournament_goes_on_where_it_was(tmp_path: Path, expected: Any) -> None:
    with Journal.open(tmp_path, SCHEDULE.heading()) as journal, in_process_pool() as pool:
        run_tournament(SCHEDULE, pool, journal.done, journal.add, enough=lambda: len(journal.done) >= 7)
    # A crash in the middle of a line, as when the power fails.
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes()[:-25])
    kept = len(path.read_bytes().splitlines()) - 1
    played: list[str] = []
    with Journal.open(tmp_path, SCHEDULE.heading()) as journal, in_process_pool() as pool:
        assert len(journal.done) == kept

        def keep(game: GameResult) -> None:
            played.append(game.id)
            journal.add(game)

        run_tournament(SCHEDULE, pool, journal.done, keep)
    assert len(played) == 40 - kept
    check_journal(tmp_path, expected)


def test_a_game_that_comes_twice_counts_once(tmp_path: Path) -> None:
    game = play_fixture(next(SCHEDULE.fixtures()))
    with Journal.open(tmp_path, SCHEDULE.heading()) as journal:
        assert journal.add(game) and not journal.add(game)
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 1


def test_a_folder_of_another_tournament_is_left_alone(tmp_path: Path) -> None:
    with Journal.open(tmp_path, SCHEDULE.heading()):
        pass
    other = Schedule(SCHEDULE.game, SCHEDULE.entrants, seed=1)
    with pytest.raises(BadJournal, match="seed differs"), Journal.open(tmp_path, other.heading()):
        pass


def test_two_arenas_do_not_write_to_one_folder(tmp_path: Path) -> None:
    with (
        Journal.open(tmp_path, SCHEDULE.heading()),
        pytest.raises(BadJournal, match="right now"),
        Journal.open(tmp_path, SCHEDULE.heading()),
    ):
        pass


def test_a_broken_journal_is_refused_and_not_overwritten(tmp_path: Path) -> None:
    with Journal.open(tmp_path, SCHEDULE.heading()):
        pass
    (tmp_path / "games.jsonl").write_text('{"id": 3}\n')
    with pytest.raises(BadJournal, match="Line 1"), Journal.open(tmp_path, SCHEDULE.heading()):
        pass
    assert (tmp_path / "games.jsonl").read_text() == '{"id": 3}\n'


def test_a_killed_process_loses_no_game(tmp_path: Path, expected: Any) -> None:
    killed: list[int] = []
    with Journal.open(tmp_path, SCHEDULE.heading()) as journal, process_pool(2) as pool:

        def keep(game: GameResult) -> None:
            journal.add(game)
            if len(journal.done) == 5:
                executor: Any = pool._executor
                killed.append(next(iter(executor._processes)))
                os.kill(killed[0], signal.SIGKILL)

        run_tournament(SCHEDULE, pool, journal.done, keep)
    assert killed
    check_journal(tmp_path, expected)


def test_what_cannot_be_kept_is_not_played_again() -> None:
    """A full disk, say: the first error ends it, and no game is counted as failed or played twice."""
    seen: list[str] = []

    def full(game: GameResult) -> None:
        seen.append(game.id)
        raise OSError("no space left")

    with in_process_pool() as pool, pytest.raises(OSError, match="no space left"):
        run_tournament(SCHEDULE, pool, {}, full)
    assert len(seen) == 1


def test_a_game_that_always_fails_is_given_up_with_a_sentence() -> None:
    class Unlucky(_SameThreadExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            return super().submit(lambda: 1 / 0)

    with pytest.raises(ArenaFailed, match="given up after 3 tries"):
        run_tournament(SCHEDULE, WorkerPool(Unlucky, 1), {}, lambda game: None)


def test_a_killed_dask_worker_loses_and_doubles_no_game(tmp_path: Path, expected: Any) -> None:
    distributed = pytest.importorskip("distributed")
    killed: list[int] = []
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=60
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as watcher,
        Journal.open(tmp_path, SCHEDULE.heading()) as journal,
        dask_pool(cluster.scheduler_address) as pool,
    ):
        assert pool.workers == 2

        def keep(game: GameResult) -> None:
            assert journal.add(game), "a game came twice"
            busy = [worker for worker, tasks in watcher.processing().items() if tasks]
            if len(journal.done) >= 5 and busy and not killed:
                killed.append(watcher.run(os.getpid, workers=busy[:1])[busy[0]])
                os.kill(killed[0], signal.SIGKILL)

        run_tournament(SCHEDULE, pool, journal.done, keep)
    assert killed
    check_journal(tmp_path, expected)


def test_a_scheduler_that_is_not_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(ArenaFailed, match="no Dask scheduler"), dask_pool("nonsense://x"):
        pass


def test_without_dask_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ArenaFailed, match="not installed"), dask_pool("tcp://127.0.0.1:1"):
        pass
