# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""How pieces go on the star: steps, chains of jumps and swaps (CC-11 to CC-17), as fast as they can be found.

The search for chains leaves the jumping piece where it is: a jump keeps both coordinates odd or even, so no chain can
jump over the hole it started from.
"""

import numpy as np
from numba import types

from cupboard.core.bits import lowest
from cupboard.core.kernel import MOVES, ROW, SEATS, TURN, fast, inner
from cupboard.games.chinese_checkers.layout import (
    FINISH_RULE,
    HOLES,
    LENIENT,
    LOCK,
    MAX_MOVES,
    PIECES,
    SE,
    SWAP_BY_JUMP,
)
from cupboard.games.chinese_checkers.star import (
    FAR,
    FORTH,
    GATE,
    LENIENT_GATE,
    NEAR,
    NO_GATE,
    PARITY,
    REST,
    SEEN,
    SIXTH,
    STEP,
    TARGET,
    TRIANGLE,
)

# Unsigned where speed matters: numba tests every signed index for being negative.
ONE, SIX, EIGHT, SIXTEEN = (np.uint64(number) for number in (1, 6, 8, 16))
SIX_BITS, EIGHT_BITS, MOVE_BASE = np.uint64(63), np.uint64(255), np.uint64(121)
FIRST_HOLE, VISITED, STACK = np.uint64(HOLES), np.uint64(MAX_MOVES - 370), np.uint64(MAX_MOVES - 360)


@inner
def steps_from(hole, gate):
    """Bit d: a step in direction d is free, given the hole's entry (CC-12)."""
    return ~hole & gate & SIX_BITS


@inner
def jumps_from(hole, gate):
    """Bit d: there is a piece to jump over and a free hole behind it (CC-13, CA-4)."""
    return hole & ~(hole >> SIX) & (gate >> SIX) & SIX_BITS


@inner
def is_foreign(row, seat, hole):
    """Whether an opponent stands there; nobody stands beyond the edge."""
    owner = row[HOLES + hole] >> 12
    return owner != 0 and owner != 1 + seat


