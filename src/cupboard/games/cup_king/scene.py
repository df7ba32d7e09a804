"""Cup King as a screen draws it: everybody's pyramid with the cards before it, and below them the hands one may see."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from msgspec.structs import replace

from cupboard.core.game import CHANCE, Game, Seat, letter
from cupboard.core.row import OVER, TURN
from cupboard.core.scene import (
    BLUE,
    GREEN,
    PURPLE,
    RED,
    YELLOW,
    Cell,
    Control,
    Label,
    Outline,
    Part,
    Piece,
    PlayerPanel,
    Scene,
    Solid,
)
from cupboard.core.words import Value, Words, also, listed, phrase, sentences
from cupboard.games.cup_king import layout as k
from cupboard.games.cup_king.flick import CLASSES
from cupboard.games.cup_king.moment import Moment, buckets_of, cards_of
from cupboard.games.cup_king.moves import COLOURS, PARTS, SLOT_INDEX, SLOTS, colour_name, hand_spots
from cupboard.games.cup_king.poses import END, HEIGHT, PLACED, RIM, SPACING, Pose
from cupboard.games.cup_king.rules import HIDDEN, player_name

_TINTS = dict(zip(COLOURS, (RED, YELLOW, GREEN, BLUE, PURPLE), strict=True))
_TINTS["?"] = HIDDEN
SOLID = Solid(SPACING, round(HEIGHT), round(RIM), round(END))
"""How buckets stand in space."""
_CARD = 1.0
"""From one card of a row to the next."""


def scene(table: Moment) -> Scene:
    """What all may see, and below it the hands one may see."""
    seats, row = table.game.seats, table._row.tolist()
    parts: list[Part] = []
    for seat in range(seats):
        poses = row[k.POSE + 2 * k.SLOTS * seat : k.POSE + 2 * k.SLOTS * (seat + 1)]
        parts.append(_pyramid(seats, seat, row[k.PYRAMID + seat], *poses if any(poses) else ()))
        parts.append(_open_cards(seats, seat, *row[k.OPEN + 5 * seat : k.OPEN + 5 * seat + 5]))
    parts.append(_piles(seats, row[k.LEFT], *row[k.DISCARD : k.DISCARD + 5]))
    below, advice = len(parts), None
    for seat in range(seats):
        if any(cards := row[k.HAND + 5 * seat : k.HAND + 5 * seat + 5]):
            parts.append(_hand(seats, seat, len(parts) - below, *cards))
    if row[k.PHASE] == k.PLAYING:
        status, advice, players, controls = _playing(table, row)
    else:
        status, players, controls = _status(table), _players(table, row), _controls(table)
    return Scene(
        table.game.title,
        status,
        tuple(parts),
        players,
        controls,
        tints=table.game.palette,
        solid=SOLID,
        direction=row[k.DIRECTION] if row[k.SUIT] >= 0 and seats > 2 else 0,
        advice=advice,
    )


# What lies on the table. Equal things lie in the same places again and again: each is drawn once, and a part that has
# not changed from one scene to the next is known by its identity.


def _across(seats: int) -> int:
    """How many pyramids stand side by side."""
    return 2 if seats <= 4 else 3


@cache
def _places(seats: int) -> tuple[tuple[float, float], ...]:
    """Where the seats' pyramids stand."""
    across, width = _across(seats), k.width_of(seats)
    return tuple((seat % across * (width + 1.6), seat // across * (width + 2.9)) for seat in range(seats))


@cache
def _bottom(seats: int) -> tuple[float, float]:
    """The middle of the table, and where the piles lie; the hands are below."""
    places, width = _places(seats), k.width_of(seats)
    return (places[_across(seats) - 1][0] + width - 1) / 2, places[-1][1] + width + 2.1


@cache
def _labels(seats: int, seat: Seat) -> tuple[Label, ...]:
    """The player's name above a pyramid and the letters of the rows beside it."""
    width, (x, y) = k.width_of(seats), _places(seats)[seat]
    name = Label(x + (width - 1) / 2, y - 0.9, player_name(seat), "name")
    return (name, *(Label(x - 0.8, y + width - 1 - row, "abcde"[row]) for row in range(width)))


@cache
def _shelf(seats: int, seat: Seat) -> tuple[Outline, ...]:
    """What a pyramid stands on."""
    width, (x, y) = k.width_of(seats), _places(seats)[seat]
    left, right, top = x - 0.5, x + width - 0.5, y + width - 0.36
    return (((left, top), (right, top), (right, top + 0.06), (left, top + 0.06)),)


@lru_cache(1 << 12)
def _pyramid(seats: int, seat: Seat, planes: int, *poses: int) -> Part:
    """A seat's slots, the buckets in them and how these are shifted, as the kernel keeps them."""
    known, width, (x, y) = dict(buckets_of(planes)), k.width_of(seats), _places(seats)[seat]
    slots = [slot for i, slot in enumerate(SLOTS) if k.whole_of(seats) >> i & 1]
    drawn = []
    for slot in slots:
        at = 2 * SLOT_INDEX[slot]
        pose = Pose.unpacked(*poses[at : at + 2]) if poses else PLACED
        drawn.append(_bucket(seat, slot, known.get(slot), x, y + width - 1, pose))
    return Part(
        f"{letter(seat)}:place",
        tuple([cell for cell, _ in drawn]),
        tuple([piece for _, piece in drawn if piece]),
        _labels(seats, seat),
        _shelf(seats, seat),
        owner=seat,
        role="place",
        tells=True,
    )


@lru_cache(1 << 12)
def _open_cards(seats: int, seat: Seat, *suits: int) -> Part:
    """The cards in front of a pyramid, closer together when they are many."""
    cards, width, (x, y) = cards_of(*suits), k.width_of(seats), _places(seats)[seat]
    step = min(_CARD, width / max(1, len(cards)))
    cells, pieces = [], []
    for i, card in enumerate(cards):
        cell, piece = _card(
            "cup-king.openCard", seat, f"{letter(seat)}:open:{i + 1}", card, x + i * step, y + width + 0.7
        )
        cells.append(cell)
        pieces.append(piece)
    return Part(f"{letter(seat)}:open", tuple(cells), tuple(pieces), owner=seat, role="open", tells=True)


@lru_cache(1 << 12)
def _hand(seats: int, seat: Seat, line: int, *suits: int) -> Part:
    """A hand that may be seen."""
    cards, y = cards_of(*suits), _bottom(seats)[1] + 1.4 * (line + 1)
    label = Label(len(cards) * _CARD + 0.6, y, phrase("cup-king.hand", letter=letter(seat)), "name")
    cells, pieces = [], []
    first: dict[str, str] = {}
    for i, (spot, card) in enumerate(zip(hand_spots(seat, cards), cards, strict=True)):
        like = first.setdefault(card, spot)
        cell, piece = _card("cup-king.handCard", seat, spot, card, i * _CARD, y, "" if like == spot else like)
        cells.append(cell)
        pieces.append(piece)
    return Part(
        f"{letter(seat)}:hand",
        tuple(cells),
        tuple(pieces),
        (label,),
        owner=seat,
        role="hand",
        taking="any-order",
        tells=True,
    )


@lru_cache(1 << 12)
def _piles(seats: int, left: int, *discarded: int) -> Part:
    """The draw pile, and how many cards were discarded."""
    y = _bottom(seats)[1]
    cell = Cell("pile", 0.0, y, phrase("cup-king.pile", count=left), shape="card")
    label = Label(1.6, y, phrase("cup-king.discarded", count=len(cards_of(*discarded))), "count")
    back = (Piece("pile", "back", text=str(left)),) if left else ()
    return Part("supply", (cell,), back, (label,), role="supply", tells=True)


@lru_cache(1 << 13)
def _bucket(
    seat: Seat, slot: str, colour: str | None, left: float, base: float, pose: Pose
) -> tuple[Cell, Piece | None]:
    row, col = "abcde".index(slot[0]), int(slot[1]) - 1
    spot, who = f"{letter(seat)}:{slot}", player_name(seat)
    place = left + col + row / 2, base - row
    if colour is None:
        return Cell(
            spot, *place, phrase("cup-king.bucketGone", slot=slot, who=who), shape="slot", coordinate=slot
        ), None
    tint = _TINTS[colour]
    name = phrase("cup-king.bucket", slot=slot, who=who, colour=tint.words)
    shifted = tuple(pose) if any(pose) else ()
    return Cell(spot, *place, name, shape="slot", coordinate=slot), Piece(spot, "bucket", tint.name, pose=shifted)


@lru_cache(1 << 13)
def _card(key: str, seat: Seat, spot: str, card: str, x: float, y: float, like: str = "") -> tuple[Cell, Piece]:
    """A card that lies somewhere; `key` is what its place is called."""
    tint = _TINTS[card[0]]
    name = phrase(key, colour=tint.words, value=card[1], who=player_name(seat))
    return Cell(spot, x, y, name, shape="card", like=like), Piece(spot, "card", tint.name, card[1])


# What is said and offered. Few different things are, so each is made once.


def _playing(table: Moment, row: list[int]) -> tuple[Words, Words | None, tuple[PlayerPanel, ...], tuple[Control, ...]]:
    """While a round is played, which is most of the time."""
    seats, turn = table.game.seats, row[TURN]
    if turn == OVER:
        return _status(table), None, _players(table, row), ()
    asked = row[k.SUIT]
    # A bucket of the asked colour, or any when there is none (CK-12); one's open cards count (CK-9).
    has_bucket = asked >= 0 and COLOURS[asked] in _colours(row[k.PYRAMID + turn])
    status = _asked(seats, turn, COLOURS[asked] if asked >= 0 else "", row[k.TO_BEAT], has_bucket, row[k.SUM + turn])
    # What lies open already counts too, and the status has more to say of that than there is room for here.
    advice = None if row[k.SUM + turn] else _advice(seats, asked, row[k.TO_BEAT], has_bucket)
    controls: tuple[Control, ...] = _PLAY if asked >= 0 or seats == 2 else _BEGIN
    if not table.is_careful(turn):
        controls += _FLICK
    return status, advice, _players(table, row), controls


def _players(table: Moment, row: list[int]) -> tuple[PlayerPanel, ...]:
    game, acting, outcome = table.game, table.to_act, table.outcome()
    adds_up = game.options["games"] != 1
    players = []
    for seat in range(game.seats):
        buckets, note = len(buckets_of(row[k.PYRAMID + seat])), ""
        is_built = buckets > 0 or row[k.PHASE] >= k.LOT
        if outcome and seat in outcome.winners:
            note = "shares" if outcome.is_draw else "won"
        elif not outcome and not buckets and row[k.PHASE] > k.LOT:
            note = "out"
        match = row[k.TOTAL + seat] if adds_up else -1
        held, shown = row[k.HELD + seat], row[k.SUM + seat]
        player = _player(game, seat, seat in acting, buckets if is_built else None, held, shown, match, note)
        if seat in acting and row[k.PHASE] == k.PLAYING:
            # One's open cards count (CK-10); the start player need not beat anything (CK-8).
            beats = row[k.TO_BEAT] if row[k.SUIT] >= 0 else None
            player = replace(player, attacks=_victim(row, game.seats, seat), adds=shown, beats=beats)
        players.append(player)
    return tuple(players)


def _victim(row: list[int], seats: int, seat: Seat) -> Seat | None:
    """The seat that a player attacks with cards: the next one that has buckets, once the direction is known (CK-9)."""
    if row[k.SUIT] < 0 and seats > 2:
        return None
    others = ((seat + n * row[k.DIRECTION]) % seats for n in range(1, seats))
    return next((other for other in others if row[k.PYRAMID + other]), None)


@lru_cache(1 << 12)
def _player(
    game: Game[Any],
    seat: Seat,
    acts: bool,
    buckets: int | None,
    held: int,
    open_value: int,
    match: int,
    note: str,
) -> PlayerPanel:
    counts: dict[str, int | str] = {} if buckets is None else {"cup-king.buckets": buckets}
    counts["cup-king.cards"] = held
    if open_value:
        counts["cup-king.open"] = open_value
    if match >= 0:
        counts["cup-king.match"] = match
    return PlayerPanel(seat, game.seat_name(seat), game.tint(seat).name, acts, counts, _NOTES.get(note))


_NOTES = {"shares": phrase("cup-king.shares"), "won": phrase("cup-king.won"), "out": phrase("cup-king.out")}


def _status(table: Moment) -> Words:
    name, outcome = table.game.seat_name, table.outcome()
    if outcome:
        who = also(*map(name, outcome.winners))
        return sentences(phrase("cup-king.wins", who=who, count=len(outcome.winners)), outcome.sentence)
    phase = table.phase
    if phase == k.BUILDING:
        return phrase("cup-king.building", who=listed(*map(name, table.to_act)))
    if phase in (k.REVEALING, k.LOT):
        return phrase("cup-king.reveals" if phase == k.REVEALING else "cup-king.lot")
    actor = name(table.served)
    if phase in (k.DEALING, k.OFFERED, k.DRAWING):
        keys = {k.DEALING: "cup-king.dealt", k.OFFERED: "cup-king.mayDraw", k.DRAWING: "cup-king.draws"}
        return phrase(keys[phase], who=actor, count=table.due)
    if phase == k.SETTLING and table.shot is not None:
        return phrase("cup-king.settling", who=actor, slot=table.shot.bucket)
    keys = {k.KEEPING: "cup-king.broken", k.PUTTING_AWAY: "cup-king.puttingAway"}
    return phrase(keys[phase], who=actor)


@lru_cache(1 << 12)
def _colours(planes: int) -> frozenset[str]:
    """Those of the buckets of a pyramid."""
    return frozenset(colour for _, colour in buckets_of(planes))


@lru_cache(1 << 12)
def _asked(seats: int, seat: Seat, colour: str, more: int, has_bucket: bool, own: int) -> Words:
    who = player_name(seat)
    if not colour:
        return phrase("cup-king.startsRound" if seats > 2 else "cup-king.startsRoundOfTwo", who=who)
    said: dict[str, Value] = {"who": who, "more": more, "colour": colour_name(colour)}
    if own:
        return phrase("cup-king.needsMore" if has_bucket else "cup-king.needsMoreOrAny", own=own, **said)
    return phrase("cup-king.needs" if has_bucket else "cup-king.needsOrAny", **said)


@lru_cache(1 << 12)
def _advice(seats: int, asked: int, more: int, has_bucket: bool) -> Words:
    """What to do about the asked colour, given as its number, for somebody who has never played."""
    if asked < 0:
        return phrase("cup-king.advice.start" if seats > 2 else "cup-king.advice.startOfTwo")
    key = "cup-king.advice.needs" if has_bucket else "cup-king.advice.needsOrAny"
    return phrase(key, colour=colour_name(COLOURS[asked]), more=more)


def _controls(table: Moment) -> tuple[Control, ...]:
    phase, name = table.phase, table.game.seat_name
    if table.is_over:
        return ()
    if phase == k.BUILDING:
        return _BUCKETS
    if phase == k.OFFERED:
        return _GO_ON
    if phase == k.KEEPING:
        return tuple([Control(f"keep-{part}", phrase(f"cup-king.keep.{part}")) for part in PARTS[len(table._codes())]])
    if phase == k.LOT and table.to_act == (CHANCE,):
        starts = [(letter(seat), phrase("cup-king.starts", who=name(seat))) for seat in range(table.game.seats)]
        return tuple([Control(f"lot-{who}", words) for who, words in starts])
    return ()


_BUCKETS = tuple([Control(f"colour:{colour}", phrase(f"seat.{_TINTS[colour].name}")) for colour in COLOURS])
_PLAY = (Control("confirm", phrase("cup-king.play")),)
_BEGIN = (
    Control("clockwise", phrase("cup-king.playClockwise")),
    Control("anticlockwise", phrase("cup-king.playAnticlockwise")),
)
_FLICK = tuple([Control(kind, phrase(f"cup-king.flick.{kind}")) for kind in CLASSES])
_GO_ON = (Control("forget", phrase("cup-king.goOn")),)
