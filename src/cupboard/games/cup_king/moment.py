"""What can be asked of a moment of Cup King, and how its moves become kernel codes and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from cupboard.core.errors import IllegalMove
from cupboard.core.game import CHANCE, Move, Seat, Spot, State, letter
from cupboard.core.move import Lot
from cupboard.core.row import OVER, TURN
from cupboard.core.scene import Scene
from cupboard.core.words import Words, also, listed, phrase, sentences
from cupboard.games.cup_king import layout as k
from cupboard.games.cup_king.aim_notation import USUAL
from cupboard.games.cup_king.flick import STRENGTHS, Aim
from cupboard.games.cup_king.long_lists import Builds, Deals, rows_of
from cupboard.games.cup_king.moves import (
    CARD_INDEX,
    CARDS,
    COLOURS,
    HOWS,
    PARTS,
    SLOT_INDEX,
    SLOTS,
    CupMove,
    Deal,
    Discard,
    Flick,
    Keep,
    Play,
    Refill,
    Reveal,
    SeatMove,
    Settle,
    Shoot,
    read_move,
)
from cupboard.games.cup_king.poses import Pose

_DIRECTIONS = {"clockwise": ">", "anticlockwise": "<", "confirm": ""}
REASONS = ("", "last-bucket", "second-out", "three-left", "match-end")


class Moment(State[CupMove]):
    """What can be asked of a position and of a view; a view answers with nothing where it may not know."""

    __slots__ = ()

    # The table.

    @property
    def width(self) -> int:
        """How many buckets the base of a pyramid has."""
        return k.width_of(self.game.seats)

    def colours(self, seat: Seat) -> dict[str, str]:
        """A seat's buckets: {"a1": "R", …} from the base up; "?" for a colour one may not see."""
        return dict(self.slots(seat))

    def slots(self, seat: Seat) -> tuple[tuple[str, str], ...]:
        """A seat's buckets as pairs of slot and colour, from the base up."""
        return buckets_of(self._row.item(k.PYRAMID + seat))

    def standing(self, seat: Seat) -> int:
        """A seat's buckets as the kernel's mask of slots."""
        return k.standing(self._row.item(k.PYRAMID + seat))

    def buckets(self, seat: Seat) -> int:
        """How many buckets a seat has."""
        return self.standing(seat).bit_count()

    def pose(self, seat: Seat, slot: int) -> Pose:
        """How the bucket in one of the kernel's slots stands: in its place, or shifted by a flick (CK-14 B)."""
        at = k.POSE + 2 * k.SLOTS * seat + 2 * slot
        return Pose.unpacked(self._row.item(at), self._row.item(at + 1))

    def is_careful(self, seat: Seat) -> bool:
        """Whether a seat takes buckets out with two fingers (CK-V3, KA-27)."""
        return k.is_careful(self._row.item(k.RULES), seat)

    @property
    def shot(self) -> Flick | None:
        """The flick that has not come to rest yet."""
        code = self._row.item(k.SHOT)
        return _flick_of(code, self.served) if code else None

    @property
    def breaks(self) -> tuple[str, ...]:
        """While a part is to be kept: the buckets of the base beside which another would fit."""
        return tuple(slot for i, slot in enumerate(SLOTS[:4]) if self._row.item(k.BREAKS) >> i & 1)

    def hand(self, seat: Seat) -> tuple[str, ...]:
        """A seat's cards in order; nothing where one may not see them."""
        return self._bunch(k.HAND + 5 * seat)

    def held(self, seat: Seat) -> int:
        """How many cards a seat holds: everybody sees that."""
        return self._row.item(k.HELD + seat)

    def open_cards(self, seat: Seat) -> tuple[str, ...]:
        """The cards lying open in front of a seat."""
        return self._bunch(k.OPEN + 5 * seat)

    def open_value(self, seat: Seat) -> int:
        """The sum of the values of the cards lying open in front of a seat."""
        return self._row.item(k.SUM + seat)

    @property
    def discards(self) -> tuple[str, ...]:
        """The discard pile, which everybody may look through."""
        return self._bunch(k.DISCARD)

    @property
    def pile(self) -> int:
        """How many cards the draw pile has."""
        return self._row.item(k.LEFT)

    @property
    def asked(self) -> str:
        """The colour of the round, or "" before its first cards."""
        suit = self._row.item(k.SUIT)
        return COLOURS[suit] if suit >= 0 else ""

    @property
    def to_beat(self) -> int:
        """The total of the player before, to be exceeded (KA-4)."""
        return self._row.item(k.TO_BEAT)

    @property
    def clockwise(self) -> bool:
        """Whether the round goes clockwise."""
        return self._row.item(k.DIRECTION) == 1

    @property
    def game_number(self) -> int:
        """Which game of the match this is, from 1."""
        return self._row.item(k.GAME)

    def total(self, seat: Seat) -> int:
        """The buckets a seat kept in the finished games of the match (CK-V1)."""
        return self._row.item(k.TOTAL + seat)

    @property
    def phase(self) -> int:
        """What is going on, as the kernel numbers it."""
        return self._row.item(k.PHASE)

    @property
    def served(self) -> Seat:
        """The seat that nature deals to or settles when it acts, else the seat that acted last."""
        return self._row.item(k.ACTOR)

    @property
    def due(self) -> int:
        """How many cards the seat that is served is still to get."""
        return self._row.item(k.DRAWS)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats to act now; while pyramids are built, all that have not built (KA-1)."""
        if self._row.item(k.PHASE) != k.BUILDING:
            turn = self._row.item(TURN)
            return () if turn == OVER else (turn,)
        whole = k.whole_of(self.game.seats)
        return tuple(seat for seat in range(self.game.seats) if self.standing(seat) != whole)

    def scene(self) -> Scene:
        """The pyramids, the open cards and the hands one may see."""
        from cupboard.games.cup_king.scene import scene

        return scene(self)

    def __str__(self) -> str:
        from cupboard.games.cup_king.writing import write

        return write(self)

    def _bunch(self, place: int) -> tuple[str, ...]:
        return cards_of(*self._row[place : place + 5].tolist())

    # Moves.

    def _read_move(self, text: str, seat: Seat | None) -> CupMove:
        """The move a text describes. Its seat is the one that is asked, so nobody need write it."""
        acting = self.to_act
        mover = seat if seat is not None else acting[0] if acting else CHANCE
        move = _read(text, mover, self.game.seats == 2 and not self.asked)
        if isinstance(move, Shoot) and 0 <= move.seat < self.game.seats and not self.is_careful(move.seat):
            return Flick(move.seat, move.bucket)
        return move

    def _pointed_at(self, spots: Sequence[Spot], seat: Seat | None) -> str:
        """Cards of the hand in any order, perhaps with a direction; a bucket, perhaps with a class; the pile; or a
        control. Else nothing."""
        who = letter(self.to_act[0] if seat is None else seat)
        *first, last = spots
        if last in STRENGTHS and len(first) == 1:
            spots, kind = first, f":{last}"
            *first, last = spots
        else:
            kind = ""
        if last == "pile" and not first:
            return "draw"
        if last[1:2] == ":" and last[2:] in SLOT_INDEX and not first:
            if last[0] != who:
                raise IllegalMove(phrase("cup-king.no.own"))
            return f"-{last[2:]}{kind}"
        cards = [spot.removeprefix(f"{who}:").rstrip("'") for spot in spots if spot not in _DIRECTIONS]
        if not cards or not all(card in CARD_INDEX for card in cards):
            return "" if first or ":" in last else last
        cards.sort(key=lambda card: card[0] != self.asked)
        return _DIRECTIONS.get(last, "") + "+".join(cards)

    def _is_by(self, move: CupMove, seat: Seat | None) -> bool:
        return seat in (None, getattr(move, "mover", None))

    def _moves_of(self, seat: Seat) -> Sequence[CupMove]:
        if not self._takes_many_codes:
            return super()._moves_of(seat)
        if self.phase == k.BUILDING:
            return Builds(seat, self.width)
        pile, discards = self._row[k.PILE : k.PILE + 5], self._row[k.DISCARD : k.DISCARD + 5]
        return Deals(self.served, self.due, pile.tolist(), discards.tolist())

    @property
    def _takes_many_codes(self) -> bool:
        """Whether a pyramid or several cards are next, which are one move here and several for the kernel."""
        item = self._row.item
        return item(k.PHASE) == k.BUILDING or (item(k.DRAWS) > 1 and item(TURN) == CHANCE)

    def _is_legal(self, move: CupMove) -> bool:
        if self._takes_many_codes:
            return move.mover in self.to_act and move in self._moves_of(move.mover)
        return self._is_listed(self._encode(move))

    def _is_listed(self, code: int) -> bool:
        """Whether a code is among the legal ones. Of flicks only the usual ones are listed; every other aim will do."""
        return (code & (1 << k.AIM_AT) - 1 if code >= k.FLICKS else code) in self._codes()

    def _decode(self, code: int) -> CupMove:
        phase, seat = self.phase, self._row.item(TURN)
        if phase == k.PLAYING:
            return _decode_play(code, seat, self.game.seats > 2 and not self.asked)
        if phase == k.DRAWING:
            return _deal_one(self.served, code)
        if phase == k.OFFERED:
            return Refill(seat, code == 1)
        if phase == k.KEEPING:
            return Keep(seat, PARTS[len(self._codes())][code])
        if phase == k.SETTLING:
            return self._settled(code)
        if phase == k.LOT:
            return Lot(code)
        if phase == k.REVEALING:
            seats = range(self.game.seats)
            return Reveal(tuple(rows_of("".join(self.colours(s).values()), self.width) for s in seats))
        return Discard(self.served, self.hand(self.served))

    def _decode_all(self, codes: Iterable[int]) -> Iterator[CupMove]:
        if self.phase != k.PLAYING:
            return super()._decode_all(codes)
        seat, chooses_direction = self._row.item(TURN), self.game.seats > 2 and not self.asked
        return (_decode_play(code, seat, chooses_direction) for code in codes)

    def _encode(self, move: Move) -> int:
        phase = self.phase
        if self._row.item(TURN) != getattr(move, "mover", None):
            return -1
        try:
            # The moves are abstract base classes' children, for which isinstance is slow.
            if phase == k.PLAYING and type(move) is Play:
                return self._encode_play(move)
            if phase == k.PLAYING and type(move) is Shoot:
                return SLOT_INDEX[move.bucket]
            if phase == k.PLAYING and type(move) is Flick:
                return encode_flick(move)
            if phase == k.DRAWING and type(move) is Deal and move.seat == self.served and len(move.cards) == 1:
                return CARD_INDEX[move.cards[0]]
            if phase == k.OFFERED and type(move) is Refill:
                return int(move.draws)
            if phase == k.KEEPING and type(move) is Keep:
                parts = PARTS[len(self._codes())]
                return parts.index(move.part) if move.part in parts else -1
            if phase == k.SETTLING and isinstance(move, Settle) and move.seat == self.served:
                return self._encode_settle(move)
            if phase == k.LOT and isinstance(move, Lot):
                return move.starter
            if phase in (k.REVEALING, k.PUTTING_AWAY) and move == self._decode(0):
                return 0
        except (KeyError, IndexError, TypeError, ValueError, AttributeError):  # cards, buckets or numbers there are not
            return -1
        return -1

    def _settled(self, code: int, how: str = "") -> Settle:
        """Nature's move that a code means: what is lost counts as fallen."""
        kept = tuple(slot for i, slot in enumerate(SLOTS) if code >> i & 1)
        breaks = tuple(slot for i, slot in enumerate(SLOTS[:4]) if code >> k.BREAKS_AT + i & 1)
        stood = self.standing(self.served)
        lost = tuple(slot for i, slot in enumerate(SLOTS) if stood >> i & 1 and not code >> i & 1)
        return Settle(self.served, kept, breaks=breaks, fallen=lost, how=how)

    def _encode_settle(self, move: Settle) -> int:
        """The code of a Settle; -1 if its judgement or its poses do not fit what it keeps."""
        kept = {slot: 1 << SLOT_INDEX[slot] for slot in move.kept}
        posed = [slot for slot, _ in move.poses]
        if any(list(slots) != sorted(set(slots)) for slots in (move.kept, posed, move.breaks)):
            return -1  # so that a move has one spelling
        if any(list(slots) != sorted(slots) for slots in (move.fallen, move.misplaced, move.apart)):
            return -1
        lost = [*move.fallen, *move.misplaced, *move.apart]
        stood = {slot for i, slot in enumerate(SLOTS) if self.standing(self.served) >> i & 1}
        if lost and (len(lost) != len(set(lost)) or set(lost) != stood - kept.keys()):
            return -1
        if not all(slot in kept and type(pose) is Pose and pose.is_possible for slot, pose in move.poses):
            return -1
        if not set(move.breaks) <= kept.keys() & set(SLOTS[:4]) or move.how not in HOWS:
            return -1
        breaks = sum(1 << k.BREAKS_AT + SLOT_INDEX[slot] for slot in move.breaks)
        return sum(kept.values()) | breaks

    def _encode_play(self, move: Play) -> int:
        """The code of a play; -1 if its cards are in another order than notation has, or its direction does not fit."""
        if bool(move.direction) != (self.game.seats > 2 and not self.asked):
            return -1
        suit = CARD_INDEX[move.cards[0]] // 8
        values, extras = 0, []
        for card in move.cards:
            if CARD_INDEX[card] // 8 != suit:
                extras.append(CARD_INDEX[card] + 1)
            elif extras:
                return -1
            else:
                values = values << 4 | int(card[1])
        if values >= 1 << 12 or len(extras) > 2:
            return -1
        code = values | (suit + 1) << 12 | (move.direction == "<") << 15
        for i, extra in enumerate(extras):
            code |= extra << 16 + 6 * i
        return code

    def _why_not(self, move: CupMove) -> Words:
        from cupboard.games.cup_king.refusal import why_not

        return why_not(self, move)

    def _explain(self, reason: int, winners: tuple[Seat, ...]) -> tuple[str, Words]:
        why, who = REASONS[reason], also(*map(self.game.seat_name, winners))
        ended = phrase("cup-king.matchEnd", count=int(self.game.options["games"]))
        if why != "match-end":
            out = [seat for seat in range(self.game.seats) if not self._row[k.PYRAMID + seat]]
            ended = phrase(f"cup-king.end.{why}", who=listed(*map(self.game.seat_name, out)))
        most = phrase("cup-king.most", who=who, count=len(winners), kept=self.total(winners[0]))
        return why, sentences(ended, most)


