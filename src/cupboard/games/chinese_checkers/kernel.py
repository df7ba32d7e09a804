"""Chinese Checkers for machines. Verbs assume legal moves; the header is core.kernel's.

Holes are numbered 0..120 row by row from the northern tip, triangles 0..5 clockwise from the northern one
(6 is the hexagon in the middle), directions 0..5 clockwise from east: the opposite is always three further.

    row[HOLES + h]          bit d: the next hole in direction d is taken, bit 6 + d: the one behind it is (as
                            all that lies beyond the edge), from bit 12 on: 1 + the seat standing there
    row[PIECES + 10 * s..]  the holes of seat s, ascending
    row[OWN + s]            how many of them lie in the target of seat s
    row[FILLED + t]         how many holes of triangle t are taken
    row[FINISHED]           bit s: seat s has finished (CA-12)
    row[TURNS]              turns taken, forced passes included
    row[SIZE..row[LIVE]]    keys of the positions before this one, as far as there was room for them

A move is start * 121 + end: a whole chain of jumps is one move (CC-14), of which only the end changes the
board (CA-5). A swap (CC-18 SE) is a move to a taken hole. The search for chains leaves the jumping piece where
it is: a jump keeps both coordinates odd or even, so no chain can jump over the hole it started from.
"""

from random import Random

import numpy as np
from numba import types

