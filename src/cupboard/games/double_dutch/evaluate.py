# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""How good a Double Dutch position looks: moves nobody can take away, moves in dispute, stones that may move again."""

import numpy as np

from cupboard.core.bits import ones
from cupboard.core.kernel import EVALUATE, OVER, SEATS, TURN, WEIGH, fast, inner
from cupboard.games.double_dutch.kernel import BOARD, EMPTY, FLAT, NOBODY, STOCK, WINNER
from cupboard.games.double_dutch.sliding import STEPS, movers

WIN = 1_000_000
FEATURES = ("exclusive", "contested", "movable", "frozen", "turn")
WEIGHTS = (50, 33, 88, 40, 49)
"""A move whose first two cells no opponent's move touches, one in dispute, a stone that has a move, a flat stone
that has none now, being on turn. As `cupboard tune double-dutch` found them."""
SCALE = 150
"""How much of the value makes winning e times as likely."""


@inner
def touched(row, seat):
    """The first two cells of each of the seat's moves, as bits."""
    cells = np.int64(0)
    if row[STOCK + seat] > 0:
        for axis in range(3):
            step = STEPS[row[BOARD], axis]
            onward, back = movers(row[BOARD], row[EMPTY], row[FLAT + seat], axis)
            cells |= (onward << step) | (onward << 2 * step) | (back >> step) | (back >> 2 * step)
    return cells


@inner
def prospects(row, seat, taken):
    """Exclusive and contested moves, movable and frozen stones of a seat, given what the others' moves touch."""
    if row[STOCK + seat] == 0:
        return 0, 0, 0, 0
    moves = exclusive = 0
    stones = np.int64(0)
    for axis in range(3):
        step = STEPS[row[BOARD], axis]
        onward, back = movers(row[BOARD], row[EMPTY], row[FLAT + seat], axis)
        stones |= onward | back
        moves += ones(onward) + ones(back)
        exclusive += ones(onward & ~(taken >> step) & ~(taken >> 2 * step))
        exclusive += ones(back & ~(taken << step) & ~(taken << 2 * step))
    movable = ones(stones)
    return exclusive, moves - exclusive, movable, ones(row[FLAT + seat]) - movable


@inner
def standing(row, seat, weights):
    """The weighted sum of a seat's features, given what the others can do."""
    taken = np.int64(0)
    for other in range(row[SEATS]):
        if other != seat:
            taken |= touched(row, other)
    exclusive, contested, movable, frozen = prospects(row, seat, taken)
    return weights[0] * exclusive + weights[1] * contested + weights[2] * movable + weights[3] * frozen


@inner
def against_best(row, seat, weights):
    """A seat's standing less that of the best other seat."""
    best = np.int64(-(1 << 40))
    for other in range(row[SEATS]):
        if other != seat:
            best = max(best, standing(row, other, weights))
    return standing(row, seat, weights) - best


@fast(WEIGH)
def weigh(row, seat, weights):
    """The value for `seat`, with these weights, of a game that goes on."""
    return against_best(row, seat, weights) + (weights[4] if row[TURN] == seat else -weights[4])


_DEFAULT = np.array(WEIGHTS, np.int64)


@fast(EVALUATE)
def evaluate(row, seat):
    """The value for `seat` after its own move; a finished game is worth WIN, a shared one nothing, a lost one -WIN."""
    if row[TURN] == OVER:
        return 0 if row[WINNER] == NOBODY else WIN if row[WINNER] == seat else -WIN
    return against_best(row, seat, _DEFAULT)
