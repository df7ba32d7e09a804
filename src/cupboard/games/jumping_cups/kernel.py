# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""Jumping Cups for machines. Verbs assume legal moves; the header is core.kernel's.

    row[STACKS + k]   the stack on square k, 1 to 14: height + 16 * colours, bit i of colours is the cup on level i + 1
    row[FREE + seat]  bit k is set when the top cup on square k is the seat's; follows from the stacks
    row[HOME + seat]  bit k is set when the seat's finish square k holds a cup of its own; follows, too
    row[WINNER]       the winner, and row[REASON] the reason, once the game is over

Seat 0 is Red: it starts on 1-5 and moves up to its finish 10-14. Seat 1 is Yellow, the other way (JC-4). A move
is the square its cup leaves (JC-10 leaves no other choice); nature's only move is the seat that starts (JA-10).
"""

import numpy as np
from numba import int64, void

from cupboard.core.bits import stirred
from cupboard.core.kernel import (
    CHANCE,
    DRAW,
    FORM,
    HEADER,
    KEY,
    LIVE,
    MOVES,
    OVER,
    PLAY,
    PLY,
    POINT,
    ROW,
    SCORES,
    SEATS,
    SETUP,
    TURN,
    fast,
    inner,
)

TRACK = 14
STACKS = HEADER  # so that square k is row[STACKS + k] with k counted from 1
FREE = STACKS + TRACK + 1
HOME = FREE + 2
WINNER = HOME + 2
REASON = WINNER + 1
SIZE = REASON + 1
MAX_MOVES = 5
OFF = 0  # where a cup stands that has left the track

FILLED, BLOCKED, OVERSHOT, ONLY_OVERSHOOTS = 1, 2, 3, 4
FINISH = np.array([0b11111 << 10, 0b11111 << 1])  # the finish squares of each seat


@fast(void(ROW))
def refresh(row):
    """Write FREE and HOME anew, which follow from the stacks; for callers that write stacks by hand."""
    for seat in range(2):
        row[FREE + seat] = row[HOME + seat] = 0
        for k in range(1, TRACK + 1):
            height, colours = row[STACKS + k] & 15, row[STACKS + k] >> 4
            own = colours if seat == 1 else ~colours & ((1 << height) - 1)
            row[FREE + seat] |= ((own << 1) >> height & 1) << k
            row[HOME + seat] |= (own != 0) << k & FINISH[seat]


@fast(SETUP)
def setup(row, options):
    """Every cup on its start square (JC-4). The only option is TURN: the seat that starts, or CHANCE for a lot."""
    row[:] = 0
    row[LIVE] = row[FORM] = SIZE
    row[SEATS] = 2
    row[TURN] = options[TURN]
    for k in range(1, 6):
        row[STACKS + k] = 1  # a red cup alone
        row[STACKS + 9 + k] = 1 + 16  # a yellow cup alone
    refresh(row)


@inner
def hop(row, seat, square, height):
    """The square `height` ahead, or OFF (JC-10, JC-12)."""
    square += height if seat == 0 else -height
    return square if 1 <= square <= TRACK else OFF


@inner
def must_move_on(row, seat, square):
    """Whether a cup that lands here meets one of its own on a finish square (JC-13)."""
    return row[HOME + seat] >> square & 1


@inner
def landing(row, seat, square):
    """Where the top cup of `square` comes to rest, or OFF (JC-15)."""
    square = hop(row, seat, square, row[STACKS + square] & 15)
    while must_move_on(row, seat, square):
        square = hop(row, seat, square, (row[STACKS + square] & 15) + 1)  # JC-14: itself included
    return square


@fast(int64(ROW, int64, ROW))
def path(row, square, out):
    """Write every square the top cup of `square` touches to out, its own first; return how many."""
    seat = row[TURN]
    out[0] = square
    out[1] = hop(row, seat, square, row[STACKS + square] & 15)
    n = 2
    while must_move_on(row, seat, out[n - 1]):
        out[n] = hop(row, seat, out[n - 1], (row[STACKS + out[n - 1]] & 15) + 1)
        n += 1
    return n


@fast(MOVES)
def moves(row, out):
    """Write the squares with a free cup of the seat to act (JC-8, JC-9), of overshooting ones, too (JA-1).

    While the game goes on, at least one of them stays on the track (JA-11).
    """
    seat = row[TURN]
    if seat == CHANCE:
        out[0], out[1] = 0, 1
        return 2
    if seat == OVER:
        return 0
    free = row[FREE + seat]
    n = 0
    for k in range(1, TRACK + 1):
        if free >> k & 1:
            out[n] = k
            n += 1
    return n


@inner
def stays(row, seat):
    """Whether some free cup of the seat could move and still stand on the track (JA-11)."""
    free = row[FREE + seat]
    for i in range(1, TRACK + 1):
        k = i if seat == 0 else TRACK + 1 - i  # from its start on: the cups there have most room
        if free >> k & 1 and landing(row, seat, k) != OFF:
            return 1
    return 0


@fast(int64(ROW, int64))
def can_stay(row, seat):
    """Whether some free cup of the seat could move and still stand on the track; for callers from Python."""
    return stays(row, seat)


@inner
def finish(row, winner, reason):
    """End the game with this winner for this reason."""
    row[TURN] = OVER
    row[WINNER] = winner
    row[REASON] = reason


@fast(PLAY)
def play(row, move):
    """Move one cup; then test for overshoot, fill and block, in that order (JA-7)."""
    seat = row[TURN]
    if seat == CHANCE:
        row[TURN] = move
        return
    row[PLY] += 1
    target = landing(row, seat, move)

    stack = row[STACKS + move]
    height = (stack & 15) - 1
    colours = stack >> 4 & ((1 << height) - 1)
    row[STACKS + move] = height | colours << 4
    gone = ~(1 << move)
    row[FREE + seat] &= gone
    if height > 0:
        row[FREE + (colours >> (height - 1) & 1)] |= 1 << move
    row[HOME + seat] &= gone  # JC-13: no other own cup stands on an own finish square
    if target == OFF:  # JC-12: the cup is off the track for good
        finish(row, 1 - seat, OVERSHOT)
        return

    stack = row[STACKS + target]
    row[STACKS + target] = stack + 1 + (seat << (4 + (stack & 15)))
    row[FREE + seat] |= 1 << target
    row[FREE + 1 - seat] &= ~(1 << target)
    row[HOME + seat] |= 1 << target & FINISH[seat]

    if row[HOME + seat] == FINISH[seat]:  # JC-16, on any level (JA-4)
        finish(row, seat, FILLED)
    elif row[FREE + 1 - seat] == 0:  # JC-17
        finish(row, seat, BLOCKED)
    elif not stays(row, 1 - seat):  # JA-11
        finish(row, seat, ONLY_OVERSHOOTS)
    else:
        row[TURN] = 1 - seat


@fast(SCORES)
def scores(row, out):
    """Write each seat's share: the winner takes the point (JC-18)."""
    out[0] = out[1] = 0
    out[row[WINNER]] = POINT
    return row[REASON]


@fast(KEY)
def key(row):
    """A hash of the stacks and of the seat to act."""
    h = np.uint64(row[TURN] + 3)
    for k in range(1, TRACK + 1):
        h = stirred(h, row[STACKS + k])
    return np.int64(h)


@fast(DRAW)
def chance(row, random):
    """The seat that starts, either with the same odds."""
    return np.int64(random >> np.uint64(63))
