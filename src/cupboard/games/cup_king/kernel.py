"""Cup King for machines. Verbs assume legal moves; the header is core.kernel's.

    row[RULES]      the options, as bits; row[GAMES], row[GAME]: how many games are played, which one this is
    row[PHASE]      what is going on, and so what a code means (below)
    row[ACTOR]      who acted last: nature deals to this seat, settles its pyramid, puts its hand away
    row[DRAWS]      how many cards the actor is still to get
    row[DIRECTION]  +1 clockwise (to the next seat), -1 anticlockwise
    row[SUIT]       the asked colour, NONE before the round's first cards; row[TO_BEAT]: the total to exceed
    row[PYRAMID + seat]          three planes of 15 bits; a slot's bits, one in each, spell its colour + 1
    row[TOTAL + seat]            buckets kept in the match's finished games (CK-V1)
    row[SUM + seat]              the value lying open in front of a seat
    row[HELD + seat], row[LEFT]  how many cards a hand and the draw pile have: public, unlike the cards
    row[HAND + 5 * seat + suit]  a hand's cards of a colour: two bits count the copies of each value
    row[OPEN + 5 * seat + suit], row[PILE + suit], row[DISCARD + suit]   the same for the other places
    row[SIZE..row[LIVE]]         what happened to cards since the first reshuffle (KA-28), as far
                                 as there was room: `SHUFFLED` entries, one a colour, hold the cards of all hands
                                 together and the new pile; `DREW` and `SHOWED` entries hold a seat and a card + 1,
                                 0 for a card one may not see

    slots          14            five rows on a base of five; a base of four uses 0-3, 5-7, 9-10 and 12
                 12  13          of the same drawing, so both collapse alike
               9   10  11
             5   6   7   8
           0   1   2   3   4

The draw pile has no order: a card is chosen when it is drawn, so no search can peek, and a reshuffle decides
nothing. What a code means, by phase, and whose it is where it is nature's:

    DEALING, DRAWING  nature: a card, 8 * suit + value - 1
    BUILDING          the colour for the lowest free slot
    REVEALING         nature: 0, the pyramids are shown
    LOT               nature: the seat that starts
    PLAYING           a slot to lose, or cards: from the lowest bit three values in rising order (4 bits each,
                      0 for none), suit + 1 (3), anticlockwise (1), two extra cards + 1, rising (6 each)
    OFFERED           1 to draw, 0 to forget it (KA-10)
    SETTLING          nature: the slots that still stand
    KEEPING           which part stays, counted from the left
    PUTTING_AWAY      nature: 0, an eliminated seat's hand is discarded (KA-14)

Seats build one after the other here, but nobody sees the others' pyramids, so any order gives the same
position: set row[TURN] to a seat that has not built, and it builds first.

The seam for the flick: after the shot nature settles the pyramid. It may leave any supported slots among
those that careful removal leaves, loners taken away (CK-14 A to C); until a simulation decides, `chance` leaves
all of them. When parts remain, the owner chooses (CK-14 D).
"""

import numpy as np

from cupboard.core.kernel import (
    CHANCE,
    DRAW,
    FORM,
    HEADER,
    KEY,
    LIVE,
    MOVES,
    OVER,
    PLAY,
    PLY,
    POINT,
    REDEAL,
    SCORES,
    SEATS,
    SETUP,
    TURN,
    fast,
    inner,
)

SUITS, VALUES, CARDS = 5, 8, 40
DECK, DEALT = 80, 10
MAX_SEATS = 6
NONE = -1

RULES = HEADER
GAMES, GAME, PHASE, ACTOR, DRAWS, DIRECTION, SUIT, TO_BEAT, LEFT = range(RULES + 1, RULES + 10)
PYRAMID = LEFT + 1
TOTAL = PYRAMID + MAX_SEATS
SUM = TOTAL + MAX_SEATS
HELD = SUM + MAX_SEATS
HAND = HELD + MAX_SEATS
OPEN = HAND + SUITS * MAX_SEATS
PILE = OPEN + SUITS * MAX_SEATS
DISCARD = PILE + SUITS
SIZE = DISCARD + SUITS

# Entries of the memory: kind << KIND | seat << 6 | card + 1, and of a reshuffle kind << KIND | hands << 16 | pile.
KIND = 40
DREW, SHOWED, SHUFFLED = range(3)
ROOM = 10 + SUITS  # the most entries that one move of a person or of nature adds: a hand put away, then a reshuffle
REMEMBERS = 5 * ROOM  # a move, and up to four cards drawn or seats put out because of it

