# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""Cup King for machines. Verbs assume legal moves; the row and the codes are explained in layout.py.

Seats build one after the other here, but nobody sees the others' pyramids, so any order gives the same
position: set row[TURN] to a seat that has not built, and it builds first.

After a flick nature settles the pyramid. It may leave any supported slots among those that careful removal leaves, with
breaks in the base or without, loners taken away (CK-14 A to C). `chance` draws from the odds that simulations have
counted (odds.py). When parts remain, the owner chooses (CK-14 D).
"""

import numpy as np

from cupboard.core.bits import ones, stirred
from cupboard.core.kernel import (
    CHANCE,
    DRAW,
    FORM,
    KEY,
    LIVE,
    MOVES,
    PLAY,
    PLY,
    POINT,
    SCORES,
    SEATS,
    SETUP,
    TURN,
    fast,
)
from cupboard.core.prng import below
from cupboard.games.cup_king.cards import cards_in, discard_hand, lay_open, take_card
from cupboard.games.cup_king.dealing import redeal
from cupboard.games.cup_king.falling import drawn_rest
from cupboard.games.cup_king.layout import (
    ACTOR,
    BREAKS,
    BREAKS_AT,
    BUILDING,
    CARDS,
    CARDS_BREAK_TIES,
    CARDS_PLAYED,
    DEALING,
    DEALT,
    DIRECTION,
    DRAWING,
    DRAWS,
    FLICKS,
    FULL_15,
    GAMES,
    HAND_AT,
    HELD,
    KEEPING,
    KIND_AT,
    LAST_BUCKET,
    LEFT,
    LOT,
    MANUAL_DRAW,
    MATCH_END,
    MAX_MOVES,
    OFFERED,
    PHASE,
    PILE,
    PLAYING,
    POSE,
    PUTTING_AWAY,
    PYRAMID,
    REMEMBERS,
    REVEALING,
    RULES,
    SECOND_OUT,
    SETTLING,
    SHOT,
    SIZE,
    SUITS,
    THREE_ARE_LEFT,
    THREE_LEFT,
    TOTAL,
    VALUES,
)
from cupboard.games.cup_king.plays import choices
from cupboard.games.cup_king.pyramid import (
    SHAPES,
    breaks_fit,
    buckets_of,
    each_of,
    part,
    standing,
    supported,
    without_loners,
)
from cupboard.games.cup_king.rounds import begin_game, build, come_to_rest, draw_or_go_on, next_seat, start_round

__all__ = ["MAX_MOVES", "REMEMBERS", "SIZE", "chance", "key", "moves", "play", "redeal", "scores", "setup"]


@fast(SETUP)
def setup(row, options):
    """Nature begins with the deal (CK-2). The options are SEATS, GAMES and RULES, each at its entry."""
    row[:] = 0
    row[LIVE] = row[FORM] = SIZE
    row[SEATS] = options[SEATS]
    row[GAMES] = options[GAMES]
    row[RULES] = options[RULES]
    begin_game(row)


@fast(MOVES)
def moves(row, out):
    """Write the codes of the seat to act or of nature: cards by colour and value, then buckets from the base up."""
    phase = row[PHASE]
    seat = row[TURN]
    n = 0
    if phase == PLAYING:
        return choices(row, seat, out)
    if phase in (DRAWING, DEALING):
        for card in range(CARDS):
            if row[PILE + card // VALUES] >> (2 * (card % VALUES)) & 3:
                out[n] = card
                n += 1
        return n
    if phase == SETTLING:
        most = supported(standing(row[PYRAMID + row[ACTOR]]) & ~(1 << (row[SHOT] & 15)))
        out[0] = without_loners(most, 0)
        n = 1
        for slots in SHAPES:
            if slots & ~most:
                continue
            for breaks in range(16):
                code = slots | breaks << BREAKS_AT
                if breaks_fit(slots, breaks) and without_loners(slots, breaks) == slots and code != out[0]:
                    out[n] = code
                    n += 1
        return n
    if phase == BUILDING:
        each = each_of(row[SEATS])
        for colour in range(SUITS):
            if ones(buckets_of(row[PYRAMID + seat], colour)) < each:
                out[n] = colour
                n += 1
        return n
    if phase == KEEPING:
        n = 2
        while part(standing(row[PYRAMID + seat]), n, row[BREAKS]):
            n += 1
    elif phase == OFFERED:
        n = 2
    elif phase == LOT:
        n = row[SEATS]
    else:
        n = 1  # REVEALING, PUTTING_AWAY
    for code in range(n):
        out[code] = code
    return n


@fast(PLAY)
def play(row, move):
    """Make the move of the seat to act, or nature's, and leave TURN at the next one to act."""
    phase = row[PHASE]
    if row[TURN] != CHANCE:
        row[PLY] += 1
        if phase == PLAYING:
            row[ACTOR] = row[TURN]
    actor = row[ACTOR]
    if phase == DRAWING:
        take_card(row, actor, move)
        draw_or_go_on(row)
    elif phase == PLAYING and move >= FLICKS:
        row[SHOT] = move
        row[TURN] = CHANCE
        row[PHASE] = SETTLING
    elif phase == PLAYING and move >= CARDS_PLAYED:
        lay_open(row, actor, move)
        if row[RULES] & MANUAL_DRAW:
            row[PHASE] = OFFERED
        else:
            draw_or_go_on(row)
    elif phase == OFFERED:
        row[DRAWS] *= move  # KA-10
        draw_or_go_on(row)
    elif phase == DEALING:
        take_card(row, actor, move)
        if row[DRAWS] == 0 and actor + 1 < row[SEATS]:
            row[ACTOR] = actor + 1
            row[DRAWS] = DEALT
        elif row[DRAWS] == 0:
            row[ACTOR] = 0
            row[TURN] = 0
            row[PHASE] = BUILDING
    elif phase == BUILDING:
        build(row, row[TURN], move)
    elif phase == REVEALING:
        row[PHASE] = LOT
    elif phase == LOT:
        start_round(row, move)
    elif phase == PUTTING_AWAY:
        discard_hand(row, actor)
        start_round(row, next_seat(row, actor, row[DIRECTION]))  # KA-13
    else:  # buckets are lost
        slots = standing(row[PYRAMID + actor])
        breaks = 0
        if phase == PLAYING:
            slots = supported(slots & ~(1 << move))
        elif phase == SETTLING:
            slots = move & FULL_15
            breaks = move >> BREAKS_AT
        else:
            slots = part(slots, move, row[BREAKS])
        come_to_rest(row, actor, slots, breaks)


