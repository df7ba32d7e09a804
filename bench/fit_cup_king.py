"""Fits the weights of Cup King's marks.py and evaluate.py by self-play; prints them, to be pasted there.

python bench/fit_cup_king.py judge --seats 2 --seconds 120   a climb: steps are kept that win duplicate deals
python bench/fit_cup_king.py ladder --seats 5 --deals 1000    how far the rule levels stand from each other
python bench/fit_cup_king.py standing --games 4000           log-linear regression of who won on the features

Buckets are flicked and fall by the odds; with --removal careful they are taken out with two fingers.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from cupboard.core.kernel import CHANCE, OVER, SEATS, TURN
from cupboard.core.prng import counted, mixed
from cupboard.games.cup_king import evaluate, kernel
from cupboard.games.cup_king import layout as k
from cupboard.games.cup_king.marks import PATTERN, REACH, RULES_OF_THUMB, SAFE, SOFT, WEIGHTS, judge_with
from cupboard.players.ismcts_core import felt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.scores import share_and_elo

describe, FEATURES = evaluate.describe, evaluate.FEATURES
_moves, _play, _chance, _scores, _setup = kernel.moves, kernel.play, kernel.chance, kernel.scores, kernel.setup
POSITIVE = [REACH, SOFT, SAFE]
PHASE, PLAYING, BUILDING = k.PHASE, k.PLAYING, k.BUILDING


class Table(NamedTuple):
    """What a game is played with: how many seats, and the kernel's bits of rules."""

    seats: int
    rules: int


@njit(nogil=True)
def chosen(seats, rules):  # type: ignore[no-untyped-def]
    """The options of a single game as the kernel takes them: each at its entry."""
    options = np.zeros(max(SEATS, k.GAMES, k.RULES) + 1, np.int64)
    options[SEATS], options[k.GAMES], options[k.RULES] = seats, 1, rules
    return options


@njit(nogil=True)
def choose(row, out, marks, weights, heat, state):  # type: ignore[no-untyped-def]
    """The move with the best mark, or one drawn by softmax at a temperature of `heat` hundredths of a nat."""
    n = _moves(row, out)
    judge_with(row, out, n, marks, weights)
    best, most = 0, -1e18
    for i in range(n):
        state = mixed(counted(state))
        noisy = felt(marks[i], max(heat, 0.1), state)
        if noisy > most:
            best, most = i, noisy
    return out[best]


@njit(nogil=True)
def play_deals(seats, rules, ours, theirs, deals, seed, heat, tally):  # type: ignore[no-untyped-def]
    """Play each deal once from every seat: one seat by the weights `ours`, the others by `theirs`.

    Adds our points, the games and the moves to `tally`.
    """
    row = np.zeros(k.SIZE, np.int64)
    out, marks = np.zeros(k.MAX_MOVES, np.int64), np.zeros(k.MAX_MOVES, np.int64)
    options = chosen(seats, rules)
    shares = np.zeros(6, np.int64)
    for deal in range(deals):
        for mine in range(seats):
            _setup(row, options)
            # Nature's numbers depend on the deal and on its move's number alone: duplicate deals.
            nature = mixed(np.uint64(seed * 1000003 + deal))
            state = mixed(np.uint64(seed * 1000003 + deal * 8 + mine + 7))
            while row[TURN] != OVER:
                if row[TURN] == CHANCE:
                    nature = counted(nature)
                    _play(row, _chance(row, mixed(nature)))
                else:
                    state += np.uint64(0x632BE59BD9B4E019)
                    weights = ours if row[TURN] == mine else theirs
                    _play(row, choose(row, out, marks, weights, heat, mixed(state)))
                    tally[2] += 1
            _scores(row, shares)
            tally[0] += shares[mine] / 60
            tally[1] += 1


def match(table: Table, ours: Any, theirs: Any, deals: int, seed: int, heat: float = 0.0) -> float:
    """The share of the points that `ours` gets against `theirs`."""
    tally = np.zeros(3)
    play_deals(*table, ours, theirs, deals, seed, heat, tally)
    return float(tally[0] / tally[1])


STEPS = np.array([30, 4, 25, 2, 5, 25, 20, 0.3, 1, 0.15, 20, 40, 40, 5, 30, 30, 2, 0.05, 60, 0.8, 5])
"""The size of one step of the climb, for each weight."""


def slope(table: Table, best: Any, rng: Any, pairs: int, deals: int) -> Any:
    """The direction in which the share of the points rises, estimated from pairs of small random steps."""
    total = np.zeros(PATTERN)
    for _ in range(pairs):
        step = rng.normal(0, 0.5, PATTERN)
        seed = int(rng.integers(1 << 30))
        there, back = (match(table, moved(best, sign * step), best, deals, seed) for sign in (1, -1))
        total += (there - back) * step
    return total / np.linalg.norm(total)


