# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""How good a Jumping Cups position looks: moves in hand, squares filled, and how far the cups still have to go."""

import numpy as np

from cupboard.core.bits import ones
from cupboard.core.kernel import EVALUATE, OVER, TURN, WEIGH, fast, inner
from cupboard.games.jumping_cups.kernel import FREE, HOME, STACKS, TRACK, WINNER

WIN = 1_000_000
FEATURES = ("free", "home", "ahead", "turn")
WEIGHTS = (125, -94, 13, -3)
"""A free cup is a move in hand, and most games end because somebody has none; a filled square, which is a cup that can
no longer wait; a square still to go; being on turn. As `cupboard tune jumping-cups` found them."""
SCALE = 150
"""How much of the value makes winning e times as likely."""


@inner
def ahead(row, seat):
    """Squares from each cup of the seat to the far end: what it can still spend."""
    total = 0
    for k in range(1, TRACK + 1):
        height, colours = row[STACKS + k] & 15, row[STACKS + k] >> 4
        mine = ones(colours) if seat == 1 else height - ones(colours)
        total += mine * (TRACK - k if seat == 0 else k - 1)
    return total


@inner
def lead(row, seat, weights):
    """What the seat has more than the other of all features but the turn, by their weights."""
    other = 1 - seat
    value = weights[0] * (ones(row[FREE + seat]) - ones(row[FREE + other]))
    value += weights[1] * (ones(row[HOME + seat]) - ones(row[HOME + other]))
    return value + weights[2] * (ahead(row, seat) - ahead(row, other))


@fast(WEIGH)
def weigh(row, seat, weights):
    """The value for `seat`, with these weights, of a game that goes on."""
    return lead(row, seat, weights) + (weights[3] if row[TURN] == seat else -weights[3])


_DEFAULT = np.array(WEIGHTS, np.int64)


@fast(EVALUATE)
def evaluate(row, seat):
    """The value for `seat` after its own move; a finished game is worth WIN to its winner, -WIN to the other."""
    if row[TURN] == OVER:
        return WIN if row[WINNER] == seat else -WIN
    return lead(row, seat, _DEFAULT)
