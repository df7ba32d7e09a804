"""Where the rungs of a ladder belong: plays strengths against each other and places the levels at equal steps.

python bench/ladder.py double-dutch --seats 2 --minutes 5

A grid of strengths plays its neighbours, and the strongest player the last of them; ratings over all games
make a curve, and the levels are put on it at equal steps of Elo, as many as leave each step near --step. Prints the
strengths for STRENGTHS in players/levels.py; `cupboard arena GAME --ladder` then measures what became of them. Games
are kept in a journal beside the arena's, and the same command goes on there.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import count, islice, pairwise
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import monotonic

import numpy as np
from rich.progress import Progress

from cupboard.arena.play import Played
from cupboard.arena.ratings import rate
from cupboard.core.match import Match
from cupboard.core.registry import load
from cupboard.players import levels

FAULTY, FAULTLESS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7), (1.5, 1.6, 1.7, 1.8, 1.9)
GRID = FAULTY + FAULTLESS
BEST = "best"
NAMES = (*(f"{strength:.2f}" for strength in GRID), BEST)
FEWEST, MOST = 5, len(levels.LEVELS)


def fixtures(seats: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Line-ups and how far they are turned around the table, for ever: one alone among others of a kind.

    Neighbours meet, and neighbours but one, so that errors do not add up along the chain. Slow players meet less often.
    """
    pairs = [*pairwise(NAMES), *zip(NAMES, NAMES[2:], strict=False)]
    for n in count():
        for low, high in pairs:
            if (n + 1) % (1 if high < "1.55" else 3 if high < "1.75" else 9) == 0:
                for one, other in ((low, high), (high, low)):
                    yield (one, *[other] * (seats - 1)), n % seats


def play(name: str, seats: int, lineup: tuple[str, ...], turn: int, seed: int) -> Played:
    """One game; the lineup is turned around the table."""
    game = load(name, seats)
    labels = lineup[turn:] + lineup[:turn]
    players = [_rung(label).make(game, 100 * seed + seat) for seat, label in enumerate(labels)]
    match, rng = Match(game), Random(seed)
    match.settle(rng)
    made = [0] * seats
    while not match.position.is_over:
        seat = match.position.to_act[0]
        match.play(players[seat].choose(match.position.seen_by(seat)), seat)
        match.settle(rng)
        made[seat] += 1
    outcome = match.position.outcome()
    assert outcome is not None
    return Played(f"{seed:06d}", seed, labels, outcome.scores, outcome.reason, sum(made), (0.0,) * seats, tuple(made))


def _rung(label: str) -> levels.Rung:
    return levels.best() if label == BEST else levels.rung(float(label))


def gather(name: str, seats: int, minutes: float, journal: Path, workers: int) -> list[Played]:
    """Play until the time is over; what was played before is read from the journal."""
    journal.parent.mkdir(parents=True, exist_ok=True)
    games = (
        [Played.from_json(json.loads(line)) for line in journal.read_text().splitlines()] if journal.exists() else []
    )
    ends = monotonic() + 60 * minutes
    waiting = enumerate(fixtures(seats))
    deque(islice(waiting, len(games)), maxlen=0)  # played before
    running: set[Future[Played]] = set()
    with (
        journal.open("a") as file,
        ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool,
        Progress() as bar,
    ):
        task = bar.add_task(f"{name}, {seats} seats", total=60 * minutes)
        while running or monotonic() < ends:
            while monotonic() < ends and len(running) < 2 * workers:
                seed, (lineup, turn) = next(waiting)
                running.add(pool.submit(play, name, seats, lineup, turn, seed))
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                games.append(future.result())
                file.write(json.dumps(games[-1].to_json()) + "\n")
                file.flush()
            bar.update(task, completed=60 * minutes - (ends - monotonic()), description=f"{name}: {len(games)} games")
    return games


def place(games: list[Played], step: float) -> tuple[list[float], float]:
    """The strengths of the levels below the best, and the Elo from one level to the next."""
    rated = {rating.label: rating.elo for rating in rate(NAMES, games)}
    for name in NAMES:
        print(f"  {name:>5} {rated[name].value:+6.0f} ± {rated[name].high - rated[name].value:.0f}")
    # A curve that never falls: where noise makes it dip, the strengths share a value.
    climb = np.maximum.accumulate([rated[name].value for name in NAMES[:-1]])
    top, bottom = max(rated[BEST].value, climb[-1]), climb[0]
    rungs = int(np.clip(round((top - bottom) / step) + 1, FEWEST, MOST))
    width = (top - bottom) / (rungs - 1)
    wanted = bottom + width * np.arange(rungs - 1)
    uphill = climb + np.arange(len(climb)) * 1e-6
    return [_nearer(round(float(s), 3)) for s in np.interp(wanted, uphill, GRID)], float(width)


def _nearer(strength: float) -> float:
    """Between persons with and without faults there is nobody."""
    below, above = FAULTY[-1], FAULTLESS[0]
    return strength if not below < strength < above else below if strength - below < above - strength else above


def main() -> None:
    """Read the command line, play, and print the strengths."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--step", type=float, default=150, help="Elo between two levels")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    game = load(arguments.game, arguments.seats)
    journal = Path("arena") / f"strengths-{game.name}-{game.seats}.jsonl"
    games = gather(game.name, game.seats, arguments.minutes, journal, arguments.workers)
    strengths, width = place(games, arguments.step)
    print(f"{len(games)} games; {len(strengths) + 1} levels, {width:.0f} Elo apart:")
    print(f'    ("{game.name}", {game.seats}): ({", ".join(map(str, strengths))}),')


if __name__ == "__main__":
    main()
