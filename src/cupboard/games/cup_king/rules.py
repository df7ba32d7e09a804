"""Cup King for people: positions, views and the game. The rules are in kernel.py, their numbers in README.md.

A few moves here are several codes of the kernel: a Deal is one code for each card, a Build one for each bucket.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar, get_args

import numpy as np

from cupboard.core.aiming import Aiming
from cupboard.core.errors import BadOption, BadPosition
from cupboard.core.filling import Filling
from cupboard.core.game import CHANCE, Game, Position, Seat, View, letter
from cupboard.core.options import NO_SEATS, Option
from cupboard.core.position import Simulated
from cupboard.core.random_source import Luck, random_bits
from cupboard.core.row import LIVE, PLY, SEATS, TURN, Row, by_entry
from cupboard.core.scene import Tint
from cupboard.core.words import Words, phrase
from cupboard.games.cup_king import layout as k
from cupboard.games.cup_king import pyramid_filling as building
from cupboard.games.cup_king.flick import HANDS
from cupboard.games.cup_king.flick_aiming import aiming
from cupboard.games.cup_king.moment import Moment
from cupboard.games.cup_king.moves import (
    CARD_INDEX,
    CARDS,
    COLOURS,
    SLOT_INDEX,
    Build,
    CupMove,
    Deal,
    Flick,
    Settle,
    read_move,
)


class CupKingPosition(Moment, Position[CupMove]):
    """A moment of Cup King, with every card in sight."""

    __slots__ = ()

    def chance(self, rng: Luck) -> CupMove:
        """Nature's next move; cards are drawn one by one from what the pile holds then."""
        if not self._takes_many_codes:
            return super().chance(rng)
        self._check_turn(CHANCE)
        kernel = self.game.kernel
        row = self._row
        cards: list[int] = []
        for _ in range(self.due):
            if cards:
                row = self._step(row, cards[-1])
            cards.append(int(kernel.chance(row, random_bits(rng))))
        return Deal(self.served, tuple(CARDS[code] for code in sorted(cards)))

    @property
    def is_simulated(self) -> bool:
        """Whether a flick has not come to rest yet."""
        return self._row.item(k.PHASE) == k.SETTLING

    def simulate(self, rng: Luck) -> Simulated[CupMove]:
        """What comes of the flick, simulated with its motion; drawn from the odds where there is no physics engine."""
        from cupboard.games.cup_king.enacting import enact, is_available

        if not self.is_simulated:
            return super().simulate(rng)
        if not is_available():
            return Simulated(self._settled(int(self.game.kernel.chance(self._row, random_bits(rng))), "table"))
        return enact(self, rng)

    def unsimulated(self) -> CupMove:
        """What careful removal leaves, with a word that the simulation failed."""
        return self._settled(self._codes()[0], "care") if self.is_simulated else super().unsimulated()

    def seen_by(self, seat: Seat | None) -> CupKingView:
        """What `seat` may know; None is a spectator."""
        view = super().seen_by(seat)
        assert isinstance(view, CupKingView)
        return view

    def _veil(self, seat: Seat | None) -> Row:
        """The row with other hands, the pile and pyramids not yet shown blanked; their sizes stay."""
        row = self._row.copy()
        if len(row) > k.SIZE:  # the cards that others drew since the first reshuffle
            past = row[k.SIZE :]
            past[(past >> k.KIND == k.DREW) & (past >> 6 & 7 != (k.NONE if seat is None else seat))] &= ~63
        row[k.PILE : k.PILE + 5] = 0
        for other in range(self.game.seats):
            if other != seat:
                row[k.HAND + 5 * other : k.HAND + 5 * other + 5] = 0
                if self.phase <= k.REVEALING:
                    row[k.PYRAMID + other] = self.standing(other) * k.PLANES
        return row

    def _after(self, move: CupMove, seat: Seat | None) -> Row:
        codes = self._kernel_codes(move) if seat is None or self._is_by(move, seat) else []
        if not codes:
            self._refuse(move)
        live, play = len(self._row), self.game.kernel.play
        actor = self.served
        after = np.empty(live + k.ROOM, np.int64)
        after[:live] = self._row
        if type(move) is Build:
            after[TURN] = move.seat
        for code in codes:
            play(after, code)
        if type(move) is Build:
            after[PLY] = self.ply + 1
        if type(move) is Settle and after[k.GAME] == self.game_number:
            for slot, pose in move.poses:
                at = k.POSE + 2 * k.SLOTS * actor + 2 * SLOT_INDEX[slot]
                after[at : at + 2] = pose.packed()
        return after[: after[LIVE]]

    def _kernel_codes(self, move: CupMove) -> list[int]:
        """What the kernel plays for a move; nothing for an illegal one."""
        if not self._takes_many_codes:
            code = self._encode(move)
            return [code] if self._is_listed(code) else []
        if not self._is_legal(move):
            return []
        if isinstance(move, Build):
            return [COLOURS.index(colour) for row in move.rows for colour in row]
        assert isinstance(move, Deal)
        # When the pile runs out within a deal, its own cards come first (KA-8).
        codes = [CARD_INDEX[card] for card in move.cards]
        if self.pile >= len(codes):
            return codes
        first = [CARD_INDEX[card] for card in self._bunch(k.PILE)]
        for code in first:
            codes.remove(code)
        return first + codes


