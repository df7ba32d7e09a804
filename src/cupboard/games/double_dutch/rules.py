"""Double Dutch for people: moves, positions, notation. Rules are in kernel.py, their numbers in README.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from cupboard.core.errors import BadNotation, BadPosition
from cupboard.core.game import Game, Move, Position, Seat, Spot, State, View, letter
from cupboard.core.options import Option
from cupboard.core.row import PLY, SEATS, TURN, Row, by_entry
from cupboard.core.scene import DARK, GREEN, LIGHT, Piece, Scene, Tint
from cupboard.core.words import Text, Words, phrase, quoted, way
from cupboard.games.double_dutch.board import BOARDS, CELL_COUNT, Board, load_board

_BOOK_STOCK = {2: 26, 3: 20}  # DD-3
REASONS = ("", "last-move", "nobody-moved")


@dataclass(frozen=True, slots=True)
class Place(Move):
    """A seat's first stone (DD-5)."""

    cell: Spot

    def spots(self) -> tuple[Spot, ...]:
        """The cell where the stone is placed."""
        return (self.cell,)

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that says where the stone is placed."""
        return phrase("double-dutch.puts", cell=self.cell)

    def __str__(self) -> str:
        return self.cell


@dataclass(frozen=True, slots=True)
class Slide(Move):
    """A stone goes from `start` to `target`, and a new one follows it (DD-7)."""

    start: Spot
    target: Spot
    turned: bool
    """Whether it went further than two spaces and lies round side down for good (DD-10)."""

    def spots(self) -> tuple[Spot, ...]:
        """The stone, then where it stops."""
        return self.start, self.target

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that says from where to where the stone goes."""
        key = "double-dutch.turns" if self.turned else "double-dutch.slides"
        return phrase(key, start=self.start, end=self.target)

    def short(self, name: Callable[[Seat], Text]) -> Words:
        """Where the stone was and where it is, and whether it was turned over."""
        if self.turned:
            return phrase("double-dutch.short.turns", start=self.start, end=self.target)
        return way(self.start, self.target)

    def __str__(self) -> str:
        return f"{self.start}-{self.target}{'*' * self.turned}"


StoneMove = Place | Slide