def moved(weights: Any, step: Any) -> Any:
    """A copy of the weights after a step, with those that must be positive kept above 0."""
    after = weights.copy()
    after[:PATTERN] += STEPS * step
    after[POSITIVE] = np.maximum(after[POSITIVE], 0.1)
    return after


def swapped(weights: Any, seats: int, rng: Any) -> Any:
    """A copy of the weights with a few slots of the pattern swapped."""
    after = weights.copy()
    slots = PATTERN + np.flatnonzero(after[PATTERN:] < 9)
    slots = slots[slots < PATTERN + 15] if seats <= 4 else slots[slots >= PATTERN + 15]
    for _ in range(rng.integers(1, 4)):
        one, other = rng.choice(slots, 2, replace=False)
        after[[one, other]] = after[[other, one]]
    return after


def climb(what: str, table: Table, seconds: float, seed: int) -> None:
    """Hill climbing: a step is kept if it beats the best weights so far twice, by more than chance explains."""
    rng, seats = np.random.default_rng(seed), table.seats
    began = time.process_time()
    best = WEIGHTS[(seats > 2) + (seats > 4)].copy()
    while time.process_time() - began < seconds:
        if what == "pattern":
            tries = [swapped(best, seats, rng) for _ in range(4)]
        else:
            up = slope(table, best, rng, 60, 250)
            tries = [moved(best, length * up) for length in (0.4, 0.8, 1.6, 3.2)]
        scores = [match(table, tried, best, 1000, int(rng.integers(1 << 30))) for tried in tries]
        tried = tries[int(np.argmax(scores))]
        score = match(table, tried, best, 4000, int(rng.integers(1 << 30)))
        kept = score > 1 / seats + 0.5 / np.sqrt(4000 * seats)
        print(f"{score:.3f} {'kept' if kept else 'left'}", np.round(scores, 3), flush=True)
        if kept:
            best = tried
            print(np.round(best, 2).tolist(), flush=True)
    print("against the start:", match(table, best, WEIGHTS[(seats > 2) + (seats > 4)], 5000, 99))
    print("against the rules of thumb:", match(table, best, RULES_OF_THUMB, 5000, 98))
    print(np.round(best, 2).tolist(), flush=True)


@njit(nogil=True)
def sample(seats, rules, weights, games, seed, heat, xs, ys):  # type: ignore[no-untyped-def]
    """Fill `xs` with every seat's features at random moments of self-play, `ys` with the points. Returns how many."""
    row = np.zeros(k.SIZE, np.int64)
    out, marks = np.zeros(k.MAX_MOVES, np.int64), np.zeros(k.MAX_MOVES, np.int64)
    options = chosen(seats, rules)
    shares = np.zeros(6, np.int64)
    found = 0
    for game in range(games):
        _setup(row, options)
        state = mixed(np.uint64(seed * 1000003 + game))
        first = found
        while row[TURN] != OVER:
            state = counted(state)
            if row[TURN] == CHANCE:
                _play(row, _chance(row, mixed(state)))
                continue
            if row[PHASE] == PLAYING and mixed(state + np.uint64(5)) % np.uint64(8) == 0 and found < len(xs):
                for seat in range(seats):
                    describe(row, seat, xs[found, seat])
                found += 1
            _play(row, choose(row, out, marks, weights, heat, mixed(state)))
        _scores(row, shares)
        for i in range(first, found):
            for seat in range(seats):
                ys[i, seat] = shares[seat] / 60
    return found


