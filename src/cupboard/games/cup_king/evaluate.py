# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""What Cup King positions and moves are worth: the knowledge every bot of the game shares.

    evaluate(row, seat)             how well a seat stands, for searches that look at a whole (imagined) truth
    judge(row, codes, n, marks)     how much the seat to act should like each of its moves, from what it sees alone

Both are in hundredths of a nat: a softmax over the seats' evaluations, divided by 100, is their chances to win, and
one over a position's marks is how a sensible player picks a move. The weights come from `bench/fit_cup_king.py`.
"""

import numpy as np
from numba import types

from cupboard.core.bits import ones
from cupboard.core.kernel import EVALUATE, JUDGE, OVER, ROW, SEATS, TURN, fast, inner
from cupboard.games.cup_king.cards import top_three, value_of
from cupboard.games.cup_king.falling import expected_loss, likeliest_rest, price
from cupboard.games.cup_king.layout import (
    ACTOR,
    HAND,
    HAND_AT,
    HELD,
    KIND_AT,
    NONE,
    PHASE,
    PLANES,
    PLAYING,
    PYRAMID,
    RULES,
    SETTLING,
    SHOT,
    SUIT,
    SUITS,
    SUM,
    TO_BEAT,
    TOTAL,
)
from cupboard.games.cup_king.marks import RULES_OF_THUMB, WEIGHTS, judge_with
from cupboard.games.cup_king.pyramid import fewest_buckets, standing

SCALE = 100
"""How many units of `evaluate` make one nat of log odds."""

FEATURES = 10
# Buckets, buckets times how near the end is, cards, value of the hand, then what a defence of 0, 1-5, 6-10, 11-15
# and 16+ in a colour puts at risk, and what is lost at once because an attack cannot be answered.
# The first row is for two seats, where the hand decides less than tempo; the second for more.
STANDING = np.array(
    [
        [-10.9, 135.3, -2.0, 5.3, -25.6, -18.4, -12.9, -8.7, -1.9, -24.8],
        [-0.7, 90.3, 10.6, 2.3, -30.0, -23.4, -19.7, -16.9, -10.0, -20.9],
    ]
)


@inner
def describe(row, seat, out):
    """Write the features of a seat, as numbered at STANDING."""
    out[:] = 0.0
    pyramid = row[PYRAMID + seat]
    buckets = row[TOTAL + seat] + float(ones(standing(pyramid)))
    fewest = float(fewest_buckets(row))
    if row[PHASE] == SETTLING:  # a flick has not come to rest: it counts as it is likely to end
        slots, shot, hand = standing(row[PYRAMID + row[ACTOR]]), row[SHOT], row[RULES] >> HAND_AT & 3
        lost = expected_loss(slots, shot & 15, shot >> KIND_AT & 3, hand)
        fewest = min(fewest, ones(slots) - lost)
        if row[ACTOR] == seat:
            buckets -= lost
            pyramid &= likeliest_rest(slots, shot & 15, shot >> KIND_AT & 3, hand) * PLANES
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
        out[4 + min(4, (defence + 4) // 5)] += price(row, seat, pyramid, suit)
    out[3] = worth
    if row[PHASE] == PLAYING and row[TURN] == seat and row[SUIT] != NONE:
        suit = row[SUIT]
        if row[SUM + seat] + top_three(row[HAND + SUITS * seat + suit]) <= row[TO_BEAT]:
            out[9] = price(row, seat, pyramid, suit)


@inner
def worth(row, seat, out):
    """What a seat's features are worth together; only how much more than the others' means something."""
    describe(row, seat, out)
    few = 0 if row[SEATS] == 2 else 1
    total = 0.0
    for i in range(FEATURES):
        total += STANDING[few, i] * out[i]
    return total


@fast(types.void(ROW, types.int64, types.float64[::1]))
def features(row, seat, out):
    """Write the features of a seat, as numbered at STANDING; for fitting the weights."""
    describe(row, seat, out)


@fast(EVALUATE)
def evaluate(row, seat):
    """How much better a seat stands than the average: by its buckets above all, and more so near the end; then by its
    cards, since no hand ever grows again (KA-9); then by what the gaps in the hand put at risk."""
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
    own = everybody = 0.0
    for other in range(row[SEATS]):
        stands = worth(row, other, out)
        everybody += stands
        if other == seat:
            own = stands
    return np.int64(own - everybody / row[SEATS])


@fast(JUDGE)
def judge(row, codes, n, marks):
    """Write marks for the moves of the seat to act, from its own hand and what lies open, nothing hidden."""
    judge_with(row, codes, n, marks, WEIGHTS[(row[SEATS] > 2) + (row[SEATS] > 4)])


@fast(JUDGE)
def judge_plainly(row, codes, n, marks):
    """Write marks for the moves of the seat to act by rules of thumb, untuned, as beginners would."""
    judge_with(row, codes, n, marks, RULES_OF_THUMB)
