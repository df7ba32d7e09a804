"""The moves of Cup King and their notation. What each does is in kernel.py; the numbers are explained in README.md.

Cards are written "R5", buckets "c2" (rows a, b … from the base up, counted from the left), colours "R".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import ClassVar

from cupboard.core.errors import BadNotation
from cupboard.core.game import CHANCE, Move, Seat, Spot, letter
from cupboard.core.move import Lot
from cupboard.core.words import Text, Words, also, listed, phrase, quoted, sentences
from cupboard.games.cup_king.aim_notation import KIND_OF, STRAIGHT, read_aim, write_aim
from cupboard.games.cup_king.flick import Aim
from cupboard.games.cup_king.poses import Pose

COLOURS = "RYGBP"
COLOUR_NAMES = ("red", "yellow", "green", "blue", "purple")
CARDS = tuple(f"{colour}{value}" for colour in COLOURS for value in range(1, 9))
CARD_INDEX = {card: index for index, card in enumerate(CARDS)}
SLOTS = tuple(f"{'abcde'[row]}{col + 1}" for row in range(5) for col in range(5 - row))
"""The buckets in the order of the kernel's slots."""
SLOT_INDEX = {slot: index for index, slot in enumerate(SLOTS)}
PARTS = {
    2: ("left", "right"),
    3: ("left", "middle", "right"),
    4: ("left", "second", "third", "right"),
    5: ("left", "second", "middle", "fourth", "right"),
}
"""What the parts of a broken pyramid are called, from the left, by their number."""

HOWS = ("", "engine", "late", "table", "care")
"""How it was found out what a flick leaves: see `Settle.how`."""
_SEEN = 300
"""A bucket that is shifted by so many hundredths of a millimetre can be seen to be shifted."""
_CARD = "[rygbp][1-8]"
_CARDS = rf"{_CARD}(?:,{_CARD})*"
_SEAT = "-([a-f])"


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards by colour and rising value."""
    return tuple(sorted(cards, key=CARD_INDEX.__getitem__))


def colour_name(card_or_colour: str) -> Words:
    """The word for the colour of "R5", or of "R"."""
    return phrase(f"tint.{COLOUR_NAMES[COLOURS.index(card_or_colour[0])]}")


def _said(cards: Iterable[str]) -> tuple[Words, ...]:
    """Each card in words: "red 5"."""
    return tuple([phrase("cup-king.short.card", colour=colour_name(card), value=card[1]) for card in cards])


_BUILT = phrase("cup-king.short.builds")


class _BySeat(Move):
    """A move that belongs to a seat, which it names."""

    __slots__ = ()
    seat: Seat

    @property
    def mover(self) -> Seat:
        """The seat that makes the move, or CHANCE."""
        return self.seat


@dataclass(frozen=True, slots=True)
class Play(_BySeat):
    """Action A: one to three cards of one colour, then extra ones (CK-8 to CK-10, CK-V2).

    The direction is ">" clockwise or "<" anticlockwise when it is the seat's to choose (CK-6), else "".
    """

    seat: Seat
    cards: tuple[str, ...]
    """The highest first, extra cards last."""
    direction: str = ""

    @property
    def base(self) -> tuple[str, ...]:
        """The cards of the asked colour: that of the first one (KA-18)."""
        return tuple(card for card in self.cards if card[0] == self.cards[0][0])

    @property
    def extras(self) -> tuple[str, ...]:
        """The cards of other colours."""
        return tuple(card for card in self.cards if card[0] != self.cards[0][0])

    @property
    def value(self) -> int:
        """What the cards add up to."""
        return sum(int(card[1]) for card in self.cards)

    def spots(self) -> tuple[Spot, ...]:
        """The cards in the hand, then the direction or "confirm"."""
        last = {">": "clockwise", "<": "anticlockwise", "": "confirm"}[self.direction]
        return (*hand_spots(self.seat, self.cards), last)

    def route(self) -> tuple[Spot, ...]:
        """The places of the cards in the hand."""
        return hand_spots(self.seat, self.cards)

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that names the cards and their sum."""
        return phrase("cup-king.plays", cards=Words("join.plus", _said(self.cards)), value=self.value)

    def short(self, name: Callable[[Seat], Text]) -> Words:
        """The cards, each colour said once, and the direction where it was chosen."""
        by_colour = [
            phrase("cup-king.short.card", colour=colour_name(colour), value=" + ".join(card[1] for card in cards))
            for colour, cards in groupby(self.cards, key=lambda card: card[0])
        ]
        cards = Words("join.plus", tuple(by_colour))
        if not self.direction:
            return cards
        return phrase(
            "cup-king.short.clockwise" if self.direction == ">" else "cup-king.short.anticlockwise", cards=cards
        )

    def __str__(self) -> str:
        return self.direction + "+".join(self.cards)


