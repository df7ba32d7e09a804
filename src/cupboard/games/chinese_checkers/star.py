# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""The star as arrays for compiled code: where steps and jumps lead, triangles, gates, walls and keys."""

from random import Random

import numpy as np

from cupboard.core.row import OVER
from cupboard.games.chinese_checkers.board import AXIAL, HOMES, TRIANGLE_OF, reached

EDGE_HOLE = 121
"""Stands for all that lies beyond the edge."""


def _reach(steps):
    """Where so many steps lead from each hole in each direction."""
    ways = [[reached(hole, d, steps) for d in range(6)] for hole in range(121)]
    return np.array([[EDGE_HOLE if end is None else end for end in ends] for ends in ways], np.uint8)


def _bits(flags):
    """Each line of flags as the bits of a number."""
    return (flags << np.arange(12)).sum(axis=1)


NEAR, FAR = _reach(1), _reach(2)
STEP = np.arange(121, dtype=np.uint16)[:, None] * 121 + NEAR
AROUND = np.hstack([NEAR, FAR])
EDGE = _bits(AROUND == EDGE_HOLE)
TELL = np.hstack([np.roll(NEAR, 3, axis=1), np.roll(FAR, 3, axis=1)])
"""TELL[h, i]: the hole whose bit i says whether h is taken."""
FORTH = np.array([63 ^ 1 << (d + 3) % 6 for d in range(6)], np.uint64)
"""FORTH[d]: bits of all directions but the one that leads back after a jump in direction d."""
SIXTH, REST = np.divmod(np.arange(60, dtype=np.uint8), 6)
SEEN = np.array(
    [1 << sum((q - a) % 2 + (r - b) % 2 == 0 for a, b in AXIAL[:h]) for h, (q, r) in enumerate(AXIAL)],
    np.uint64,
)
"""A bit for each hole; two holes share one only if no chain of jumps joins them."""
PARITY = np.array([q % 2 + 2 * (r % 2) for q, r in AXIAL], np.uint8)

MIDDLE, NOWHERE = 6, 7
TRIANGLE = np.array([MIDDLE if t is None else t for t in TRIANGLE_OF] + [NOWHERE], np.uint8)
"""The triangle of each hole, MIDDLE for the hexagon, NOWHERE for what lies beyond the edge."""
HOME = np.zeros((7, 6), np.uint8)
"""HOME[seats, seat]: the triangle a seat starts from."""
for _seats, _homes in HOMES.items():
    HOME[_seats, :_seats] = _homes
TARGET = (HOME + 3) % 6  # CC-8
"""TARGET[seats, seat]: the triangle a seat goes to."""

NO_GATE, LENIENT_GATE = 6, 7
GATE = np.full((13, 121), 0xFFF, np.uint64)
for _t in range(6):
    GATE[_t] = np.where(TRIANGLE[:121] == _t, _bits(TRIANGLE[AROUND] == _t), 0xFFF)
    GATE[LENIENT_GATE + _t] = GATE[_t] | np.uint64(0xFC0)
"""GATE[t, h], bit d or 6 + d: a seat whose target is t may step or jump from h that way (CC-17); 7 + t is for
lenient transit, where jumps are free (CA-6)."""

# For CA-21 and CA-22: the ten holes of a triangle as the bits of a word.
CORNER = np.array([np.flatnonzero(TRIANGLE[:121] == t) for t in range(6)], np.int64)
OUTER = np.zeros(6, np.int64)
"""OUTER[t]: the holes of triangle t that a step or a jump joins with a hole outside it."""
JOINED = np.zeros((6, 10), np.int64)
"""JOINED[t, i]: the holes of triangle t that a step or a jump joins with its hole CORNER[t, i]."""
for _t in range(6):
    for _i, _hole in enumerate(CORNER[_t]):
        for _other in AROUND[_hole]:
            if TRIANGLE[_other] == _t:
                JOINED[_t, _i] |= 1 << CORNER[_t].tolist().index(_other)
            elif _other < 121:
                OUTER[_t] |= 1 << _i
THINNEST_WALL, LEAST_FILLED = 4, 7
"""With fewer foreign pieces no hole is walled off, the tip alone takes four; and only three holes can be: the others
lie in reach of a step or a jump from outside."""

_random = Random(121)
PIECE_KEY = np.array([[_random.getrandbits(63) for _ in range(121)] for _ in range(6)])
FINISH_KEY = np.array([_random.getrandbits(63) for _ in range(6)])
TURN_KEY = np.array([_random.getrandbits(63) for _ in range(6 - OVER)])
