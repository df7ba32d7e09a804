"""Why a move of Cup King is refused, in a sentence that says what to do instead."""

from __future__ import annotations

from cupboard.core.game import CHANCE, Seat
from cupboard.core.words import Value, Words, either, listed, phrase
from cupboard.games.cup_king import layout as k
from cupboard.games.cup_king.flick import CLASSES
from cupboard.games.cup_king.moment import Moment
from cupboard.games.cup_king.moves import (
    COLOURS,
    PARTS,
    Build,
    CupMove,
    Deal,
    Flick,
    HiddenBuild,
    HiddenDeal,
    Keep,
    Play,
    Refill,
    SeatMove,
    Settle,
    Shoot,
    colour_name,
    play_of,
)
from cupboard.games.cup_king.poses import MOST_MOVED, Pose


def why_not(moment: Moment, move: CupMove) -> Words:
    """The first rule an illegal move breaks."""
    name = moment.game.seat_name
    if isinstance(move, HiddenBuild | HiddenDeal):
        return phrase("cup-king.no.hidden")
    if moment.to_act == (CHANCE,):
        return _why_not_nature(moment, move)
    if not isinstance(move, SeatMove):
        return phrase("cup-king.no.nature", who=name(moment.to_act[0]))
    if move.seat not in moment.to_act:
        return phrase("cup-king.no.turn", who=name(move.seat))
    if moment.phase == k.BUILDING:
        return _why_not_build(moment, move)
    if moment.phase == k.OFFERED:
        return phrase("cup-king.no.offered")
    if moment.phase == k.KEEPING:
        return phrase("cup-king.no.broken", moves=either(*(f"keep-{part}" for part in PARTS[len(moment.moves())])))
    if isinstance(move, Play):
        return _why_not_play(moment, move)
    if isinstance(move, Shoot | Flick):
        return _why_not_shoot(moment, move)
    keys = {Build: "cup-king.no.build", Keep: "cup-king.no.keep", Refill: "cup-king.no.refill"}
    return phrase(keys[type(move)])


def _why_not_nature(moment: Moment, move: CupMove) -> Words:
    who = moment.game.seat_name(moment.served)
    if moment.phase in (k.DEALING, k.DRAWING):
        if isinstance(move, Deal) and move.seat == moment.served and len(move.cards) == moment.due:
            return phrase("cup-king.no.cards")
        return phrase("cup-king.no.deal", who=who, count=moment.due)
    if moment.phase == k.REVEALING:
        return phrase("cup-king.no.reveal")
    if moment.phase == k.LOT:
        return phrase("cup-king.no.lot")
    if moment.phase == k.SETTLING:
        if isinstance(move, Settle) and not all(slot in move.kept and _can_be(pose) for slot, pose in move.poses):
            return phrase("cup-king.no.pose", most=str(MOST_MOVED))
        return phrase("cup-king.no.settle", who=who)
    return phrase("cup-king.no.discard", who=who)


def _can_be(pose: object) -> bool:
    """Whether this is a pose that a resting bucket could have."""
    return type(pose) is Pose and pose.is_possible


def _why_not_build(moment: Moment, move: SeatMove) -> Words:
    rows = "/".join("?" * width for width in range(moment.width, 0, -1))
    if not isinstance(move, Build):
        return phrase("cup-king.no.building", move=f"build:{rows}", colours=COLOURS)
    if [len(row) for row in move.rows] != list(range(moment.width, 0, -1)):
        return phrase("cup-king.no.shape", count=moment.width, move=f"build:{rows}")
    return phrase("cup-king.no.colours", count=k.each_of(moment.game.seats))


def _why_not_play(moment: Moment, move: Play) -> Words:
    hand, asked, experienced = moment.hand(move.seat), moment.asked, moment.game.options["experienced_ones"]
    written = play_of(move.seat, move.base, move.extras, move.direction)
    if move != written:
        return phrase("cup-king.no.order", move=str(written))
    for card in move.cards:
        if card not in hand:
            return phrase("cup-king.no.held", card=card)
        if move.cards.count(card) > hand.count(card):
            return phrase("cup-king.no.once", card=card)
    if asked and move.cards[0][0] != asked:
        first = any(card[0] == asked for card in move.cards) and experienced
        return phrase("cup-king.no.askedFirst" if first else "cup-king.no.asked", colour=colour_name(asked))
    if len(move.base) > 3:
        return phrase("cup-king.no.three")
    ones = sum(card[1] == "1" for card in move.base)
    if move.extras and not experienced:
        return phrase("cup-king.no.oneColour", colour=colour_name(move.cards[0]))
    if len(move.extras) > ones:
        return phrase("cup-king.no.extras", count=ones) if ones else phrase("cup-king.no.extrasAtAll")
    if moment.game.options["extras_distinct"] and len({card[0] for card in move.extras}) < len(move.extras):
        return phrase("cup-king.no.distinct")
    if asked and move.direction:
        return phrase("cup-king.no.direction")
    if not asked and not move.direction and moment.game.seats > 2:
        return phrase("cup-king.no.chooses", right=f">{move}", left=f"<{move}")
    if not asked:
        return phrase("cup-king.no.ofTwo")
    return _needed(moment, move.seat)


def _needed(moment: Moment, seat: Seat) -> Words:
    has_bucket = moment.asked in moment.colours(seat).values()
    own = moment.open_value(seat)
    said: dict[str, Value] = {"more": moment.to_beat, "colour": colour_name(moment.asked)}
    if own:
        return phrase("cup-king.needsMore.you" if has_bucket else "cup-king.needsMoreOrAny.you", own=own, **said)
    return phrase("cup-king.needs.you" if has_bucket else "cup-king.needsOrAny.you", **said)


def _why_not_shoot(moment: Moment, move: Shoot | Flick) -> Words:
    colours = moment.colours(move.seat)
    if isinstance(move, Flick) and moment.is_careful(move.seat):
        return phrase("cup-king.no.twoFingers", move=f"-{move.bucket}")
    if isinstance(move, Shoot) and not moment.is_careful(move.seat):
        return phrase("cup-king.no.oneFinger")
    if move.bucket not in colours:
        return phrase("cup-king.no.bucket", slot=move.bucket)
    if isinstance(move, Flick) and not move.aim.is_possible:
        return phrase("cup-king.no.aim", kinds=listed(*CLASSES))
    if not moment.asked:
        return phrase("cup-king.no.starts")
    slots = [slot for slot, colour in colours.items() if colour == moment.asked]
    return phrase("cup-king.no.other", colour=colour_name(moment.asked), slots=listed(*slots))
