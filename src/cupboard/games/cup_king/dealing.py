# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""Dealing anew what a seat does not see: other hands, the draw pile, and pyramids not yet shown."""

import numpy as np

from cupboard.core.kernel import LIVE, REDEAL, SEATS, fast, inner
from cupboard.core.prng import below, shifted, starred
from cupboard.games.cup_king.cards import unseen_of
from cupboard.games.cup_king.layout import (
    CARDS,
    DECK,
    DREW,
    HAND,
    HELD,
    KIND,
    MAX_SEATS,
    PHASE,
    PILE,
    PYRAMID,
    REVEALING,
    SHUFFLED,
    SIZE,
    SUITS,
    VALUES,
)
from cupboard.games.cup_king.memory import count_in, recall, tell
from cupboard.games.cup_king.pyramid import each_of, painted, standing


@inner
def forget_names(row, seat):
    """Blank the names of the cards in the memory that other seats drew."""
    for i in range(SIZE, row[LIVE]):
        if row[i] >> KIND == DREW and row[i] >> 6 & 7 != seat:
            row[i] &= ~np.int64(63)


@inner
def without_memory(row, seat, pools, held):
    """Leave in `pools` and `held` what may be hidden when nobody has kept count: all unseen cards are alike."""
    pools[0, :] = 0
    for suit in range(SUITS):
        count_in(pools[0], unseen_of(row, seat, suit), suit, 1)
    for other in range(row[SEATS]):
        held[other, 0] = row[HELD + other]


@inner
def deal_hands(row, seat, state, pools, held, at, generations):
    """Deal the hidden cards, generation by generation, to the other hands, and leave the rest in the pile.

    Returns the next state of the generator.
    """
    for other in range(row[SEATS]):
        if other != seat:
            row[HAND + SUITS * other : HAND + SUITS * other + SUITS] = 0
    unseen = np.empty(DECK, np.int64)
    n = 0
    for generation in range(generations):
        n = 0
        for card in range(CARDS):
            for _ in range(pools[generation, card]):
                unseen[n] = card
                n += 1
        for other in range(row[SEATS]):
            if other == seat:
                continue
            for _ in range(min(n, held[other, generation])):
                state = shifted(state)
                i = below(n, starred(state))
                card = unseen[i]
                n -= 1
                unseen[i] = unseen[n]
                row[HAND + SUITS * other + card // VALUES] += np.int64(1) << (2 * (card % VALUES))
                if generation > 0:
                    tell(row, at, other, generation, card)
    row[PILE : PILE + SUITS] = 0
    for i in range(n):
        row[PILE + unseen[i] // VALUES] += np.int64(1) << (2 * (unseen[i] % VALUES))
    return state


@inner
def repaint(row, seat, state):
    """Give a seat's pyramid other colours, drawn from its buckets; returns the next state of the generator."""
    slots = standing(row[PYRAMID + seat])
    each = each_of(row[SEATS])
    used = 0  # a nibble counts each colour's buckets
    left = SUITS * each
    row[PYRAMID + seat] = 0
    for slot in range(15):
        if not slots >> slot & 1:
            continue
        state = shifted(state)
        nth = below(left, starred(state))
        colour = 0
        while nth >= each - (used >> (4 * colour) & 15):
            nth -= each - (used >> (4 * colour) & 15)
            colour += 1
        used += 1 << (4 * colour)
        left -= 1
        row[PYRAMID + seat] |= painted(slot, colour)
    return state


@fast(REDEAL)
def redeal(row, seat, random):
    """Deal other hands and the pile anew from the cards `seat` does not see; repaint pyramids not yet shown.

    Every world agrees with all that was ever open (KA-28) as far as the row remembers; without a memory the unseen
    cards are alike. Of what is hidden only sizes are read, so a row with its secrets blanked will do; seat NONE sees
    no hand.
    """
    state = random | np.uint64(1)
    forget_names(row, seat)
    generations = 1 + (row[SIZE : row[LIVE]] >> KIND == SHUFFLED).sum() // SUITS
    pools = np.zeros((generations, CARDS), np.int64)
    totals = np.zeros(generations, np.int64)
    held = np.zeros((MAX_SEATS, generations), np.int64)
    at = np.zeros((MAX_SEATS, generations), np.int64)
    if generations == 1 or not recall(row, seat, state, pools, totals, held, at):
        generations = 1
        without_memory(row, seat, pools, held)
    state = deal_hands(row, seat, state, pools, held, at, generations)
    if row[PHASE] <= REVEALING:
        for other in range(row[SEATS]):
            if other != seat:
                state = repaint(row, other, state)