from cupboard.core.kernel import (
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

# The options, in the order of setup's row; their number of seats, which comes first there, goes into the header.
FINISH_RULE, MIN_OWN, LEAVE_HOME, SWAP_BY_JUMP, LENIENT, LOCK, WHOLE_ROUNDS, REPETITION, ROUND_CAP, TURN_CAP = range(
    HEADER, HEADER + 10
)
FI, SE, STRICT = 0, 1, 2

TURNS, FINISHED, REASON, HASH = range(TURN_CAP + 1, TURN_CAP + 5)
OWN = HASH + 1
FILLED = OWN + 6
PIECES = FILLED + 7
HOLES = PIECES + 60
SIZE = HOLES + 122  # the 122nd hole is told what concerns the holes beyond the edge
MOST_ENDS = 36  # jumps keep odd and even coordinates apart, which leaves a piece at most these holes to end in
REMEMBERS = 1
MAX_MOVES = 10 * (6 + MOST_ENDS) + 10 + 10 * MOST_ENDS
"""Room for the moves of ten pieces and, behind them, for what `moves` notes while it looks for chains."""

ONE_FINISHED, SEVERAL_FINISHED, REPEATED, LIMIT_REACHED, ALL_BLOCKED = 1, 2, 3, 4, 5

AXIAL = [
    (q, r)
    for r in range(-8, 9)
    for q in range(-8, 9)
    if max(q, r, -q - r) <= 4 or min(q, r, -q - r) >= -4  # CC-1
]
DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
_NUMBER = {hole: number for number, hole in enumerate(AXIAL)}


def _reach(length):
    """Where one comes from each hole in each direction; 121 is beyond the edge."""
    return np.array(
        [[_NUMBER.get((q + length * dq, r + length * dr), 121) for dq, dr in DIRECTIONS] for q, r in AXIAL],
        np.uint8,
    )


def _bits(flags):
    return (flags << np.arange(12)).sum(axis=1)


NEAR, FAR = _reach(1), _reach(2)
STEP = np.arange(121, dtype=np.uint16)[:, None] * 121 + NEAR
AROUND = np.hstack([NEAR, FAR])
EDGE = _bits(AROUND == 121)
TELL = np.hstack([np.roll(NEAR, 3, axis=1), np.roll(FAR, 3, axis=1)])
"""TELL[h, i] is the hole whose bit i speaks of h."""
FORTH = np.array([63 ^ 1 << (d + 3) % 6 for d in range(6)], np.uint64)
"""FORTH[d] has every direction but the one that leads back after a jump in direction d."""
LOWEST = np.array([0] + [(bits & -bits).bit_length() - 1 for bits in range(1, 64)], np.uint8)
_DE_BRUIJN = 0x022FDD63CC95386D  # every six neighbouring bits of it differ from every other six
BIT_NUMBER = np.zeros(64, np.uint8)
BIT_NUMBER[[(_DE_BRUIJN << bit) % 2**64 >> 58 for bit in range(60)]] = range(60)
SIXTH, REST = np.divmod(np.arange(60, dtype=np.uint8), 6)
SEEN = np.array(
    [1 << sum((q - a) % 2 + (r - b) % 2 == 0 for a, b in AXIAL[:h]) for h, (q, r) in enumerate(AXIAL)],
    np.uint64,
)
"""A bit for each hole; two holes share one only if no chain of jumps joins them."""
PARITY = np.array([q % 2 + 2 * (r % 2) for q, r in AXIAL], np.uint8)

TRIANGLE = np.array(
    [[r < -4, q > 4, q + r > 4, r > 4, q < -4, q + r < -4, True].index(True) for q, r in AXIAL] + [7],
    np.uint8,
)
HOME = np.zeros((7, 6), np.uint8)
HOME[2, :2] = 0, 3  # CC-4
HOME[3, :3] = 0, 2, 4  # CC-5
HOME[4, :4] = 0, 1, 3, 4  # CA-1
HOME[6, :6] = 0, 1, 2, 3, 4, 5  # CC-7
TARGET = (HOME + 3) % 6  # CC-8

NO_GATE, LENIENT_GATE = 6, 7
GATE = np.full((13, 121), 0xFFF, np.uint64)
for _t in range(6):
    GATE[_t] = np.where(TRIANGLE[:121] == _t, _bits(TRIANGLE[AROUND] == _t), 0xFFF)
    GATE[LENIENT_GATE + _t] = GATE[_t] | np.uint64(0xFC0)
"""GATE[t, h], bit d or 6 + d: whose target is t may step or jump from h that way (CC-17); 7 + t is for
the lenient, whose jumps are free (CA-6)."""

# Unsigned where speed matters: numba tests every signed index for being negative.
ONE, SIX, EIGHT, NINE, SIXTEEN = (np.uint64(number) for number in (1, 6, 8, 9, 16))
SIX_BITS, EIGHT_BITS, MOVE_BASE = np.uint64(63), np.uint64(255), np.uint64(121)
DE_BRUIJN, TOP_SIX = np.uint64(_DE_BRUIJN), np.uint64(58)
FIRST_HOLE, VISITED, STACK = np.uint64(HOLES), np.uint64(MAX_MOVES - 370), np.uint64(MAX_MOVES - 360)

# For CA-21 and CA-22: the ten holes of a triangle as the bits of a word.
CORNER = np.array([np.flatnonzero(TRIANGLE[:121] == t) for t in range(6)], np.int64)
OUTER = np.zeros(6, np.int64)
"""OUTER[t]: the holes of triangle t that a step or a jump joins with a hole outside it."""
JOINED = np.zeros((6, 10), np.int64)
"""JOINED[t, i]: the holes of triangle t that a step or a jump joins with its hole CORNER[t, i]."""
for _t in range(6):
    for _i, _hole in enumerate(CORNER[_t]):
        for _other in AROUND[_hole]:
            if TRIANGLE[_other] == _t:
                JOINED[_t, _i] |= 1 << CORNER[_t].tolist().index(_other)
            elif _other < 121:
                OUTER[_t] |= 1 << _i
THINNEST_WALL, LEAST_FILLED = 4, 7
"""With fewer foreign pieces no hole is walled off, the tip alone takes four; and only three holes can be: the others
lie in reach of a step or a jump from outside."""

_random = Random(121)
PIECE_KEY = np.array([[_random.getrandbits(63) for _ in range(121)] for _ in range(6)])
FINISH_KEY = np.array([_random.getrandbits(63) for _ in range(6)])
TURN_KEY = np.array([_random.getrandbits(63) for _ in range(6 - OVER)])


@inner
def toggle(row, hole):
    """Tell the holes around that `hole` is now taken, or no longer."""
    for i in range(12):
        row[HOLES + TELL[hole, i]] ^= 1 << i


@inner
def position_key(row):
    """What `key` returns, for the verbs above it."""
    return row[HASH] ^ TURN_KEY[row[TURN] - OVER]


@fast(SETUP)
def arrange(row, owners):
    """Put the pieces where `owners` says: for each hole the seat standing there, or -1."""
    row[HASH:SIZE] = 0
    for hole in range(121):
        row[HOLES + hole] = EDGE[hole]
    for seat in range(row[SEATS]):
        n = PIECES + 10 * seat
        for hole in range(121):
            if owners[hole] == seat:
                row[n] = hole
                n += 1
                row[HASH] ^= PIECE_KEY[seat, hole]
                row[OWN + seat] += TRIANGLE[hole] == TARGET[row[SEATS], seat]
                row[FILLED + TRIANGLE[hole]] += 1
                toggle(row, hole)
        if row[FINISHED] >> seat & 1:
            row[HASH] ^= FINISH_KEY[seat]
    for hole in range(121):
        row[HOLES + hole] |= (1 + owners[hole]) << 12


@fast(SETUP)
def setup(row, options):
    """CC-3; options are the seats, then FINISH_RULE to TURN_CAP."""
    row[:] = 0
    row[LIVE] = row[FORM] = SIZE
    row[SEATS] = options[0]
    for i in range(10):
        row[FINISH_RULE + i] = options[1 + i]
    owners = np.full(121, -1)
    for seat in range(row[SEATS]):
        for hole in range(121):
            if TRIANGLE[hole] == HOME[row[SEATS], seat]:
                owners[hole] = seat
    arrange(row, owners)


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
    """All steps, then all single jumps, then the longer chains, then swaps.

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
        bit = BIT_NUMBER[((jumps & (~jumps + ONE)) * DE_BRUIJN) >> TOP_SIX]
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
            d = LOWEST[onward]
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
    """Whether the seat to act can."""
    first = np.uint64(PIECES + 10 * row[TURN])
    gate = np.uint64(TARGET[row[SEATS], row[TURN]] if row[LOCK] else NO_GATE)
    for i in range(10):
        start = np.uint64(row[first + np.uint64(i)])
        hole, allowed = np.uint64(row[FIRST_HOLE + start]), GATE[gate, start]
        if steps_from(hole, allowed) | jumps_from(hole, allowed):
            return True
    # Lenient transit adds no last resort: who may leave the target and come back to a hole can go there inside it, too.
    return row[FINISH_RULE] == SE and moves(row, np.empty(MAX_MOVES, np.int64)) > 0


@inner
def relocate(row, seat, start, end):
    """Move the piece in everything but what the holes know of each other."""
    row[HOLES + start] &= 0xFFF
    row[HOLES + end] = row[HOLES + end] & 0xFFF | (1 + seat) << 12
    row[HASH] ^= PIECE_KEY[seat, start] ^ PIECE_KEY[seat, end]
    target = TARGET[row[SEATS], seat]
    row[OWN + seat] += np.int64(TRIANGLE[end] == target) - np.int64(TRIANGLE[start] == target)
    first = np.uint64(PIECES + 10 * seat)
    last = first + NINE
    i = first
    while row[i] != start:
        i += ONE
    while i < last and row[i + ONE] < end:
        row[i] = row[i + ONE]
        i += ONE
    while i > first and row[i - ONE] > end:
        row[i] = row[i - ONE]
        i -= ONE
    row[i] = end


@inner
def closed_off(row, seat, triangle):
    """Bit i: while the others stay where they are in the triangle, no piece of `seat` gets to CORNER[triangle, i].

    Nor away from there: whatever stands outside may be arranged as one likes, so a way in is a way out (CA-21).
    """
    free = np.int64(0)
    for i in range(10):
        free |= np.int64(not is_foreign(row, seat, CORNER[triangle, i])) << i
    wider = OUTER[triangle] & free
    found = np.int64(0)
    while found != wider:
        found = wider
        for i in range(10):
            if (found >> i) & 1:
                wider |= JOINED[triangle, i] & free
    return free & ~found


@inner
def is_filled(row, seat):
    """Whether own pieces stand in every hole of the seat's target that is open to them (CC-18 FI, CA-21)."""
    target = TARGET[row[SEATS], seat]
    if row[FILLED + target] == 10:
        return True
    if row[FILLED + target] < LEAST_FILLED or row[FILLED + target] - row[OWN + seat] < THINNEST_WALL:
        return False
    empty = np.int64(0)
    for i in range(10):
        empty |= np.int64(row[HOLES + CORNER[target, i]] >> 12 == 0) << i
    return empty & ~closed_off(row, seat, target) == 0


@inner
def has_left_home(row, seat):
    """Whether no piece is left in the seat's start triangle but those walled in there (CA-22)."""
    home = HOME[row[SEATS], seat]
    waiting = np.int64(0)
    for i in range(10):
        waiting |= np.int64(row[HOLES + CORNER[home, i]] >> 12 == 1 + seat) << i
    return waiting == 0 or waiting & ~closed_off(row, seat, home) == 0


@inner
def is_shut_out(row, seat):
    """Whether a seat needs no own piece in its target: where `is_filled`, a wall leaves no hole open to it (CA-21)."""
    filled = row[FILLED + TARGET[row[SEATS], seat]]
    return filled < 10 and filled >= LEAST_FILLED and row[OWN + seat] == 0 and row[MIN_OWN] == 1 and row[LEAVE_HOME]


@inner
def has_finished(row, seat):
    """Whether a seat that has just had its turn has finished (CC-18, CA-10, CA-11, CA-18, CA-21, CA-22)."""
    if row[FINISH_RULE] != FI:
        return row[OWN + seat] == 10
    if row[OWN + seat] < row[MIN_OWN] and not is_shut_out(row, seat):
        return False
    return is_filled(row, seat) and (not row[LEAVE_HOME] or has_left_home(row, seat))


@inner
def end_turn(row, seat):
    """Test whether `seat` has finished (CA-12) and whether the game is over; else the next seat is to act."""
    if has_finished(row, seat):
        row[FINISHED] |= 1 << seat
        row[HASH] ^= FINISH_KEY[seat]
    row[TURNS] += 1
    round_ends = seat == row[SEATS] - 1
    row[TURN] = 0 if round_ends else seat + 1
    at_limit = row[TURNS] == row[TURN_CAP] or row[TURNS] == row[ROUND_CAP] * row[SEATS]  # CA-19
    if row[FINISHED] and (round_ends or at_limit or not row[WHOLE_ROUNDS]):  # CA-13
        several = row[FINISHED] & (row[FINISHED] - 1)
        row[TURN] = OVER
        row[REASON] = SEVERAL_FINISHED if several else ONE_FINISHED
    elif at_limit:
        row[TURN] = OVER
        row[REASON] = LIMIT_REACHED


@inner
def is_repeated(row):
    """Whether this position has been there as often as ends the game (CA-19)."""
    now = position_key(row)
    past = row[SIZE : row[LIVE]]
    times = 1
    for i in range(len(past)):
        times += past[i] == now
    return times >= row[REPETITION]


@fast(PLAY)
def play(row, move):
    """One piece moves, perhaps swapping; then turns end until somebody can act."""
    seat = row[TURN]
    start = np.int64(np.uint64(move) // MOVE_BASE)
    end = np.int64(np.uint64(move) % MOVE_BASE)
    if row[REPETITION] and row[LIVE] < len(row):
        row[row[LIVE]] = position_key(row)
        row[LIVE] += 1
    row[PLY] += 1
    other = (row[HOLES + end] >> 12) - 1
    if other < 0:
        toggle(row, start)
        toggle(row, end)
        row[FILLED + TRIANGLE[start]] -= 1
        row[FILLED + TRIANGLE[end]] += 1
        relocate(row, seat, start, end)
    else:
        relocate(row, other, end, start)  # CA-15
        relocate(row, seat, start, end)
        row[HOLES + start] |= (1 + other) << 12
    end_turn(row, seat)
    passes = 0
    while row[TURN] != OVER and not can_move(row):  # CA-9
        end_turn(row, row[TURN])
        passes += 1
        if passes == row[SEATS] and row[TURN] != OVER and row[FINISHED] == 0:
            row[TURN] = OVER
            row[REASON] = ALL_BLOCKED
    if row[REPETITION] and row[TURN] != OVER and is_repeated(row):
        row[TURN] = OVER
        row[REASON] = REPEATED


@fast(SCORES)
def scores(row, out):
    """Those who have finished share the point; where nobody has, all do (CC-19, CA-19)."""
    winners = row[FINISHED] if row[FINISHED] else (1 << row[SEATS]) - 1
    n = 0
    for seat in range(row[SEATS]):
        n += (winners >> seat) & 1
    for seat in range(row[SEATS]):
        out[seat] = POINT // n if (winners >> seat) & 1 else 0
    return row[REASON]


@fast(KEY)
def key(row):
    """Pieces, turn and who has finished in this round."""
    return position_key(row)


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
