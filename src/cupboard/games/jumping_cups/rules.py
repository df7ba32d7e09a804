"""Jumping Cups for people: moves, positions, notation. The rules are in kernel.py, their numbers in README.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np

from cupboard.core.errors import BadNotation
from cupboard.core.game import CHANCE, Game, Move, Position, Seat, Spot, State, View, letter
from cupboard.core.move import Lot
from cupboard.core.options import Option
from cupboard.core.row import TURN, by_entry
from cupboard.core.scene import RED, YELLOW, Piece, Scene, Tint
from cupboard.core.words import Text, Words, phrase, quoted, way

TRACK = 14
OFF = 0
"""The place of a cup that has left the track."""
LETTERS = "RY"
REASONS = ("", "filled", "blocked", "overshot", "only-overshoots")


@dataclass(frozen=True, slots=True)
class Jump(Move):
    """A cup moves along `path`: where it stands, then every square it lands on (JC-15); OFF is off the track."""

    path: tuple[int, ...]

    @property
    def overshoots(self) -> bool:
        """Whether the cup leaves the track, which loses at once (JC-12)."""
        return self.path[-1] == OFF

    @property
    def landings(self) -> int:
        """Once, and again on every square where the cup must move on (JC-15)."""
        return len(self.path) - 1

    @property
    def warning(self) -> Words | None:
        """Overshooting is legal and loses (JA-1), so a screen asks first."""
        return phrase("jumping-cups.overshoots", square=str(self.path[0])) if self.overshoots else None

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that names the squares of the cup's way."""
        here, *then = (str(square) for square in self.path if square != OFF)
        if not then:
            return phrase("jumping-cups.jumpsOff", start=here)
        key = "jumping-cups.jumpsOnOff" if self.overshoots else "jumping-cups.jumps"
        return phrase(key, start=here, way=Words("join.then", tuple(then)))

    def short(self, name: Callable[[Seat], Text]) -> Words:
        """The squares of the cup's way."""
        return way(*map(_said, self.path))

    def spots(self) -> tuple[Spot, ...]:
        """The cup, then the square where it comes to rest."""
        return _place(self.path[0]), _place(self.path[-1])

    def route(self) -> tuple[Spot, ...]:
        """Every square of its way; of a cup that leaves the track only where it stood."""
        return tuple(map(str, self.path[:1] if self.overshoots else self.path))

    def __str__(self) -> str:
        return "-".join(map(_place, self.path))


CupMove = Jump | Lot


class _Track(State[CupMove]):
    """What can be asked of a position and of a view: nothing is secret in this game."""

    __slots__ = ()

    def stack(self, square: int) -> str:
        """The cups on a square as letters, lowest first: "RYR"."""
        return _letters(int(self._row[self.game.kernel_module.STACKS + square]))

    def stacks(self) -> list[str]:
        """The cups on every square from 1 to 14, as `stack` writes them."""
        first = self.game.kernel_module.STACKS + 1
        return [_letters(stack) for stack in self._row[first : first + TRACK].tolist()]

    def path(self, square: int) -> tuple[int, ...]:
        """Where the top cup of a square would go if its owner, to act now, moved it."""
        out = np.empty(2 * TRACK, np.int64)
        return tuple(out[: self.game.kernel_module.path(self._row, square, out)].tolist())

    def scene(self) -> Scene:
        """The track with its stacks."""
        from cupboard.games.jumping_cups.scene import scene

        return scene(self)

    def __str__(self) -> str:
        stacks = "/".join(stack or "." for stack in self.stacks())
        if self.is_over:
            module = self.game.kernel_module
            turn = f"={letter(int(self._row[module.WINNER]))}:{REASONS[int(self._row[module.REASON])]}"
        else:
            turn = letter(self.to_act[0])
        return f"{stacks} {turn} {self.ply}"

    def _decode(self, code: int) -> CupMove:
        return Lot(code) if self._row[TURN] == CHANCE else Jump(self.path(code))

    def _encode(self, move: Move) -> int:
        if self._row[TURN] == CHANCE:
            return move.starter if isinstance(move, Lot) else -1
        if not isinstance(move, Jump) or not move.path or move.path[0] not in self._codes():
            return -1
        return move.path[0] if move.path == self.path(move.path[0]) else -1

    def _read_move(self, text: str, seat: Seat | None) -> CupMove:
        """The move a text describes; as a cup has only one way to go, its square is enough."""
        move = self.game.read_move(text)
        if isinstance(move, Jump) and self._row[TURN] >= 0 and move.path[0] in self._codes():
            path = self.path(move.path[0])
            if len(move.path) == 1 or (len(move.path) == 2 and move.path[1] == path[-1]):
                return Jump(path)
        return move

    def _why_not(self, move: CupMove) -> Words:
        if isinstance(move, Lot) or self._row[TURN] == CHANCE:
            return phrase("jumping-cups.no.lot")
        square, *rest = move.path
        seat = int(self._row[TURN])
        stack = self.stack(square)
        if not stack:
            return phrase("jumping-cups.no.cup", square=str(square))
        if LETTERS[seat] not in stack:
            return phrase("jumping-cups.no.own", square=str(square), who=self.game.seat_name(seat))
        if stack[-1] != LETTERS[seat]:
            return phrase("jumping-cups.no.covered", square=str(square))
        if not rest:
            return phrase("jumping-cups.no.far", square=str(square), count=len(stack))
        route = "-".join(map(_place, self.path(square)))
        return phrase("jumping-cups.no.there", square=str(square), count=len(stack), route=route)

    def _explain(self, reason: int, winners: tuple[Seat, ...]) -> tuple[str, Words]:
        why = REASONS[reason]
        whom = winners[0] if why == "filled" else 1 - winners[0]
        return why, phrase(f"jumping-cups.end.{why}", who=self.game.seat_name(whom))


