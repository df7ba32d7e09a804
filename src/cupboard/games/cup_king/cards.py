# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""Cards on their way between pile, hands, table and discards, and what a bunch of them is worth.

A colour's cards in one place are a word of eight two-bit counters, one for each value (layout.py).
"""

import numpy as np

from cupboard.core.kernel import SEATS, inner
from cupboard.games.cup_king import layout
from cupboard.games.cup_king.layout import (
    ANTICLOCKWISE,
    DIRECTION,
    DISCARD,
    DRAWS,
    DREW,
    EXTRAS_AT,
    HAND,
    HELD,
    LEFT,
    NONE,
    OPEN,
    PILE,
    SHOWED,
    SUIT,
    SUITS,
    SUM,
    TO_BEAT,
    TWO_OF_EACH,
    VALUES,
)
from cupboard.games.cup_king.memory import remember, remember_shuffle

cards_in = inner(layout.cards_in)


@inner
def take_card(row, seat, card):
    """Move a card from the pile to a hand."""
    remember(row, DREW, seat, card)
    copy = np.int64(1) << (2 * (card % VALUES))
    row[PILE + card // VALUES] -= copy
    row[HAND + SUITS * seat + card // VALUES] += copy
    row[LEFT] -= 1
    row[HELD + seat] += 1
    row[DRAWS] -= 1


@inner
def lay_card(row, seat, suit, value):
    """Move a card from a hand to the table, where it lies open."""
    remember(row, SHOWED, seat, suit * VALUES + value - 1)
    copy = np.int64(1) << (2 * value - 2)
    row[HAND + SUITS * seat + suit] -= copy
    row[OPEN + SUITS * seat + suit] += copy
    row[SUM + seat] += value
    row[HELD + seat] -= 1


@inner
def lay_open(row, seat, move):
    """Play the cards of a move (CK-8 to CK-11); one is due then, and one more for each extra (CK-V2)."""
    suit = (move >> 12 & 7) - 1
    if row[SUIT] == NONE:
        row[SUIT] = suit
        row[DIRECTION] = -1 if move & ANTICLOCKWISE else 1
    values = move & 0xFFF
    while values:
        lay_card(row, seat, suit, values & 15)
        values >>= 4
    row[DRAWS] = 1
    extras = move >> EXTRAS_AT
    while extras:
        card = (extras & 63) - 1
        lay_card(row, seat, card // VALUES, card % VALUES + 1)
        row[DRAWS] += 1
        extras >>= 6
    row[TO_BEAT] = row[SUM + seat]


@inner
def reshuffle_if_empty(row):
    """Make the discards the draw pile if that is empty (CK-15, KA-8)."""
    if row[LEFT] == 0:
        remember_shuffle(row)
        for suit in range(SUITS):
            row[LEFT] += cards_in(row[DISCARD + suit])
            row[PILE + suit] = row[DISCARD + suit]
            row[DISCARD + suit] = 0


@inner
def discard_hand(row, seat):
    """Put all cards of a hand on the discard pile (KA-14)."""
    for suit in range(SUITS):
        counters = row[HAND + SUITS * seat + suit]
        for place in range(VALUES):
            for _ in range(counters >> (2 * place) & 3):
                remember(row, SHOWED, seat, suit * VALUES + place)
        row[DISCARD + suit] += counters
        row[HAND + SUITS * seat + suit] = 0
    row[HELD + seat] = 0


@inner
def unseen_of(row, seat, suit):
    """The cards of a colour that are neither discarded nor open nor in the hand of `seat`, which may be NONE."""
    counters = TWO_OF_EACH - row[DISCARD + suit]
    for other in range(row[SEATS]):
        counters -= row[OPEN + SUITS * other + suit]
    if seat != NONE:
        counters -= row[HAND + SUITS * seat + suit]
    return counters


@inner
def top_three(counters):
    """The highest total up to three cards of a colour give."""
    total = cards = 0
    for place in range(VALUES - 1, -1, -1):
        copies = counters >> (2 * place) & 3
        while copies and cards < 3:
            total += place + 1
            cards += 1
            copies -= 1
    return total


@inner
def value_of(counters):
    """The sum of the values of all cards that eight two-bit counters count."""
    total = 0
    for place in range(VALUES):
        total += (counters >> (2 * place) & 3) * (place + 1)
    return total
