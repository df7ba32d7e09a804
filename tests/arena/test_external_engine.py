"""Programs as players: a good one plays, and a bad one forfeits in time and leaves nothing behind."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest

from cupboard.arena import external_engine
from cupboard.arena.engine import read_position
from cupboard.arena.entrants import Entrant
from cupboard.arena.external_engine import ExternalEngine, view_line
from cupboard.arena.game_runner import play_fixture
from cupboard.arena.schedule import Schedule
from cupboard.core.match import Match
from cupboard.core.record import Record
from cupboard.core.registry import load, names
from cupboard.players.safe import PlayerFault
from cupboard.players.thinking import Limits

GAME = load("jumping-cups", starter="red")
LIMITS = Limits(seconds=0.2)

POLITE = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci": print("id name test\\noption name Seed type spin default 0\\nuciok", flush=True)
    elif word == "isready": print("readyok", flush=True)
    elif word == "quit": break
    elif word == "go":
        {go}
"""
FAULTS = {
    # What the program does when it must move, and what it is then blamed for.
    "crashes": ("sys.exit(1)", "gone"),
    "hangs": ("import time; time.sleep(60)", "late"),
    "moves illegally": ("print('bestmove 5-9', flush=True)", "illegal"),
    "sends nonsense": ("print('bestmove \\x00\\xff \\u2665 so what', flush=True)", "illegal"),
    "moves nothing": ("print('bestmove', flush=True)", "illegal"),
    "floods": ("[print('x' * 5000) for _ in iter(int, 1)]", "late"),
    "floods without a line": ("[sys.stdout.write('x' * 5000) for _ in iter(int, 1)]", "late"),
    "closes its mouth": ("import os, time; os.close(1); time.sleep(60)", "gone"),
    "chats only": ("print('info string I think', flush=True)", "late"),
}


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], tuple[str, ...]]:
    def write(source: str) -> tuple[str, ...]:
        path = tmp_path / "engine.py"
        path.write_text(source, encoding="utf-8")
        return sys.executable, "-S", str(path)

    return write


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(external_engine, "GRACE_SECONDS", 0.3)
    yield
    ExternalEngine.close_idle()


@pytest.mark.parametrize("name", FAULTS)
def test_a_program_that_fails_at_its_move_is_blamed_in_time(name: str, program: Any) -> None:
    go, kind = FAULTS[name]
    engine = ExternalEngine(program(POLITE.format(go=go)), GAME, 0, LIMITS)
    began = monotonic()
    with pytest.raises(PlayerFault) as caught:
        engine.choose(GAME.start().seen_by(0))
    assert caught.value.kind == kind
    assert monotonic() - began < 5
    assert engine._process.poll() is not None, "it is still running"


@pytest.mark.parametrize("source", ["", "import sys; sys.exit(2)", "print('hello')\nwhile True: pass", "1 / 0"])
def test_a_program_that_does_not_greet_is_refused(source: str, program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external_engine, "START_SECONDS", 0.5)
    with pytest.raises(PlayerFault):
        ExternalEngine(program(source), GAME)


def test_a_program_that_is_not_there_is_refused_with_a_sentence() -> None:
    with pytest.raises(PlayerFault, match="cannot be started"):
        ExternalEngine(("./no-such-program",), GAME)


def test_a_child_that_broke_loose_does_not_hold_the_arena_up(program: Any) -> None:
    go = "import subprocess; subprocess.Popen(['sleep', '8'], start_new_session=True)"
    engine = ExternalEngine(program(POLITE.format(go=go)), GAME, 0, LIMITS)
    began = monotonic()
    with pytest.raises(PlayerFault):
        engine.choose(GAME.start().seen_by(0))
    assert monotonic() - began < 6
    engine._reader.join(20)
    engine.close()


def test_what_a_program_has_started_ends_with_it(program: Any, tmp_path: Path) -> None:
    child = tmp_path / "child"
    go = f"import subprocess; p = subprocess.Popen(['sleep', '60']); open({str(child)!r}, 'w').write(str(p.pid))"
    engine = ExternalEngine(program(POLITE.format(go=go)), GAME, 0, LIMITS)
    began = monotonic()
    with pytest.raises(PlayerFault):
        engine.choose(GAME.start().seen_by(0))
    assert monotonic() - began < 10
    pid = int(child.read_text())
    for _ in range(50):
        if not _runs(pid):
            return
        sleep(0.05)
    raise AssertionError("its child still runs")


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # Killed, but nobody has asked for its result yet.
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_the_arena_lets_a_failing_program_forfeit_and_keeps_the_record(program: Any) -> None:
    command = " ".join(program(POLITE.format(go="sys.exit(1)")))
    schedule = Schedule(GAME, (Entrant.read(f"cmd:{command}"), Entrant.read("greedy")), games=2, limits=LIMITS)
    played = [play_fixture(fixture) for fixture in schedule.fixtures()]
    assert [game.scores for game in played] == [(0.0, 1.0), (1.0, 0.0)]
    assert [game.forfeit for game in played] == [0, 1]
    assert all(game.end == "forfeit" and "stopped" in game.fault for game in played)
    record = Record.read(played[1].record)
    assert record.tags["Forfeit"].startswith("B gone") and record.result == "*"
    assert len(record.replay().log) == 1


def test_our_own_engine_plays_a_game_through_the_pipe() -> None:
    command = f"{sys.executable} -c 'from cupboard.cli import main; main()' engine jumping-cups"
    schedule = Schedule(
        GAME, (Entrant.read(f"cmd:{command}"), Entrant.read("random")), games=2, limits=Limits(nodes=300)
    )
    played = [play_fixture(fixture) for fixture in schedule.fixtures()]
    assert all(game.forfeit is None and game.fault == "" for game in played)
    assert sum(game.scores[game.labels.index(schedule.labels[0])] for game in played) == 2


@pytest.mark.parametrize("name", names())
def test_a_program_sees_exactly_the_view_and_nothing_of_the_truth(name: str) -> None:
    """Two truths that look alike to a seat are written alike: what differs between them cannot be in the line."""
    game, rng = load(name), Random(3)
    match = Match(game)
    for _ in range(25):
        match.settle(rng)
        if match.position.is_over:
            break
        seat = match.position.to_act[-1]
        view = match.position.seen_by(seat)
        line = view_line(view)
        position, whose = read_position(game, line.removeprefix("position "))
        assert whose == seat and position.seen_by(seat) == view
        assert view_line(game.imagine(view, rng).seen_by(seat)) == line
        match.play(rng.choice(view.moves()), seat)


def test_a_healthy_program_is_kept_for_the_next_game(program: Any) -> None:
    command = program(POLITE.format(go="print('bestmove 5-6', flush=True)"))
    first = ExternalEngine.lease(command, GAME, 0, LIMITS)
    assert str(first.choose(GAME.start().seen_by(0))) == "5-6"
    first.release()
    again = ExternalEngine.lease(command, GAME, 1, LIMITS)
    assert again is first
    again.close()
    again.release()
    assert ExternalEngine.lease(command, GAME, 1, LIMITS) is not first
    ExternalEngine.close_idle()
