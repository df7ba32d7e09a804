"""Why a move of Cup King is refused, in a sentence that says what to do instead."""

from __future__ import annotations

from cupboard.core.game import CHANCE, Seat
from cupboard.games.cup_king.moves import (
    COLOURS,
    PARTS,
    Build,
    CupMove,
    Deal,
    HiddenBuild,
    HiddenDeal,
    Keep,
    Play,
    Refill,
    SeatMove,
    Shoot,
    colour_name,
    play_of,
)
from cupboard.games.cup_king.table import Table


def why_not(table: Table, move: CupMove) -> str:
    """The first rule an illegal move breaks."""
    k, name = table.game.kernel_module, table.game.seat_name
    if isinstance(move, HiddenBuild | HiddenDeal):
        return "This is only what the others see of a move; it cannot be played."
    if table.to_act == (CHANCE,):
        return _why_not_nature(table, move)
    if not isinstance(move, SeatMove):
        return f"Nature does not act now: {name(table.to_act[0])} does."
    if move.seat not in table.to_act:
        return f"It is not for {name(move.seat)} to act now."
    if table.phase == k.BUILDING:
        return _why_not_build(table, move)
    if table.phase == k.OFFERED:
        return "First the card you may draw: write draw, or forget to go on without it."
    if table.phase == k.KEEPING:
        return f"Your pyramid broke: write {' or '.join(f'keep-{part}' for part in PARTS[len(table.moves())])}."
    if isinstance(move, Play):
        return _why_not_play(table, move)
    if isinstance(move, Shoot):
        return _why_not_shoot(table, move)
    return {
        Build: "The pyramids stand already.",
        Keep: "No pyramid is broken now.",
        Refill: "There is no card to draw now.",
    }[type(move)]


def _why_not_nature(table: Table, move: CupMove) -> str:
    k, seat = table.game.kernel_module, table.game.seat_name(table.served)
    if table.phase in (k.DEALING, k.DRAWING):
        if isinstance(move, Deal) and move.seat == table.served and len(move.cards) == table.due:
            return "The pile does not hold these cards."
        return f"Now {seat} gets {table.due} card{'s' * (table.due > 1)} from the pile."
    if table.phase == k.REVEALING:
        return "Now all pyramids are shown as they were built."
    if table.phase == k.LOT:
        return "Now the lot decides who starts."
    if table.phase == k.SETTLING:
        return f"Now {seat}'s pyramid comes to rest: only buckets with both supports can stay."
    return f"Now {seat}'s whole hand goes to the discards."


def _why_not_build(table: Table, move: SeatMove) -> str:
    rows = "/".join("?" * width for width in range(table.width, 0, -1))
    if not isinstance(move, Build):
        return f"Everybody builds first: write build:{rows} with a colour of {COLOURS} for each ?, the base first."
    if [len(row) for row in move.rows] != list(range(table.width, 0, -1)):
        return f"A pyramid has {table.width} buckets in its base and one less in every higher row: build:{rows}."
    each = "three" if table.width == 5 else "two"
    return f"A pyramid takes {each} buckets of each colour."


def _why_not_play(table: Table, move: Play) -> str:
    hand, asked, experienced = table.hand(move.seat), table.asked, table.game.options["experienced_ones"]
    written = play_of(move.seat, move.base, move.extras, move.direction)
    if move != written:
        return f"These cards are written {written}."
    for card in move.cards:
        if card not in hand:
            return f"You do not hold {card}."
        if move.cards.count(card) > hand.count(card):
            return f"You hold {card} only once."
    if asked and move.cards[0][0] != asked:
        first = any(card[0] == asked for card in move.cards) and experienced
        return f"{colour_name(asked).capitalize()} is asked: " + (
            f"write the {colour_name(asked)} cards first." if first else f"play {colour_name(asked)} cards."
        )
    if len(move.base) > 3:
        return "At most three cards of the asked colour may be played at once."
    ones = sum(card[1] == "1" for card in move.base)
    if move.extras and not experienced:
        return f"All cards must be of one colour, here {colour_name(move.cards[0])}."
    if len(move.extras) > ones:
        return f"Each 1 of the asked colour brings one extra card; you play {ones or 'no'} such 1."
    if table.game.options["extras_distinct"] and len({card[0] for card in move.extras}) < len(move.extras):
        return "The two extra cards must differ in colour."
    if asked and move.direction:
        return "The start player has chosen the direction already: write the cards alone."
    if not asked and not move.direction and table.game.seats > 2:
        return f"You start the round: write >{move} for clockwise or <{move} for anticlockwise."
    if not asked:
        return "Between two the direction has no effect: write the cards alone."
    return _needed(table, move.seat)


def _needed(table: Table, seat: Seat) -> str:
    colour = colour_name(table.asked)
    own = table.open_value(seat)
    counted = f" ({own} of yours lie open already)" if own else ""
    bucket = f"a {colour} bucket" if table.asked in table.colours(seat).values() else "a bucket of your choice"
    return f"You need more than {table.to_beat} in {colour}{counted}, or tap {bucket}."


def _why_not_shoot(table: Table, move: Shoot) -> str:
    colours = table.colours(move.seat)
    if move.bucket not in colours:
        return f"There is no bucket on {move.bucket}."
    if not table.asked:
        return "You start the round, so you must play one to three cards of a colour."
    slots = [slot for slot, colour in colours.items() if colour == table.asked]
    return f"You must lose a {colour_name(table.asked)} bucket: {', '.join(slots)}."
