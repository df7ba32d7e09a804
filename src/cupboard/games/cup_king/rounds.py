# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""How a game of Cup King goes on: from the deal to the pyramids, from round to round, to the end of the match."""

from cupboard.core.bits import lowest, ones
from cupboard.core.kernel import CHANCE, LIVE, OVER, SEATS, TURN, inner
from cupboard.games.cup_king.cards import reshuffle_if_empty
from cupboard.games.cup_king.layout import (
    ACTOR,
    BREAKS,
    DEALING,
    DEALT,
    DECK,
    DIRECTION,
    DISCARD,
    DRAWING,
    DRAWS,
    GAME,
    GAMES,
    KEEPING,
    LEFT,
    NONE,
    OPEN,
    PHASE,
    PILE,
    PLANES,
    PLAYING,
    POSE,
    PUTTING_AWAY,
    PYRAMID,
    REVEALING,
    RULES,
    SHOT,
    SIZE,
    SLOTS,
    SUIT,
    SUITS,
    SUM,
    THREE_ARE_LEFT,
    TO_BEAT,
    TOTAL,
    TWO_OF_EACH,
)
from cupboard.games.cup_king.pyramid import painted, part, standing, whole_of, without_loners


@inner
def begin_game(row):
    """Clear the row for a new game of the match, which begins with the deal (CK-1, CK-2)."""
    for i in range(PYRAMID, SIZE):
        if i < TOTAL or i >= SUM:
            row[i] = 0
    for suit in range(SUITS):
        row[PILE + suit] = TWO_OF_EACH
    row[LIVE] = SIZE  # all cards are dealt anew: what one remembers is worth nothing
    row[LEFT] = DECK
    row[GAME] += 1
    row[SUIT] = NONE
    row[TO_BEAT] = 0
    row[DIRECTION] = 1
    row[PHASE] = DEALING
    row[TURN] = CHANCE
    row[ACTOR] = 0
    row[DRAWS] = DEALT


@inner
def next_seat(row, seat, direction):
    """The next seat in a direction that still has a bucket."""
    while True:
        seat = (seat + direction + row[SEATS]) % row[SEATS]
        if row[PYRAMID + seat]:
            return seat


@inner
def draw_or_go_on(row):
    """Let nature give the actor the cards still due, or if there are none, put the next seat under attack (CK-9)."""
    if row[DRAWS] > 0:
        reshuffle_if_empty(row)
        row[TURN] = CHANCE
        row[PHASE] = DRAWING
    else:
        row[TURN] = next_seat(row, row[ACTOR], row[DIRECTION])
        row[PHASE] = PLAYING


@inner
def start_round(row, seat):
    """Start a round with `seat` as the start player (CK-5, CK-16, CK-18)."""
    reshuffle_if_empty(row)
    row[DIRECTION] = 1
    row[ACTOR] = seat
    row[TURN] = seat
    row[PHASE] = PLAYING


@inner
def build(row, seat, colour):
    """Put a bucket on the lowest free slot (CK-4); when all pyramids stand, nature shows them (KA-1)."""
    whole = whole_of(row[SEATS])
    free = whole & ~standing(row[PYRAMID + seat])
    row[PYRAMID + seat] |= painted(lowest(free), colour)
    if free & (free - 1):
        return
    for other in range(row[SEATS]):
        if standing(row[PYRAMID + other]) != whole:
            row[TURN] = other
            return
    row[TURN] = CHANCE
    row[PHASE] = REVEALING


@inner
def end_game(row):
    """Count the buckets and end the match (CK-19), or begin its next game at once (CK-V1)."""
    for seat in range(row[SEATS]):
        row[TOTAL + seat] += ones(standing(row[PYRAMID + seat]))
    if row[GAME] < row[GAMES]:
        begin_game(row)
    else:
        row[TURN] = OVER
        row[PHASE] = PLAYING
        row[DIRECTION] = 1
        row[ACTOR] = 0


@inner
def outs_to_end(row):
    """How many seats must have lost their last bucket for the game to end (CK-17, CK-18, KA-15)."""
    if row[SEATS] <= 4:
        return 1
    return row[SEATS] - 3 if row[RULES] & THREE_ARE_LEFT else 2


@inner
def end_round(row, loser):
    """Discard the open cards, then start the next round, put the loser's hand away or end the game (CK-15 to CK-18)."""
    out = 0
    for seat in range(row[SEATS]):
        out += row[PYRAMID + seat] == 0
        row[SUM + seat] = 0
        for suit in range(SUITS):
            row[DISCARD + suit] += row[OPEN + SUITS * seat + suit]
            row[OPEN + SUITS * seat + suit] = 0
    row[SUIT] = NONE
    row[TO_BEAT] = 0
    if row[PYRAMID + loser]:
        start_round(row, loser)
    elif out == outs_to_end(row):
        end_game(row)
    else:
        row[TURN] = CHANCE
        row[PHASE] = PUTTING_AWAY


@inner
def come_to_rest(row, seat, slots, breaks):
    """Leave these slots standing without loners (CK-14); of several parts the owner is to keep one (KA-12)."""
    slots = without_loners(slots, breaks)
    row[PYRAMID + seat] &= slots * PLANES
    row[SHOT] = 0
    row[BREAKS] = breaks & slots
    for slot in range(SLOTS):
        if not slots >> slot & 1:
            row[POSE + 2 * SLOTS * seat + 2 * slot] = 0
            row[POSE + 2 * SLOTS * seat + 2 * slot + 1] = 0
    if part(slots, 1, row[BREAKS]):
        row[TURN] = seat
        row[PHASE] = KEEPING
    else:
        row[BREAKS] = 0
        end_round(row, seat)