@dataclass(frozen=True, slots=True)
class Shoot(_BySeat):
    """Action B with two fingers: a bucket is taken out carefully (CK-12, CK-V3)."""

    seat: Seat
    bucket: str

    def spots(self) -> tuple[Spot, ...]:
        """The bucket that is given up."""
        return (f"{letter(self.seat)}:{self.bucket}",)

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that says which bucket is given up."""
        return phrase("cup-king.givesUp", bucket=self.bucket)

    def short(self, name: Callable[[Seat], Text]) -> Words:
        """The bucket that is given up."""
        return phrase("cup-king.short.givesUp", bucket=self.bucket)

    def __str__(self) -> str:
        return f"-{self.bucket}"


@dataclass(frozen=True, slots=True)
class Flick(_BySeat):
    """Action B with one finger: a bucket is tapped out of the pyramid (CK-12); nature then settles what is left."""

    seat: Seat
    bucket: str
    aim: Aim = STRAIGHT

    @property
    def kind(self) -> str:
        """The class of a usual flick, straight at the middle: gentle, firm or hard; empty if it is aimed otherwise."""
        return KIND_OF.get(self.aim, "")

    def spots(self) -> tuple[Spot, ...]:
        """The bucket, then how hard."""
        bucket = f"{letter(self.seat)}:{self.bucket}"
        return (bucket, self.kind) if self.kind else (bucket,)

    def route(self) -> tuple[Spot, ...]:
        """The bucket that is tapped."""
        return (f"{letter(self.seat)}:{self.bucket}",)

    def short(self, name: Callable[[Seat], Text]) -> Words:
        """The bucket that is flicked, without the aim."""
        return phrase("cup-king.short.flicks", bucket=self.bucket)

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that says which bucket is flicked, and how."""
        if self.kind:
            return phrase(f"cup-king.flicks.{self.kind}", bucket=self.bucket)
        key = "cup-king.flicksFromBehind" if self.aim.is_behind else "cup-king.flicks"
        return phrase(key, bucket=self.bucket, strength=self.aim.strength)

    def __str__(self) -> str:
        return f"-{self.bucket}{write_aim(self.aim)}"


@dataclass(frozen=True, slots=True)
class Keep(_BySeat):
    """The owner chooses which part of a broken pyramid stays (CK-14 D, KA-12): left, middle or right."""

    seat: Seat
    part: str

    def spots(self) -> tuple[Spot, ...]:
        """One control for each part."""
        return (str(self),)

    def route(self) -> tuple[Spot, ...]:
        """Nothing: what falls is seen on the board."""
        return ()

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that says which part stays."""
        return phrase(f"cup-king.keeps.{self.part}")

    def short(self, name: Callable[[Seat], Text]) -> Words:
        """Which part stays."""
        return phrase(f"cup-king.short.keeps.{self.part}")

    def __str__(self) -> str:
        return f"keep-{self.part}"


@dataclass(frozen=True, slots=True)
class Refill(_BySeat):
    """Whether the cards due are drawn, or forgotten (KA-10)."""

    seat: Seat
    draws: bool

    def spots(self) -> tuple[Spot, ...]:
        """The pile, or the control that goes on without it."""
        return ("pile",) if self.draws else ("forget",)

    def route(self) -> tuple[Spot, ...]:
        """The pile, if a card is drawn from it."""
        return ("pile",) if self.draws else ()

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that says whether cards are drawn."""
        return phrase("cup-king.refills" if self.draws else "cup-king.forgets")

    def short(self, name: Callable[[Seat], Text]) -> Words:
        """Whether cards are drawn."""
        return phrase("cup-king.short.draws" if self.draws else "cup-king.short.forgets")

    def __str__(self) -> str:
        return "draw" if self.draws else "forget"


