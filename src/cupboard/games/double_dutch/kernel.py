"""Double Dutch for machines. Verbs assume legal moves; the header is core.kernel's.

    row[4]       the board, an index into DRAWINGS
    row[5]       the winner once over, else NOBODY
    row[6]       the cells without a stone, as bits
    row[7..9]    each seat's stones that lie flat side down, as bits: they may move (DD-4)
    row[10..12]  each seat's stones turned over, as bits: they never move again
    row[13..15]  stones each seat has left in stock

A cell's number is its bit: along a row they count up by one, down the rows by the board's stride, so all six
directions are shifts. Every placement and every move adds one stone, so PLY is also the number of stones.
A move is `cell` for a first stone, `64 * (1 + direction) + cell` to move the stone on `cell`.
"""

import numpy as np

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

# The five boards of 49 cells (DD-1). A cell is two columns wide, so neighbouring rows are one column apart.
DRAWINGS = (
    """
       o o
  o o o o o
 o o o o o o o
  o o o o o o o
 o o o o o o o
o o o o o o o
 o o o o o o o
    o o o o o
     o o
""",
    """
o o o o o o o
 o o o o o o o
o o o o o o o
 o o o o o o o
o o o o o o o
 o o o o o o o
o o o o o o o
""",
    """
 o o o o o
o o o o o o
 o o o o o
o o o o o o
 o o o o o
o o o o o o
 o o o o o
o o o o o o
 o o o o o
""",
    """
o o o o o o o
 o o o o o o o
  o o o o o o o
   o o o o o o o
    o o o o o o o
     o o o o o o o
      o o o o o o o
""",
    """
     o   o
  o o o o o o
   o o o o o
o o o o o o o o
 o o o o o o o
o o o o o o o o
   o o o o o
  o o o o o o
     o   o
""",
)
CELL_COUNT = 49

HEADINGS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
"""One step in each direction, in columns and rows of a drawing, clockwise from east."""


