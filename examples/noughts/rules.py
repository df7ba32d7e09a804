"""Noughts for people: moves, positions, notation. The rules are in kernel.py, their numbers in README.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cupboard.core.errors import BadNotation, BadPosition
from cupboard.core.game import Game, Move, Position, Seat, Spot, State, View, letter
from cupboard.core.row import OVER, PLY, TURN
from cupboard.core.scene import BLUE, RED, Scene, Tint
from cupboard.core.words import Text, Words, phrase

CELLS = tuple(f"{column}{row}" for row in "123" for column in "abc")
MARKS = "xo"


@dataclass(frozen=True, slots=True)
class Mark(Move):
    """A seat marks an empty cell (NC-2)."""

    cell: Spot

    def spots(self) -> tuple[Spot, ...]:
        """The cell that is marked."""
        return (self.cell,)

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that names the cell."""
        return phrase("noughts.marks", cell=self.cell)

    def __str__(self) -> str:
        return self.cell


class _Grid(State[Mark]):
    """What can be asked of a position and of a view: nothing is secret in this game."""

    __slots__ = ()

    def marks(self) -> str:
        """The nine cells, row by row from the top: x, o or a point."""
        crosses, noughts = self._row[self.game.kernel_module.MARKS :][:2].tolist()
        return "".join("x" if crosses >> cell & 1 else "o" if noughts >> cell & 1 else "." for cell in range(9))

    def scene(self) -> Scene:
        """The grid with its marks."""
        from cupboard.games.noughts.scene import scene

        return scene(self)

    def __str__(self) -> str:
        marks, outcome = self.marks(), self.outcome()
        turn = letter(self.to_act[0]) if outcome is None else "=" + "".join(map(letter, outcome.winners))
        return f"{marks[:3]}/{marks[3:6]}/{marks[6:]} {turn}"

    def _decode(self, code: int) -> Mark:
        return Mark(CELLS[code])

    def _encode(self, move: Move) -> int:
        return CELLS.index(move.cell) if isinstance(move, Mark) and move.cell in CELLS else -1

    def _why_not(self, move: Mark) -> Words:
        return phrase("noughts.no.taken", cell=move.cell)

    def _explain(self, reason: int, winners: tuple[Seat, ...]) -> tuple[str, Words]:
        if reason == self.game.kernel_module.DRAWN:
            return "full", phrase("noughts.end.full")
        return "line", phrase("noughts.end.line", who=self.game.seat_name(winners[0]))


class GridPosition(_Grid, Position[Mark]):
    """A moment of Noughts."""

    __slots__ = ()


class GridView(_Grid, View[Mark]):
    """A moment of Noughts as one seat or a spectator sees it."""

    __slots__ = ()


class Noughts(Game[Mark, GridPosition]):
    """Two players mark the cells of a grid of three by three."""

    name = "noughts"
    minutes = 2
    SEATS: ClassVar = (2,)
    TINTS: ClassVar[tuple[Tint, ...]] = (RED, BLUE)
    move_classes = (Mark,)
    position_class = GridPosition
    view_class = GridView

    def _kernel_options(self) -> Sequence[int]:
        return []

    def read_move(self, text: str) -> Mark:
        """`b2` is the middle."""
        cell = text.strip().lower()
        if cell not in CELLS:
            raise BadNotation(f"{text[:30]!r} is no cell: write one from a1, at the top left, to c3.")
        return Mark(cell)

    def read(self, text: str) -> GridPosition:
        """`x.o/.x./... B`: the rows from the top, then who acts; `=A` who has won, `=AB` that nobody has."""
        if not re.fullmatch(r"[xo.]{3}/[xo.]{3}/[xo.]{3} (A|B|=A|=B|=AB)", text):
            raise BadPosition("A position is three rows of x, o and points with / between, then who acts, like B.")
        module, row = self.kernel_module, self.start()._row.copy()
        cells = text[:11].replace("/", "")
        for seat, mark in enumerate(MARKS):
            row[module.MARKS + seat] = sum(1 << cell for cell in range(9) if cells[cell] == mark)
        row[PLY] = 9 - cells.count(".")
        row[TURN] = row[PLY] % 2
        lines = [seat for seat in range(2) if any(row[module.MARKS + seat] & line == line for line in module.LINES)]
        if cells.count("x") - cells.count("o") != row[TURN] or lines not in ([], [1 - row[TURN]]):
            raise BadPosition("No game comes to these marks: the seats take turns, x first, and end with a line.")
        if lines or row[PLY] == 9:
            row[TURN], row[module.WINNER] = OVER, np.int64(lines[0] if lines else module.NOBODY)
        position = GridPosition(self, row)
        if str(position) != text:
            raise BadPosition(f"With these marks one writes {str(position).split()[1]}, not {text.split()[1]}.")
        return position