@dataclass(frozen=True, slots=True)
class Build(_BySeat):
    """A pyramid, row by row from the base, each from the left: ("RYGBP", "RYGB" …) (CK-4)."""

    seat: Seat
    rows: tuple[str, ...]

    def spots(self) -> tuple[Spot, ...]:
        """The colours in building order."""
        return tuple(f"colour:{colour}" for row in self.rows for colour in row)

    def route(self) -> tuple[Spot, ...]:
        """Nothing: a pyramid is put down whole."""
        return ()

    def seen_by(self, seat: Seat | None) -> Move:
        """Hidden until all have built (KA-1)."""
        return self if seat == self.seat else HiddenBuild(self.seat)

    def short(self, name: Callable[[Seat], Text]) -> Words:
        """That a pyramid is built, but not which."""
        return _BUILT

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that says that a pyramid is built, but not which."""
        return phrase("cup-king.builds")

    def __str__(self) -> str:
        return f"build-{letter(self.seat)}:{'/'.join(self.rows)}"


class _Nature(Move):
    """A move of nature; nobody points at anything to make it."""

    __slots__ = ()
    mover: ClassVar[Seat] = CHANCE

    def spots(self) -> tuple[Spot, ...]:
        return (str(self),)

    def route(self) -> tuple[Spot, ...]:
        """Nothing: what nature does is seen on the board."""
        return ()

    def short(self, name: Callable[[Seat], Text]) -> Text | None:
        """Empty: a list of moves leaves out what is dealt, shown, falls or is put away."""
        return ""


@dataclass(frozen=True, slots=True)
class HiddenBuild(_Nature):
    """A pyramid as the others see it while they build."""

    seat: Seat

    def short(self, name: Callable[[Seat], Text]) -> Words:
        """That a pyramid is built, but not which."""
        return _BUILT

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that says that a pyramid is built, but not which."""
        return phrase("cup-king.builds")

    def __str__(self) -> str:
        return f"build-{letter(self.seat)}:?"


@dataclass(frozen=True, slots=True)
class Deal(_Nature):
    """Cards for a seat: ten at the beginning (CK-2), later what it draws (CK-11)."""

    seat: Seat
    cards: tuple[str, ...]

    def seen_by(self, seat: Seat | None) -> Move:
        """The others see only how many."""
        return self if seat == self.seat else HiddenDeal(self.seat, len(self.cards))

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that names the cards."""
        return phrase("cup-king.gets", whose=name(self.seat), cards=listed(*_said(self.cards)))

    def __str__(self) -> str:
        return f"deal-{letter(self.seat)}:{','.join(self.cards)}"


@dataclass(frozen=True, slots=True)
class HiddenDeal(_Nature):
    """Cards somebody else got."""

    seat: Seat
    count: int

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that says how many cards are dealt."""
        return phrase("cup-king.getsSome", whose=name(self.seat), count=self.count)

    def __str__(self) -> str:
        return f"deal-{letter(self.seat)}:?{self.count}"