@inner
def add_swaps(row, out, n):
    """Append the swaps (CA-14, CA-16) to the moves out[:n]; returns the new count."""
    seat = row[TURN]
    target = TARGET[row[SEATS], seat]
    moved = n
    for start in row[PIECES + 10 * seat : PIECES + 10 * seat + 10]:
        for d in range(6):
            end = NEAR[start, d]
            if TRIANGLE[end] == target and is_foreign(row, seat, end):
                out[n] = start * 121 + end
                n += 1
        if row[SWAP_BY_JUMP]:
            seen = np.uint64(0)
            for i in range(-1, moved):
                here = start if i < 0 else out[i] % 121
                if i >= 0 and (out[i] // 121 != start or PARITY[here] != PARITY[start]):
                    continue  # another piece's move, or a step, which nothing follows (CC-11)
                for d in range(6):
                    end = FAR[here, d]
                    over = (row[HOLES + here] >> d) & 1
                    if over and TRIANGLE[end] == target and is_foreign(row, seat, end) and not seen & SEEN[end]:
                        seen |= SEEN[end]
                        out[n] = start * 121 + end
                        n += 1
    return n


@inner
def drop_exits(row, out, n):
    """Of the moves out[:n] keep those that do not end outside a target they began in (CA-6, lenient)."""
    target = TARGET[row[SEATS], row[TURN]]
    kept = 0
    for move in out[:n]:
        if TRIANGLE[move // 121] != target or TRIANGLE[move % 121] == target:
            out[kept] = move
            kept += 1
    return kept


@fast(MOVES)
def moves(row, out):
    """Write all steps, then all single jumps, then the longer chains, then swaps, to `out`; returns their number.

    Written to be free of branches nobody can foresee, which cost more than all else here. Steps are written always
    and kept if allowed. The jumps of the ten pieces are gathered in one word of 60 bits. Only holes from which one
    can jump on are put on the stack, which lies behind the moves in `out`, and before it what each piece has seen.
    """
    first = np.uint64(PIECES + 10 * row[TURN])
    gate = np.uint64(TARGET[row[SEATS], row[TURN]] + (LENIENT_GATE if row[LENIENT] else 0) if row[LOCK] else NO_GATE)
    n = np.uint64(0)
    jumps = np.uint64(0)
    for i in range(10):
        start = np.uint64(row[first + np.uint64(i)])
        hole, allowed = np.uint64(row[FIRST_HOLE + start]), GATE[gate, start]
        steps = steps_from(hole, allowed)
        for d in range(6):
            out[n] = STEP[start, d]
            n += (steps >> np.uint64(d)) & ONE
        jumps |= jumps_from(hole, allowed) << np.uint64(6 * i)
        out[VISITED + np.uint64(i)] = 0

    top = STACK
    while jumps:
        bit = np.uint64(lowest(jumps))
        jumps &= jumps - ONE
        i = np.uint64(SIXTH[bit])
        start = np.uint64(row[first + i])
        end = np.uint64(FAR[start, REST[bit]])
        out[n] = start * MOVE_BASE + end
        n += ONE
        out[VISITED + i] = np.uint64(out[VISITED + i]) | SEEN[end]
        onward = jumps_from(np.uint64(row[FIRST_HOLE + end]), GATE[gate, end])
        out[top] = onward << SIXTEEN | end << EIGHT | i
        top += np.uint64(onward != 0)

    while top != STACK:
        top -= ONE
        i = np.uint64(out[top]) & EIGHT_BITS
        here = (np.uint64(out[top]) >> EIGHT) & EIGHT_BITS
        onward = np.uint64(out[top]) >> SIXTEEN
        base = np.uint64(row[first + i]) * MOVE_BASE
        seen = np.uint64(out[VISITED + i])
        while onward:
            d = np.uint64(lowest(onward))
            onward &= onward - ONE
            end = np.uint64(FAR[here, d])
            is_new = np.uint64(seen & SEEN[end] == 0)
            seen |= SEEN[end]
            out[n] = base + end
            n += is_new
            further = jumps_from(np.uint64(row[FIRST_HOLE + end]), GATE[gate, end]) & FORTH[d]
            out[top] = further << SIXTEEN | end << EIGHT | i
            top += is_new & np.uint64(further != 0)
        out[VISITED + i] = seen

    count = np.int64(n)
    if row[FINISH_RULE] == SE:
        count = add_swaps(row, out, count)
    if row[LOCK] and row[LENIENT]:
        count = drop_exits(row, out, count)
    return count


@inner
def can_move(row):
    """Whether the seat to act has a move."""
    first = np.uint64(PIECES + 10 * row[TURN])
    gate = np.uint64(TARGET[row[SEATS], row[TURN]] if row[LOCK] else NO_GATE)
    for i in range(10):
        start = np.uint64(row[first + np.uint64(i)])
        hole, allowed = np.uint64(row[FIRST_HOLE + start]), GATE[gate, start]
        if steps_from(hole, allowed) | jumps_from(hole, allowed):
            return True
    # Lenient transit adds no last resort: a piece that may leave the target and come back to a hole can go there
    # inside it, too.
    return row[FINISH_RULE] == SE and moves(row, np.empty(MAX_MOVES, np.int64)) > 0


@fast(types.int64(ROW, types.int64, ROW))
def path(row, move, out):
    """Write the holes of a shortest way to make a legal move, both ends included; returns their number."""
    start, end = move // 121, move % 121
    out[0] = start
    if PARITY[start] != PARITY[end]:
        out[1] = end
        return 2
    gate = TARGET[row[SEATS], row[TURN]] if row[LOCK] and not row[LENIENT] else NO_GATE
    came_from = np.full(121, -1)
    queue = np.empty(121, np.int64)
    queue[0] = end
    came_from[end] = end
    n = 1
    for i in range(121):
        there = queue[i]
        for d in range(6):
            # Backwards, so that the way can be written as it is found: `here` jumps in direction d to `there`.
            here = FAR[there, (d + 3) % 6]
            if here == 121 or came_from[here] >= 0 or not (row[HOLES + here] >> d) & 1:
                continue
            if not (GATE[gate, here] >> np.uint64(6 + d)) & ONE:
                continue
            came_from[here] = there
            if here == start:
                n = 1
                while out[n - 1] != end:
                    out[n] = came_from[out[n - 1]]
                    n += 1
                return n
            if row[HOLES + here] >> 12 == 0:
                queue[n] = here
                n += 1
    return 0