# Few different values come up, again and again, and none ever changes: so they are cached.


@lru_cache(1 << 11)
def buckets_of(planes: int) -> tuple[tuple[str, str], ...]:
    """The buckets of a pyramid, given as the kernel's planes, as pairs of slot and colour."""
    numbers = ((planes >> i & 1) | (planes >> 15 + i & 1) << 1 | (planes >> 30 + i & 1) << 2 for i in range(15))
    return tuple((slot, "?RYGBP ?"[number]) for slot, number in zip(SLOTS, numbers, strict=True) if number)


@lru_cache(1 << 12)
def cards_of(*suits: int) -> tuple[str, ...]:
    """The cards, in order, that the kernel keeps as one word for each colour, with two bits to count each value."""
    cards: list[str] = []
    for suit, counters in enumerate(suits):
        index = 8 * suit
        while counters:
            cards += [CARDS[index]] * (counters & 3)
            counters >>= 2
            index += 1
    return tuple(cards)


@lru_cache(1 << 12)
def _read(text: str, mover: Seat, without_direction: bool) -> CupMove:
    """The move of a seat that a text describes."""
    move = read_move(text)
    if isinstance(move, SeatMove) and move.seat == CHANCE:
        move = replace(move, seat=mover)
    if isinstance(move, Play) and without_direction:
        move = replace(move, direction="")  # KA-17
    return move


