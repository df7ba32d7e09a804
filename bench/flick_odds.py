"""Count what comes of flicks: fills src/cupboard/games/cup_king/odds.txt by simulating every case again and again.

    python bench/flick_odds.py --flicks 100     # go on until every case has so many; Ctrl-C stops, and it goes on later
    python bench/flick_odds.py --check 300      # simulate so many anew and compare them with the file
    python bench/flick_odds.py --time 300       # what a flick out of a whole pyramid costs, and how long its motion is

Counts are kept in the file itself, which is written anew every half minute and at the end. Flick number n of a case is
always the same one on a machine, so nothing is counted twice. Cases that always end alike get fewer flicks.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path

import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from cupboard.games.cup_king.flick import CLASSES, HANDS, STRENGTHS, Aim
from cupboard.games.cup_king.motion import packed_motion
from cupboard.games.cup_king.odds import FILE, Case, Odds, known, read, write
from cupboard.games.cup_king.poses import PLACED
from cupboard.games.cup_king.referee import parts
from cupboard.games.cup_king.shapes import cells
from cupboard.games.cup_king.simulation import flick

BATCH = 10
ENOUGH_ALIKE = 40
"""After so many flicks with one and the same outcome a case is certain enough: another one is rarer than 9 in 100."""
_SAVE_EVERY = 30.0


def outcome(case: Case, n: int) -> int:
    """What comes of flick number `n` of a case: the slots that stay, and the breaks from bit 15 on."""
    hand, kind, form, slot = case
    seed = [list(HANDS).index(hand), CLASSES.index(kind), form, slot, n]
    poses = dict.fromkeys((s for s in range(15) if form >> s & 1), PLACED)
    verdict = flick(poses, slot, Aim(STRENGTHS[kind]), HANDS[hand], np.random.default_rng(seed)).judgement
    return sum(1 << s for s in verdict.kept) | sum(1 << 15 + s for s in verdict.breaks)


def count(case: Case, first: int, many: int) -> Counter[int]:
    """What comes of the flicks number `first` and on."""
    return Counter(outcome(case, n) for n in range(first, first + many))


def cases() -> list[Case]:
    """Every case there is."""
    return [(hand, kind, form, slot) for hand in HANDS for kind in CLASSES for form, slot in cells()]


def wanted(odds: Odds | None, flicks: int) -> int:
    """How many flicks a case should have."""
    alike = odds is not None and len(odds.counts) == 1
    return min(flicks, ENOUGH_ALIKE) if alike else flicks


def jobs(odds: dict[Case, Odds], flicks: int) -> Iterator[tuple[Case, int, int]]:
    """Batches to simulate, those cases first that have fewest flicks."""
    for target in range(BATCH, flicks + BATCH, BATCH):
        for case in cases():
            have = odds[case].flicks if case in odds else 0
            if have < min(target, wanted(odds.get(case), flicks)):
                yield case, have, min(BATCH, flicks - have)


def build(file: Path, flicks: int, workers: int) -> None:
    """Simulate until every case has enough flicks, and write the file now and then."""
    odds = read(file.read_text(encoding="ascii")) if file.exists() else {}
    total = sum(wanted(odds.get(case), flicks) for case in cases())
    done = sum(min(odds[case].flicks, flicks) for case in cases() if case in odds)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    saved = time.monotonic()
    with Progress(*columns) as bar, ProcessPoolExecutor(workers, initializer=os.nice, initargs=(15,)) as pool:
        task = bar.add_task("flicks", total=total, completed=done)
        running: dict[Future[Counter[int]], tuple[Case, int]] = {}
        try:
            for case, have, many in jobs(odds, flicks):
                running[pool.submit(count, case, have, many)] = case, many
                while len(running) >= 2 * workers:
                    saved = _collect(running, odds, bar, task, file, saved)
            while running:
                saved = _collect(running, odds, bar, task, file, saved)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            print("Stopped: what is counted is kept, and the same command goes on.")
    _save(file, odds)


def _collect(
    running: dict[Future[Counter[int]], tuple[Case, int]],
    odds: dict[Case, Odds],
    bar: Progress,
    task: TaskID,
    file: Path,
    saved: float,
) -> float:
    for future in wait(running, return_when=FIRST_COMPLETED).done:
        case, many = running.pop(future)
        before = odds.get(case, Odds(0, {}))
        odds[case] = Odds(before.flicks + many, Counter(before.counts) + future.result())
        bar.advance(task, many)
    if time.monotonic() - saved > _SAVE_EVERY:
        _save(file, odds)
        return time.monotonic()
    return saved


def _save(file: Path, odds: dict[Case, Odds]) -> None:
    new = file.with_suffix(".tmp")
    new.write_text(write(odds), encoding="ascii")
    new.replace(file)


def check(flicks: int, seed: int) -> None:
    """Simulate flicks of drawn cases anew and print how well they fit the file."""
    rng = np.random.default_rng(seed)
    observed: Counter[str] = Counter()
    expected = {"first": 0.0, "second": 0.0, "other": float(flicks)}
    every = cases()
    for _ in range(flicks):
        case = every[rng.integers(len(every))]
        odds = known()[case]
        came = outcome(case, 1_000_000 + int(rng.integers(1_000_000)))
        ranks = [o for o, _ in sorted(odds.counts.items(), key=lambda item: -item[1])]
        observed["first" if came == ranks[0] else "second" if came in ranks[1:2] else "other"] += 1
        for outcome_of_rank, key in zip(ranks, ("first", "second"), strict=False):
            share = odds.counts[outcome_of_rank] / odds.flicks
            expected[key] += share
            expected["other"] -= share
    chi_square = sum((observed[key] - many) ** 2 / many for key, many in expected.items())
    chance = math.exp(-chi_square / 2)  # for two degrees of freedom
    print({key: (observed[key], round(many, 1)) for key, many in expected.items()}, f"p = {chance:.3f}")


def measure(flicks: int, seed: int) -> None:
    """Print the CPU time of flicks out of whole pyramids, the sizes of their motions, and how they ended."""
    rng = np.random.default_rng(seed)
    seconds, sizes, ends = [], [], Counter[str]()
    for n in range(flicks):
        slot, kind, hand = int(rng.integers(15)), CLASSES[n % 3], list(HANDS.values())[n // 3 % 2]
        began = time.process_time()
        flicked = flick(dict.fromkeys(range(15), PLACED), slot, Aim(STRENGTHS[kind]), hand, rng)
        seconds.append(time.process_time() - began)
        sizes.append(len(packed_motion(flicked, 5)))
        verdict = flicked.judgement
        ends["A"] += bool(verdict.misplaced)
        ends["C"] += bool(verdict.apart)
        ends["D"] += len(parts(verdict.kept, verdict.breaks)) > 1
        ends["not at rest in time"] += not flicked.rested
        ends["runs"] += len(flicked.motion)
    for name, values, unit in (("CPU", np.array(seconds), "s"), ("motion", np.array(sizes) / 1000, "kB")):
        median, late = np.median(values), np.quantile(values, 0.95)
        print(f"{name}: median {median:.2f} {unit}, 95 % within {late:.2f}, at most {values.max():.2f}")
    print(f"of {flicks} flicks: {dict(ends)}")


def main() -> None:
    """Read the command line and build or check the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flicks", type=int, default=100, help="how many flicks every case should have")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="how many processes simulate")
    parser.add_argument("--file", type=Path, default=FILE, help="where the counts are kept")
    parser.add_argument("--check", type=int, metavar="N", help="compare the file with N new flicks instead")
    parser.add_argument("--time", type=int, metavar="N", help="measure N flicks out of whole pyramids instead")
    parser.add_argument("--seed", type=int, default=1, help="which flicks the comparison draws")
    given = parser.parse_args()
    if given.check:
        check(given.check, given.seed)
    elif given.time:
        measure(given.time, given.seed)
    else:
        build(given.file, given.flicks, given.workers)


if __name__ == "__main__":
    main()
