# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""The compiled part of the information-set search: lines of play compared in the same imagined worlds.

Every world fits what the seat has seen. In each of them every line still in the running is played, then everybody plays
on as the game's marks say, and what the seat gets of the point is noted. In a game of cards the luck of the deal is far
larger than what a move is worth: comparing under equal luck takes it out, so the differences to the first line, the one
the marks would choose, are what counts.
"""

import numpy as np
from numba import types

from cupboard.core.kernel import (
    CHANCE,
    DRAW,
    EVALUATE,
    JUDGE,
    MOVES,
    OVER,
    PLAY,
    POINT,
    REDEAL,
    ROW,
    SCORES,
    SEATS,
    TURN,
    fast,
    inner,
)
from cupboard.core.prng import counted, mixed

# Settings, all float64.
HEAT, LENGTH, SCALE = range(3)
# What is summed up for each line: what it brought, what it brought more than the first line, and that squared.
BROUGHT, MORE, SQUARED = range(3)

_INTS = types.int64[:, ::1]
_SUMS = types.float64[:, ::1]
_FLOATS = types.float64[::1]
_PTR = types.FunctionType


@inner
def felt(mark, heat, bits):
    """A mark with Gumbel noise: the best of the felt marks is a draw from their softmax."""
    chance = (np.float64(bits >> np.uint64(11)) + 0.5) / 9007199254740992.0
    return mark - heat * np.log(-np.log(chance))


@inner
def liked_most(marks, n, heat, state):
    """The index of the move a sensible player makes."""
    best, most = 0, -1e18
    for i in range(n):
        mark = np.float64(marks[i])
        if heat > 0:
            state = counted(state)
            mark = felt(mark, heat, mixed(state))
        if mark > most:
            best, most = i, mark
    return best


@inner
def share_of(scores, evaluate, row, seat, scale, shares):
    """The seat's share of the point: of a game that is over exactly, else as far as the evaluation can tell."""
    if row[TURN] == OVER:
        scores(row, shares)
        return shares[seat] / POINT
    own = evaluate(row, seat)
    total = 0.0
    for other in range(row[SEATS]):
        total += np.exp((evaluate(row, other) - own) / scale)
    return 1 / total


@inner
def play_on(moves, play, chance, judge, row, plies, heat, state, out, marks):
    """Let everybody play sensibly for so many moves."""
    made = 0
    nature = mixed(state)  # a stream of its own, so that worlds compared stay alike as long as possible
    while row[TURN] != OVER:
        if row[TURN] == CHANCE:
            nature = counted(nature)
            play(row, chance(row, mixed(nature)))
            continue
        if made >= plies:  # never where nature is to act: the position after that says more
            return
        n = moves(row, out)
        i = 0
        if n > 1:
            judge(row, out, n, marks)
            i = liked_most(marks, n, heat, mixed(counted(state) + np.uint64(made)))
        play(row, out[i])
        made += 1


@fast(
    types.int64(
        _PTR(MOVES), _PTR(PLAY), _PTR(DRAW), _PTR(SCORES), _PTR(REDEAL), _PTR(EVALUATE), _PTR(JUDGE),
        ROW, types.int64, types.int64, _INTS, ROW, types.int64, ROW, _FLOATS, _SUMS,
    )
)  # fmt: skip
def compare(
    moves, play, chance, scores, redeal, evaluate, judge,
    start, seat, max_moves, lines, alive, worlds, random, settings, sums,
):  # fmt: skip
    """Play every line still alive (a sequence of the seat's own moves, -1 ends it) in the same `worlds` new worlds.

    The first one alive must be line 0. random[0] carries on from call to call. Returns how many games were played.
    """
    row, dealt = start.copy(), start.copy()
    out, marks = np.empty(max_moves, np.int64), np.empty(max_moves, np.int64)
    shares = np.zeros(8, np.int64)
    state = np.uint64(random[0])
    for _ in range(worlds):
        state = counted(state)
        dealt[:] = start
        redeal(dealt, seat, mixed(state))
        luck = mixed(counted(state))
        first = 0.0
        for i in range(len(alive)):
            line = lines[alive[i]]
            row[:] = dealt
            for j in range(len(line)):
                if line[j] < 0:
                    break
                play(row, line[j])
            play_on(moves, play, chance, judge, row, np.int64(settings[LENGTH]), settings[HEAT], luck, out, marks)
            share = share_of(scores, evaluate, row, seat, settings[SCALE], shares)
            if i == 0:
                first = share
            sums[alive[i], BROUGHT] += share
            sums[alive[i], MORE] += share - first
            sums[alive[i], SQUARED] += (share - first) ** 2
    random[0] = np.int64(state)
    return np.int64(worlds * len(alive))