# A hand never has more than ten cards (KA-9). Of all such hands (a test tries every kind) 1 1 x x of one
# colour with 1 x x x x x of another gives a start player of the experienced variant most: 186 plays. Twice
# that for the direction (CK-6), and 15 buckets with `starter_may_shoot`. Nature has fewer: 40 cards, or 132
# ways for a pyramid to stand.
MAX_MOVES = 2 * 186 + 15

DEALING, BUILDING, REVEALING, LOT, PLAYING, OFFERED, DRAWING, SETTLING, KEEPING, PUTTING_AWAY = range(10)
FLICK, EXPERIENCED, EXTRAS_DISTINCT, THREE_ARE_LEFT, MANUAL_DRAW, STARTER_MAY_SHOOT, CARDS_BREAK_TIES = (
    1 << bit for bit in range(7)
)
LAST_BUCKET, SECOND_OUT, THREE_LEFT, MATCH_END = 1, 2, 3, 4

BASE = 0b11111
FULL_15 = 0b1_11_111_1111_11111
FULL_10 = 0b0_01_011_0111_01111
PLANES = 1 | 1 << 15 | 1 << 30  # times a mask of slots: the mask in each plane
HIDDEN = 7  # the "colour + 1" of a bucket one may not see; `redeal` paints it
TWO_OF_EACH = 0b10_10_10_10_10_10_10_10
CARDS_PLAYED = 1 << 12  # codes from here on play cards, smaller ones are slots
ANTICLOCKWISE = 1 << 15
EXTRAS_AT = 16


def standing_shapes():
    """Every set of slots in which each bucket has both its supports, the fullest first."""
    shapes = [(base, base) for base in range(32)]  # the slots so far and the highest row's
    for first, width in ((5, 4), (9, 3), (12, 2), (14, 1)):
        shapes = [
            (slots | row << first, row)
            for slots, below in shapes
            for row in range(1 << width)
            if row & ~(below & below >> 1) == 0
        ]
    return np.array(sorted((slots for slots, _ in shapes), reverse=True), np.int64)


SHAPES = standing_shapes()


# Pyramids.


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
def painted(slot, colour):
    """A pyramid of one bucket, to add to another."""
    number = colour + 1
    return ((number & 1) | (number >> 1 & 1) << 15 | (number >> 2 & 1) << 30) << slot


@inner
def supported(slots):
    """What remains when every bucket without both its supports has fallen (4.2, step 2)."""
    row0 = slots & 31
    row1 = slots >> 5 & 15 & row0 & row0 >> 1
    row2 = slots >> 9 & 7 & row1 & row1 >> 1
    row3 = slots >> 12 & 3 & row2 & row2 >> 1
    row4 = slots >> 14 & row3 & row3 >> 1
    return row0 | row1 << 5 | row2 << 9 | row3 << 12 | row4 << 14


@inner
def without_loners(slots):
    """CK-14 C: a single bucket apart from a larger part goes."""
    base = slots & BASE
    in_pairs = base & (base << 1 | base >> 1)
    return supported(slots & ~BASE | in_pairs) if in_pairs else slots


@inner
def part(slots, index):
    """The part on the base's run number `index` from the left (CK-14 D), 0 if there are not so many."""
    base = slots & BASE
    for _ in range(index):
        base &= base + (base & -base)  # adding its lowest bit carries a run away
    run = base & ~(base + (base & -base))
    return supported(slots & ~BASE | run)


# What may be done.


@inner
def with_extras(row, seat, suit, total, to_beat, code, out, n):
    """CK-V2: the same cards with one of another colour, and if two of them are 1s, with two."""
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
    """One to three cards of `suit` with more than `to_beat` (CK-8 to CK-10), by rising values."""
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
    """A) cards or B) a bucket (CK-7)."""
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
    for slot in range(15):
        if slots >> slot & 1:
            out[n] = slot
            n += 1
    return n


@fast(MOVES)
def moves(row, out):
    """Codes of whoever acts: cards first, by colour and rising values, then buckets from the base up."""
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
        most = supported(standing(row[PYRAMID + row[ACTOR]]))
        out[0] = without_loners(most)
        n = 1
        for slots in SHAPES:
            if slots & ~most == 0 and without_loners(slots) == slots and slots != out[0]:
                out[n] = slots
                n += 1
        return n
    if phase == BUILDING:
        each = 3 if row[SEATS] <= 4 else 2
        for colour in range(SUITS):
            if count(buckets_of(row[PYRAMID + seat], colour)) < each:
                out[n] = colour
                n += 1
        return n
    if phase == KEEPING:
        n = 3 if part(standing(row[PYRAMID + seat]), 2) else 2
    elif phase == OFFERED:
        n = 2
    elif phase == LOT:
        n = row[SEATS]
    else:
        n = 1  # REVEALING, PUTTING_AWAY
    for code in range(n):
        out[code] = code
    return n


