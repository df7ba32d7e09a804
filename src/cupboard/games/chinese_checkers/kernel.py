# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""Chinese Checkers for machines. Verbs assume legal moves; the row and the codes are explained in layout.py."""

import numpy as np

from cupboard.core.kernel import (
    FORM,
    KEY,
    LIVE,
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
from cupboard.games.chinese_checkers.finishing import has_finished
from cupboard.games.chinese_checkers.layout import (
    ALL_BLOCKED,
    FILLED,
    FINISH_RULE,
    FINISHED,
    HASH,
    HOLES,
    LIMIT_REACHED,
    MAX_MOVES,
    ONE_FINISHED,
    OWN,
    PIECES,
    REASON,
    REMEMBERS,
    REPEATED,
    REPETITION,
    ROUND_CAP,
    SEVERAL_FINISHED,
    SIZE,
    TURN_CAP,
    TURNS,
    WHOLE_ROUNDS,
)
from cupboard.games.chinese_checkers.star import EDGE, FINISH_KEY, HOME, PIECE_KEY, TARGET, TELL, TRIANGLE, TURN_KEY
from cupboard.games.chinese_checkers.walks import MOVE_BASE, ONE, can_move, moves, path

__all__ = [
    "MAX_MOVES", "REMEMBERS", "SIZE", "arrange", "key", "moves", "path", "play", "scores", "setup",
]  # fmt: skip

NINE = np.uint64(9)


@inner
def toggle(row, hole):
    """Change the bits of the holes around that say whether `hole` is taken."""
    for i in range(12):
        row[HOLES + TELL[hole, i]] ^= 1 << i


@inner
def position_key(row):
    """A hash of the pieces, the seat to act and those that have finished in this round."""
    return row[HASH] ^ TURN_KEY[row[TURN] - OVER]


@fast(SETUP)
def arrange(row, owners):
    """Put the pieces where `owners` says: it holds for each hole the seat standing there, or -1."""
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
    """All pieces in their start triangles (CC-3). Options are SEATS and FINISH_RULE to TURN_CAP, each at its entry."""
    row[:] = 0
    row[LIVE] = row[FORM] = SIZE
    row[SEATS] = options[SEATS]
    for entry in range(FINISH_RULE, TURN_CAP + 1):  # one by one: copying a slice takes a second more to compile
        row[entry] = options[entry]
    owners = np.full(121, -1)
    for seat in range(row[SEATS]):
        for hole in range(121):
            if TRIANGLE[hole] == HOME[row[SEATS], seat]:
                owners[hole] = seat
    arrange(row, owners)


@inner
def relocate(row, seat, start, end):
    """Move a piece in all entries but the bits in which holes say what is taken around them."""
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
    """Whether this position has come up so often that the game ends (CA-19)."""
    now = position_key(row)
    past = row[SIZE : row[LIVE]]
    times = 1
    for i in range(len(past)):
        times += past[i] == now
    return times >= row[REPETITION]


@fast(PLAY)
def play(row, move):
    """Move one piece, perhaps in a swap; then end turns until some seat can act."""
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
    """Write each seat's share: those that have finished share the point, or all do if none has (CC-19, CA-19)."""
    winners = row[FINISHED] if row[FINISHED] else (1 << row[SEATS]) - 1
    n = 0
    for seat in range(row[SEATS]):
        n += (winners >> seat) & 1
    for seat in range(row[SEATS]):
        out[seat] = POINT // n if (winners >> seat) & 1 else 0
    return row[REASON]


@fast(KEY)
def key(row):
    """A hash of the position, without its past."""
    return position_key(row)
