# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""What a seat may do in a round: every way to play cards (CK-8 to CK-10, CK-V2), or a bucket to lose (CK-12)."""

import numpy as np

from cupboard.core.kernel import SEATS, inner
from cupboard.games.cup_king.layout import (
    ANTICLOCKWISE,
    CARDS,
    CARDS_PLAYED,
    EXPERIENCED,
    EXTRAS_AT,
    EXTRAS_DISTINCT,
    FLICKS,
    HAND,
    HELD,
    KIND_AT,
    KINDS,
    NONE,
    PYRAMID,
    RULES,
    SLOTS,
    STARTER_MAY_SHOOT,
    SUIT,
    SUITS,
    SUM,
    TO_BEAT,
    VALUES,
)
from cupboard.games.cup_king.pyramid import buckets_of, is_careful, standing


@inner
def with_extras(row, seat, suit, total, to_beat, code, out, n):
    """Write the plays of `code` with one card of another colour, and with two if two of its cards are 1s (CK-V2)."""
    for i in range(CARDS):
        if i // VALUES == suit or not row[HAND + SUITS * seat + i // VALUES] >> (2 * (i % VALUES)) & 3:
            continue  # KA-20
        with_i = total + i % VALUES + 1
        code_i = code + ((i + 1) << EXTRAS_AT)
        if with_i > to_beat:
            out[n] = code_i
            n += 1
        if code >> 4 & 15 != 1:
            continue
        for j in range(i, CARDS):
            if j // VALUES == suit or (row[RULES] & EXTRAS_DISTINCT and j // VALUES == i // VALUES):
                continue
            copies = row[HAND + SUITS * seat + j // VALUES] >> (2 * (j % VALUES)) & 3
            if copies > (i == j) and with_i + j % VALUES + 1 > to_beat:
                out[n] = code_i + ((j + 1) << (EXTRAS_AT + 6))
                n += 1
    return n


@inner
def plays(row, seat, suit, to_beat, out, n):
    """Write the plays of one to three cards of `suit` with more than `to_beat` (CK-8 to CK-10), by rising values."""
    rest = row[HAND + SUITS * seat + suit]
    code = (suit + 1) * CARDS_PLAYED
    total = depth = 0
    value = 1
    while True:
        if depth < 3 and rest >> (2 * value - 2):  # a card of at least this value is left
            if not rest >> (2 * value - 2) & 3:
                value += 1
                continue
            rest -= 1 << (2 * value - 2)
            code += value << (4 * depth)
            total += value
            depth += 1
            if total > to_beat:
                out[n] = code
                n += 1
            if row[RULES] & EXPERIENCED and code & 15 == 1:
                n = with_extras(row, seat, suit, total, to_beat, code, out, n)
        elif depth > 0:  # take the last card back and go on to the next value
            depth -= 1
            value = code >> (4 * depth) & 15
            rest += 1 << (2 * value - 2)
            code -= value << (4 * depth)
            total -= value
            value += 1
        else:
            return n


@inner
def choices(row, seat, out):
    """Write all moves of a seat in a round: A) cards, or B) a bucket (CK-7); returns their number."""
    asked = row[SUIT]
    starts = asked == NONE
    to_beat = 0 if starts else row[TO_BEAT] - row[SUM + seat]  # CK-10
    n = np.int64(0)
    for suit in range(SUITS):
        if starts or suit == asked:
            n = plays(row, seat, suit, to_beat, out, n)
    if starts and row[SEATS] > 2:  # CK-6; between two the direction has no effect (KA-17)
        for i in range(n):
            out[n + i] = out[i] | ANTICLOCKWISE
        n *= 2
    if starts and row[HELD + seat] > 0 and not row[RULES] & STARTER_MAY_SHOOT:  # KA-7, KA-10
        return n
    slots = 0 if starts else buckets_of(row[PYRAMID + seat], asked)  # CK-12
    if slots == 0:
        slots = standing(row[PYRAMID + seat])
    careful = is_careful(row[RULES], seat)
    for slot in range(SLOTS):
        if slots >> slot & 1:
            for kind in range(1 if careful else KINDS):
                out[n] = slot if careful else FLICKS | kind << KIND_AT | slot
                n += 1
    return n
