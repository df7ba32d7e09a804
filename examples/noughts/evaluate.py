# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""How good a grid looks: lines in which only one seat has marks."""

import numpy as np

from cupboard.core.kernel import EVALUATE, OVER, TURN, WEIGH, fast, inner
from cupboard.games.noughts.kernel import LINES, MARKS, NOBODY, WINNER

WIN = 1_000_000
WEIGHTS = (1, 4)
"""A line with one own mark and none of the other's, and one with two."""
SCALE = 4
_DEFAULT = np.array(WEIGHTS, np.int64)


@inner
def prospects(mine, others, weights):
    """What a seat's open lines are worth."""
    value = np.int64(0)
    for line in LINES:
        own = mine & line
        if own and not others & line:
            value += weights[0] if own & (own - 1) == 0 else weights[1]
    return value


@inner
def balance(row, seat, weights):
    """A seat's prospects less the other's."""
    mine, others = row[MARKS + seat], row[MARKS + 1 - seat]
    return prospects(mine, others, weights) - prospects(others, mine, weights)


@fast(WEIGH)
def weigh(row, seat, weights):
    """The value for `seat` of a game that goes on."""
    return balance(row, seat, weights)


@fast(EVALUATE)
def evaluate(row, seat):
    """The value for `seat`; a finished game is worth WIN, nothing or -WIN."""
    if row[TURN] == OVER:
        return 0 if row[WINNER] == NOBODY else WIN if row[WINNER] == seat else -WIN
    return balance(row, seat, _DEFAULT)
