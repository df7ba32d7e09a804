"""Jumping Cups for machines. Verbs assume legal moves; the header is core.kernel's.

    row[4 + k], k = 1..14   the stack on square k: height + 16 * colours, bit i of colours is the cup on level i + 1
    row[19]                 the winner, row[20] the reason, once over

Seat 0 is Red: it starts on 1-5 and moves up to its finish 10-14. Seat 1 is Yellow, the other way (JC-4). A move
is the square its cup leaves (JC-10 leaves no other choice); nature's only move is the seat that starts (JA-10).
"""

import numpy as np

from cupboard.core.kernel import (
    CHANCE,
    DRAW,
    HEADER,
    KEY,
    LIVE,
    MOVES,
    OVER,
    PLAY,
    PLY,
    POINT,
    SCORES,
    SEATS,
    SETUP,
    TURN,
    fast,
    inner,
)

TRACK = 14
STACKS = HEADER  # so that square k is row[STACKS + k] with k counted from 1
WINNER = STACKS + TRACK + 1
REASON = WINNER + 1
SIZE = REASON + 1
MAX_MOVES = 5

RANDOM_STARTER = 2
FILLED, BLOCKED, OVERSHOT, ONLY_OVERSHOOTS = 1, 2, 3, 4


@fast(SETUP)
def setup(row, options):
    """JC-4; options[0] is the seat that starts, or RANDOM_STARTER."""
    row[:] = 0
    row[LIVE] = SIZE
    row[SEATS] = 2
    row[TURN] = CHANCE if options[0] == RANDOM_STARTER else options[0]
    for k in range(1, 6):
        row[STACKS + k] = 1  # a red cup alone
        row[STACKS + 9 + k] = 1 + 16  # a yellow cup alone


@inner
def top_is(stack, seat):
    """Whether the top cup is `seat`'s (JC-9); an empty square is nobody's."""
    height = stack & 15
    return height > 0 and (stack >> (3 + height)) & 1 == seat


@inner
def holds(stack, seat):
    """Whether any level holds one of `seat`'s cups (JA-4)."""
    colours = stack >> 4
    if seat == 1:
        return colours != 0
    return colours != (1 << (stack & 15)) - 1


@inner
def landing(row, seat, square):
    """Where the top cup of `square` comes to rest, or 0 when it leaves the track (JC-10, JC-12 to JC-15)."""
    step = 1 - 2 * seat
    height = row[STACKS + square] & 15
    while True:
        square += step * height
        if square < 1 or square > TRACK:
            return 0
        in_finish = square >= 10 if seat == 0 else square <= 5
        if not (in_finish and holds(row[STACKS + square], seat)):
            return square
        height = (row[STACKS + square] & 15) + 1


@fast(MOVES)
def moves(row, out):
    """The squares with a free cup of the seat to act (JC-8, JC-9); overshooting ones too (JA-1)."""
    seat = row[TURN]
    if seat == CHANCE:
        out[0], out[1] = 0, 1
        return 2
    n = 0
    for k in range(1, TRACK + 1):
        if top_is(row[STACKS + k], seat):
            out[n] = k
            n += 1
    return n


@inner
def finish(row, winner, reason):
    row[TURN] = OVER
    row[WINNER] = winner
    row[REASON] = reason


@fast(PLAY)
def play(row, move):
    """One cup moves on; then overshoot, fill and block are tested in that order (JA-7)."""
    seat = row[TURN]
    if seat == CHANCE:
        row[TURN] = move
        return
    row[PLY] += 1
    target = landing(row, seat, move)
    if target == 0:
        reason = ONLY_OVERSHOOTS  # JA-11
        for k in range(1, TRACK + 1):
            if top_is(row[STACKS + k], seat) and landing(row, seat, k) != 0:
                reason = OVERSHOT
                break
        finish(row, 1 - seat, reason)
        return
    stack = row[STACKS + move]
    height = stack & 15
    row[STACKS + move] = (height - 1) | ((stack >> 4) & ((1 << (height - 1)) - 1)) << 4
    stack = row[STACKS + target]
    row[STACKS + target] = stack + 1 + (seat << (4 + (stack & 15)))

    first = 10 if seat == 0 else 1
    filled = 0
    for k in range(first, first + 5):
        filled += holds(row[STACKS + k], seat)
    if filled == 5:  # JC-16, any level (JA-4)
        finish(row, seat, FILLED)
        return
    for k in range(1, TRACK + 1):
        if top_is(row[STACKS + k], 1 - seat):
            row[TURN] = 1 - seat
            return
    finish(row, seat, BLOCKED)  # JC-17


@fast(SCORES)
def scores(row, out):
    """The winner takes the point (JC-18)."""
    out[0] = out[1] = 0
    out[row[WINNER]] = POINT
    return row[REASON]


@fast(KEY)
def key(row):
    """Stacks and turn."""
    h = np.uint64(row[TURN] + 3)
    for k in range(1, TRACK + 1):
        h = (h ^ np.uint64(row[STACKS + k])) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    return np.int64(h)


@fast(DRAW)
def chance(row, random):
    """Either seat starts, evenly."""
    return np.int64(random >> np.uint64(63))
