"""How good a Chinese Checkers position looks: the way still to go, who lags behind, and which jumps lie open.

Everything is seen from a seat's target: how far its pieces are from the tip of it, in steps and as the crow flies.
"""

import numpy as np
from numba import int64, void

from cupboard.core.kernel import EVALUATE, OVER, ROW, SEATS, TURN, fast, inner
from cupboard.games.chinese_checkers.kernel import (
    AXIAL,
    DIRECTIONS,
    FILLED,
    FINISH_RULE,
    FINISHED,
    HOLES,
    OWN,
    PIECES,
    STRICT,
    TARGET,
    TRIANGLE,
)

WIN = 1_000_000
FEATURES = ("way", "behind", "jumps", "home", "rear", "turn", "rival")
WEIGHTS = (100, 3, 8, 0, 200, 60, 50)
"""A step of way; the square of the distance of each piece, so that pieces off the line cost more than their steps; a
forward jump that lies open; a piece at home; a step of the way of the last piece; being on turn; and in hundredths, how
much of the best rival's standing counts: less than all, or both sides would rather stand in the way than come home."""
TUNED = 6
"""`cupboard tune` can fit the weights before this one. Not done yet: a dozen sets were tried against greedy."""
SCALE = 300
"""How much of the value makes winning e times as likely."""
FUTILITY = 150
"""More than a single move usually changes besides what it promises."""
STYLE = {3: "reply", 4: "expect", 6: "expect"}
"""In the crowd of a full star, guessing what the others do and looking further ahead wins more than fearing it."""
FINISHED_FIRST = 200_000
"""Somebody who has finished can at worst be joined by others in the same round (CA-13)."""

_TIPS = ((4, -8), (8, -4), (4, 4), (-4, 8), (-8, 4), (-4, -4))


def _steps(q, r):
    """The steps over a difference in axial coordinates."""
    return max(abs(q), abs(r), abs(q + r))


WAY = np.array([[_steps(q - a, r - b) for q, r in AXIAL] for a, b in _TIPS])
"""WAY[t, h]: the steps from hole h to the tip of triangle t, 0 to 16."""
SQUARE = np.array([[(q - a) ** 2 + (r - b) ** 2 + (q - a) * (r - b) for q, r in AXIAL] for a, b in _TIPS])
"""SQUARE[t, h]: the square of the distance."""
FORWARD = np.array(
    [sum(1 << d for d, (q, r) in enumerate(DIRECTIONS) if _steps(q - a, r - b) < 8) for a, b in _TIPS], np.int64
)
"""FORWARD[t]: bits of the directions in which one comes nearer to the tip of triangle t from the middle."""
STUCK = np.array([900, 500, 350, 300, 280, 270, 260, 250, 250, 250, 250, 250, 250], np.int64)
"""The cost of an opponent in the target, by its ways out: one without any never leaves."""
_ONES = np.array([bits.bit_count() for bits in range(64)], np.int64)


@inner
def standing(row, seat, weights):
    """How a seat stands alone, without the others: higher is better."""
    t = TARGET[row[SEATS], seat]
    value = weights[3] * row[OWN + seat] + (FINISHED_FIRST if (row[FINISHED] >> seat) & 1 else 0)
    first = PIECES + 10 * seat
    rear = np.int64(0)
    for i in range(10):
        hole = row[first + i]
        entry = row[HOLES + hole]
        rear = max(rear, WAY[t, hole])
        value -= weights[0] * WAY[t, hole] + weights[1] * SQUARE[t, hole]
        value += weights[2] * _ONES[entry & ~(entry >> 6) & FORWARD[t]]
    return value - weights[4] * rear


@inner
def stuck(row, seat):
    """What it costs under the strict rule that others stand in the seat's target: they must be let out to finish."""
    t = TARGET[row[SEATS], seat]
    cost = np.int64(0)
    for other in range(row[SEATS]):
        if other != seat and row[FILLED + t] > row[OWN + seat]:
            for i in range(10):
                hole = row[PIECES + 10 * other + i]
                if TRIANGLE[hole] == t:
                    entry = row[HOLES + hole]
                    cost += STUCK[_ONES[~entry & 63] + _ONES[entry & ~(entry >> 6) & 63]]
    return cost


@inner
def against_best(row, seat, weights):
    """A seat's standing less that of the best of the others."""
    if row[FINISH_RULE] == STRICT:
        return compare(row, seat, weights) - stuck(row, seat)
    return compare(row, seat, weights)


@inner
def compare(row, seat, weights):
    """The same, but for who is stuck."""
    best = np.int64(-(1 << 40))
    for other in range(row[SEATS]):
        if other != seat:
            best = max(best, standing(row, other, weights))
    return standing(row, seat, weights) - best * weights[6] // 100


@fast(int64(ROW, int64, ROW))
def weigh(row, seat, weights):
    """The value for `seat` of a game that goes on."""
    return against_best(row, seat, weights) + (weights[5] if row[TURN] == seat else -weights[5])


@fast(void(ROW, int64, ROW))
def features(row, seat, out):
    """What `weigh` adds up with two seats, each of the seat against the other; for tuning."""
    weights = np.zeros(len(FEATURES), np.int64)
    for i in range(TUNED - 1):
        weights[:] = 0
        weights[i] = 1
        out[i] = standing(row, seat, weights) - standing(row, 1 - seat, weights)
    out[TUNED - 1] = 1 if row[TURN] == seat else -1


_DEFAULT = np.array(WEIGHTS, np.int64)


@fast(int64(ROW, int64))
def promise(row, move):
    """How much nearer a move comes, in the units of weigh."""
    t = TARGET[row[SEATS], row[TURN]]
    start, end = move // 121, move % 121
    gain = _DEFAULT[0] * (WAY[t, start] - WAY[t, end]) + _DEFAULT[1] * (SQUARE[t, start] - SQUARE[t, end])
    return gain + _DEFAULT[3] * (np.int64(TRIANGLE[end] == t) - np.int64(TRIANGLE[start] == t))


@fast(EVALUATE)
def evaluate(row, seat):
    """The value for `seat` after its own move; a finished game is worth WIN, a shared one nothing, a lost one -WIN."""
    if row[TURN] == OVER:
        if row[FINISHED] == 0:
            return 0
        return (WIN if row[FINISHED] == 1 << seat else 0) if (row[FINISHED] >> seat) & 1 else -WIN
    return against_best(row, seat, _DEFAULT)
