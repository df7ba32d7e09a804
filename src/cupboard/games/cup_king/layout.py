"""The row of Cup King: what stands where, what a code means, and the questions one can answer from a single number.

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
    row[OPEN + 5 * seat + suit], row[PILE + suit], row[DISCARD + suit]   the cards of a colour in the other places
    row[SHOT]       the code of a flick that has not come to rest, else 0
    row[BREAKS]     while the actor is to keep a part: the buckets of the base with room for another at their right
    row[POSE + 30 * seat + 2 * slot]   how a bucket is shifted, in two words (poses.py); the kernel only forgets it
    row[SIZE..row[LIVE]]         what happened to cards since the first reshuffle (KA-28; memory.py)

    slots          14            five rows on a base of five; a base of four uses 0-3, 5-7, 9-10 and 12
                 12  13          of this drawing, so both collapse alike
               9   10  11
             5   6   7   8
           0   1   2   3   4

The draw pile has no order: a card is chosen when it is drawn, so no search can peek, and a reshuffle decides
nothing. What a code means, by phase, and whose it is where it is nature's:

    DEALING, DRAWING  nature: a card, 8 * suit + value - 1
    BUILDING          the colour for the lowest free slot
    REVEALING         nature: 0, the pyramids are shown
    LOT               nature: the seat that starts
    PLAYING           a slot to take out with two fingers; or cards: from the lowest bit three values in rising order
                      (4 bits each, 0 for none), suit + 1 (3), anticlockwise (1), two extra cards + 1, rising (6 each);
                      or FLICKS with a slot (4), the class of the flick (2) and from AIM_AT on the aim, 0 if usual
    OFFERED           1 to draw, 0 to forget it (KA-10)
    SETTLING          nature: the slots that still stand, and from BREAKS_AT on the breaks
    KEEPING           which part stays, counted from the left
    PUTTING_AWAY      nature: 0, an eliminated seat's hand is discarded (KA-14)

Nothing here needs the compiler. The functions at the end are compiled in pyramid.py and cards.py as well, so they call
no others.
"""

from cupboard.core.row import HEADER

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
SHOT = DISCARD + SUITS
BREAKS = SHOT + 1
POSE = BREAKS + 1
SLOTS = 15
SIZE = POSE + 2 * SLOTS * MAX_SEATS

# Entries of the memory: kind << KIND | seat << 6 | card + 1, and of a reshuffle kind << KIND | hands << 16 | pile.
KIND = 40
DREW, SHOWED, SHUFFLED = range(3)
ROOM = 10 + SUITS  # the most entries that one move of a person or of nature adds: a hand put away, then a reshuffle
REMEMBERS = 5 * ROOM  # a move, and up to four cards drawn or seats put out because of it

# A hand never has more than ten cards (KA-9). Of all such hands (a test tries every kind) 1 1 x x of one
# colour with 1 x x x x x of another gives a start player of the experienced variant most: 186 plays. Twice
# that for the direction (CK-6), and 15 buckets in three ways with `starter_may_shoot`. Nature has fewer: 40 cards, or
# 156 ways for a pyramid to come to rest, breaks included.
MAX_MOVES = 2 * 186 + 3 * SLOTS

DEALING, BUILDING, REVEALING, LOT, PLAYING, OFFERED, DRAWING, SETTLING, KEEPING, PUTTING_AWAY = range(10)
FLICK, EXPERIENCED, EXTRAS_DISTINCT, THREE_ARE_LEFT, MANUAL_DRAW, STARTER_MAY_SHOOT, CARDS_BREAK_TIES = (
    1 << bit for bit in range(7)
)
HAND_AT, TWO_FINGERS_AT = 8, 16
"""Where the rules keep the number of the hand (flick.py), and a bit for each seat that takes out with two fingers."""
LAST_BUCKET, SECOND_OUT, THREE_LEFT, MATCH_END = 1, 2, 3, 4

BASE = 0b11111
FULL_15 = 0b1_11_111_1111_11111
FULL_10 = 0b0_01_011_0111_01111
PLANES = 1 | 1 << 15 | 1 << 30  # times a mask of slots: the mask in each plane
HIDDEN = 7  # the "colour + 1" of a bucket one may not see; `redeal` paints it
TWO_OF_EACH = 0b10_10_10_10_10_10_10_10
CARDS_PLAYED = 1 << 12  # codes from here on play cards, smaller ones are slots
FLICKS = 1 << 28  # codes from here on are flicks
KIND_AT, AIM_AT, BREAKS_AT = 4, 29, 15
KINDS = 3  # the classes of a flick: gentle, firm, hard
ANTICLOCKWISE = 1 << 15
EXTRAS_AT = 16


def width_of(seats: int) -> int:
    """How many buckets the base of a pyramid has when so many play (CK-3)."""
    return 5 if seats <= 4 else 4


def whole_of(seats: int) -> int:
    """The slots of a whole pyramid when so many play."""
    return FULL_15 if seats <= 4 else FULL_10


def each_of(seats: int) -> int:
    """How many buckets of each colour a pyramid has when so many play."""
    return 3 if seats <= 4 else 2


def is_careful(rules: int, seat: int) -> bool:
    """Whether a seat takes buckets out with two fingers: all do, or this one (CK-V3, KA-27)."""
    return not rules & FLICK or rules >> TWO_FINGERS_AT >> seat & 1 == 1


def standing(pyramid: int) -> int:
    """The slots with a bucket."""
    return (pyramid | pyramid >> 15 | pyramid >> 30) & FULL_15


def cards_in(counters: int) -> int:
    """How many cards eight two-bit counters count."""
    pairs = (counters & 0x3333) + ((counters >> 2) & 0x3333)
    fours = (pairs & 0x0F0F) + ((pairs >> 4) & 0x0F0F)
    return (fours + (fours >> 8)) & 31
