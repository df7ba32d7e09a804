"""What Cup King positions and moves are worth: the knowledge every bot of the game shares.

    evaluate(row, seat)             how well a seat stands, for searches that look at a whole (imagined) truth
    judge(row, codes, n, marks)     how much the seat to act should like each of its moves, from what it sees alone

Both are in hundredths of a nat: a softmax over the seats' evaluations, divided by 100, is their chances to win, and
one over a position's marks is how a sensible player picks a move. The weights come from `bench/fit_cup_king.py`.
"""

import numpy as np
from numba import types

from cupboard.core.kernel import EVALUATE, JUDGE, OVER, ROW, SEATS, TURN, fast, inner
from cupboard.games.cup_king.kernel import (
    BASE,
    BUILDING,
    CARDS_PLAYED,
    DIRECTION,
    DISCARD,
    EXTRAS_AT,
    FULL_10,
    FULL_15,
    HAND,
    HELD,
    KEEPING,
    LEFT,
    NONE,
    OFFERED,
    OPEN,
    PHASE,
    PLANES,
    PLAYING,
    PYRAMID,
    SUIT,
    SUITS,
    SUM,
    TO_BEAT,
    TOTAL,
    TWO_OF_EACH,
    VALUES,
)

SCALE = 100
"""How many units of `evaluate` make one nat of log odds."""

FEATURES = 10
# Buckets, the same times how near the end is, cards, value of the hand, then what a defence of 0, 1-5, 6-10, 11-15
# and 16+ in a colour puts at risk, and what is lost at once because an attack cannot be answered.
# The first row is for two seats, where the hand decides less than tempo; the second for more.
STANDING = np.array(
    [
        [-10.9, 135.3, -2.0, 5.3, -25.6, -18.4, -12.9, -8.7, -1.9, -24.8],
        [-0.7, 90.3, 10.6, 2.3, -30.0, -23.4, -19.7, -16.9, -10.0, -20.9],
    ]
)

# What judge weighs, in hundredths of a nat. First: a card gone for good; a point of value spent; a bucket the attack
# may cost the victim; a point left in the colour one asks for; an own bucket at risk when that attack comes round; a
# bucket lost; a bucket exposed after a loss; how strong a colour's three highest cards and each of its cards make it
# (for building); how much of a victim's likely total to fear.
CARD, SPENT, STAKE, LEFT_TO_ANSWER, OWN_RISK, LOST, EXPOSED, TOPS, NUMBER, REACH = range(10)
# Then: a bucket exposed by the cards one plays; giving up at all; what a card, a point, a stake and a loss weigh more
# when the game is nearly over; a point left in the colour one answers in; how much more a stake counts for each bucket
# the victim has more than oneself; ending the game as its leader; how uncertain the victim's answer is; the total that
# makes a colour safe.
EXPOSED_BY_PLAY, GIVING_UP, CARD_LATE, SPENT_LATE, STAKE_LATE, LOST_LATE = range(10, 16)
LEFT_TO_DEFEND, RIVAL, ENDING, SOFT, SAFE = range(16, 21)
# From PATTERN on, by slot, which colour to build with: 0 is the one the hand is strongest in, 4 the weakest; first for
# fifteen buckets, then for ten.
PATTERN = 21
_TEN = [0, 0, 1, 1, 9, 2, 2, 3, 9, 3, 4, 9, 4, 9, 9]
_BETTER_TEN = [0, 0, 1, 3, 9, 1, 2, 3, 9, 2, 4, 9, 4, 9, 9]
_PLAIN = [0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 20]
_FOUR = [7.7, 1.9, -6.7, -0.6, -8.4, 21.3, 0.1, 0.02, 33.4, 3.1, 20.1]
_FIFTEEN = [0, 0, 0, 1, 1, 3, 2, 1, 2, 3, 3, 2, 4, 4, 4]
RULES_OF_THUMB = np.array(
    [130, 14, 55, 6, 12, 60, 10, 1, 3, 1.15, *_PLAIN, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, *_TEN]
)
"""Written by hand before anything was tuned: what a person who has played a few times would say."""
WEIGHTS = np.array(
    [
        [101.5, 7.3, 92.2, 2.1, 8.3, 60, 25.5, 1, 3, 0.5, *_PLAIN, *_FIFTEEN, *_TEN],
        [96.7, 15.4, 90, 1.7, 9.7, 74.5, 62.2, 0.8, 3, 0.42, *_FOUR, *_FIFTEEN, *_TEN],
        [132.8, 14.3, 40.8, 1.2, 6.5, 101.6, 78.4, 0.8, 1.6, 0.4, *_PLAIN, *_FIFTEEN, *_BETTER_TEN],
    ]
)
"""Climbed from there by self-play, for two seats, for three or four, for five or six."""