def _number(drawing):
    """The stride of a drawn board, and its cells in reading order: {(column, row): bit}."""
    places = [
        (column, row)
        for row, line in enumerate(drawing.strip("\n").split("\n"))
        for column, mark in enumerate(line)
        if mark == "o"
    ]
    stride = 0
    while True:  # the smallest stride that gives every cell a bit of its own
        stride += 1
        bits = [(column - row) // 2 + stride * row for column, row in places]
        if len(set(bits)) == len(bits):
            return stride, {place: bit - min(bits) for place, bit in zip(places, bits, strict=True)}


PLACES = tuple(_number(drawing)[1] for drawing in DRAWINGS)
"""The cells of each board in reading order: {(column, row) in its drawing: bit}."""


def _with_room(places, steps):
    """For each direction the cells, as bits, from which `steps` steps stay on the board."""
    return [
        sum(
            1 << bit
            for (column, row), bit in places.items()
            if all((column + dx * i, row + dy * i) in places for i in range(1, steps + 1))
        )
        for dx, dy in HEADINGS
    ]


_STRIDES = [_number(drawing)[0] for drawing in DRAWINGS]
STEPS = np.array([(1, stride, stride - 1) for stride in _STRIDES])
"""By how much a bit grows with one step in the first three directions; the other three go back."""
_CELLS = np.array([sum(1 << bit for bit in places.values()) for places in PLACES])
_ONE = np.array([_with_room(places, 1) for places in PLACES])
TWO = np.array([_with_room(places, 2) for places in PLACES])
"""For each board and direction the cells with two more cells ahead on the board."""

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

_DE_BRUIJN = 0x03F79D71B4CB0A89
_INDEX = np.argsort([(_DE_BRUIJN << i & 0xFFFFFFFFFFFFFFFF) >> 58 for i in range(64)])


@inner
def lowest(bits):
    """The number of the lowest bit that is set."""
    return _INDEX[(np.uint64(bits & -bits) * np.uint64(_DE_BRUIJN)) >> np.uint64(58)]


@fast(SETUP)
def setup(row, options):
    """DD-3: an empty board; options are the number of seats, the board and each seat's stock."""
    row[:] = 0
    row[LIVE] = row[FORM] = SIZE
    row[SEATS] = options[0]
    row[BOARD] = options[1]
    row[WINNER] = NOBODY
    row[EMPTY] = _CELLS[options[1]]
    for seat in range(options[0]):
        row[STOCK + seat] = options[2]


@inner
def write(bits, base, out, n):
    """Append the code `base + cell` of every cell in `bits` to out[:n]; the new n."""
    while bits != 0:
        out[n] = base + lowest(bits)
        n += 1
        bits &= bits - 1
    return n


@inner
def ready(board, empty, axis):
    """The cells with two free cells ahead (DD-9) in direction `axis`, and those in direction `axis + 3`."""
    step = STEPS[board, axis]
    pairs = empty & (empty >> step)
    return TWO[board, axis] & (pairs >> step), TWO[board, axis + 3] & (pairs << 2 * step)


@fast(MOVES)
def moves(row, out):
    """Every free cell for a first stone (DD-5), then each flat stone with two free cells ahead (DD-9)."""
    empty = row[EMPTY]
    if row[PLY] < row[SEATS]:
        return write(empty, 0, out, 0)
    flat = row[FLAT + row[TURN]]
    n = 0
    for axis in range(3):
        onward, back = ready(row[BOARD], empty, axis)
        n = write(flat & onward, 64 * (1 + axis), out, n)
        n = write(flat & back, 64 * (4 + axis), out, n)
    return n


@fast(PLAY)
def play(row, move):
    """A first stone, or a stone slides and another follows; TURN goes to the next seat that can move."""
    seat = row[TURN]
    seats = row[SEATS]
    board = row[BOARD]
    empty = row[EMPTY]
    if move < 64:
        empty ^= 1 << move
        row[FLAT + seat] |= 1 << move
    else:
        cell = move & 63
        direction = (move >> 6) - 1
        step = STEPS[board, direction % 3]
        if direction < 3:
            ahead = _ONE[board, direction] & (empty >> step)
        else:
            ahead = _ONE[board, direction] & (empty << step)
            step = -step
        target = cell + 2 * step
        two = True
        while (ahead >> target) & 1:  # DD-8: to the last free cell
            target += step
            two = False
        flat = row[FLAT + seat] ^ (1 << cell) ^ (1 << (cell + step))  # DD-11
        if two:  # DD-10
            flat ^= 1 << target
        else:
            row[TURNED + seat] ^= 1 << target
        row[FLAT + seat] = flat
        empty ^= (1 << cell) ^ (1 << (cell + step)) ^ (1 << target)
    row[EMPTY] = empty
    row[STOCK + seat] -= 1
    row[PLY] += 1
    if row[PLY] < seats:
        row[TURN] = seat + 1
        return

    can_slide = 0  # the cells from which a flat stone could move, whoever owns it
    for axis in range(3):
        onward, back = ready(board, empty, axis)
        can_slide |= onward | back
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
    """The last mover takes the point (DD-13); if nobody ever moved, all share it (DA-9)."""
    seats = row[SEATS]
    for seat in range(seats):
        out[seat] = POINT // seats if row[WINNER] == NOBODY else 0
    if row[WINNER] == NOBODY:
        return NOBODY_MOVED
    out[row[WINNER]] = POINT
    return LAST_MOVE


@fast(KEY)
def key(row):
    """All that can still matter: not whose stones are turned over, nor a stock larger than the room left."""
    room = CELL_COUNT - row[PLY]
    state = 64 * row[BOARD] + 8 * (row[WINNER] - NOBODY) + row[TURN] - OVER
    h = np.uint64(row[EMPTY]) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(state)
    for seat in range(row[SEATS]):
        h ^= h >> np.uint64(29)
        h = (h ^ np.uint64(row[FLAT + seat])) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(32)
        h = (h + np.uint64(min(row[STOCK + seat], room))) * np.uint64(0xD6E8FEB86659FD93)
    return np.int64(h ^ h >> np.uint64(31))