@dataclass(frozen=True, slots=True)
class Reveal(_Nature):
    """All have built and now see it: the pyramids of seats A, B … as in Build (KA-1, KA-2)."""

    pyramids: tuple[tuple[str, ...], ...]

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that says that all pyramids are shown, but not what they look like."""
        return phrase("cup-king.reveals")

    def __str__(self) -> str:
        return "reveal:" + ";".join("/".join(rows) for rows in self.pyramids)


@dataclass(frozen=True, slots=True)
class Settle(_Nature):
    """After a flick: the buckets that still stand and how, and the referee's judgement on the others (CK-13, CK-14).

    When the judgement is known, every bucket that is lost is in exactly one of `fallen`, `misplaced` and `apart`."""

    seat: Seat
    kept: tuple[str, ...]
    poses: tuple[tuple[str, Pose], ...] = ()
    """How those of them stand that have moved (B): a bucket that is not named stands as it stood before."""
    breaks: tuple[str, ...] = ()
    """Buckets of the base that stand so far from their right neighbour that another would fit between (D)."""
    fallen: tuple[str, ...] = ()
    misplaced: tuple[str, ...] = ()
    """A: removed because they are no longer in their right places."""
    apart: tuple[str, ...] = ()
    """C: removed because another bucket would fit between them and the rest."""
    how: str = ""
    """How it was found out: "engine", by a simulation; "late", by one that did not come to rest in time; "table", by
    the odds, because there is no physics engine; "care", with care, because the simulation failed; else nobody says."""

    @property
    def is_simulated(self) -> bool:
        """Whether a simulation found it, so that there may be a motion to be seen."""
        return self.how in ("engine", "late")

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The referee's judgement: what is lost and why, what is shifted, how many still stand."""
        said = [phrase(f"cup-king.decided.{self.how}")] if self.how in ("late", "table", "care") else []
        for key, slots in (("fallen", self.fallen), ("A", self.misplaced), ("C", self.apart)):
            if slots:
                said.append(phrase(f"cup-king.settled.{key}", slots=also(*slots), count=len(slots)))
        if self.poses and not (self.misplaced or self.apart) and (far := self._shifted()):
            said.append(phrase("cup-king.settled.B", slots=also(*far), count=len(far)))
        stands = "cup-king.stands" if self.kept else "cup-king.standsNone"
        return sentences(*said, phrase(stands, whose=name(self.seat), count=len(self.kept)))

    def _shifted(self) -> list[str]:
        """The buckets that anybody can see to be shifted."""
        return [slot for slot, pose in self.poses if max(abs(pose.x), abs(pose.y)) >= _SEEN]

    def __str__(self) -> str:
        poses = dict(self.poses)
        kept = [
            slot + (f"({','.join(map(str, poses[slot]))})" if slot in poses else "") + "|" * (slot in self.breaks)
            for slot in self.kept
        ]
        text = f"settle-{letter(self.seat)}:{','.join(kept) or '-'}"
        for key, slots in (("fell", self.fallen), ("A", self.misplaced), ("C", self.apart)):
            if slots:
                text += f";{key}={','.join(slots)}"
        return text + (f";{self.how}" if self.how else "")


@dataclass(frozen=True, slots=True)
class Discard(_Nature):
    """The hand of an eliminated seat is put away, open to all (KA-14)."""

    seat: Seat
    cards: tuple[str, ...]

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that names the cards put away."""
        if not self.cards:
            return phrase("cup-king.laysNone", whose=name(self.seat))
        return phrase("cup-king.lays", whose=name(self.seat), cards=listed(*_said(self.cards)))

    def __str__(self) -> str:
        return f"discard-{letter(self.seat)}:{','.join(self.cards) or '-'}"


CupMove = (
    Play | Shoot | Flick | Keep | Refill | Build | HiddenBuild | Deal | HiddenDeal | Reveal | Lot | Settle | Discard
)
SeatMove = Play | Shoot | Flick | Keep | Refill | Build


@lru_cache(1 << 12)
def hand_spots(seat: Seat, cards: tuple[str, ...]) -> tuple[Spot, ...]:
    """Where the cards of a hand lie: A:R5, and A:R5' for the second copy."""
    spots: list[Spot] = []
    for card in cards:
        spot = f"{letter(seat)}:{card}"
        spots.append(f"{spot}'" if spot in spots else spot)
    return tuple(spots)


def play_of(seat: Seat, base: Iterable[str], extras: Iterable[str], direction: str = "") -> Play:
    """The play of these cards, written in the one order notation has."""
    high = sorted(base, key=lambda card: -CARD_INDEX[card])
    return Play(seat, (*high, *in_order(extras)), direction)


