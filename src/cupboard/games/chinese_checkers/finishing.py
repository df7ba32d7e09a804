# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""When a seat has finished (CC-18), also where others wall holes off (CA-21, CA-22)."""

import numpy as np

from cupboard.core.kernel import SEATS, inner
from cupboard.games.chinese_checkers.layout import FI, FILLED, FINISH_RULE, HOLES, LEAVE_HOME, MIN_OWN, OWN
from cupboard.games.chinese_checkers.star import CORNER, HOME, JOINED, LEAST_FILLED, OUTER, TARGET, THINNEST_WALL
from cupboard.games.chinese_checkers.walks import is_foreign


@inner
def closed_off(row, seat, triangle):
    """The free holes of a triangle that no piece of `seat` can reach while the others' pieces in it stay: bit i is
    CORNER[triangle, i].

    Nor can a piece leave them: what stands outside may be arranged at will, so a way in is a way out (CA-21).
    """
    free = np.int64(0)
    for i in range(10):
        free |= np.int64(not is_foreign(row, seat, CORNER[triangle, i])) << i
    wider = OUTER[triangle] & free
    found = np.int64(0)
    while found != wider:
        found = wider
        for i in range(10):
            if (found >> i) & 1:
                wider |= JOINED[triangle, i] & free
    return free & ~found


@inner
def is_filled(row, seat):
    """Whether own pieces stand in every hole of the seat's target that is open to them (CC-18 FI, CA-21)."""
    target = TARGET[row[SEATS], seat]
    if row[FILLED + target] == 10:
        return True
    if row[FILLED + target] < LEAST_FILLED or row[FILLED + target] - row[OWN + seat] < THINNEST_WALL:
        return False
    empty = np.int64(0)
    for i in range(10):
        empty |= np.int64(row[HOLES + CORNER[target, i]] >> 12 == 0) << i
    return empty & ~closed_off(row, seat, target) == 0


@inner
def has_left_home(row, seat):
    """Whether no piece is left in the seat's start triangle but those walled in there (CA-22)."""
    home = HOME[row[SEATS], seat]
    waiting = np.int64(0)
    for i in range(10):
        waiting |= np.int64(row[HOLES + CORNER[home, i]] >> 12 == 1 + seat) << i
    return waiting == 0 or waiting & ~closed_off(row, seat, home) == 0


@inner
def is_shut_out(row, seat):
    """Whether a seat with a filled target needs no own piece in it, since a wall leaves no hole open to it (CA-21)."""
    filled = row[FILLED + TARGET[row[SEATS], seat]]
    return filled < 10 and filled >= LEAST_FILLED and row[OWN + seat] == 0 and row[MIN_OWN] == 1 and row[LEAVE_HOME]


@inner
def has_finished(row, seat):
    """Whether a seat that has just had its turn has finished (CC-18, CA-10, CA-11, CA-18, CA-21, CA-22)."""
    if row[FINISH_RULE] != FI:
        return row[OWN + seat] == 10
    if row[OWN + seat] < row[MIN_OWN] and not is_shut_out(row, seat):
        return False
    return is_filled(row, seat) and (not row[LEAVE_HOME] or has_left_home(row, seat))