# Pyramids: the support rule of 4.2 once more, since compiled code does not reach into another file.


@inner
def count(bits):
    """How many of 15 bits are set."""
    bits = (bits & 0x5555) + ((bits >> 1) & 0x5555)
    bits = (bits & 0x3333) + ((bits >> 2) & 0x3333)
    bits = (bits & 0x0F0F) + ((bits >> 4) & 0x0F0F)
    return (bits + (bits >> 8)) & 31


@inner
def standing(pyramid):
    """The slots with a bucket."""
    return (pyramid | pyramid >> 15 | pyramid >> 30) & FULL_15


@inner
def buckets_of(pyramid, colour):
    """The slots with a bucket of this colour."""
    slots = FULL_15
    for plane in range(3):
        bits = pyramid >> (15 * plane)
        slots &= bits if (colour + 1) >> plane & 1 else ~bits
    return slots


@inner
def supported(slots):
    """What remains when every bucket without both its supports has fallen."""
    row0 = slots & 31
    row1 = slots >> 5 & 15 & row0 & row0 >> 1
    row2 = slots >> 9 & 7 & row1 & row1 >> 1
    row3 = slots >> 12 & 3 & row2 & row2 >> 1
    row4 = slots >> 14 & row3 & row3 >> 1
    return row0 | row1 << 5 | row2 << 9 | row3 << 12 | row4 << 14


@inner
def largest_part(slots):
    """The part an owner would keep: the one with most buckets, the leftmost of equals."""
    best = 0
    base = slots & BASE
    while base:
        run = base & ~(base + (base & -base))
        base &= ~run
        part = supported(slots & ~BASE | run)
        if count(part) > count(best):
            best = part
    return best


@inner
def after_loss(slots, slot):
    """What stays when the bucket in `slot` goes."""
    rest = supported(slots & ~(1 << slot))
    return largest_part(rest) if slot < 5 else rest


@inner
def price(pyramid, colour):
    """How many buckets an attack in this colour costs at least, when it is not answered (CK-12)."""
    slots = standing(pyramid)
    mine = buckets_of(pyramid, colour)
    if mine == 0:
        mine = slots
    all_of_them = count(slots)
    best = all_of_them
    for slot in range(14, -1, -1):
        if mine >> slot & 1:
            best = min(best, all_of_them - count(after_loss(slots, slot)))
            if best <= 1:
                break
    return best


# Cards.


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
def how_many(counters):
    """How many cards eight two-bit counters count."""
    pairs = (counters & 0x3333) + ((counters >> 2) & 0x3333)
    fours = (pairs & 0x0F0F) + ((pairs >> 4) & 0x0F0F)
    return (fours + (fours >> 8)) & 31


@inner
def value_of(counters):
    """What they add up to."""
    total = 0
    for place in range(VALUES):
        total += (counters >> (2 * place) & 3) * (place + 1)
    return total


# How well a seat stands.


