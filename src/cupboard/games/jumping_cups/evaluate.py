"""How good a Jumping Cups position looks after one move; for the greedy player."""

from cupboard.core.kernel import EVALUATE, OVER, TURN, fast, inner
from cupboard.games.jumping_cups.kernel import FREE, HOME, WINNER

WIN = 1_000_000


@inner
def ones(bits):
    """How many bits are set."""
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


@fast(EVALUATE)
def evaluate(row, seat):
    """Free cups are moves in hand, and most games end because somebody has none; filled squares come second."""
    if row[TURN] == OVER:
        return WIN if row[WINNER] == seat else -WIN
    other = 1 - seat
    free = ones(row[FREE + seat]) - ones(row[FREE + other])
    home = ones(row[HOME + seat]) - ones(row[HOME + other])
    return 10 * free + 6 * home
