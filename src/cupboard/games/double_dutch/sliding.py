# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""How stones slide in Double Dutch (DD-8 to DD-11), as shifts of bits: for the rules, the evaluation and the solver.

Cells are bits of a word, numbered as in board.py. Directions 0 to 2 add to a cell's number, directions 3 to 5 are
their opposites.
"""

import numpy as np

from cupboard.core.bits import ones
from cupboard.core.kernel import inner
from cupboard.games.double_dutch.board import HEADINGS, PLACES, STRIDES


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


STEPS = np.array([(1, stride, stride - 1) for stride in STRIDES])
"""By how much a bit grows with one step in the first three directions; the other three go back."""
CELLS = np.array([sum(1 << bit for bit in places.values()) for places in PLACES])
"""All cells of each board."""
_ONE = np.array([_with_room(places, 1) for places in PLACES])
_TWO = np.array([_with_room(places, 2) for places in PLACES])


@inner
def movers(board, space, stones, axis):
    """Of the stones those with two cells of `space` ahead (DD-9): in direction `axis`, and in direction `axis + 3`."""
    step = STEPS[board, axis]
    pairs = space & (space >> step)
    return stones & _TWO[board, axis] & (pairs >> step), stones & _TWO[board, axis + 3] & (pairs << 2 * step)


@inner
def movable(board, space, stones):
    """The stones with two cells of `space` ahead in some direction."""
    found = np.int64(0)
    for axis in range(3):
        onward, back = movers(board, space, stones, axis)
        found |= onward | back
    return found


@inner
def count_moves(board, space, stones):
    """How many moves the stones have, one for each direction with two cells of `space` ahead."""
    n = 0
    for axis in range(3):
        onward, back = movers(board, space, stones, axis)
        n += ones(onward) + ones(back)
    return n


@inner
def slide(board, empty, flat, cell, direction):
    """The empty cells, the mover's flat stones, and the stone turned over, all as bits, after `cell` has moved.

    Its stone goes to the last free cell ahead (DD-8), another one follows to the first (DD-11), and the one that moved
    turns over unless it went just two cells (DD-10); then the third result is 0.
    """
    step = STEPS[board, direction % 3]
    if direction < 3:
        ahead = _ONE[board, direction] & (empty >> step)
    else:
        ahead = _ONE[board, direction] & (empty << step)
        step = -step
    target = cell + 2 * step
    turned = np.int64(0)
    flat ^= (1 << cell) ^ (1 << (cell + step))
    if (ahead >> target) & 1:
        target += step
        while (ahead >> target) & 1:
            target += step
        turned = np.int64(1) << target
    else:
        flat ^= 1 << target
    return empty ^ (1 << cell) ^ (1 << (cell + step)) ^ (1 << target), flat, turned