# How a game goes on.


@inner
def begin_game(row):
    """CK-1, CK-2."""
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


@fast(SETUP)
def setup(row, options):
    """Nature begins with the deal (CK-2); options are the seats, the games to play and the rules' bits."""
    row[:] = 0
    row[LIVE] = row[FORM] = SIZE
    row[SEATS] = options[0]
    row[GAMES] = options[1]
    row[RULES] = options[2]
    begin_game(row)


@inner
def remember(row, kind, seat, card):
    """Add to the memory, if there is one: it begins with a reshuffle. A row without room gives it up altogether."""
    if row[LIVE] == SIZE:
        return
    if row[LIVE] == len(row):
        row[LIVE] = SIZE
        return
    row[row[LIVE]] = kind << KIND | seat << 6 | card + 1
    row[LIVE] += 1


@inner
def take_card(row, seat, card):
    """From the pile to a hand."""
    remember(row, DREW, seat, card)
    copy = np.int64(1) << (2 * (card % VALUES))
    row[PILE + card // VALUES] -= copy
    row[HAND + SUITS * seat + card // VALUES] += copy
    row[LEFT] -= 1
    row[HELD + seat] += 1
    row[DRAWS] -= 1


@inner
def lay_card(row, seat, suit, value):
    """From a hand to the table."""
    remember(row, SHOWED, seat, suit * VALUES + value - 1)
    copy = np.int64(1) << (2 * value - 2)
    row[HAND + SUITS * seat + suit] -= copy
    row[OPEN + SUITS * seat + suit] += copy
    row[SUM + seat] += value
    row[HELD + seat] -= 1


@inner
def lay_open(row, seat, move):
    """CK-8 to CK-11: the cards are played, and one is due, with one more for each extra (CK-V2)."""
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
def cards_in(counters):
    """How many cards eight two-bit counters count."""
    pairs = (counters & 0x3333) + ((counters >> 2) & 0x3333)
    fours = (pairs & 0x0F0F) + ((pairs >> 4) & 0x0F0F)
    return (fours + (fours >> 8)) & 31


@inner
def remember_shuffle(row):
    """KA-28: anyone who kept count now knows which cards the hands hold together and which are in the new pile."""
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
def reshuffle_if_empty(row):
    """The discards become the draw pile (CK-15, KA-8)."""
    if row[LEFT] == 0:
        remember_shuffle(row)
        for suit in range(SUITS):
            row[LEFT] += cards_in(row[DISCARD + suit])
            row[PILE + suit] = row[DISCARD + suit]
            row[DISCARD + suit] = 0


@inner
def next_seat(row, seat):
    """The next seat in the round's direction that still has a bucket."""
    while True:
        seat = (seat + row[DIRECTION] + row[SEATS]) % row[SEATS]
        if row[PYRAMID + seat]:
            return seat


@inner
def draw_or_go_on(row):
    """Nature gives the actor the cards still due; then the next seat is under attack (CK-9)."""
    if row[DRAWS] > 0:
        reshuffle_if_empty(row)
        row[TURN] = CHANCE
        row[PHASE] = DRAWING
    else:
        row[TURN] = next_seat(row, row[ACTOR])
        row[PHASE] = PLAYING


@inner
def start_round(row, seat):
    """`seat` is the start player (CK-5, CK-16, CK-18)."""
    reshuffle_if_empty(row)
    row[DIRECTION] = 1
    row[ACTOR] = seat
    row[TURN] = seat
    row[PHASE] = PLAYING


@inner
def build(row, seat, colour):
    """CK-4; when all pyramids stand, they are shown (KA-1)."""
    whole = FULL_15 if row[SEATS] <= 4 else FULL_10
    free = whole & ~standing(row[PYRAMID + seat])
    row[PYRAMID + seat] |= painted(count((free & -free) - 1), colour)
    if free & (free - 1):
        return
    for other in range(row[SEATS]):
        if standing(row[PYRAMID + other]) != whole:
            row[TURN] = other
            return
    row[TURN] = CHANCE
    row[PHASE] = REVEALING


@inner
def discard_hand(row, seat):
    """KA-14."""
    for suit in range(SUITS):
        counters = row[HAND + SUITS * seat + suit]
        for place in range(VALUES):
            for _ in range(counters >> (2 * place) & 3):
                remember(row, SHOWED, seat, suit * VALUES + place)
        row[DISCARD + suit] += counters
        row[HAND + SUITS * seat + suit] = 0
    row[HELD + seat] = 0


@inner
def end_game(row):
    """CK-19; the next game of the match begins at once (CK-V1)."""
    for seat in range(row[SEATS]):
        row[TOTAL + seat] += count(standing(row[PYRAMID + seat]))
    if row[GAME] < row[GAMES]:
        begin_game(row)
    else:
        row[TURN] = OVER
        row[PHASE] = PLAYING
        row[DIRECTION] = 1
        row[ACTOR] = 0


@inner
def outs_to_end(row):
    """How many seats must have lost their last bucket (CK-17, CK-18, KA-15)."""
    if row[SEATS] <= 4:
        return 1
    return row[SEATS] - 3 if row[RULES] & THREE_ARE_LEFT else 2


@inner
def end_round(row, loser):
    """CK-15 to CK-18."""
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
def come_to_rest(row, seat, slots):
    """Of the slots left (CK-14) a loner goes, and of several parts the owner keeps one (KA-12)."""
    slots = without_loners(slots)
    row[PYRAMID + seat] &= slots * PLANES
    if part(slots, 1):
        row[TURN] = seat
        row[PHASE] = KEEPING
    else:
        end_round(row, seat)


@fast(PLAY)
def play(row, move):
    """Make the move of the seat to act, or nature's, and go on to whoever acts next."""
    phase = row[PHASE]
    if row[TURN] != CHANCE:
        row[PLY] += 1
        if phase == PLAYING:
            row[ACTOR] = row[TURN]
    actor = row[ACTOR]
    if phase == DRAWING:
        take_card(row, actor, move)
        draw_or_go_on(row)
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
        start_round(row, next_seat(row, actor))  # KA-13
    else:  # buckets are lost
        slots = standing(row[PYRAMID + actor])
        if phase == PLAYING:
            slots &= ~(1 << move)
            if row[RULES] & FLICK:
                row[PYRAMID + actor] &= slots * PLANES
                row[TURN] = CHANCE
                row[PHASE] = SETTLING
                return
            slots = supported(slots)
        elif phase == SETTLING:
            slots = move
        else:
            slots = part(slots, move)
        come_to_rest(row, actor, slots)


# How it ends.


@fast(SCORES)
def scores(row, out):
    """Most buckets win (CK-19), summed over games (CK-V1); ties are shared, or go to more cards (KA-16)."""
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
    """All but the number of moves made."""
    h = np.uint64(row[TURN] + 3)
    for i in range(SEATS, SIZE):
        h = (h ^ np.uint64(row[i])) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    return np.int64(h)


# Nature and secrets.


@inner
def below(n, random):
    """A number below n from 64 random bits."""
    return np.int64(((random >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@fast(DRAW)
def chance(row, random):
    """Every card of the pile alike; every seat alike; a shot bucket is taken out with care."""
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
        return without_loners(supported(standing(row[PYRAMID + row[ACTOR]])))
    return np.int64(0)


@inner
def stepped(state):
    """The next state of xorshift64*."""
    state ^= state >> np.uint64(12)
    state ^= state << np.uint64(25)
    return state ^ state >> np.uint64(27)


@inner
def repaint(row, seat, state):
    """Other colours in the same slots, as if drawn from the seat's buckets."""
    slots = standing(row[PYRAMID + seat])
    each = 3 if row[SEATS] <= 4 else 2
    used = 0  # a nibble counts each colour's buckets
    left = SUITS * each
    row[PYRAMID + seat] = 0
    for slot in range(15):
        if not slots >> slot & 1:
            continue
        state = stepped(state)
        nth = below(left, state * np.uint64(0x2545F4914F6CDD1D))
        colour = 0
        while nth >= each - (used >> (4 * colour) & 15):
            nth -= each - (used >> (4 * colour) & 15)
            colour += 1
        used += 1 << (4 * colour)
        left -= 1
        row[PYRAMID + seat] |= painted(slot, colour)
    return state


# What one can know (KA-28). Cards have generations: 0 if they were drawn before the first reshuffle, else the number
# of the reshuffle before. A card shown since was one of the seat's cards of some generation. With two copies of a card
# in different generations it may be open which, so a past is made up, as likely as the cards make it, and the hidden
# cards of each generation are dealt evenly to the places that generation has left.

PASTS = 12  # the pasts compared where several are possible
MOST_PASTS = 20_000  # and how many are tried to find one that is possible at all


@inner
def unit(state):
    """A number from 0 to 1 from a state of the luck."""
    return np.float64((state * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(11)) / 9007199254740992.0


@inner
def mixed(state, n):
    """The n-th of many states that have nothing to do with each other (splitmix64)."""
    bits = state + np.uint64(n) * np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (bits ^ (bits >> np.uint64(31))) | np.uint64(1)


@inner
def count_in(pool, counters, suit, times):
    """Add a colour's cards to a pool, or take them away; how many there are."""
    n = 0
    for place in range(VALUES):
        copies = counters >> (2 * place) & 3
        pool[suit * VALUES + place] += times * copies
        n += copies
    return n


@inner
def before_memory(row, seat, pools, held):
    """The cards of generation 0 that others held at the first reshuffle, and how many each; whether that can be."""
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
    """Name the first card without a name that a seat drew in a generation: it is this one."""
    i = at[owner, generation]
    while i < row[LIVE]:
        if row[i] == DREW << KIND | owner << 6:
            row[i] |= card + 1
            break
        i += 1
    at[owner, generation] = i + 1


@inner
def relive(row, seat, state, pools, totals, held, at, tells):
    """Make up a past that fits what was seen: how well it explains that (0 if not at all), and whether there are more.

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
                        state = stepped(state)
                    if ways == 1 or unit(state) * chance_of_it < share:
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
    """Leave in `pools` and `held` what may be hidden, as the memory has it; whether that worked.

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
        luck = mixed(state, 2 * n + 1)
        other, several = relive(row, seat, luck, pools, totals, held, at, False)
        if other > 0 and unit(mixed(state, 2 * n + 2)) * weight < other:
            kept, weight = luck, other
        if weight > 0 and (n >= PASTS or not several):
            break
    if weight == 0:
        return False
    pools[0] = first
    held[:, 0] = held_first
    relive(row, seat, kept, pools, totals, held, at, True)
    return adds_up(row, seat, totals, held, len(pools))


@fast(REDEAL)
def redeal(row, seat, random):
    """Deal other hands and the pile anew from the cards `seat` does not see; repaint pyramids not yet shown.

    Every world agrees with all that was ever open (KA-28) as far as the row remembers; without a memory the unseen
    cards are alike. Of what is hidden only sizes are read, so a row with its secrets blanked will do; seat NONE sees
    no hand.
    """
    state = random | np.uint64(1)
    for i in range(SIZE, row[LIVE]):
        if row[i] >> KIND == DREW and row[i] >> 6 & 7 != seat:
            row[i] &= ~np.int64(63)
    generations = 1 + (row[SIZE : row[LIVE]] >> KIND == SHUFFLED).sum() // SUITS
    pools = np.zeros((generations, CARDS), np.int64)
    totals = np.zeros(generations, np.int64)
    held = np.zeros((MAX_SEATS, generations), np.int64)
    at = np.zeros((MAX_SEATS, generations), np.int64)
    if generations == 1 or not recall(row, seat, state, pools, totals, held, at):
        generations = 1
        pools[0, :] = 0
        for suit in range(SUITS):
            counters = TWO_OF_EACH - row[DISCARD + suit]
            for other in range(row[SEATS]):
                counters -= row[OPEN + SUITS * other + suit]
            if seat >= 0:
                counters -= row[HAND + SUITS * seat + suit]
            count_in(pools[0], counters, suit, 1)
        for other in range(row[SEATS]):
            held[other, 0] = row[HELD + other]
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
                state = stepped(state)
                i = below(n, state * np.uint64(0x2545F4914F6CDD1D))
                card = unseen[i]
                n -= 1
                unseen[i] = unseen[n]
                row[HAND + SUITS * other + card // VALUES] += np.int64(1) << (2 * (card % VALUES))
                if generation > 0:
                    tell(row, at, other, generation, card)
    row[PILE : PILE + SUITS] = 0
    for i in range(n):
        row[PILE + unseen[i] // VALUES] += np.int64(1) << (2 * (unseen[i] % VALUES))
    if row[PHASE] <= REVEALING:
        for other in range(row[SEATS]):
            if other != seat:
                state = repaint(row, other, state)
