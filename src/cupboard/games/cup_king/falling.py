# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""What comes of a flick, drawn from the odds that simulations have counted, and what a lost bucket costs on average.

The odds are known for each shape in its one form (shapes.py): pushed to the left, and mirrored if that is smaller. A
set of slots is 15 bits, and from bit BREAKS_AT on an outcome has its breaks (layout.py).
"""

import numpy as np

from cupboard.core.bits import ones
from cupboard.core.kernel import inner
from cupboard.games.cup_king.layout import BASE, BREAKS_AT, FULL_15, HAND_AT, KINDS, RULES, SLOTS
from cupboard.games.cup_king.odds import table
from cupboard.games.cup_king.pyramid import after_loss, buckets_of, is_careful, largest_part, standing

_ODDS = table()
FORMS, FIRST, LIMITS, OUTCOMES, LOSSES = _ODDS.forms, _ODDS.first, _ODDS.limits, _ODDS.outcomes, _ODDS.losses


@inner
def moved_left(slots, shift):
    """The slots of a pyramid pushed to the left by so many places."""
    row0 = (slots & 31) >> shift
    row1 = (slots >> 5 & 15) >> shift
    row2 = (slots >> 9 & 7) >> shift
    row3 = (slots >> 12 & 3) >> shift
    return row0 | row1 << 5 | row2 << 9 | row3 << 12 | ((slots >> 14) >> shift) << 14


@inner
def moved_right(slots, shift):
    """The slots of a pyramid pushed to the right by so many places, where there is room for them."""
    row0 = (slots & 31) << shift
    row1 = (slots >> 5 & 15) << shift
    row2 = (slots >> 9 & 7) << shift
    row3 = (slots >> 12 & 3) << shift
    return row0 | row1 << 5 | row2 << 9 | row3 << 12 | ((slots >> 14) << shift) << 14


@inner
def reversed_bits(bits, width):
    """The lowest bits in the opposite order."""
    turned = 0
    for i in range(width):
        turned |= (bits >> i & 1) << (width - 1 - i)
    return turned


@inner
def mirrored(slots, width):
    """The slots of a pyramid mirrored within its base, which is so wide and begins at the left."""
    turned = reversed_bits(slots & 31, width)
    if width > 1:
        turned |= reversed_bits(slots >> 5 & 15, width - 1) << 5
    if width > 2:
        turned |= reversed_bits(slots >> 9 & 7, width - 2) << 9
    if width > 3:
        turned |= reversed_bits(slots >> 12 & 3, width - 3) << 12
    if width > 4:
        turned |= slots >> 14 << 14
    return turned


@inner
def mirrored_slot(slot, width):
    """Where a single slot is after `mirrored`."""
    mask = mirrored(1 << slot, width)
    at = 0
    while mask > 1:
        mask >>= 1
        at += 1
    return at


@inner
def form_of(slots):
    """The number of a pyramid's one form, how far it is pushed to the left, its width, and whether it is mirrored.

    The number is -1 for what is no pyramid in one part."""
    base = slots & BASE
    shift = 0
    while base and not base & 1:
        base >>= 1
        shift += 1
    width = ones(base)
    form = moved_left(slots, shift)
    other = mirrored(form, width)
    turned = other < form
    if turned:
        form = other
    for number in range(len(FORMS)):
        if FORMS[number] == form:
            return number, shift, width, turned
    return -1, shift, width, turned


@inner
def case_of(number, width, turned, shift, slot, kind, hand):
    """The number of a case of the odds."""
    own = slot - shift  # in every row alike
    if turned:
        own = mirrored_slot(own, width)
    return ((hand * KINDS + kind) * len(FORMS) + number) * SLOTS + own


@inner
def drawn_rest(slots, slot, kind, hand, random):
    """What stays of a pyramid when a bucket is flicked, as a code of nature's, drawn by 64 random bits."""
    number, shift, width, turned = form_of(slots)
    case = case_of(number, width, turned, shift, slot, kind, hand)
    draw = np.int64(random >> np.uint64(32))
    at = FIRST[case]
    while draw >= LIMITS[at]:
        at += 1
    return placed(OUTCOMES[at], shift, width, turned)


@inner
def placed(outcome, shift, width, turned):
    """An outcome of the one form where the pyramid stands."""
    kept = outcome & FULL_15
    breaks = outcome >> BREAKS_AT
    if turned:
        kept = mirrored(kept, width)
        breaks = reversed_bits(breaks, width - 1)
    return np.int64(moved_right(kept, shift) | breaks << shift << BREAKS_AT)


@inner
def likeliest_rest(slots, slot, kind, hand):
    """What most likely stays of a pyramid when a bucket is flicked and the owner keeps the largest part."""
    number, shift, width, turned = form_of(slots)
    outcome = placed(OUTCOMES[FIRST[case_of(number, width, turned, shift, slot, kind, hand)]], shift, width, turned)
    return largest_part(outcome & FULL_15, outcome >> BREAKS_AT)


@inner
def expected_loss(slots, slot, kind, hand):
    """How many buckets a flick costs on average, if the owner keeps the largest part."""
    number, shift, width, turned = form_of(slots)
    return float(LOSSES[case_of(number, width, turned, shift, slot, kind, hand)])


@inner
def price(row, seat, pyramid, colour):
    """How many buckets an unanswered attack in this colour costs a seat with such a pyramid at least (CK-12).

    On average, where it flicks."""
    slots = standing(pyramid)
    mine = buckets_of(pyramid, colour)
    if mine == 0:
        mine = slots
    all_of_them = ones(slots)
    best = float(all_of_them)
    if is_careful(row[RULES], seat):
        for slot in range(SLOTS - 1, -1, -1):
            if mine >> slot & 1:
                best = min(best, float(all_of_them - ones(after_loss(slots, slot))))
                if best <= 1:
                    break
        return best
    number, shift, width, turned = form_of(slots)
    if number < 0:
        return best
    hand = row[RULES] >> HAND_AT & 3
    for slot in range(SLOTS - 1, -1, -1):
        if mine >> slot & 1:
            for kind in range(KINDS):
                best = min(best, float(LOSSES[case_of(number, width, turned, shift, slot, kind, hand)]))
            if best <= 1.05:
                break
    return best
