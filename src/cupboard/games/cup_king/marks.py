# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""Marks: how much the seat to act should like each of its moves, from what it sees alone, in hundredths of a nat.

A softmax over a position's marks, divided by 100, is how a sensible player picks a move. The weights come from
`bench/fit_cup_king.py`.
"""

import numpy as np

from cupboard.core.bits import lowest, ones
from cupboard.core.kernel import SEATS, TURN, inner
from cupboard.games.cup_king.cards import cards_in, top_three, unseen_of, value_of
from cupboard.games.cup_king.falling import expected_loss, likeliest_rest, price
from cupboard.games.cup_king.layout import (
    BREAKS,
    BUILDING,
    CARDS_PLAYED,
    DIRECTION,
    EXTRAS_AT,
    FLICKS,
    HAND,
    HAND_AT,
    HELD,
    KEEPING,
    KIND_AT,
    LEFT,
    NONE,
    OFFERED,
    PHASE,
    PLANES,
    PLAYING,
    PYRAMID,
    RULES,
    SUIT,
    SUITS,
    SUM,
    VALUES,
)
from cupboard.games.cup_king.pyramid import after_loss, fewest_buckets, part, standing, whole_of
from cupboard.games.cup_king.rounds import next_seat

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
"""The weights of a person who has played a few times, written by hand before anything was tuned."""
WEIGHTS = np.array(
    [
        [101.5, 7.3, 92.2, 2.1, 8.3, 60, 25.5, 1, 3, 0.5, *_PLAIN, *_FIFTEEN, *_TEN],
        [96.7, 15.4, 90, 1.7, 9.7, 74.5, 62.2, 0.8, 3, 0.42, *_FOUR, *_FIFTEEN, *_TEN],
        [132.8, 14.3, 40.8, 1.2, 6.5, 101.6, 78.4, 0.8, 1.6, 0.4, *_PLAIN, *_FIFTEEN, *_BETTER_TEN],
    ]
)
"""Climbed from the rules of thumb by self-play: for two seats, for three or four, for five or six."""


@inner
def potential(row, seat, victim, suit, reach):
    """The total `victim` can probably reach in `suit`, from the cards `seat` does not see."""
    counters = unseen_of(row, seat, suit)
    unseen = row[LEFT]
    for other in range(row[SEATS]):
        if other != seat:
            unseen += row[HELD + other]
    expected = min(3.0, row[HELD + victim] * cards_in(counters) / max(1, unseen))
    return row[SUM + victim] + reach * expected * value_of(counters) / max(1, cards_in(counters))


@inner
def danger(buckets, defence, weights):
    """How much of a colour's buckets the hand leaves open to an attack."""
    return buckets * max(0.0, 1 - defence / weights[SAFE])


@inner
def mark_play(row, seat, code, weights, reached, at_stake, ends, late, mine):
    """The mark of playing cards: the chance that the attack holds and what it then brings, less the cards it takes."""
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
def mark_pyramid(row, seat, rest, lost, weights, late):
    """The mark of keeping `rest` of the pyramid: less for each bucket lost, and for what the hand leaves exposed."""
    pyramid = row[PYRAMID + seat]
    if rest == 0:
        return -5000.0
    mark = -(weights[LOST] + weights[LOST_LATE] * late) * lost - weights[GIVING_UP]
    left = pyramid & rest * PLANES
    for suit in range(SUITS):
        defence = top_three(row[HAND + SUITS * seat + suit])
        mark -= weights[EXPOSED] * danger(price(row, seat, left, suit), defence, weights)
    return mark


@inner
def lateness(row):
    """How near the end is: 0 with all pyramids whole, 1 when one is gone."""
    whole = ones(whole_of(row[SEATS]))
    return (whole - fewest_buckets(row)) / whole


@inner
def stake(row, seat, victim, suit, weights):
    """What an attack may cost the victim, more if that stands better than the seat; and whether it would end the game
    well (1), badly (-1) or not at all."""
    buckets = ones(standing(row[PYRAMID + victim]))
    lost = price(row, victim, row[PYRAMID + victim], suit)
    mine = ones(standing(row[PYRAMID + seat]))
    ends = 0
    if lost > buckets - 0.5:
        ends = 1
        for other in range(row[SEATS]):
            if other not in (seat, victim) and ones(standing(row[PYRAMID + other])) > mine:
                ends = -1
    return lost * max(0.0, 1 + weights[RIVAL] * (buckets - mine)), ends


@inner
def strength(row, seat, colour, weights):
    """How well a hand can defend a colour."""
    counters = row[HAND + SUITS * seat + colour]
    return weights[TOPS] * top_three(counters) + weights[NUMBER] * cards_in(counters)


@inner
def mark_bucket(row, seat, colour, weights):
    """The mark of building with a colour: the pattern says which one, by strength in the hand, suits the slot."""
    at = PATTERN + lowest(whole_of(row[SEATS]) & ~standing(row[PYRAMID + seat]))
    if row[SEATS] > 4:
        at += 15
    mine = strength(row, seat, colour, weights)
    rank = 0
    for other in range(SUITS):
        its = strength(row, seat, other, weights)
        rank += its > mine or (its == mine and other < colour)
    return -300.0 * abs(weights[at] - rank)


@inner
def judge_with(row, codes, n, marks, weights):
    """Write the marks of the moves codes[:n], with these weights."""
    seat, phase = row[TURN], row[PHASE]
    slots = standing(row[PYRAMID + seat])
    late = lateness(row) if phase != BUILDING else 0.0
    kind = np.int64(-1)
    reached = at_stake = mine = 0.0
    ends = 0
    hand = row[RULES] >> HAND_AT & 3
    for i in range(n):
        code = codes[i]
        mark = 0.0
        if phase == PLAYING and code >= FLICKS:
            slot, flick = code & 15, code >> KIND_AT & 3
            rest = likeliest_rest(slots, slot, flick, hand)
            mark = mark_pyramid(row, seat, rest, expected_loss(slots, slot, flick, hand), weights, late)
        elif phase == PLAYING and code >= CARDS_PLAYED:
            if code >> 12 & 15 != kind:  # codes of one colour and direction follow each other
                kind = code >> 12 & 15
                suit = (kind & 7) - 1
                step = row[DIRECTION] if row[SUIT] != NONE else -1 if kind & 8 else 1
                victim = next_seat(row, seat, step)
                reached = potential(row, seat, victim, suit, weights[REACH])
                at_stake, ends = stake(row, seat, victim, suit, weights)
                mine = price(row, seat, row[PYRAMID + seat], suit)
            mark = mark_play(row, seat, code, weights, reached, at_stake, ends, late, mine)
        elif phase == PLAYING:
            rest = after_loss(slots, code)
            mark = mark_pyramid(row, seat, rest, float(ones(slots) - ones(rest)), weights, late)
        elif phase == KEEPING:
            rest = part(slots, code, row[BREAKS])
            mark = mark_pyramid(row, seat, rest, float(ones(slots) - ones(rest)), weights, late)
        elif phase == BUILDING:
            mark = mark_bucket(row, seat, code, weights)
        elif phase == OFFERED:
            mark = 500.0 * code  # a card forgotten is a card less for good
        marks[i] = np.int64(mark)
