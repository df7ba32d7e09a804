# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""How many moves a seat still needs when nobody stands in its way: the end-game of Chinese Checkers as a race.

The others stay where they are, and the seat moves turn after turn. A beam search keeps the best few hundred positions
of each number of moves; what it finds is a way home, and nearly always a shortest one.
"""

import numpy as np
from numba import int64, types

from cupboard.core.kernel import LIVE, MOVES, OVER, PLAY, ROW, SEATS, TURN, Row, fast, inner
from cupboard.games.chinese_checkers.board import AXIAL
from cupboard.games.chinese_checkers.evaluate import FOLD, MOVE, ON_TURN, REAR, WAY, WEIGHTS
from cupboard.games.chinese_checkers.layout import FINISHED, HASH, MAX_MOVES, PIECES, SIZE
from cupboard.games.chinese_checkers.star import PIECE_KEY, TARGET

LONGEST = 60
LOOKED, STOP = 0, 1


def guess() -> Row:
    """Weights that need no games: steps and the square of the distance, so that a piece far behind costs most, and more
    for the last piece."""
    weights = np.zeros(ON_TURN, np.int64)
    tip = AXIAL[int(np.argmin(WAY[3]))]
    for hole, (q, r) in enumerate(AXIAL):
        dq, dr = q - tip[0], r - tip[1]
        weights[FOLD[3, hole]] = (10 * WAY[3, hole] + dq * dq + dr * dr + dq * dr) * MOVE // 120
    weights[REAR] = MOVE // 8
    return weights


CAUTIOUS = guess()
BOLD = 3 * np.array(WEIGHTS[:ON_TURN], np.int64) - 2 * CAUTIOUS
"""The weights that guide an army alone: those of a game with others in it are about one third what such armies have
taught and two thirds caution (weight_fitting.py). Bold ones find more with
a narrow beam, cautious ones with a wide one."""


@inner
def _cost(row, seat, start, end, weights):
    """What the way home of the seat's pieces costs once one of them has gone from `start` to `end`."""
    t = TARGET[row[SEATS], seat]
    total = np.int64(0)
    rear = np.int64(0)
    first = PIECES + 10 * seat
    for i in range(10):
        hole = row[first + i]
        if hole == start:
            hole = np.int64(end)
        total += weights[FOLD[t, hole]]
        rear = max(rear, WAY[t, hole])
    return total + weights[REAR] * rear


@fast(int64(types.FunctionType(MOVES), types.FunctionType(PLAY), ROW, int64, int64, int64, ROW, ROW, ROW))
def way_home(moves, play, start, seat, width, longest, plan, weights, control):
    """How many moves of `seat` alone finish the game, at most `longest`, or 0; the moves are written to `plan`.

    control[LOOKED] grows by the positions looked at; setting control[STOP] ends the search soon, with 0.
    """
    now = np.zeros((width, SIZE), np.int64)
    then = np.zeros((width, SIZE), np.int64)
    now[0] = start[:SIZE]
    now[0, LIVE] = SIZE
    now[0, TURN] = seat
    now[0, FINISHED] &= ~(1 << seat)
    count = 1
    out = np.empty(MAX_MOVES, np.int64)
    most = width * 64
    costs, parents, codes = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    room = 1 << 14
    while room < 4 * most:
        room *= 2
    seen = np.zeros(room, np.int64)
    tracks = np.zeros((longest + 1, width), np.int64)
    backs = np.zeros((longest + 1, width), np.int64)
    for depth in range(1, longest + 1):
        n = 0
        for p in range(count):
            if control[STOP]:
                return 0
            row = now[p]
            for i in range(moves(row, out)):
                a, b = out[i] // 121, out[i] % 121
                control[LOOKED] += 1
                child = row[HASH] ^ PIECE_KEY[seat, a] ^ PIECE_KEY[seat, b]
                # One slot for a key: now and then a twin slips through, which only costs room.
                slot = (child ^ (child >> 20)) & (room - 1)
                if seen[slot] == child or n == most:
                    continue
                seen[slot] = child
                costs[n], parents[n], codes[n] = _cost(row, seat, a, b, weights), p, out[i]
                n += 1
        if n == 0:
            return 0
        order = np.argsort(costs[:n], kind="mergesort")
        count = 0
        for i in range(n):
            if count == width:
                break
            child = then[count]
            child[:] = now[parents[order[i]]]
            play(child, codes[order[i]])
            tracks[depth, count] = codes[order[i]]
            backs[depth, count] = parents[order[i]]
            if (child[FINISHED] >> seat) & 1:
                at = count
                for d in range(depth, 0, -1):
                    plan[d - 1] = tracks[d, at]
                    at = backs[d, at]
                return depth
            if child[TURN] == OVER:
                continue
            child[TURN] = seat
            count += 1
        now, then = then, now
    return 0
