"""Cup King as a screen draws it: everybody's pyramid with the cards before it, and below them the hands one may see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

import numpy as np

from cupboard.core.game import CHANCE, Game, Seat, letter
from cupboard.core.scene import BLUE, GREEN, PURPLE, RED, YELLOW, Cell, Control, Label, Part, Piece, Player, Scene
from cupboard.core.words import Value, Words, also, listed, phrase, sentences
from cupboard.games.cup_king.moves import COLOURS, PARTS, SLOTS, colour_name, hand_spots
from cupboard.games.cup_king.rules import HIDDEN, CupKingView, player_name
from cupboard.games.cup_king.table import WHOLE, Table, width_of

_TINTS = dict(zip(COLOURS, (RED, YELLOW, GREEN, BLUE, PURPLE), strict=True))
_TINTS["?"] = HIDDEN
_CARD = 1.0
"""From one card of a row to the next."""


def scene(table: Table) -> Scene:
    """What all may see, and below it the hands one may see."""
    common = _common(table.game, table.without_hands())
    x, y = _bottom(table.game.seats)
    hands: list[Part] = []
    for seat in range(table.game.seats):
        if cards := table.hand(seat):
            y += 1.4
            hands.append(_hand(seat, cards, y))
    if table.game.options["removal"] == "flick":
        hands.append(_with_care(x, y + 1.0))
    parts = (*common.parts, *hands)
    return Scene(common.title, common.status, parts, common.players, common.outlines, common.controls)


@lru_cache(1 << 6)
def _common(game: Game[Any], row: bytes) -> Scene:
    """What every seat sees, drawn once for all of them."""
    table, seats = CupKingView(game, np.frombuffer(row, np.int64).copy(), None), range(game.seats)
    width = table.width
    parts = [_names(game.seats)]
    for seat, (x, y) in zip(seats, _places(game.seats), strict=True):
        parts.append(_pyramid(seat, table.slots(seat), width, x, y))
        parts.append(_open_cards(seat, table.open_cards(seat), width, x, y + width + 0.7))
    parts.append(_piles(table.pile, len(table.discards), _bottom(game.seats)[1]))
    return Scene(
        title=game.title,
        status=_status(table),
        parts=tuple(parts),
        players=tuple([_player(table, seat) for seat in seats]),
        outlines=_shelves(game.seats),
        controls=tuple(_controls(table)),
    )


# What lies on the table. The same things lie in the same places again and again: each is drawn once, and what has not
# changed from one scene to the next is known by its identity.


def _across(seats: int) -> int:
    """How many pyramids stand side by side."""
    return 2 if seats <= 4 else 3


@cache
def _places(seats: int) -> tuple[tuple[float, float], ...]:
    """Where the seats' pyramids stand."""
    across, width = _across(seats), width_of(seats)
    return tuple((seat % across * (width + 1.6), seat // across * (width + 2.9)) for seat in range(seats))


@cache
def _bottom(seats: int) -> tuple[float, float]:
    """The middle of the table, and where the piles lie; the hands are below."""
    places, width = _places(seats), width_of(seats)
    return (places[_across(seats) - 1][0] + width - 1) / 2, places[-1][1] + width + 2.1


@cache
def _names(seats: int) -> Part:
    """The players' names above their pyramids and the letters of the rows beside them."""
    labels: list[Label] = []
    width = width_of(seats)
    for seat, (x, y) in enumerate(_places(seats)):
        labels.append(Label(x + (width - 1) / 2, y - 0.9, player_name(seat), "name"))
        labels += [Label(x - 0.8, y + width - 1 - row, "abcde"[row]) for row in range(width)]
    return Part((), labels=tuple(labels))


@cache
def _shelves(seats: int) -> tuple[tuple[tuple[float, float], ...], ...]:
    """What the pyramids stand on."""
    return tuple(_shelf(x, y, width_of(seats)) for x, y in _places(seats))


@lru_cache(1 << 11)
def _pyramid(seat: Seat, colours: tuple[tuple[str, str], ...], width: int, x: float, y: float) -> Part:
    """A seat's slots and the buckets in them."""
    known = dict(colours)
    slots = [slot for i, slot in enumerate(SLOTS) if WHOLE[width] >> i & 1]
    drawn = [_bucket(seat, slot, known.get(slot), x, y + width - 1) for slot in slots]
    return Part(tuple([cell for cell, _ in drawn]), tuple([piece for _, piece in drawn if piece]))


@lru_cache(1 << 11)
def _open_cards(seat: Seat, cards: tuple[str, ...], width: int, x: float, y: float) -> Part:
    """The cards in front of a pyramid, closer together when they are many."""
    step = min(_CARD, width / max(1, len(cards)))
    spots = [f"{letter(seat)}:open:{i + 1}" for i in range(len(cards))]
    return _row(seat, spots, cards, x, y, step, False)


@lru_cache(1 << 11)
def _hand(seat: Seat, cards: tuple[str, ...], y: float) -> Part:
    """A hand that may be seen."""
    label = Label(len(cards) * _CARD + 0.6, y, phrase("cup-king.hand", letter=letter(seat)), "name")
    return _row(seat, hand_spots(seat, cards), cards, 0.0, y, _CARD, True, (label,))


def _row(
    seat: Seat,
    spots: Iterable[str],
    cards: tuple[str, ...],
    x: float,
    y: float,
    step: float,
    in_hand: bool,
    labels: tuple[Label, ...] = (),
) -> Part:
    laid = enumerate(zip(spots, cards, strict=True))
    drawn = [_card(seat, spot, card, x + i * step, y, in_hand) for i, (spot, card) in laid]
    return Part(tuple([cell for cell, _ in drawn]), tuple([piece for _, piece in drawn]), labels)


@lru_cache(1 << 11)
def _piles(left: int, discarded: int, y: float) -> Part:
    """The draw pile, and how many cards were discarded."""
    cell = Cell("pile", 0.0, y, phrase("cup-king.pile", count=left), shape="card")
    label = Label(1.6, y, phrase("cup-king.discarded", count=discarded), "count")
    return Part((cell,), (Piece("pile", "back", text=str(left)),) if left else (), (label,))


@cache
def _with_care(x: float, y: float) -> Part:
    """What nobody but the players can see to."""
    return Part((), labels=(Label(x, y, phrase("cup-king.withCare"), "note"),))


@lru_cache(1 << 13)
def _bucket(seat: Seat, slot: str, colour: str | None, left: float, base: float) -> tuple[Cell, Piece | None]:
    row, col = "abcde".index(slot[0]), int(slot[1]) - 1
    spot, who = f"{letter(seat)}:{slot}", player_name(seat)
    place = left + col + row / 2, base - row
    if colour is None:
        return Cell(spot, *place, phrase("cup-king.bucketGone", slot=slot, who=who), shape="slot"), None
    tint = _TINTS[colour]
    name = phrase("cup-king.bucket", slot=slot, who=who, colour=tint.words)
    return Cell(spot, *place, name, shape="slot"), Piece(spot, "bucket", tint)


@lru_cache(1 << 13)
def _card(seat: Seat, spot: str, card: str, x: float, y: float, in_hand: bool) -> tuple[Cell, Piece]:
    tint, key = _TINTS[card[0]], "cup-king.handCard" if in_hand else "cup-king.openCard"
    name = phrase(key, colour=tint.words, value=card[1], who=player_name(seat))
    return Cell(spot, x, y, name, shape="card"), Piece(spot, "card", tint, card[1])


def _shelf(x: float, y: float, width: int) -> tuple[tuple[float, float], ...]:
    left, right, top = x - 0.5, x + width - 0.5, y + width - 0.36
    return (left, top), (right, top), (right, top + 0.06), (left, top + 0.06)


# What is said and offered.


def _player(table: Table, seat: Seat) -> Player:
    counts: dict[str, int | str] = {"cup-king.buckets": table.buckets(seat), "cup-king.cards": table.held(seat)}
    if table.open_value(seat):
        counts["cup-king.open"] = table.open_value(seat)
    if table.game.options["games"] != 1:
        counts["cup-king.match"] = table.total(seat)
    outcome = table.outcome()
    note = None
    if outcome and seat in outcome.winners:
        note = phrase("cup-king.shares" if outcome.is_draw else "cup-king.won")
    elif not outcome and not table.buckets(seat) and table.phase > table.game.kernel_module.LOT:
        note = phrase("cup-king.out")
    return Player(seat, table.game.seat_name(seat), table.game.tint(seat), seat in table.to_act, counts, note)


def _status(table: Table) -> Words:
    k, name = table.game.kernel_module, table.game.seat_name
    outcome = table.outcome()
    if outcome:
        who = also(*map(name, outcome.winners))
        return sentences(phrase("cup-king.wins", who=who, count=len(outcome.winners)), outcome.sentence)
    if table.phase == k.BUILDING:
        return phrase("cup-king.building", who=listed(*map(name, table.to_act)))
    if table.phase == k.PLAYING:
        return _asked(table, table.to_act[0])
    if table.phase in (k.REVEALING, k.LOT):
        return phrase("cup-king.reveals" if table.phase == k.REVEALING else "cup-king.lot")
    actor = name(table.served)
    if table.phase in (k.DEALING, k.OFFERED, k.DRAWING):
        keys = {k.DEALING: "cup-king.dealt", k.OFFERED: "cup-king.mayDraw", k.DRAWING: "cup-king.draws"}
        return phrase(keys[table.phase], who=actor, count=table.due)
    keys = {k.SETTLING: "cup-king.settling", k.KEEPING: "cup-king.broken", k.PUTTING_AWAY: "cup-king.puttingAway"}
    return phrase(keys[table.phase], who=actor)


def _asked(table: Table, seat: Seat) -> Words:
    who = table.game.seat_name(seat)
    if not table.asked:
        return phrase("cup-king.startsRound" if table.game.seats > 2 else "cup-king.startsRoundOfTwo", who=who)
    # A bucket of the asked colour, or any when there is none (CK-12); one's open cards count (CK-9).
    has_bucket = table.asked in table.colours(seat).values()
    own = table.open_value(seat)
    said: dict[str, Value] = {"who": who, "more": table.to_beat, "colour": colour_name(table.asked)}
    if own:
        return phrase("cup-king.needsMore" if has_bucket else "cup-king.needsMoreOrAny", own=own, **said)
    return phrase("cup-king.needs" if has_bucket else "cup-king.needsOrAny", **said)


def _controls(table: Table) -> Iterator[Control]:
    k = table.game.kernel_module
    if table.is_over:
        return
    if table.phase == k.BUILDING:
        for colour in COLOURS:
            yield Control(f"colour:{colour}", phrase(f"seat.{_TINTS[colour].name}"))
    elif table.phase == k.PLAYING and not table.asked and table.game.seats > 2:
        yield Control("clockwise", phrase("cup-king.playClockwise"))
        yield Control("anticlockwise", phrase("cup-king.playAnticlockwise"))
    elif table.phase == k.PLAYING:
        yield Control("confirm", phrase("cup-king.play"))
    elif table.phase == k.OFFERED:
        yield Control("forget", phrase("cup-king.goOn"))
    elif table.phase == k.KEEPING:
        for part in PARTS[len(table._codes())]:
            yield Control(f"keep-{part}", phrase(f"cup-king.keep.{part}"))
    elif table.phase == k.LOT and table.to_act == (CHANCE,):
        for seat in range(table.game.seats):
            yield Control(f"lot-{letter(seat)}", phrase("cup-king.starts", who=table.game.seat_name(seat)))