class _Stones(State[StoneMove]):
    """What can be asked of a position and of a view: nothing is secret in this game."""

    __slots__ = ()
    game: DoubleDutch

    @property
    def board(self) -> Board:
        """The cells, their names and what lies ahead of each."""
        return self.game.board

    @property
    def is_placing(self) -> bool:
        """Whether some seat has yet to place its first stone."""
        return self.ply < self.game.seats

    def stone(self, cell: Spot) -> str:
        """The seat's letter, in capitals for a stone that may move: "A", "a"; or "." for none."""
        return self._stone(self.board.bit[cell])

    def stones(self) -> dict[Spot, str]:
        """The stones of all cells that are not empty, as `stone` writes them, in reading order."""
        on: dict[int, str] = {}
        kernel = self.game.kernel_module
        for seat in range(self.game.seats):
            for first, word in ((kernel.FLAT, letter(seat)), (kernel.TURNED, letter(seat).lower())):
                left = int(self._row[first + seat])
                while left:
                    on[(left & -left).bit_length() - 1] = word
                    left &= left - 1
        return {name: on[bit] for bit, name in self.board.name.items() if bit in on}

    def stock(self, seat: Seat) -> int:
        """How many stones a seat has left to place."""
        return int(self._row[self.game.kernel_module.STOCK + seat])

    def can_move(self, seat: Seat) -> bool:
        """Whether a seat could make a regular move now if it were its turn (DD-12)."""
        return can_move(self.game, self._row, seat)

    def scene(self) -> Scene:
        """The board with its half-spheres."""
        from cupboard.games.double_dutch.scene import scene

        return scene(self)

    def __str__(self) -> str:
        rows = "/".join("".join(map(self._stone, row)) for row in self.board.rows)
        outcome = self.outcome()
        if outcome is None:
            return f"{rows} {letter(self.to_act[0])}"
        return f"{rows} ={''.join(map(letter, outcome.winners))}:{outcome.reason}"

    def _stone(self, bit: int) -> str:
        kernel = self.game.kernel_module
        for seat in range(self.game.seats):
            if self._row[kernel.FLAT + seat] >> bit & 1:
                return letter(seat)
            if self._row[kernel.TURNED + seat] >> bit & 1:
                return letter(seat).lower()
        return "."

    def _path(self, start: int, direction: int) -> tuple[int, ...]:
        """The free cells ahead of a cell up to a stone or the edge, nearest first."""
        empty = int(self._row[self.game.kernel_module.EMPTY])
        ray = self.board.rays[direction][start]
        for steps, bit in enumerate(ray):
            if not empty >> bit & 1:
                return ray[:steps]
        return ray

    def _decode(self, code: int) -> StoneMove:
        start, name = code & 63, self.board.name
        if code < 64:
            return Place(name[start])
        path = self._path(start, (code >> 6) - 1)
        return Slide(name[start], name[path[-1]], turned=len(path) > 2)

    def _encode(self, move: Move) -> int:
        bit = self.board.bit
        if isinstance(move, Place):
            return bit.get(move.cell, -1) if self.is_placing else -1
        if not isinstance(move, Slide) or not {move.start, move.target} <= bit.keys():
            return -1
        start, target = bit[move.start], bit[move.target]
        direction = self.board.toward(start, target)
        if direction is None:
            return -1
        path = self._path(start, direction)
        fits = bool(path) and path[-1] == target and move.turned == (len(path) > 2)
        return 64 * (1 + direction) + start if fits else -1

    def _why_not(self, move: StoneMove) -> Words:
        if isinstance(move, Place):
            if not self.is_placing:
                return phrase("double-dutch.no.placing")
            return phrase("double-dutch.no.taken", cell=move.cell)
        if self.is_placing:
            return phrase("double-dutch.no.moving")
        seat, owner = letter(self.to_act[0]), self.stone(move.start)
        if owner == ".":
            return phrase("double-dutch.no.stone", cell=move.start)
        if owner.upper() != seat:
            whose = self.game.seat_name(ord(owner.upper()) - ord("A"))
            return phrase("double-dutch.no.own", cell=move.start, whose=whose, who=self.game.seat_name(self.to_act[0]))
        if owner != seat:
            return phrase("double-dutch.no.fixed", cell=move.start)
        return self._why_not_there(move)

    def _why_not_there(self, move: Slide) -> Words:
        start, target = self.board.bit[move.start], self.board.bit[move.target]
        direction = self.board.toward(start, target)
        if direction is None:
            return phrase("double-dutch.no.ahead", start=move.start, end=move.target)
        path = self._path(start, direction)
        if len(path) < 2:
            return phrase("double-dutch.no.room" if path else "double-dutch.no.gap", cell=move.start)
        right = Slide(move.start, self.board.name[path[-1]], turned=len(path) > 2)
        if move.target != right.target:
            meets = len(path) < len(self.board.rays[direction][start])
            key = "double-dutch.no.stopStone" if meets else "double-dutch.no.stopEdge"
            return phrase(key, cell=move.start, move=str(right))
        if right.turned:
            return phrase("double-dutch.no.flat", count=len(path), move=str(right))
        return phrase("double-dutch.no.turned", move=str(right))

    def _explain(self, reason: int, winners: tuple[Seat, ...]) -> tuple[str, Words]:
        if REASONS[reason] == "nobody-moved":
            return REASONS[reason], phrase("double-dutch.end.nobody-moved")
        return REASONS[reason], phrase("double-dutch.end.last-move", who=self.game.seat_name(winners[0]))


class StonePosition(_Stones, Position[StoneMove]):
    """A moment of Double Dutch."""

    __slots__ = ()


class StoneView(_Stones, View[StoneMove]):
    """A moment of Double Dutch as a seat or a spectator sees it, which is all of it."""

    __slots__ = ()


