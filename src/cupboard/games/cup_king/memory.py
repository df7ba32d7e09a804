# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""What one can know of hidden cards by keeping count (KA-28), from the first reshuffle on.

A row ends with what happened to cards since then, as far as there was room: `SHUFFLED` entries, one a colour, hold the
cards of all hands together and the new pile; `DREW` and `SHOWED` entries hold a seat and a card + 1, 0 for a card one
may not see.

Cards have generations: 0 if they were drawn before the first reshuffle, else the number of the reshuffle before. A card
shown since was one of the seat's cards of some generation. With two copies of a card in different generations it may be
open which, so a past is made up, as likely as the cards make it, and the hidden cards of each generation are dealt
evenly to the places that generation has left.
"""

import numpy as np

from cupboard.core.kernel import LIVE, SEATS, inner
from cupboard.core.prng import counted_by, mixed, shifted, starred, unit
from cupboard.games.cup_king.layout import (
    CARDS,
    DISCARD,
    DREW,
    HAND,
    HELD,
    KIND,
    LEFT,
    SHUFFLED,
    SIZE,
    SUITS,
    VALUES,
)

PASTS = 12  # the pasts compared where several are possible
MOST_PASTS = 20_000  # and how many are tried to find one that is possible at all


@inner
def remember(row, kind, seat, card):
    """Add an event to the memory, if a reshuffle has begun one. A row without room for it gives the memory up."""
    if row[LIVE] == SIZE:
        return
    if row[LIVE] == len(row):
        row[LIVE] = SIZE
        return
    row[row[LIVE]] = kind << KIND | seat << 6 | card + 1
    row[LIVE] += 1


@inner
def remember_shuffle(row):
    """Add a reshuffle to the memory: all who kept count know what the hands hold together and the new pile (KA-28)."""
    if row[LIVE] + SUITS > len(row):
        row[LIVE] = SIZE
        return
    for suit in range(SUITS):
        hands = np.int64(0)
        for seat in range(row[SEATS]):
            hands += row[HAND + SUITS * seat + suit]
        row[row[LIVE]] = SHUFFLED << KIND | hands << 16 | row[DISCARD + suit]
        row[LIVE] += 1


@inner
def seed_of(state, n):
    """The n-th of many states of xorshift64* that have nothing to do with each other."""
    return mixed(counted_by(state, n)) | np.uint64(1)


@inner
def count_in(pool, counters, suit, times):
    """Add a colour's cards to a pool `times` times, -1 to take them away; returns how many cards they are."""
    n = 0
    for place in range(VALUES):
        copies = counters >> (2 * place) & 3
        pool[suit * VALUES + place] += times * copies
        n += copies
    return n


@inner
def before_memory(row, seat, pools, held):
    """Write to `pools` and `held` the cards of generation 0 that others held and how many each; false if impossible."""
    for suit in range(SUITS):
        count_in(pools[0], row[SIZE + suit] >> 16 & 0xFFFF, suit, 1)
        if seat >= 0:
            count_in(pools[0], row[HAND + SUITS * seat + suit], suit, -1)
    for other in range(row[SEATS]):
        held[other, 0] = 0 if other == seat else row[HELD + other]
    for i in range(SIZE, row[LIVE]):
        kind, owner, card = row[i] >> KIND, row[i] >> 6 & 7, (row[i] & 63) - 1
        if kind == SHUFFLED:
            continue
        gained = 1 if kind == DREW else -1
        if owner != seat:
            held[owner, 0] -= gained
        elif card < 0:
            return False
        else:
            pools[0, card] += gained
    least = np.int64(0)
    for card in range(CARDS):
        least = min(least, pools[0, card])
    for other in range(row[SEATS]):
        least = min(least, held[other, 0])
    return least == 0


@inner
def tell(row, at, owner, generation, card):
    """Write this card as the first one without a name that a seat drew in a generation."""
    i = at[owner, generation]
    while i < row[LIVE]:
        if row[i] == DREW << KIND | owner << 6:
            row[i] |= card + 1
            break
        i += 1
    at[owner, generation] = i + 1


@inner
def relive(row, seat, state, pools, totals, held, at, tells):
    """Make up a past that fits what was seen; returns how well it explains that (0: not at all) and whether others fit.

    Each card shown is taken for a blind pick from the hand. `pools` and `held` start as `before_memory` left them and
    end with what is hidden now; with `tells` cards that were drawn and shown get their names in the memory.
    """
    weight, several = 1.0, False
    now = 0
    totals[0] = pools[0].sum()
    i = SIZE
    while i < row[LIVE]:
        kind, owner, card = row[i] >> KIND, row[i] >> 6 & 7, (row[i] & 63) - 1
        if kind == SHUFFLED:
            now += 1
            pools[now, :] = 0
            held[:, now] = 0
            totals[now] = 0
            for suit in range(SUITS):
                totals[now] += count_in(pools[now], row[i + suit] & 0xFFFF, suit, 1)
            i += SUITS
            for other in range(row[SEATS]):
                at[other, now] = i
            continue
        i += 1
        if kind == DREW and owner != seat:
            held[owner, now] += 1
        elif kind == DREW:
            if card < 0 or pools[now, card] == 0:
                return 0.0, True
            weight *= 64 * pools[now, card] / totals[now]  # the factors keep the product within bounds
            pools[now, card] -= 1
            totals[now] -= 1
        elif owner != seat:
            chance_of_it = 0.0
            ways, chosen = 0, 0
            for generation in range(now + 1):
                if card >= 0 and pools[generation, card] > 0 and held[owner, generation] > 0:
                    share = pools[generation, card] * held[owner, generation] / totals[generation]
                    chance_of_it += share
                    ways += 1
                    if ways > 1:
                        state = shifted(state)
                    if ways == 1 or unit(starred(state)) * chance_of_it < share:
                        chosen = generation
            if ways == 0:
                return 0.0, True
            several |= ways > 1
            weight *= 4 * chance_of_it
            pools[chosen, card] -= 1
            totals[chosen] -= 1
            held[owner, chosen] -= 1
            if tells and chosen > 0:
                tell(row, at, owner, chosen, card)
    return weight, several


@inner
def adds_up(row, seat, totals, held, generations):
    """Whether the hands and the pile have as many places as there are hidden cards, generation by generation."""
    good = True
    for generation in range(generations):
        places = row[LEFT] if generation == generations - 1 else 0
        for other in range(row[SEATS]):
            places += held[other, generation]
        good &= places == totals[generation]
    for other in range(row[SEATS]):
        good &= other == seat or held[other].sum() == row[HELD + other]
    return good


@inner
def recall(row, seat, state, pools, totals, held, at):
    """Leave in `pools` and `held` what may be hidden, given what is remembered; returns whether that worked.

    Pasts are drawn one by one and kept as often as they explain what was seen (an independence sampler).
    """
    if not before_memory(row, seat, pools, held):
        return False
    first, held_first = pools[0].copy(), held[:, 0].copy()
    kept, weight = state, 0.0
    for n in range(MOST_PASTS):
        if n > 0:
            pools[0] = first
            held[:, 0] = held_first
        luck = seed_of(state, 2 * n + 1)
        other, several = relive(row, seat, luck, pools, totals, held, at, False)
        if other > 0 and unit(starred(seed_of(state, 2 * n + 2))) * weight < other:
            kept, weight = luck, other
        if weight > 0 and (n >= PASTS or not several):
            break
    if weight == 0:
        return False
    pools[0] = first
    held[:, 0] = held_first
    relive(row, seat, kept, pools, totals, held, at, True)
    return adds_up(row, seat, totals, held, len(pools))
