"""How strong the searches of Double Dutch are: the matches behind its lines in results.md. All times are CPU time.

python bench/strength_double_dutch.py uct --games 100 --seconds 0.1      plain MCTS has ten times the time
python bench/strength_double_dutch.py solve --empties 30 --games 1000    self-play positions solved within a second
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import main_thread
from typing import Any
from unittest import mock

import numpy as np

from cupboard.core import deadline
from cupboard.core.game import Game, Position
from cupboard.core.registry import load
from cupboard.core.testing_games import after
from cupboard.games.double_dutch import solver as oracle
from cupboard.games.double_dutch import solver_core as solver
from cupboard.players import Player, alphabeta, deepening
from cupboard.players.alphabeta import AlphaBeta
from cupboard.players.thinking import Limits
from cupboard.players.uct import Uct

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.scores import share_of_points

CELLS = 49
EARLY = 6
"""The number of moves after which games are compared, to count how many differ."""


def own_time() -> float:
    """The CPU time of the main thread, from any thread. Wall time would let a busy machine decide a match."""
    ident = main_thread().ident
    assert ident is not None
    return time.clock_gettime(time.pthread_getcpuclockid(ident))


@contextmanager
def cpu_clocks() -> Iterator[None]:
    """While the block runs, every search measures CPU time instead of wall time."""
    with (
        mock.patch.object(alphabeta, "perf_counter", own_time),
        mock.patch.object(deepening, "perf_counter", own_time),
        mock.patch.object(oracle, "perf_counter", own_time),
        mock.patch.object(deadline, "perf_counter", own_time),
        mock.patch.object(time, "perf_counter", own_time),  # what the searches by sampling ask
    ):
        yield


def uct(arguments: argparse.Namespace) -> None:
    """Alphabeta against plain MCTS with `--times` as much time; every opening is played from both sides.

    Without an opening only the seeds make games differ; the last line says how many do.
    """
    game = load("double-dutch", 2)
    mine, theirs = Limits(seconds=arguments.seconds), Limits(seconds=arguments.times * arguments.seconds)
    points: list[float] = []
    spent, made = [0.0, 0.0], [0, 0]
    seen: set[str] = set()
    for n in range(arguments.games):
        seat = n % 2
        position = after(game, arguments.opening, arguments.seed + n // 2)
        ours, other = AlphaBeta(game, n, mine), Uct(game, n, theirs, room=1 << 21)
        proofs: list[tuple[int, str]] = []
        # A proven win is a win: the solver proves the shorter rest of it sooner at every later move.
        while not position.is_over and not (proofs and proofs[-1][1] == "win"):
            acting = position.to_act[0]
            view = position.seen_by(acting)
            began = own_time()
            if acting == seat:
                thought = ours.think(view, mine)
                proofs.append((CELLS - position.ply, thought.proven.value))
            else:
                thought = other.think(view, theirs)
            spent[acting != seat] += own_time() - began
            made[acting != seat] += 1
            position = position.play(thought.move)
            if position.ply == arguments.opening + EARLY:
                seen.add(str(position))
        outcome = position.outcome()
        points.append(1.0 if outcome is None else outcome.score(seat))
        first = next((f"{word} seen at {empties}" for empties, word in proofs if word != "open"), "never proven")
        last = "won" if points[-1] == 1 else "lost"
        print(f"{n + 1:3} seat {seat}: {last}, {first}; {100 * np.mean(points):.1f} %", flush=True)
    # Both games of an opening are one set.
    share = share_of_points([points[n : n + 2] for n in range(0, len(points), 2)])
    print(
        f"double-dutch, alphabeta {arguments.seconds} s against uct {arguments.times * arguments.seconds:g} s: "
        f"{share} of {arguments.games} games; CPU a move "
        f"{spent[0] / made[0]:.2f} s and {spent[1] / made[1]:.2f} s; {len(seen)} different positions after "
        f"{EARLY} moves"
    )


def selfplay(game: Game[Any], seed: int, empties: int) -> Position[Any]:
    """A position with `empties` empty cells from a game between two short searches after four random moves."""
    position = after(game, 4, seed)
    bots: list[Player] = [
        AlphaBeta(game, seed + seat, Limits(nodes=2000), table_bits=14, oracle=False) for seat in range(2)
    ]
    while not position.is_over and CELLS - position.ply > empties:
        seat = position.to_act[0]
        position = position.play(bots[seat].choose(position.seen_by(seat)))
    return position


def solve(arguments: argparse.Namespace) -> None:
    """Measure how long positions of self-play take to be solved, each with an empty transposition table."""
    game = load("double-dutch", 2)
    times: list[float] = []
    won = unknown = 0
    solution = oracle.Solver(game)
    for n in range(arguments.games):
        position = selfplay(game, arguments.seed + n, arguments.empties)
        control = np.zeros(solver.CONTROLS, np.int64)
        control[solver.NODE_LIMIT] = arguments.nodes
        solution.forget()
        began = own_time()
        found = solution.solve(position._row, control)
        times.append(math.inf if found == solver.UNKNOWN else own_time() - began)
        won, unknown = won + (found == solver.WON), unknown + (found == solver.UNKNOWN)
        if (n + 1) % 20 == 0 or n + 1 == arguments.games:
            seconds = np.array(times)
            print(
                f"{n + 1} positions with {arguments.empties} empty cells: {100 * (seconds < 1).mean():.1f} % within "
                f"1 s of CPU, median {np.median(seconds):.3f} s, 95 % within "
                f"{np.quantile(seconds, 0.95, method='higher'):.2f} s; {won} won, {unknown} given up",
                flush=True,
            )


def main() -> None:
    """Read the command line and play the match it names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    matches: dict[str, Callable[[argparse.Namespace], None]] = {"uct": uct, "solve": solve}
    parser.add_argument("match", choices=tuple(matches))
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--times", type=float, default=10)
    parser.add_argument("--opening", type=int, default=0, help="so many random moves first")
    parser.add_argument("--empties", type=int, default=30)
    parser.add_argument("--nodes", type=int, default=50_000_000)
    arguments = parser.parse_args()
    with cpu_clocks():
        matches[arguments.match](arguments)


if __name__ == "__main__":
    main()