def regress(table: Table, games: int, seed: int) -> None:
    """Fit the weights of the evaluation by logistic regression of the winner on the features, and print them."""
    seats = table.seats
    xs, ys = np.zeros((games * 12, seats, FEATURES)), np.zeros((games * 12, seats))
    found = sample(*table, WEIGHTS[(seats > 2) + (seats > 4)], games, seed, 20.0, xs, ys)
    xs, ys = xs[:found], ys[:found]
    weights = np.zeros(FEATURES)

    def loss_of(w: Any, x: Any, y: Any) -> tuple[float, Any, Any]:
        z = x @ w
        z -= z.max(1, keepdims=True)
        p = np.exp(z)
        p /= p.sum(1, keepdims=True)
        mean = np.einsum("ns,nsf->nf", p, x)
        gradient = np.einsum("ns,nsf->f", p - y, x) / len(x)
        centred = x - mean[:, None]
        hessian = np.einsum("ns,nsf,nsg->fg", p, centred, centred) / len(x)
        return float(-(y * np.log(p + 1e-12)).sum(1).mean()), gradient, hessian

    train, test = slice(0, found * 4 // 5), slice(found * 4 // 5, found)
    for _ in range(20):
        _, gradient, hessian = loss_of(weights, xs[train], ys[train])
        weights -= np.linalg.solve(hessian + 1e-4 * np.eye(FEATURES), gradient + 1e-4 * weights)
    for name, w in (
        ("none", weights * 0),
        ("written", evaluate.STANDING[min(seats, 3) - 2] / 100),
        ("fitted", weights),
    ):
        print(f"{name:8} log loss {loss_of(w, xs[test], ys[test])[0]:.4f}")
    print(seats, "seats", found, "positions:", np.round(weights * 100, 1).tolist(), flush=True)


@njit(nogil=True)
def build(row, weights, doubt, state, out, marks):  # type: ignore[no-untyped-def]
    """Build a pyramid as players/sensible.py does: the best-marked one, with more random swaps the more doubt."""
    seat, start = row[TURN], row.copy()
    plan, n = np.zeros(15, np.int64), 0
    while row[TURN] == seat and row[PHASE] == BUILDING:
        plan[n] = choose(row, out, marks, weights, 0.0, state)
        _play(row, plan[n])
        n += 1
    which = mixed(state) % np.uint64(1 + int(doubt / 4))
    while which > 0:  # each round varies the last pyramid
        state = mixed(counted(state))
        for _ in range((1, 1, 2, 3, 5)[state % np.uint64(5)]):
            state = mixed(counted(state))
            one = np.int64(state % np.uint64(n))
            other = (one + 1 + np.int64((state >> np.uint64(32)) % np.uint64(n - 1))) % n
            plan[one], plan[other] = plan[other], plan[one]
        which = mixed(state + np.uint64(1)) % which
    row[:] = start
    for i in range(n):
        _play(row, plan[i])


@njit(nogil=True)
def duel(seats, rules, one, doubt, others, doubts, tuned, deals, shares):  # type: ignore[no-untyped-def]
    """Play one rule bot against others, each deal from every seat; its share of each deal is put into `shares`."""
    row = np.zeros(k.SIZE, np.int64)
    out, marks = np.zeros(k.MAX_MOVES, np.int64), np.zeros(k.MAX_MOVES, np.int64)
    options, points = chosen(seats, rules), np.zeros(6, np.int64)
    for deal in range(deals):
        for mine in range(seats):
            _setup(row, options)
            nature, state = mixed(np.uint64(deal + 1)), mixed(np.uint64(deal * 8 + mine + 77777))
            while row[TURN] != OVER:
                if row[TURN] == CHANCE:
                    nature = counted(nature)
                    _play(row, _chance(row, mixed(nature)))
                    continue
                state += np.uint64(0x632BE59BD9B4E019)
                heat = doubt if row[TURN] == mine else doubts
                if row[PHASE] == BUILDING:
                    build(row, tuned, heat, mixed(state), out, marks)
                else:
                    _play(row, choose(row, out, marks, one if row[TURN] == mine else others, heat, mixed(state)))
            _scores(row, points)
            shares[deal] += points[mine] / 60 / seats


def ladder(table: Table, deals: int, doubts: list[float], last_doubts: list[float]) -> None:
    """Print the Elo step of every rule level above the next lower one; the last levels use the tuned rules."""
    seats = table.seats
    tuned = WEIGHTS[(seats > 2) + (seats > 4)]
    rungs = [(RULES_OF_THUMB, doubt) for doubt in doubts] + [(tuned, doubt) for doubt in last_doubts]
    for (low, more), (high, less) in pairwise(rungs):
        shares = np.zeros(deals)
        duel(*table, high, less, low, more, tuned, deals, shares)
        result = share_and_elo([[share] * seats for share in shares.tolist()], seats)
        print(f"{seats} seats, doubt {less:g} over {more:g}: {result}", flush=True)


def main() -> None:
    """Read the command line and run the fit, the ladder or the speed test that it names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["judge", "pattern", "standing", "ladder", "speed"])
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--removal", choices=["flick", "careful"], default="flick")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--doubts", type=float, nargs="*", default=[2000, 400, 190, 95, 45, 14])
    parser.add_argument("--tuned", type=float, nargs="*", default=[0], help="doubts of the tuned rules, falling")
    given = parser.parse_args()
    table = Table(given.seats, k.FLICK if given.removal == "flick" else 0)
    if given.what in ("judge", "pattern"):
        climb(given.what, table, given.seconds, given.seed)
    elif given.what == "ladder":
        ladder(table, given.deals, given.doubts, given.tuned)
    elif given.what == "standing":
        regress(table, given.games, given.seed)
    else:
        weights = WEIGHTS[(given.seats > 2) + (given.seats > 4)]
        match(table, weights, weights, 1, 1)
        began, tally = time.process_time(), np.zeros(3)
        play_deals(*table, weights, weights * 0, given.deals, 1, 0.0, tally)
        spent = time.process_time() - began
        print(
            f"{tally[1]} games, {tally[2] / tally[1]:.1f} moves each, {tally[1] / spent:.0f} games/s; "
            f"against random {tally[0] / tally[1]:.3f}"
        )


if __name__ == "__main__":
    main()
