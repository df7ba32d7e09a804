"""Cup King as a screen draws it: everybody's pyramid with the cards before it, and below them the hands one may see."""

from __future__ import annotations

from collections.abc import Iterator

from cupboard.core.game import CHANCE, Seat, letter
from cupboard.core.scene import BLUE, GREEN, PURPLE, RED, YELLOW, Cell, Control, Label, Piece, Player, Scene, Tint
from cupboard.games.cup_king.moves import COLOUR_NAMES, COLOURS, PARTS, SLOTS, colour_name, hand_spots
from cupboard.games.cup_king.table import WHOLE, Table

WITH_CARE = "Buckets are taken out with care: the flick is not simulated yet."
_TINTS = dict(zip(COLOURS, (RED, YELLOW, GREEN, BLUE, PURPLE), strict=True))
_TINTS["?"] = Tint("hidden", "?", "■", "#b9aea0", "#2b2622")
_CARD = 1.0
"""From one card of a row to the next."""


def scene(table: Table) -> Scene:
    """Two pyramids side by side with up to four seats, three with more."""
    seats = range(table.game.seats)
    across = 2 if table.game.seats <= 4 else 3
    places = [(seat % across * (table.width + 1.6), seat // across * (table.width + 2.9)) for seat in seats]
    cells: list[Cell] = []
    pieces: list[Piece] = []
    labels: list[Label] = []
    for seat, (x, y) in zip(seats, places, strict=True):
        _add_pyramid(table, seat, x, y, cells, pieces)
        _add_open_cards(table, seat, x, y + table.width + 0.7, cells, pieces)
        labels.append(Label(x + (table.width - 1) / 2, y - 0.9, table.game.seat_name(seat)))
        labels += [Label(x - 0.8, y + table.width - 1 - row, "abcde"[row]) for row in range(table.width)]
    bottom = places[-1][1] + table.width + 2.1
    _add_piles(table, bottom, cells, pieces, labels)
    for seat in seats:
        if table.hand(seat):
            bottom += 1.4
            _add_hand(table, seat, bottom, cells, pieces, labels)
    if table.game.options["removal"] == "flick":
        labels.append(Label((places[across - 1][0] + table.width - 1) / 2, bottom + 1.0, WITH_CARE))
    return Scene(
        title=table.game.title,
        status=_status(table),
        cells=tuple(cells),
        pieces=tuple(pieces),
        players=tuple(_player(table, seat) for seat in seats),
        outlines=tuple(_shelf(x, y, table.width) for x, y in places),
        labels=tuple(labels),
        controls=tuple(_controls(table)),
    )


# What lies on the table.


def _add_pyramid(table: Table, seat: Seat, x: float, y: float, cells: list[Cell], pieces: list[Piece]) -> None:
    colours = table.colours(seat)
    for i, slot in enumerate(SLOTS):
        if not WHOLE[table.width] >> i & 1:
            continue
        row, col = "abcde".index(slot[0]), int(slot[1]) - 1
        spot = f"{letter(seat)}:{slot}"
        colour = colours.get(slot)
        what = "empty" if colour is None else "hidden" if colour == "?" else colour_name(colour)
        name = f"bucket {slot} of {table.game.seat_name(seat)}, {what}"
        cells.append(Cell(spot, x + col + row / 2, y + table.width - 1 - row, name, shape="slot"))
        if colour:
            pieces.append(Piece(spot, "bucket", _TINTS[colour]))


def _add_open_cards(table: Table, seat: Seat, x: float, y: float, cells: list[Cell], pieces: list[Piece]) -> None:
    cards = table.open_cards(seat)
    step = min(_CARD, table.width / max(1, len(cards)))
    for i, card in enumerate(cards):
        spot = f"{letter(seat)}:open:{i + 1}"
        name = f"{colour_name(card)} {card[1]}, open before {table.game.seat_name(seat)}"
        cells.append(Cell(spot, x + i * step, y, name, shape="card"))
        pieces.append(Piece(spot, "card", _TINTS[card[0]], card[1]))


def _add_piles(table: Table, y: float, cells: list[Cell], pieces: list[Piece], labels: list[Label]) -> None:
    cells.append(Cell("pile", 0.0, y, f"draw pile, {table.pile} cards", shape="card"))
    if table.pile:
        pieces.append(Piece("pile", "back", text=str(table.pile)))
    labels.append(Label(2.4, y, f"draw pile, and {len(table.discards)} discarded"))


def _add_hand(table: Table, seat: Seat, y: float, cells: list[Cell], pieces: list[Piece], labels: list[Label]) -> None:
    cards = table.hand(seat)
    for i, (card, spot) in enumerate(zip(cards, hand_spots(seat, cards), strict=True)):
        name = f"{colour_name(card)} {card[1]}, in the hand of {table.game.seat_name(seat)}"
        cells.append(Cell(spot, i * _CARD, y, name, shape="card"))
        pieces.append(Piece(spot, "card", _TINTS[card[0]], card[1]))
    labels.append(Label(len(cards) * _CARD + 0.6, y, f"hand of {letter(seat)}"))


def _shelf(x: float, y: float, width: int) -> tuple[tuple[float, float], ...]:
    left, right, top = x - 0.5, x + width - 0.5, y + width - 0.36
    return (left, top), (right, top), (right, top + 0.06), (left, top + 0.06)


# What is said and offered.


def _player(table: Table, seat: Seat) -> Player:
    counts: dict[str, int | str] = {"buckets": table.buckets(seat), "cards": table.held(seat)}
    if table.open_value(seat):
        counts["open"] = table.open_value(seat)
    if table.game.options["games"] != 1:
        counts["match"] = table.total(seat)
    outcome = table.outcome()
    note = ""
    if outcome:
        note = "has won" if outcome.winners == (seat,) else "shares the victory" if seat in outcome.winners else ""
    elif not table.buckets(seat) and table.phase > table.game.kernel_module.LOT:
        note = "is out"
    return Player(seat, table.game.seat_name(seat), table.game.tint(seat), seat in table.to_act, counts, note)


def _status(table: Table) -> str:
    k, name = table.game.kernel_module, table.game.seat_name
    outcome = table.outcome()
    if outcome:
        names = " and ".join(name(seat) for seat in outcome.winners)
        return f"{names} {'share the victory' if outcome.is_draw else 'wins'}. {outcome.sentence}"
    actor, due = name(table.served), f"{table.due} card{'s' * (table.due > 1)}"
    if table.phase == k.BUILDING:
        return f"Still building: {', '.join(name(seat) for seat in table.to_act)}."
    if table.phase == k.PLAYING:
        return _asked(table, table.to_act[0])
    return {
        k.DEALING: f"{actor} is dealt {due}.",
        k.REVEALING: "All have built: the pyramids are shown.",
        k.LOT: "The lot decides who starts.",
        k.OFFERED: f"{actor} may draw {due}.",
        k.DRAWING: f"{actor} draws {due}.",
        k.SETTLING: f"{actor}'s bucket is taken out with care; what it carried falls.",
        k.KEEPING: f"{actor}'s pyramid is broken: which part stays?",
        k.PUTTING_AWAY: f"{actor} is out and puts the hand away.",
    }[table.phase]


def _asked(table: Table, seat: Seat) -> str:
    name = table.game.seat_name(seat)
    if not table.asked:
        way = " and chooses the direction" if table.game.seats > 2 else ""
        return f"{name} starts the round with one to three cards of a colour{way}."
    colour = colour_name(table.asked)
    own = f", {table.open_value(seat)} lying open counted" if table.open_value(seat) else ""
    bucket = f"a {colour} bucket" if table.asked in table.colours(seat).values() else "any bucket"
    return f"{name} needs more than {table.to_beat} in {colour}{own}, or taps {bucket}."


def _controls(table: Table) -> Iterator[Control]:
    k = table.game.kernel_module
    if table.is_over:
        return
    if table.phase == k.BUILDING:
        for colour, word in zip(COLOURS, COLOUR_NAMES, strict=True):
            yield Control(f"colour:{colour}", word.capitalize())
    elif table.phase == k.PLAYING and not table.asked and table.game.seats > 2:
        yield Control("clockwise", "Play, clockwise")
        yield Control("anticlockwise", "Play, anticlockwise")
    elif table.phase == k.PLAYING:
        yield Control("confirm", "Play")
    elif table.phase == k.OFFERED:
        yield Control("forget", "Go on without drawing")
    elif table.phase == k.KEEPING:
        for part in PARTS[len(table._codes())]:
            yield Control(f"keep-{part}", f"Keep the {part} part")
    elif table.phase == k.LOT and table.to_act == (CHANCE,):
        for seat in range(table.game.seats):
            yield Control(f"lot-{letter(seat)}", f"{table.game.seat_name(seat)} starts")