def read_move(text: str) -> CupMove:
    """The move a text describes, legal or not. Seats' moves but Build do not name their seat: it is CHANCE here."""
    plain = text.strip().lower()
    if found := re.fullmatch(rf"([<>]?)({_CARD}(?:\+{_CARD})*)", plain):
        cards = found[2].upper().split("+")
        same = [card for card in cards if card[0] == cards[0][0]]
        return play_of(CHANCE, same, [card for card in cards if card[0] != cards[0][0]], found[1])
    if found := re.fullmatch(r"-([a-e][1-5])(?:[:-](.*))?", plain):  # "-c2 gentle" comes here with a dash
        if found[1] not in SLOT_INDEX:
            raise BadNotation(phrase("cup-king.notation.slot", slot=found[1]))
        return Shoot(CHANCE, found[1]) if found[2] is None else Flick(CHANCE, found[1], read_aim(found[2]))
    if found := re.fullmatch(r"keep-(left|second|middle|third|fourth|right)", plain):
        return Keep(CHANCE, found[1])
    if plain in ("draw", "forget"):
        return Refill(CHANCE, plain == "draw")
    if found := re.fullmatch(rf"build(?:{_SEAT})?:(\?|[rygbp]+(?:/[rygbp]+)*)", plain):
        seat = _seat(found[1]) if found[1] else CHANCE
        return HiddenBuild(seat) if found[2] == "?" else Build(seat, tuple(found[2].upper().split("/")))
    move = _read_nature(plain)
    if move is None:
        raise BadNotation(phrase("cup-king.notation.move", text=quoted(text[:30])))
    return move


def _read_nature(plain: str) -> CupMove | None:
    if found := re.fullmatch(rf"lot{_SEAT}", plain):
        return Lot(_seat(found[1]))
    if found := re.fullmatch(rf"deal{_SEAT}:({_CARDS})", plain):
        return Deal(_seat(found[1]), _read_cards(found[2]))
    if found := re.fullmatch(rf"deal{_SEAT}:\?([0-9]{{1,2}})", plain, re.ASCII):
        return HiddenDeal(_seat(found[1]), int(found[2]))
    if found := re.fullmatch(rf"discard{_SEAT}:(-|{_CARDS})", plain):
        return Discard(_seat(found[1]), _read_cards(found[2]))
    if found := re.fullmatch(rf"settle{_SEAT}:([^;]*)((?:;[^;]*)*)", plain):
        return read_settle(_seat(found[1]), found[2], found[3])
    if found := re.fullmatch(r"reveal:([rygbp/]+(?:;[rygbp/]+)*)", plain):
        return Reveal(tuple(tuple(word.split("/")) for word in found[1].upper().split(";")))
    return None


_KEPT = re.compile(r"([a-e][1-5])(?:\(((?:-?[0-9]{1,5},){5}-?[0-9]{1,5})\))?(\|?)", re.ASCII)
_LOST = ("fell", "a", "c")
_LONGEST = 1000
"""No pyramid takes so many characters, however its buckets stand."""


def read_settle(seat: Seat, kept: str, said: str) -> Settle | None:
    """The Settle move that its notation describes, legal or not; None when it is none."""
    slots, poses, breaks = [], [], []
    if len(kept) > _LONGEST:
        return None
    for item in re.split(r",(?![^(]*\))", kept) if kept != "-" else ():
        if not (found := _KEPT.fullmatch(item)) or found[1] not in SLOT_INDEX:
            return None
        slots.append(found[1])
        if found[2]:
            poses.append((found[1], Pose(*map(int, found[2].split(",")))))
        if found[3]:
            breaks.append(found[1])
    lost: dict[str, tuple[str, ...]] = {}
    how = ""
    for word in said.split(";")[1:]:
        key, is_list, names = word.partition("=")
        found_slots = names.split(",")
        if is_list and key in _LOST and key not in lost and set(found_slots) <= SLOT_INDEX.keys():
            lost[key] = _by_slot(found_slots)
        elif word and word in HOWS and not how:
            how = word
        else:
            return None
    judged = [lost.get(key, ()) for key in _LOST]
    return Settle(seat, _by_slot(slots), tuple(sorted(poses)), _by_slot(breaks), judged[0], judged[1], judged[2], how)


def _by_slot(slots: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(slots))


def _read_cards(text: str) -> tuple[str, ...]:
    return () if text == "-" else in_order(text.upper().split(","))


def _seat(text: str) -> Seat:
    return "abcdef".index(text)
