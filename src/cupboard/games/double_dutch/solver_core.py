# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""Who makes the last move: Double Dutch for two, solved exactly.

A depth-first search over bits that knows only won and lost. It looks a position up before it looks into it, tries
first what leaves the opponent the fewest moves, and stops where a seat can never move again: a stone whose every way
is barred within two cells by the edge or by stones turned over (DD-4) is dead, whatever happens.
"""

import numpy as np
from numba import int64, types

from cupboard.core.bits import lowest, ones
from cupboard.core.kernel import ROW, fast, inner
from cupboard.games.double_dutch.sliding import count_moves, movable, movers, slide

LOST, WON, UNKNOWN = 0, 1, -1
# Entries that the solver shares with its caller; LEFT and FLAT_LEFT are the cells after its winning move.
STOP, NODES, NODE_LIMIT, LEFT, FLAT_LEFT, CONTROLS = range(6)
MOST_KIDS = 144
MAX_PLY = 50

_FEW = 10  # with so few empty cells left, ordering the moves costs more than it saves


@inner
def hashed(empty, mine, theirs, my_stock, their_stock):
    """A hash of the position as the seat to move sees it; stocks must not be larger than the room left."""
    h = np.uint64(empty) * np.uint64(0x9E3779B97F4A7C15)
    h ^= h >> np.uint64(32)
    h = (h ^ np.uint64(mine)) * np.uint64(0xD6E8FEB86659FD93)
    h ^= h >> np.uint64(29)
    h = (h ^ np.uint64(theirs)) * np.uint64(0x9E3779B97F4A7C15)
    h ^= h >> np.uint64(32)
    h = (h + np.uint64(my_stock * 64 + their_stock)) * np.uint64(0xD6E8FEB86659FD93)
    return h ^ h >> np.uint64(31)


@inner
def recall(table, h):
    """WON or LOST for a key, or UNKNOWN; the lowest bit of an entry is the result."""
    entry = table[h & np.uint64(len(table) - 1)]
    return np.int64(entry & np.uint64(1)) if entry >> np.uint64(1) == h >> np.uint64(1) else np.int64(UNKNOWN)


@inner
def won(table, h, ctl, left, flat):
    """Remember a win and what its move leaves empty and flat, and return WON; the root is the last to write it."""
    table[h & np.uint64(len(table) - 1)] = h | np.uint64(1)
    ctl[LEFT], ctl[FLAT_LEFT] = left, flat
    return np.int64(WON)


_TABLE = types.uint64[::1]
_KIDS = types.int64[:, :, ::1]


@fast(int64(int64, int64, int64, int64, int64, int64, int64, _TABLE, _KIDS, ROW))
def _solve(board, empty, mine, theirs, my_stock, their_stock, ply, table, kids, ctl):
    """WON if the seat to move, which must have a move, makes the last one; LOST if not; UNKNOWN when it was stopped."""
    room = ones(empty)
    my_stock, their_stock = min(my_stock, room), min(their_stock, room)
    loose = empty | mine | theirs
    if their_stock == 0 or not movable(board, loose, theirs):
        return np.int64(WON)  # the opponent never moves again, and this seat does
    h = hashed(empty, mine, theirs, my_stock, their_stock)
    known = recall(table, h)
    if known != UNKNOWN and (ply or known == LOST):  # of a win at the root the move is wanted, too
        return known
    ctl[NODES] += 1
    if ctl[STOP] or ctl[NODES] >= ctl[NODE_LIMIT]:
        return np.int64(UNKNOWN)

    kid = kids[ply]
    n = 0
    ordered = room > _FEW
    for axis in range(3):
        onward, back = movers(board, empty, mine, axis)
        for side in range(2):
            bits = back if side else onward
            while bits != 0:
                cell = lowest(bits)
                bits &= bits - 1
                left, flat, _ = slide(board, empty, mine, cell, axis + 3 * side)
                answers = 0
                if their_stock > 0:
                    answers = count_moves(board, left, theirs)
                if answers == 0 and (my_stock <= 1 or not movable(board, left, flat)):
                    return won(table, h, ctl, left, flat)  # this was the last move
                kid[n, 0] = answers
                kid[n, 1] = left
                kid[n, 2] = flat
                kid[n, 3] = 16 * answers
                if ordered:
                    # What could move if all flat stones went away counts, too.
                    space = left | flat | theirs
                    kid[n, 3] -= 4 * count_moves(board, left, flat) + 3 * count_moves(board, space, flat)
                    kid[n, 3] += 6 * count_moves(board, space, theirs)
                    r = room - 1
                    if answers:
                        seen = recall(table, hashed(left, theirs, flat, min(their_stock, r), min(my_stock - 1, r)))
                        if seen == LOST:
                            return won(table, h, ctl, left, flat)
                        if seen == WON:
                            continue  # known to lose
                n += 1

    for i in range(n):
        if ordered or i == 0:
            best = i
            for j in range(i + 1, n):
                if kid[j, 3] < kid[best, 3]:
                    best = j
            if best != i:
                for c in range(4):
                    kid[i, c], kid[best, c] = kid[best, c], kid[i, c]
        if kid[i, 0]:
            value = _solve(board, kid[i, 1], theirs, kid[i, 2], their_stock, my_stock - 1, ply + 1, table, kids, ctl)
            if value != UNKNOWN:
                value = 1 - value
        else:  # the opponent sits out (DD-12)
            value = _solve(board, kid[i, 1], kid[i, 2], theirs, my_stock - 1, their_stock, ply + 1, table, kids, ctl)
        if value == UNKNOWN:
            return np.int64(UNKNOWN)
        if value == WON:
            return won(table, h, ctl, kid[i, 1], kid[i, 2])
    table[h & np.uint64(len(table) - 1)] = h & ~np.uint64(1)
    return np.int64(LOST)