class DoubleDutch(Game[StoneMove, StonePosition]):
    """Two or three players fill a board of 49 hollows; the one that moves last wins."""

    name = "double-dutch"
    minutes = 15
    SEATS: ClassVar = (2, 3)
    OPTIONS: ClassVar = (
        Option("board", BOARDS[0], choices=BOARDS),
        Option("stock", "book", choices=("book", "unlimited")),
    )
    TINTS: ClassVar[tuple[Tint, ...]] = (LIGHT, DARK, GREEN)
    LOOSE: ClassVar = tuple((kind, tint.name) for tint in (LIGHT, DARK, GREEN) for kind in ("dome", "turned"))
    move_classes = (Place, Slide)
    position_class = StonePosition
    view_class = StoneView

    @cached_property
    def board(self) -> Board:
        """The cells, their names and what lies ahead of each."""
        return load_board(str(self.options["board"]))

    @property
    def stock(self) -> int:
        """How many stones each seat has before the first one is placed; 49 are as good as no limit."""
        return _BOOK_STOCK[self.seats] if self.options["stock"] == "book" else CELL_COUNT

    def _kernel_options(self) -> Sequence[int]:
        k, board = self.kernel_module, BOARDS.index(str(self.options["board"]))
        return by_entry({SEATS: self.seats, k.BOARD: board, k.STOCK: self.stock})

    def read_move(self, text: str) -> StoneMove:
        """A move: `d4` for a first stone; `e1-e3` for a move over two spaces, `c1-c7*` or `c1-c7` for more."""
        found = re.fullmatch(r"([a-z]\d+)(?:-([a-z]\d+)(\*?))?", text.strip().lower(), re.ASCII)
        if not found:
            raise BadNotation(phrase("double-dutch.notation.move", text=quoted(text[:30])))
        start, target, star = found.groups()
        cells = self.board
        for cell in (start, target):
            if cell is not None and cell not in cells.bit:
                raise BadNotation(_no_space(cells, cell[:10]))
        if target is None:
            return Place(start)
        distance = cells.distance(cells.bit[start], cells.bit[target])
        return Slide(start, target, turned=bool(star) or (distance is not None and distance > 2))

    def arranged(self, stacks: Mapping[Spot, Sequence[Piece]], turn: Seat) -> StonePosition:
        """The position with these stones; BadPosition says why it cannot come up."""
        letters = {tint.name: letter(seat) for seat, tint in enumerate(self.TINTS[: self.seats])}
        if any(len(stack) > 1 for stack in stacks.values()):
            raise BadPosition(phrase("double-dutch.position.crowded"))
        marks = {
            spot: letters[stack[0].tint] if stack[0].kind == "dome" else letters[stack[0].tint].lower()
            for spot, stack in stacks.items()
        }
        rows = ("".join(marks.get(self.board.name[bit], ".") for bit in line) for line in self.board.rows)
        return self.read(f"{'/'.join(rows)} {letter(turn)}")

    def read(self, text: str) -> StonePosition:
        """The position of a line: rows of stones from the top, then who acts (reading.py)."""
        from cupboard.games.double_dutch.reading import read_row

        return StonePosition(self, read_row(self, text))


def can_move(game: DoubleDutch, row: Row, seat: Seat) -> bool:
    """Whether `seat` could make a regular move if it were its turn; it needs a stone in stock too (DA-5)."""
    if row[PLY] < game.seats or row[game.kernel_module.STOCK + seat] == 0:
        return False
    asked = row.copy()
    asked[TURN] = seat
    return bool(game.kernel.moves(asked, np.empty(game.kernel.max_moves, np.int64)))


def _no_space(cells: Board, cell: str) -> Words:
    """That the board has no such space, and what spaces it has in that row, or which rows it has."""
    row, last = cell[0], list(cells.bit)[-1]
    here = [name for name in cells.bit if name[0] == row]
    if not here:
        return phrase("double-dutch.notation.row", cell=quoted(cell), last=last[0])
    return phrase("double-dutch.notation.space", cell=quoted(cell), row=row, first=here[0], last=here[-1])