class CupPosition(_Track, Position[CupMove]):
    """A moment of Jumping Cups."""

    __slots__ = ()


class CupView(_Track, View[CupMove]):
    """A moment of Jumping Cups as a seat or a spectator sees it, which is all of it."""

    __slots__ = ()


class JumpingCups(Game[CupMove, CupPosition]):
    """Two players race five cups each along fourteen squares, in opposite directions."""

    name = "jumping-cups"
    minutes = 15
    SEATS: ClassVar = (2,)
    OPTIONS: ClassVar = (Option("starter", "random", choices=("random", "red", "yellow")),)
    TINTS: ClassVar[tuple[Tint, ...]] = (RED, YELLOW)
    LOOSE: ClassVar = (("cup", "red"), ("cup", "yellow"))
    can_be_drawn = False  # JC-18
    move_classes = (Jump, Lot)
    position_class = CupPosition
    view_class = CupView

    def _kernel_options(self) -> Sequence[int]:
        return by_entry({TURN: {"red": 0, "yellow": 1, "random": CHANCE}[str(self.options["starter"])]})

    def read_move(self, text: str) -> CupMove:
        """A move: `5-6`, `9-10-13` for a cup that must move on, `13-off`, or only the cup's square: `5`."""
        plain = text.strip().lower()
        if found := re.fullmatch(r"lot-([ab])", plain):
            return Lot("ab".index(found[1]))
        places = plain.split("-")
        if not re.fullmatch(r"[0-9]{1,2}(-[0-9]{1,2})*(-off)?", plain, re.ASCII) or not all(
            place == "off" or 1 <= int(place) <= TRACK for place in places
        ):
            raise BadNotation(phrase("jumping-cups.notation.move", text=quoted(text[:30])))
        return Jump(tuple(OFF if place == "off" else int(place) for place in places))

    def arranged(self, stacks: Mapping[Spot, Sequence[Piece]], turn: Seat) -> CupPosition:
        """The position with these stacks of cups; BadPosition says why it cannot come up."""
        letters = {RED.name: "R", YELLOW.name: "Y"}
        squares = ("".join(letters[cup.tint] for cup in stacks.get(str(n), ())) or "." for n in range(1, TRACK + 1))
        return self.read(f"{'/'.join(squares)} {letter(turn)} 0")

    def read(self, text: str) -> CupPosition:
        """The position of a line: stacks from square 1, lowest cup first; who acts (A, B, *, =A:filled); moves made."""
        from cupboard.games.jumping_cups.reading import read_row

        return CupPosition(self, read_row(self, text))


@cache
def _letters(stack: int) -> str:
    """The letters of a stack that the kernel writes as a number: its height in four bits, then a bit for each cup."""
    return "".join(LETTERS[stack >> (4 + level) & 1] for level in range(stack & 15))


def _place(square: int) -> str:
    return "off" if square == OFF else str(square)


def _said(square: int) -> Text:
    return phrase("jumping-cups.off") if square == OFF else str(square)
