# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""Pyramids of buckets: what stands, what falls when a bucket goes (4.2 of the rules), and what that costs.

A pyramid is three planes of 15 bits, a set of slots 15 bits (layout.py).
"""

import numpy as np

from cupboard.core.bits import ones
from cupboard.core.kernel import SEATS, inner
from cupboard.games.cup_king import layout
from cupboard.games.cup_king.layout import BASE, FULL_15, PYRAMID

standing = inner(layout.standing)
is_careful = inner(layout.is_careful)
whole_of = inner(layout.whole_of)
each_of = inner(layout.each_of)


def standing_shapes():
    """Every set of slots in which each bucket has both its supports, the fullest first."""
    shapes = [(base, base) for base in range(32)]  # the slots so far and the highest row's
    for first, width in ((5, 4), (9, 3), (12, 2), (14, 1)):
        shapes = [
            (slots | row << first, row)
            for slots, below in shapes
            for row in range(1 << width)
            if row & ~(below & below >> 1) == 0
        ]
    return np.array(sorted((slots for slots, _ in shapes), reverse=True), np.int64)


SHAPES = standing_shapes()
"""Every set of slots in which each bucket has both its supports, the fullest first."""


@inner
def buckets_of(pyramid, colour):
    """The slots with a bucket of this colour."""
    slots = FULL_15
    for plane in range(3):
        bits = pyramid >> (15 * plane)
        slots &= bits if (colour + 1) >> plane & 1 else ~bits
    return slots


@inner
def painted(slot, colour):
    """The planes of a single bucket, to add to a pyramid's."""
    number = colour + 1
    return ((number & 1) | (number >> 1 & 1) << 15 | (number >> 2 & 1) << 30) << slot


@inner
def supported(slots):
    """The slots that remain when every bucket without both its supports has fallen (4.2, step 2)."""
    row0 = slots & 31
    row1 = slots >> 5 & 15 & row0 & row0 >> 1
    row2 = slots >> 9 & 7 & row1 & row1 >> 1
    row3 = slots >> 12 & 3 & row2 & row2 >> 1
    row4 = slots >> 14 & row3 & row3 >> 1
    return row0 | row1 << 5 | row2 << 9 | row3 << 12 | row4 << 14


@inner
def without_loners(slots, breaks):
    """The slots without single buckets beside a larger part (CK-14 C)."""
    base = slots & BASE
    joined = base & base >> 1 & ~breaks  # together with their right neighbours
    in_pairs = joined | joined << 1
    return supported(slots & ~BASE | in_pairs) if in_pairs else slots


@inner
def breaks_fit(slots, breaks):
    """Whether breaks are where two buckets of the base stand side by side without one on top of both."""
    base = slots & BASE
    return breaks & ~(base & base >> 1 & ~(slots >> 5)) == 0


@inner
def first_run(base, breaks):
    """The leftmost run of buckets of a base; it ends at a gap or at a break."""
    run = base & ~(base + (base & -base))  # adding its lowest bit carries a run away
    cut = run & breaks
    return run & ((cut & -cut) * 2 - 1) if cut else run


@inner
def part(slots, index, breaks):
    """The part on the base's run number `index` from the left (CK-14 D), 0 if there are not so many."""
    base = slots & BASE
    for _ in range(index):
        base &= ~first_run(base, breaks)
    return supported(slots & ~BASE | first_run(base, breaks))


@inner
def largest_part(slots, breaks):
    """The part an owner would keep: the one with most buckets, the leftmost of equals."""
    best = 0
    base = slots & BASE
    while base:
        run = first_run(base, breaks)
        base &= ~run
        held = supported(slots & ~BASE | run)
        if ones(held) > ones(best):
            best = held
    return best


@inner
def after_loss(slots, slot):
    """The slots that stay when the bucket in `slot` is taken out with care and the owner keeps the largest part."""
    rest = supported(slots & ~(1 << slot))
    return largest_part(rest, 0) if slot < 5 else rest


@inner
def fewest_buckets(row):
    """How many buckets the smallest pyramid has."""
    fewest = 15
    for seat in range(row[SEATS]):
        fewest = min(fewest, ones(standing(row[PYRAMID + seat])))
    return fewest