class CupKingView(Moment, View[CupMove]):
    """A moment of Cup King as a seat or a spectator may see it."""

    __slots__ = ()

    def filling(self) -> Filling | None:
        """The pyramid to build: 168,168,000 moves with fifteen buckets (CK-4)."""
        if self.phase != k.BUILDING or self.seat not in self.to_act:
            return None
        return building.filling(self.seat, self.width)

    def aiming(self) -> Aiming | None:
        """How to aim at the buckets that may be flicked now (CK-12)."""
        if self.phase != k.PLAYING or self.seat is None or self.seat not in self.to_act or self.is_careful(self.seat):
            return None
        buckets = dict.fromkeys(move.bucket for move in self.moves() if isinstance(move, Flick))
        return aiming(self.seat, tuple(buckets)) if buckets else None


def two_fingers(value: str) -> tuple[Seat, ...]:
    """The seats that a value of the option two_fingers names."""
    return () if value == NO_SEATS else tuple(map("ABCDEF".index, value))


def _in_fives(places: list[int]) -> bool:
    """Whether places come in runs of five, the first at 0: a reshuffle has one entry for each colour."""
    firsts = places[::5]
    return firsts[:1] == [0] and places == [first + n for first in firsts for n in range(5)]


@cache
def player_name(seat: Seat) -> Words:
    """What a seat is called: by a letter, since it has no colour of its own."""
    return phrase("cup-king.player", letter=letter(seat))


def _seat_tint(seat: Seat, shape: str, fill: str, ink: str) -> Tint:
    return Tint(f"seat-{letter(seat).lower()}", letter(seat), shape, fill, ink, player_name(seat))


HIDDEN = Tint("hidden", "?", "■", "#b9aea0", "#2b2622", phrase("cup-king.hidden"))
"""The tint of buckets that are not shown yet (KA-1)."""


