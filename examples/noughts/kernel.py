# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""Noughts for machines. Verbs assume legal moves; the header is core.kernel's.

    row[5..6]   the cells that each seat has marked, as bits: cell 3 * row + column is bit 2 ** cell
    row[7]      the winner once over, else NOBODY

A move is the number of a cell.
"""

import numpy as np

from cupboard.core.kernel import KEY, MOVES, PLAY, SCORES, SETUP, fast
from cupboard.core.row import FORM, HEADER, LIVE, OVER, PLY, POINT, SEATS, TURN

MARKS, WINNER = HEADER, HEADER + 2
SIZE = WINNER + 1
MAX_MOVES = 9
NOBODY = -1
FULL = (1 << 9) - 1
LINES = np.array([0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124], np.int64)
"""Rows, columns and diagonals (NC-3); an octal digit is a row, the lowest one the top."""
LINE, DRAWN = 1, 2


@fast(SETUP)
def setup(row, options):
    """An empty grid; crosses begin (NC-2)."""
    row[:] = 0
    row[LIVE] = SIZE
    row[SEATS] = 2
    row[FORM] = SIZE
    row[WINNER] = NOBODY


@fast(MOVES)
def moves(row, out):
    """The empty cells."""
    taken = row[MARKS] | row[MARKS + 1]
    n = 0
    for cell in range(9):
        if not (taken >> cell) & 1:
            out[n] = cell
            n += 1
    return np.int64(n)


@fast(PLAY)
def play(row, move):
    """Mark a cell; three in a row win (NC-3), a full grid is shared (NC-4)."""
    seat = row[TURN]
    row[MARKS + seat] |= 1 << move
    row[PLY] += 1
    row[TURN] = 1 - seat
    for line in LINES:
        if row[MARKS + seat] & line == line:
            row[WINNER] = seat
    if row[WINNER] == seat or row[MARKS] | row[MARKS + 1] == FULL:
        row[TURN] = OVER


@fast(SCORES)
def scores(row, out):
    """All to the winner, or half each."""
    for seat in range(2):
        out[seat] = POINT // 2 if row[WINNER] == NOBODY else POINT * (row[WINNER] == seat)
    return np.int64(DRAWN if row[WINNER] == NOBODY else LINE)


@fast(KEY)
def key(row):
    """Both seats' cells and the turn."""
    return row[MARKS] | row[MARKS + 1] << 9 | (row[TURN] + 3) << 18