@lru_cache(1 << 14)
def _decode_play(code: int, seat: Seat, chooses_direction: bool) -> Play | Shoot | Flick:
    """The move that a code means while a round is played."""
    if code < len(SLOTS):
        return Shoot(seat, SLOTS[code])
    if code >= k.FLICKS:
        return _flick_of(code, seat)
    first = 8 * ((code >> 12 & 7) - 1) - 1  # so that value v is the card first + v
    cards = [CARDS[first + (code >> at & 15)] for at in (8, 4, 0) if code >> at & 15]
    cards += [CARDS[(code >> at & 63) - 1] for at in (16, 22) if code >> at & 63]
    direction = "<" if code >> 15 & 1 else ">"
    return Play(seat, tuple(cards), direction if chooses_direction else "")


def _flick_of(code: int, seat: Seat) -> Flick:
    """The flick that a code means."""
    aim = code >> k.AIM_AT
    return Flick(seat, SLOTS[code & 15], Aim.unpacked(aim) if aim else USUAL[code >> k.KIND_AT & 3])


def encode_flick(move: Flick) -> int:
    """The code of a flick; -1 if its aim is off the scales."""
    if type(move.aim) is not Aim or not move.aim.is_possible:
        return -1
    aim = 0 if move.kind else move.aim.packed()
    return k.FLICKS | SLOT_INDEX[move.bucket] | move.aim.nearest_class << k.KIND_AT | aim << k.AIM_AT


@lru_cache(1 << 8)
def _deal_one(seat: Seat, code: int) -> Deal:
    return Deal(seat, (CARDS[code],))