@inner
def describe(row, seat, out):
    """The features of a seat, as numbered at STANDING."""
    out[:] = 0.0
    pyramid = row[PYRAMID + seat]
    buckets = row[TOTAL + seat] + count(standing(pyramid))
    fewest = 15
    for other in range(row[SEATS]):
        fewest = min(fewest, count(standing(row[PYRAMID + other])))
    out[0] = buckets
    out[1] = buckets * (15 - fewest) / 15
    out[2] = row[HELD + seat]
    worth = 0
    for suit in range(SUITS):
        counters = row[HAND + SUITS * seat + suit]
        worth += value_of(counters)
        defence = top_three(counters)
        if row[SUIT] == suit:
            defence += row[SUM + seat]
        out[4 + min(4, (defence + 4) // 5)] += price(pyramid, suit)
    out[3] = worth
    if row[PHASE] == PLAYING and row[TURN] == seat and row[SUIT] != NONE:
        suit = row[SUIT]
        if row[SUM + seat] + top_three(row[HAND + SUITS * seat + suit]) <= row[TO_BEAT]:
            out[9] = price(pyramid, suit)


@fast(types.void(ROW, types.int64, types.float64[::1]))
def features(row, seat, out):
    """The same for whoever fits the weights."""
    describe(row, seat, out)


@fast(EVALUATE)
def evaluate(row, seat):
    """Buckets above all, and more so near the end; then cards, since no hand ever grows again (KA-9); then what the
    gaps in the hand put at risk."""
    if row[TURN] == OVER:
        most = 0
        for other in range(row[SEATS]):
            if other != seat:
                most = max(most, row[TOTAL + other])
        return (
            np.int64(2000)
            if row[TOTAL + seat] > most
            else np.int64(0)
            if row[TOTAL + seat] == most
            else np.int64(-2000)
        )
    out = np.empty(FEATURES)
    describe(row, seat, out)
    few = 0 if row[SEATS] == 2 else 1
    total = 0.0
    for i in range(FEATURES):
        total += STANDING[few, i] * out[i]
    return np.int64(total)


# How much a seat should like each move.


@inner
def victim_of(row, seat, step):
    """Whom `seat` attacks when the round goes on by `step`."""
    other = seat
    while True:
        other = (other + step + row[SEATS]) % row[SEATS]
        if row[PYRAMID + other]:
            return other


@inner
def potential(row, seat, victim, suit, reach):
    """The total `victim` can probably reach in `suit`, from the cards `seat` does not see."""
    counters = TWO_OF_EACH - row[DISCARD + suit] - row[HAND + SUITS * seat + suit]
    unseen = row[LEFT]
    for other in range(row[SEATS]):
        counters -= row[OPEN + SUITS * other + suit]
        if other != seat:
            unseen += row[HELD + other]
    expected = min(3.0, row[HELD + victim] * how_many(counters) / max(1, unseen))
    return row[SUM + victim] + reach * expected * value_of(counters) / max(1, how_many(counters))


@inner
def danger(buckets, defence, weights):
    """How much of a colour's buckets the hand leaves open to an attack."""
    return buckets * max(0.0, 1 - defence / weights[SAFE])


@inner
def mark_play(row, seat, code, weights, reached, at_stake, ends, late, mine):
    """Cards gone for good and high ones spent, against the chance that the attack holds and what it then costs."""
    suit = (code >> 12 & 7) - 1
    spent = 0
    cards = -1
    before = row[HAND + SUITS * seat + suit]
    after = before
    values = code & 0xFFF
    while values:
        value = values & 15
        spent += value
        after -= 1 << (2 * value - 2)
        cards += 1
        values >>= 4
    extra = code >> EXTRAS_AT
    while extra:
        spent += ((extra & 63) - 1) % VALUES + 1
        extra >>= 6
    left = top_three(after)
    hold = 1 / (1 + np.exp((reached - row[SUM + seat] - spent) / weights[SOFT]))
    mark = hold * ((weights[STAKE] + weights[STAKE_LATE] * late) * min(6.0, at_stake) + weights[ENDING] * ends)
    mark -= (weights[CARD] + weights[CARD_LATE] * late) * cards + (weights[SPENT] + weights[SPENT_LATE] * late) * spent
    mark -= weights[EXPOSED_BY_PLAY] * (danger(mine, left, weights) - danger(mine, top_three(before), weights))
    if row[SUIT] == NONE:
        # Whoever asks for a colour must answer in it when the attack comes round again.
        return mark + weights[LEFT_TO_ANSWER] * left - weights[OWN_RISK] * (1 - hold) * mine
    return mark + weights[LEFT_TO_DEFEND] * left


@inner
def mark_pyramid(row, seat, rest, weights, late):
    """What is lost, and how exposed the rest is where the hand is weak."""
    pyramid = row[PYRAMID + seat]
    lost = count(standing(pyramid)) - count(rest)
    if rest == 0:
        return -5000.0
    mark = -(weights[LOST] + weights[LOST_LATE] * late) * lost - weights[GIVING_UP]
    left = pyramid & rest * PLANES
    for suit in range(SUITS):
        mark -= weights[EXPOSED] * danger(price(left, suit), top_three(row[HAND + SUITS * seat + suit]), weights)
    return mark


@inner
def lateness(row):
    """How near the end is: 0 with all pyramids whole, 1 when one is gone."""
    whole = 15 if row[SEATS] <= 4 else 10
    fewest = whole
    for seat in range(row[SEATS]):
        fewest = min(fewest, count(standing(row[PYRAMID + seat])))
    return (whole - fewest) / whole


@inner
def stake(row, seat, victim, suit, weights):
    """What an attack may cost the victim, more if it stands better than oneself; and whether that would end the game
    well (1), badly (-1) or not at all."""
    buckets = count(standing(row[PYRAMID + victim]))
    lost = price(row[PYRAMID + victim], suit)
    mine = count(standing(row[PYRAMID + seat]))
    ends = 0
    if lost >= buckets:
        ends = 1
        for other in range(row[SEATS]):
            if other not in (seat, victim) and count(standing(row[PYRAMID + other])) > mine:
                ends = -1
    return lost * max(0.0, 1 + weights[RIVAL] * (buckets - mine)), ends


@inner
def part_at(slots, index):
    """The part on the base's run number `index` from the left."""
    base = slots & BASE
    for _ in range(index):
        base &= base + (base & -base)
    run = base & ~(base + (base & -base))
    return supported(slots & ~BASE | run)


@inner
def strength(row, seat, colour, weights):
    """How long a hand can defend a colour."""
    counters = row[HAND + SUITS * seat + colour]
    return weights[TOPS] * top_three(counters) + weights[NUMBER] * how_many(counters)


@inner
def mark_bucket(row, seat, colour, weights):
    """Building: the pattern says which of the hand's colours, by strength, the lowest free slot gets."""
    slots = standing(row[PYRAMID + seat])
    at = PATTERN
    if row[SEATS] > 4:
        at += 15
        slots |= ~FULL_10
    while slots & 1:
        slots >>= 1
        at += 1
    mine = strength(row, seat, colour, weights)
    rank = 0
    for other in range(SUITS):
        its = strength(row, seat, other, weights)
        rank += its > mine or (its == mine and other < colour)
    return -300.0 * abs(weights[at] - rank)


@inner
def judge_with(row, codes, n, marks, weights):
    """`judge` with any weights."""
    seat, phase = row[TURN], row[PHASE]
    slots = standing(row[PYRAMID + seat])
    late = lateness(row) if phase != BUILDING else 0.0
    kind = np.int64(-1)
    reached = at_stake = 0.0
    ends = mine = 0
    for i in range(n):
        code = codes[i]
        mark = 0.0
        if phase == PLAYING and code >= CARDS_PLAYED:
            if code >> 12 & 15 != kind:  # codes of one colour and direction follow each other
                kind = code >> 12 & 15
                suit = (kind & 7) - 1
                step = row[DIRECTION] if row[SUIT] != NONE else -1 if kind & 8 else 1
                victim = victim_of(row, seat, step)
                reached = potential(row, seat, victim, suit, weights[REACH])
                at_stake, ends = stake(row, seat, victim, suit, weights)
                mine = price(row[PYRAMID + seat], suit)
            mark = mark_play(row, seat, code, weights, reached, at_stake, ends, late, mine)
        elif phase == PLAYING:
            mark = mark_pyramid(row, seat, after_loss(slots, code), weights, late)
        elif phase == KEEPING:
            mark = mark_pyramid(row, seat, part_at(slots, code), weights, late)
        elif phase == BUILDING:
            mark = mark_bucket(row, seat, code, weights)
        elif phase == OFFERED:
            mark = 500.0 * code  # a card forgotten is a card less for good
        marks[i] = np.int64(mark)


@fast(JUDGE)
def judge(row, codes, n, marks):
    """Marks for the moves of the seat to act; reads its own hand and what lies open, nothing hidden."""
    judge_with(row, codes, n, marks, WEIGHTS[(row[SEATS] > 2) + (row[SEATS] > 4)])


@fast(JUDGE)
def judge_plainly(row, codes, n, marks):
    """The same by the rules of thumb."""
    judge_with(row, codes, n, marks, RULES_OF_THUMB)
