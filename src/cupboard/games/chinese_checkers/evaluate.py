"""How good a Chinese Checkers position looks after one move; for the greedy player."""

import numpy as np

from cupboard.core.kernel import EVALUATE, OVER, SEATS, TURN, fast, inner
from cupboard.games.chinese_checkers.kernel import AXIAL, FINISHED, OWN, PIECES, TARGET

WIN = 1_000_000

_TIPS = ((4, -8), (8, -4), (4, 4), (-4, 8), (-8, 4), (-4, -4))
WAY = np.array([[(q - a) ** 2 + (r - b) ** 2 + (q - a) * (r - b) for q, r in AXIAL] for a, b in _TIPS])
"""The square of the distance from every hole to the tip of every triangle: stragglers weigh most."""


@inner
def way(row, seat):
    """How far the pieces of `seat` still have to go; those at home count little."""
    total = 0
    for hole in row[PIECES + 10 * seat : PIECES + 10 * seat + 10]:
        total += WAY[TARGET[row[SEATS], seat], hole]
    return total - 20 * row[OWN + seat]


@fast(EVALUATE)
def evaluate(row, seat):
    """The own way home against that of the nearest rival; finishing is worth more than anything."""
    if row[TURN] == OVER:
        mine = (row[FINISHED] >> seat) & 1
        alone = row[FINISHED] == 1 << seat
        return WIN if alone else WIN // 2 if mine else -WIN if row[FINISHED] else 0
    nearest = np.int64(WIN)
    for other in range(row[SEATS]):
        if other != seat:
            nearest = min(nearest, way(row, other))
    finished = (row[FINISHED] >> seat) & 1
    return finished * WIN // 4 + nearest - way(row, seat)
