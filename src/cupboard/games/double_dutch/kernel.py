# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""Double Dutch for machines. Verbs assume legal moves; the header is core.kernel's.

    row[BOARD]          the board, an index into BOARDS
    row[WINNER]         the winner once the game is over, else NOBODY
    row[EMPTY]          the cells without a stone, as bits
    row[FLAT + seat]    the seat's stones that lie flat side down, as bits: they may move (DD-4)
    row[TURNED + seat]  the seat's stones turned over, as bits: they never move again
    row[STOCK + seat]   how many stones the seat has left

A cell's number is its bit (board.py). Every placement and every move adds one stone, so PLY is also the number of
stones on the board. A move is `cell` for a first stone, `64 * (1 + direction) + cell` to move the stone on `cell`.
"""

import numpy as np

from cupboard.core.bits import lowest
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
    SCORES,
    SEATS,
    SETUP,
    TURN,
    fast,
    inner,
)
from cupboard.games.double_dutch.board import CELL_COUNT
from cupboard.games.double_dutch.sliding import CELLS, movable, movers, slide

BOARD = HEADER
WINNER = BOARD + 1
EMPTY = WINNER + 1
FLAT = EMPTY + 1  # one entry per seat, like the next two
TURNED = FLAT + 3
STOCK = TURNED + 3
SIZE = STOCK + 3
# In one direction no two stones share the free cell ahead, and 49 cells hold at most 24 such pairs.
MAX_MOVES = 6 * 24
NOBODY = -1
LAST_MOVE, NOBODY_MOVED = 1, 2


@fast(SETUP)
def setup(row, options):
    """An empty board (DD-3). The options are SEATS, BOARD and STOCK, each at its entry."""
    row[:] = 0
    row[LIVE] = row[FORM] = SIZE
    row[SEATS] = options[SEATS]
    row[BOARD] = options[BOARD]
    row[WINNER] = NOBODY
    row[EMPTY] = CELLS[row[BOARD]]
    for seat in range(row[SEATS]):
        row[STOCK + seat] = options[STOCK]


@inner
def write(bits, base, out, n):
    """Append the code `base + cell` of every cell in `bits` to out[:n]; returns the new n."""
    while bits != 0:
        out[n] = base + lowest(bits)
        n += 1
        bits &= bits - 1
    return n


@fast(MOVES)
def moves(row, out):
    """Write every free cell for a first stone (DD-5), or each flat stone with two free cells ahead (DD-9)."""
    empty = row[EMPTY]
    if row[PLY] < row[SEATS]:
        return write(empty, 0, out, 0)
    flat = row[FLAT + row[TURN]]
    n = 0
    for axis in range(3):
        onward, back = movers(row[BOARD], empty, flat, axis)
        n = write(onward, 64 * (1 + axis), out, n)
        n = write(back, 64 * (4 + axis), out, n)
    return n


@fast(PLAY)
def play(row, move):
    """Place a first stone, or slide a stone and let another follow; TURN goes to the next seat that can move."""
    seat = row[TURN]
    seats = row[SEATS]
    board = row[BOARD]
    empty = row[EMPTY]
    if move < 64:
        empty ^= 1 << move
        row[FLAT + seat] |= 1 << move
    else:
        empty, row[FLAT + seat], turned = slide(board, empty, row[FLAT + seat], move & 63, (move >> 6) - 1)
        row[TURNED + seat] |= turned
    row[EMPTY] = empty
    row[STOCK + seat] -= 1
    row[PLY] += 1
    if row[PLY] < seats:
        row[TURN] = seat + 1
        return

    can_slide = movable(board, empty, ~np.int64(0))  # the cells from which a flat stone could move, whoever owns it
    following = seat
    for _ in range(seats):
        following = following + 1 if following + 1 < seats else 0
        if row[FLAT + following] & can_slide and row[STOCK + following] > 0:  # DA-5
            row[TURN] = following
            return
    row[TURN] = OVER
    if move >= 64:  # DD-13; a first stone is no regular move (DA-9)
        row[WINNER] = seat


@fast(SCORES)
def scores(row, out):
    """Write each seat's share: the last mover takes the point (DD-13), or all share it if nobody ever moved (DA-9)."""
    seats = row[SEATS]
    for seat in range(seats):
        out[seat] = POINT // seats if row[WINNER] == NOBODY else 0
    if row[WINNER] == NOBODY:
        return NOBODY_MOVED
    out[row[WINNER]] = POINT
    return LAST_MOVE


@fast(KEY)
def key(row):
    """A hash of all that still matters: not whose stones are turned over, nor a stock larger than the room left."""
    room = CELL_COUNT - row[PLY]
    state = 64 * row[BOARD] + 8 * (row[WINNER] - NOBODY) + row[TURN] - OVER
    h = np.uint64(row[EMPTY]) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(state)
    for seat in range(row[SEATS]):
        h ^= h >> np.uint64(29)
        h = (h ^ np.uint64(row[FLAT + seat])) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(32)
        h = (h + np.uint64(min(row[STOCK + seat], room))) * np.uint64(0xD6E8FEB86659FD93)
    return np.int64(h ^ h >> np.uint64(31))