class CupKing(Game[CupMove, CupKingPosition]):
    """Two to six players attack each other's pyramids with cards and defend their own."""

    name = "cup-king"
    minutes = 20
    has_secrets = True
    has_chance = True
    SEATS: ClassVar = (2, 3, 4, 5, 6)
    OPTIONS: ClassVar = (
        Option("removal", "flick", choices=("flick", "careful")),  # CK-V3
        Option("two_fingers", NO_SEATS, of_seats=True),  # KA-27
        Option("hand", "steady", choices=tuple(HANDS)),
        Option("experienced_ones", False),  # CK-V2
        Option("extras_distinct", False),  # the French booklet
        Option("end", "second_out", choices=("second_out", "three_left")),  # KA-15
        Option("auto_draw", True),  # KA-10
        Option("starter_may_shoot", False),  # KA-7
        Option("tie", "shared", choices=("shared", "cards")),  # KA-16
        Option("games", 1, least=1, most=100),  # CK-V1
    )
    # Red, yellow … are the colours of cards and buckets here, so seats are known by letters.
    TINTS: ClassVar[tuple[Tint, ...]] = (
        _seat_tint(0, "●", "#5b6670", "#ffffff"),
        _seat_tint(1, "▲", "#d8c9ae", "#2b2622"),
        _seat_tint(2, "■", "#7d5a44", "#ffffff"),
        _seat_tint(3, "◆", "#a9b3ab", "#2b2622"),
        _seat_tint(4, "★", "#3d3a38", "#ffffff"),
        _seat_tint(5, "✚", "#c4a393", "#2b2622"),
    )
    MORE_TINTS: ClassVar = (HIDDEN,)
    JOINERS: ClassVar = ("+", "-")  # R7 R3 and keep left
    move_classes = get_args(CupMove)
    position_class = CupKingPosition
    view_class = CupKingView

    def seat_name(self, seat: Seat) -> Words:
        """What a seat is called: by a letter, since it has no colour of its own."""
        return super().seat_name(seat) if seat == CHANCE else player_name(seat)

    def read_move(self, text: str) -> CupMove:
        """A move: `R5`, `>R7+R3`, `B1+R4`, `-c2`, `keep-left`, `build:RYGBP/…`; its seat follows from the position."""
        return read_move(text)

    def read(self, text: str) -> CupKingPosition:
        """The position a line describes; see README.md for its words."""
        from cupboard.games.cup_king.reading import read

        return CupKingPosition(self, read(self, text))

    def from_json(self, data: object) -> CupKingPosition:
        """The position `Position.to_json` wrote, with what is remembered of its cards (KA-28)."""
        position = super().from_json(data)
        past = position._row[k.SIZE :]
        kind, seat, card = past >> k.KIND, past >> 6 & 7, past & 63
        events = (kind == k.SHUFFLED) | (kind >= 0) & (kind < k.SHUFFLED) & (seat < self.seats) & (card <= len(CARDS))
        shuffles = np.flatnonzero(kind == k.SHUFFLED)
        if not events.all() or (len(past) and not _in_fives(shuffles.tolist())):
            raise BadPosition(phrase("cup-king.position.past"))
        return position

    def _check_options(self) -> None:
        options = self.options
        if options["extras_distinct"] and not options["experienced_ones"]:
            raise BadOption(phrase("cup-king.option.no.extras_distinct"))
        if options["end"] == "three_left" and self.seats <= 4:
            raise BadOption(phrase("cup-king.option.no.end"))
        young = two_fingers(str(options["two_fingers"]))
        if young and options["removal"] == "careful":
            raise BadOption(phrase("cup-king.option.no.two_fingers"))
        if young and max(young) >= self.seats:
            raise BadOption(phrase("cup-king.option.no.young", letter=letter(max(young)), count=self.seats))
        if options["hand"] != "steady" and options["removal"] == "careful":
            raise BadOption(phrase("cup-king.option.no.hand"))
        if options["tie"] == "cards" and options["games"] != 1:
            raise BadOption(phrase("cup-king.option.no.tie"))  # KA-25

    def _kernel_options(self) -> Sequence[int]:
        options = self.options
        rules = {
            k.FLICK: options["removal"] == "flick",
            k.EXPERIENCED: options["experienced_ones"],
            k.EXTRAS_DISTINCT: options["extras_distinct"],
            k.THREE_ARE_LEFT: options["end"] == "three_left",
            k.MANUAL_DRAW: not options["auto_draw"],
            k.STARTER_MAY_SHOOT: options["starter_may_shoot"],
            k.CARDS_BREAK_TIES: options["tie"] == "cards",
        }
        chosen = sum(bit for bit, on in rules.items() if on)
        chosen |= tuple(HANDS).index(str(options["hand"])) << k.HAND_AT
        chosen |= sum(1 << k.TWO_FINGERS_AT + seat for seat in two_fingers(str(options["two_fingers"])))
        return by_entry({SEATS: self.seats, k.GAMES: int(options["games"]), k.RULES: chosen})
