"""The shapes that a pyramid can have, brought into one form: pushed to the left, and mirrored if that is smaller.

A pyramid between two flicks is in one part, so its base is one run of buckets. Up to shifting and mirroring there are
43 such shapes, and 333 pairs of a shape and a bucket of it. A set of slots is 15 bits (layout.py).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from cupboard.games.cup_king.poses import SLOT_CELLS

_SLOT = {cell: slot for slot, cell in enumerate(SLOT_CELLS)}


class Placing(NamedTuple):
    """How a shape in its one form lies in a pyramid: moved to the right by `shift`, mirrored or not."""

    shift: int
    width: int
    """How many buckets its base has."""
    is_mirrored: bool

    def slot(self, slot: int) -> int:
        """Where a slot of the one form lies in the pyramid."""
        row, column = SLOT_CELLS[slot]
        if self.is_mirrored:
            column = self.width - 1 - row - column
        return _SLOT[row, column + self.shift]

    def slots(self, mask: int) -> int:
        """Where a set of slots of the one form lies in the pyramid."""
        return sum(1 << self.slot(slot) for slot in _bits(mask))

    def breaks(self, mask: int) -> int:
        """Where breaks to the right of some buckets of the base, as bits, lie in the pyramid."""
        if not self.is_mirrored:
            return mask << self.shift
        return sum(1 << self.width - 2 - slot + self.shift for slot in _bits(mask))


def _bits(mask: int) -> list[int]:
    return [slot for slot in range(15) if mask >> slot & 1]


@cache
def placing(mask: int) -> tuple[int, Placing]:
    """The one form of a pyramid in one part, and how it lies there. ValueError for none or several parts."""
    base = mask & 31
    shift, width = (base & -base).bit_length() - 1, base.bit_count()
    if base == 0 or base != (1 << width) - 1 << shift:
        raise ValueError(f"{mask:015b} is not in one part")
    forms = []
    for is_mirrored in (False, True):
        form = 0
        for slot in _bits(mask):
            row, column = SLOT_CELLS[slot]
            column -= shift
            form |= 1 << _SLOT[row, width - 1 - row - column if is_mirrored else column]
        forms.append((form, is_mirrored))
    form, is_mirrored = min(forms)
    return form, Placing(shift, width, is_mirrored)


@cache
def one_form(mask: int, slot: int) -> tuple[int, int]:
    """The one form of a pyramid and of one of its slots: of a symmetrical shape, the smaller of the two slots."""
    form, lies = placing(mask)
    own = next(n for n in _bits(form) if lies.slot(n) == slot)
    mirrored = Placing(0, lies.width, True)
    return form, min(own, mirrored.slot(own)) if mirrored.slots(form) == form else own


@cache
def connected() -> tuple[int, ...]:
    """Every pyramid in one part that can stand on a base of up to five, as sets of slots."""
    runs = [(1 << width) - 1 << shift for width in range(1, 6) for shift in range(6 - width)]
    found = [(base, base) for base in runs]  # the slots so far and the highest row's
    for first, width in ((5, 4), (9, 3), (12, 2), (14, 1)):
        found = [
            (slots | row << first, row)
            for slots, below in found
            for row in range(1 << width)
            if row & ~(below & below >> 1) == 0
        ]
    return tuple(sorted(slots for slots, _ in found))


@cache
def cells() -> tuple[tuple[int, int], ...]:
    """Every pair of a shape in its one form and a slot of it, each once."""
    return tuple(sorted({one_form(mask, slot) for mask in connected() for slot in _bits(mask)}))