@fast(SCORES)
def scores(row, out):
    """Write each seat's share: most buckets win (CK-19, CK-V1); ties are shared, or broken by cards (KA-16)."""
    best = np.int64(-1)
    winners = 0
    for seat in range(row[SEATS]):
        out[seat] = row[TOTAL + seat] * 16
        if row[RULES] & CARDS_BREAK_TIES:
            out[seat] += row[HELD + seat]
        if out[seat] > best:
            best = out[seat]
            winners = 0
        winners += out[seat] == best
    for seat in range(row[SEATS]):
        out[seat] = POINT // winners if out[seat] == best else 0
    if row[GAMES] > 1:
        return MATCH_END
    if row[SEATS] <= 4:
        return LAST_BUCKET
    return THREE_LEFT if row[RULES] & THREE_ARE_LEFT else SECOND_OUT


@fast(KEY)
def key(row):
    """A hash of the row but the number of moves made and how buckets are shifted, which no rule asks for."""
    h = np.uint64(row[TURN] + 3)
    for i in range(SEATS, POSE):
        h = stirred(h, row[i])
    return np.int64(h)


@fast(DRAW)
def chance(row, random):
    """One of nature's moves: cards of the pile and seats are equally likely; a flick ends by the odds for its class."""
    phase = row[PHASE]
    if phase in (DRAWING, DEALING):
        nth = below(row[LEFT], random)
        for suit in range(SUITS):
            counters = row[PILE + suit]
            held = cards_in(counters)
            if nth >= held:
                nth -= held
                continue
            place = 0
            while nth >= counters & 3:
                nth -= counters & 3
                counters >>= 2
                place += 1
            return np.int64(suit * VALUES + place)
    if phase == LOT:
        return below(row[SEATS], random)
    if phase == SETTLING:
        shot = row[SHOT]
        hand = row[RULES] >> HAND_AT & 3
        return drawn_rest(standing(row[PYRAMID + row[ACTOR]]), shot & 15, shot >> KIND_AT & 3, hand, random)
    return np.int64(0)
