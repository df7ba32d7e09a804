"""How good a Jumping Cups position looks: moves in hand, squares filled, and how far the cups still have to go."""

from numba import int64, void

from cupboard.core.kernel import EVALUATE, OVER, ROW, TURN, WEIGH, fast, inner
from cupboard.games.jumping_cups.kernel import FREE, HOME, STACKS, TRACK, WINNER

WIN = 1_000_000
FEATURES = ("free", "home", "ahead", "turn")
WEIGHTS = (125, -94, 13, -3)
"""A free cup is a move in hand, and most games end because somebody has none; a filled square, which is a cup that can
no longer wait; a square still to go; being on turn. As `cupboard tune jumping-cups` found them."""
SCALE = 150
"""How much of the value makes winning e times as likely."""


@inner
def ones(bits):
    """How many bits are set."""
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


@inner
def ahead(row, seat):
    """Squares from each cup of the seat to the far end: what it can still spend."""
    total = 0
    for k in range(1, TRACK + 1):
        height, colours = row[STACKS + k] & 15, row[STACKS + k] >> 4
        mine = ones(colours) if seat == 1 else height - ones(colours)
        total += mine * (TRACK - k if seat == 0 else k - 1)
    return total


@fast(void(ROW, int64, ROW))
def features(row, seat, out):
    """What `weigh` adds up, each of the seat against the other."""
    other = 1 - seat
    out[0] = ones(row[FREE + seat]) - ones(row[FREE + other])
    out[1] = ones(row[HOME + seat]) - ones(row[HOME + other])
    out[2] = ahead(row, seat) - ahead(row, other)
    out[3] = 1 if row[TURN] == seat else -1


@fast(WEIGH)
def weigh(row, seat, weights):
    """The value for `seat` of a game that goes on."""
    other = 1 - seat
    value = weights[0] * (ones(row[FREE + seat]) - ones(row[FREE + other]))
    value += weights[1] * (ones(row[HOME + seat]) - ones(row[HOME + other]))
    value += weights[2] * (ahead(row, seat) - ahead(row, other))
    return value + (weights[3] if row[TURN] == seat else -weights[3])


@fast(EVALUATE)
def evaluate(row, seat):
    """The value for `seat`, one move deep players need no more; a finished game is worth WIN or its opposite."""
    if row[TURN] == OVER:
        return WIN if row[WINNER] == seat else -WIN
    other = 1 - seat
    value = WEIGHTS[0] * (ones(row[FREE + seat]) - ones(row[FREE + other]))
    value += WEIGHTS[1] * (ones(row[HOME + seat]) - ones(row[HOME + other]))
    return value + WEIGHTS[2] * (ahead(row, seat) - ahead(row, other))
