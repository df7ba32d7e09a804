# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""How good a Chinese Checkers position looks: how many moves each seat still needs, as far as one can see.

Everything is seen from a seat's target. The numbers are what `cupboard tune chinese-checkers --games 200 --nodes 1000
--seed 2` printed, by the recipe in `weight_fitting.py`; bench/results.md has their matches.
"""

import numpy as np
from numba import int64, void

from cupboard.core.bits import ones
from cupboard.core.kernel import EVALUATE, OVER, PROMISE, ROW, SEATS, TURN, WEIGH, fast, inner
from cupboard.games.chinese_checkers.board import AXIAL, DIRECTIONS
from cupboard.games.chinese_checkers.layout import FI, FILLED, FINISH_RULE, FINISHED, HOLES, OWN, PIECES, SE
from cupboard.games.chinese_checkers.star import TARGET, TRIANGLE

WIN = 1_000_000
MOVE = 300
"""What a move is worth: all values are numbers of moves, times this."""
COST = (
    (-57,),
    (-15,),
    (24, 27),
    (69, 77),
    (119, 127, 154, 216, 272, 325, 379),
    (168, 187, 220, 279, 331, 382),
    (209, 224, 255, 290, 347, 396),
    (269, 290, 326, 366, 420),
    (319, 330, 365, 413, 452),
    (369, 403, 449, 501, 531),
    (431, 439, 495, 551, 584, 611),
    (489, 523, 592, 634, 660, 688),
    (537, 556, 621, 684, 716, 742, 770),
    (600, 648),
    (664, 687),
    (738,),
    (812,),
)
"""What a piece costs in each hole: row by row from the tip of the target to the far tip, each row from its middle out.
The two halves of the star are alike. Off the middle the way is longer than it looks: the target is narrow."""
HALF = sum(len(line) for line in COST)
REAR, JUMPS, LONE, ON_TURN, RIVAL = range(HALF, HALF + 5)
FEATURES = (
    *(f"row {n}, {i} out" for n, line in enumerate(COST) for i in range(len(line))),
    *("rear", "jumps", "lone", "turn", "rival"),
)
WEIGHTS = (*(cost for line in COST for cost in line), 92, -2, 15, MOVE // 3, 70)
"""The costs; a step of the way of the last piece; a forward jump that lies open; a piece with no neighbour; being on
turn; and in hundredths, how much of the best rival's standing counts: less than all, or both sides would rather stand
in the way than come home. The tuner moves the last two only when games clearly say so, which they did not."""
SCALE = 300
"""How much of the value makes winning e times as likely."""
UNSURE = np.array([0, 0, 250, 100, 100, 0, 100], np.int64)
UNSURE_AHEAD = np.array([0, 0, 10, 40, 40, 0, 40], np.int64)
"""By number of seats: by how much of the value a seat must be ahead to win e times as often, at the end and more for
each move that the first of all still needs. Fitted to games of greedy (200 for each number of seats) and of a search of
300 nodes (30 each)."""
FUTILITY = 150
"""More than the value usually changes by a single move, besides what that promises."""
FINISHED_FIRST = 200_000
"""The value of having finished: at worst others join in the same round (CA-13)."""

_TIPS = ((4, -8), (8, -4), (4, 4), (-4, 8), (-8, 4), (-4, -4))


def _steps(q, r):
    """The steps over a difference in axial coordinates."""
    return max(abs(q), abs(r), abs(q + r))


def _place(q, r, t):
    """The row of a hole seen from the tip of triangle t, and how far it lies off the middle of that row."""
    for _ in range((3 - t) % 6):  # a sixth of a turn clockwise, until the target lies south
        q, r = -r, q + r
    return 8 - r, abs(2 * q + r) // 2


WAY = np.array([[_steps(q - a, r - b) for q, r in AXIAL] for a, b in _TIPS])
"""WAY[t, h]: the steps from hole h to the tip of triangle t, 0 to 16."""
_FIRST = np.cumsum([0, *(len(line) for line in COST)])
FOLD = np.array([[_FIRST[n] + i for n, i in (_place(q, r, t) for q, r in AXIAL)] for t in range(6)], np.int64)
"""FOLD[t, h]: where the cost of hole h stands for a seat with target t; one half of the star mirrors the other."""
FORWARD = np.array(
    [sum(1 << d for d, (q, r) in enumerate(DIRECTIONS) if _steps(q - a, r - b) < 8) for a, b in _TIPS], np.int64
)
"""FORWARD[t]: bits of the directions in which one comes nearer to the tip of triangle t from the middle."""
PARKED = MOVE // 3
"""The cost of an opponent in the target for each row it must be walked out by swaps: more than it gains by that, or
nobody would ever swap it out."""
STUCK = np.array([900, 500, 350, 300, 280, 270, 260, 250, 250, 250, 250, 250, 250], np.int64)
"""The cost of an opponent in the target, by its ways out: one without any never leaves."""


@inner
def jumps_at(entry):
    """Bit d: from this hole there is a piece to jump over in direction d, and a free hole behind it (CC-13)."""
    return entry & ~(entry >> 6) & 63


@inner
def standing(row, seat, weights):
    """How a seat stands alone, without the others: the moves it still needs, below zero."""
    t = TARGET[row[SEATS], seat]
    value = np.int64(FINISHED_FIRST if (row[FINISHED] >> seat) & 1 else 0)
    first = PIECES + 10 * seat
    rear = np.int64(0)
    for i in range(10):
        hole = row[first + i]
        entry = row[HOLES + hole]
        rear = max(rear, WAY[t, hole])
        value -= weights[FOLD[t, hole]]
        value -= weights[JUMPS] * ones(jumps_at(entry) & FORWARD[t])
        value -= weights[LONE] * (entry & 63 == 0)
    return value - weights[REAR] * rear


@inner
def blocked(row, seat):
    """What other seats' pieces in the target cost a seat that must bring all ten of its own in.

    Under the strict rule they must be let out, under the Swedish one each is walked out row by row with swaps; the
    Finnish rule does not mind them. The fewer are left, the more each of them counts: a whole army will leave.
    """
    rule = row[FINISH_RULE]
    t = TARGET[row[SEATS], seat]
    cost = np.int64(0)
    others = row[FILLED + t] - row[OWN + seat]
    if rule == FI or others == 0:
        return cost
    for other in range(row[SEATS]):
        if other == seat:
            continue
        for i in range(10):
            hole = row[PIECES + 10 * other + i]
            if TRIANGLE[hole] == t:
                if rule == SE:
                    cost += PARKED * (4 - WAY[t, hole])
                else:
                    entry = row[HOLES + hole]
                    cost += STUCK[ones(~entry & 63) + ones(jumps_at(entry))]
    return cost * (10 - others) // 10


@inner
def against_best(row, seat, weights):
    """A seat's standing, less a part of the best other seat's, and less the cost of what blocks it."""
    rival = best_rival(row, seat, weights)[0]
    return standing(row, seat, weights) - rival * weights[RIVAL] // 100 - blocked(row, seat)


@inner
def best_rival(row, seat, weights):
    """The standing of the best of the other seats, and which seat that is."""
    best, who = np.int64(-(1 << 40)), np.int64(0)
    for other in range(row[SEATS]):
        if other != seat:
            value = standing(row, other, weights)
            if value > best:
                best, who = value, np.int64(other)
    return best, who


@fast(WEIGH)
def weigh(row, seat, weights):
    """The value for `seat`, with these weights, of a game that goes on."""
    return against_best(row, seat, weights) + (weights[ON_TURN] if row[TURN] == seat else -weights[ON_TURN])


@fast(void(ROW, int64, ROW))
def features(row, seat, out):
    """Write what `standing` adds up, each of FEATURES for one unit of its weight; for tuning."""
    t = TARGET[row[SEATS], seat]
    out[:] = 0
    for hole in row[PIECES + 10 * seat : PIECES + 10 * seat + 10]:
        entry = row[HOLES + hole]
        out[FOLD[t, hole]] += 1
        out[REAR] = max(out[REAR], WAY[t, hole])
        out[JUMPS] += ones(jumps_at(entry) & FORWARD[t])
        out[LONE] += entry & 63 == 0


_DEFAULT = np.array(WEIGHTS, np.int64)


@fast(PROMISE)
def promise(row, move):
    """How much nearer to its target a move brings a piece, in the units of `weigh`."""
    t = TARGET[row[SEATS], row[TURN]]
    start, end = move // 121, move % 121
    return _DEFAULT[FOLD[t, start]] - _DEFAULT[FOLD[t, end]]


@fast(int64(ROW, ROW))
def outlook(row, out):
    """Write how each seat stands once all have had their turn of the round, in the units of `weigh`.

    Returns by how much of that one seat must stand better than another to win e times as often.
    """
    seats = row[SEATS]
    best = np.int64(-(1 << 40))
    for seat in range(seats):
        out[seat] = standing(row, seat, _DEFAULT) - blocked(row, seat)
        if seat >= row[TURN]:
            out[seat] += MOVE  # its turn of this round is still to come
        best = max(best, out[seat])
    return UNSURE[seats] - min(best, 0) * UNSURE_AHEAD[seats] // MOVE


@fast(EVALUATE)
def evaluate(row, seat):
    """The value for `seat` after its own move; a finished game is worth WIN, a shared one nothing, a lost one -WIN."""
    if row[TURN] == OVER:
        if row[FINISHED] == 0:
            return 0
        return (WIN if row[FINISHED] == 1 << seat else 0) if (row[FINISHED] >> seat) & 1 else -WIN
    return against_best(row, seat, _DEFAULT)
