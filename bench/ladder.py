"""Places the levels of a game at equal steps of Elo, by letting neighbouring levels play each other.

python bench/ladder.py chinese-checkers --seats 2 --opening 4 --minutes 30

Begins with the levels in the game's levels.py, or the usual ones, as strengths (bench/strengths.py). After each round
all games so far are laid through one curve, Elo over strength, and the levels are moved to equal steps on it: as many
of them as leave each step near --step. So most games are played where the levels end up. Prints the rungs for
levels.py; `cupboard arena GAME --ladder` then measures what became of them. Games are kept in a journal beside the
arena's, and the same command goes on there.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import monotonic

import numpy as np
from rich.progress import Progress

from cupboard.arena.game_runner import GameResult
from cupboard.arena.ratings import Z95, Floats, fit_elo
from cupboard.core.ladder import Rung, Seated
from cupboard.core.match import Match
from cupboard.core.registry import load
from cupboard.players import levels

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.strengths import NO_MORE_WHIMS, best_of, player_at, read_ladder

BEST = "best"
FEWEST, MOST = 5, len(levels.LEVELS)
ANYWHERE, STEEP, BENT, SMOOTH, ROUGH = 1500.0, 3000.0, 300.0, 0.15, 5.0
"""Before any game a kind's curve is a line that bends: how far apart players may be in Elo, how much that may grow with
a whole 1 of strength, how far it bends from the line and over how much strength, and how far a single strength may
lie beside it."""
CLIMB = 2000.0
"""The assumed Elo for each 1 of strength beyond the strengths that have played."""
KINDS = (0.0, 1.0, 2.0, NO_MORE_WHIMS, 3.0, 4.0)
"""Above each of these strengths another kind of player begins (`strengths.player_at`)."""
COARSE = 0.005
"""Strengths are rounded to multiples of this, so that games of several rounds share them."""


@dataclass(frozen=True)
class Curve:
    """Elo over strength, through all games: smooth within a kind of player (`KINDS`), free between kinds."""

    labels: tuple[str, ...]
    """The strengths as text, ascending, and BEST as the last."""
    games: Sequence[GameResult]

    @classmethod
    def through(cls, games: Sequence[GameResult], also: Iterable[str] = ()) -> Curve:
        """The curve through these games, also evaluated at the strengths `also`."""
        seen = {label for game in games for label in game.labels} | set(also)
        return cls((*sorted(seen - {BEST}, key=float), BEST), games)

    @cached_property
    def _fit(self) -> tuple[Floats, Floats]:
        """The Elo of each label, and their covariance."""
        k = len(self.labels)
        strengths = np.array([float(label) for label in self.labels[:-1]])
        kinds = np.array(list(map(kind_of, strengths)))
        beyond = strengths - np.array(KINDS)[kinds]
        bend = BENT**2 * np.exp(-(((strengths[:, None] - strengths) / SMOOTH) ** 2) / 2)
        line = ANYWHERE**2 + STEEP**2 * np.outer(beyond, beyond)
        spread = np.eye(k) * ROUGH**2
        spread[:-1, :-1] += (line + bend) * (kinds[:, None] == kinds)
        spread[-1, -1] += ANYWHERE**2
        return fit_elo(self.labels, self.games, spread)

    def step(self, below: str, above: str) -> tuple[float, float]:
        """The Elo difference between two labels, and half of its 95 % interval."""
        elo, covariance = self._fit
        i, j = self.labels.index(below), self.labels.index(above)
        variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
        return float(elo[j] - elo[i]), float(Z95 * np.sqrt(variance))

    def place(self, lowest: str, step: float) -> list[str]:
        """The strengths of the levels at equal steps of Elo, from the lowest to the best."""
        elo = dict(zip(self.labels, self._fit[0], strict=True))
        span = elo[BEST] - elo[lowest]
        rungs = int(np.clip(round(span / step) + 1, FEWEST, MOST))
        wanted = elo[lowest] + span / (rungs - 1) * np.arange(1, rungs - 1)
        return [lowest, *(self._strength_at(height) for height in wanted), BEST]

    def _strength_at(self, height: float) -> str:
        """The strength with this Elo, from the kind of player with the least extrapolation, the simpler one of two."""
        elo, found = self._fit[0], []
        strengths = [float(label) for label in self.labels[:-1]]
        for kind in sorted(set(map(kind_of, strengths))):
            xs = [s for s in strengths if kind_of(s) == kind]
            # Where noise makes the curve dip, strengths share a value.
            ys = np.maximum.accumulate([elo[strengths.index(s)] for s in xs]) + 1e-6 * np.arange(len(xs))
            strength = float(np.interp(height, ys, xs))
            beyond = (height - float(np.clip(height, ys[0], ys[-1]))) / CLIMB
            reach = float(np.clip(strength + beyond, KINDS[kind] + COARSE, KINDS[kind + 1] - COARSE))
            found.append((abs(beyond), reach))
        strength = min(found)[1]
        return f"{COARSE * round(strength / COARSE):.3f}"


def kind_of(strength: float) -> int:
    """The kind of player that a strength stands for, as its index in KINDS."""
    return max(0, int(np.searchsorted(KINDS, strength)) - 1)


def fixtures(
    games: list[GameResult], start: list[str], seats: int, step: float
) -> Iterator[tuple[tuple[str, ...], int]]:
    """Endless line-ups and seeds; the levels are placed anew in every round.

    Each level plays alone against copies of its neighbour, both ways. Two consecutive games have the same seed, and
    with two seats the same opening.
    """
    rung, seed = start, len(games)
    while True:
        if games:
            rung = Curve.through(games).place(start[0], step)
        for low, high in pairwise(dict.fromkeys(rung)):
            turn = seed // 2 % seats
            for one, other in ((low, high), (high, low)):
                lineup = (one, *[other] * (seats - 1))
                yield lineup[turn:] + lineup[:turn], seed // 2
                seed += 1


def play(name: str, lineup: tuple[str, ...], seed: int, opening: int, most: int) -> GameResult:
    """Play one game, beginning with `opening` random moves, and return its result."""
    game = load(name, len(lineup))
    players = [levels.make_seated(_seated(label, most), game, 100 * seed + seat) for seat, label in enumerate(lineup)]
    match, rng = Match(game), Random(seed)
    match.settle(rng)
    made = [0] * len(lineup)
    while not match.position.is_over:
        seat = match.position.to_act[0]
        begun = sum(made) >= opening
        seen = match.position.seen_by(seat)
        match.play(players[seat].choose(seen) if begun else rng.choice(match.position.moves(seat)), seat)
        match.settle(rng)
        made[seat] += 1
    outcome = match.position.outcome()
    assert outcome is not None
    zero = (0.0,) * len(lineup)
    return GameResult(f"{seed:06d}", seed, lineup, outcome.scores, outcome.reason, sum(made), zero, tuple(made))


def _seated(label: str, most: int) -> Seated:
    return best_of(most) if label == BEST else player_at(float(label), most)


def gather(arguments: argparse.Namespace, start: list[str], most: int, journal: Path) -> list[GameResult]:
    """Play until the time is over. Returns these results and the earlier ones of the journal."""
    name, seats = arguments.game, arguments.seats
    journal.parent.mkdir(parents=True, exist_ok=True)
    lines = journal.read_text().splitlines() if journal.exists() else []
    games = [GameResult.from_json(json.loads(line)) for line in lines]
    ends = monotonic() + 60 * arguments.minutes
    waiting = fixtures(games, start, seats, arguments.step)
    running: set[Future[GameResult]] = set()
    with (
        journal.open("a") as file,
        ProcessPoolExecutor(arguments.workers, mp_context=get_context("spawn")) as pool,
        Progress() as bar,
    ):
        task = bar.add_task(f"{name}, {seats} seats", total=60 * arguments.minutes)
        while running or monotonic() < ends:
            while monotonic() < ends and len(running) < 2 * arguments.workers:
                lineup, seed = next(waiting)
                running.add(pool.submit(play, name, lineup, seed, arguments.opening, most))
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                games.append(future.result())
                file.write(json.dumps(games[-1].to_json()) + "\n")
                file.flush()
            spent = 60 * arguments.minutes - (ends - monotonic())
            bar.update(task, completed=spent, description=f"{name}: {len(games)} games")
    return games


def main() -> None:
    """Read the command line, play, and print the strengths of the levels."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--step", type=float, default=150, help="Elo between two levels")
    parser.add_argument("--opening", type=int, default=0, help="random moves before each game")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--lowest", type=float, help="the strength of the weakest level, if it should change")
    parser.add_argument("--journal", type=Path)
    arguments = parser.parse_args()
    before, most = read_ladder(levels.ladder_of(load(arguments.game, arguments.seats)).values())
    kept = before if arguments.lowest is None else [arguments.lowest, *(s for s in before if s > arguments.lowest)]
    start = [*(f"{strength:.3f}" for strength in kept), BEST]
    journal = arguments.journal or Path("arena") / f"strengths-{arguments.game}-{arguments.seats}.jsonl"
    games = gather(arguments, start, most, journal)
    placed = Curve.through(games).place(start[0], arguments.step)
    curve = Curve.through(games, placed)
    for below, above in pairwise(placed):
        print("  {:>6} to {:>6} {:+5.0f} ± {:.0f}".format(below, above, *curve.step(below, above)))
    print(f"{len(games)} games; {len(placed)} levels:")
    print(f"    {arguments.seats}: (")
    elo = [0.0, *accumulate(curve.step(below, above)[0] for below, above in pairwise(placed))]
    for name, label, height in zip(levels.level_names(len(placed)), placed, elo, strict=True):
        print(f"        {Rung(name, _seated(label, most), round(height))},")
    print("    ),")


if __name__ == "__main__":
    main()
