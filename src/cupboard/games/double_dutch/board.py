"""The boards of Double Dutch: how they are drawn, which bit stands for a cell, and what people call it.

A cell's bit counts up by one along a row and by the board's stride down the rows, so all six directions are shifts:
that is what the compiled rules work with (sliding.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

# The five boards of 49 cells (DD-1). A cell is two columns wide, so neighbouring rows are one column apart.
DRAWINGS = {
    "pinwheel49": """
       o o
  o o o o o
 o o o o o o o
  o o o o o o o
 o o o o o o o
o o o o o o o
 o o o o o o o
    o o o o o
     o o
""",
    "stagger7x7": """
o o o o o o o
 o o o o o o o
o o o o o o o
 o o o o o o o
o o o o o o o
 o o o o o o o
o o o o o o o
""",
    "rows56": """
 o o o o o
o o o o o o
 o o o o o
o o o o o o
 o o o o o
o o o o o o
 o o o o o
o o o o o o
 o o o o o
""",
    "rhombus7": """
o o o o o o o
 o o o o o o o
  o o o o o o o
   o o o o o o o
    o o o o o o o
     o o o o o o o
      o o o o o o o
""",
    "hex37plus12": """
     o   o
  o o o o o o
   o o o o o
o o o o o o o o
 o o o o o o o
o o o o o o o o
   o o o o o
  o o o o o o
     o   o
""",
}
BOARDS = tuple(DRAWINGS)
"""The names of the boards. Everywhere else a board is its number here."""
CELL_COUNT = 49

HEADINGS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
"""One step in each direction, in columns and rows of a drawing: clockwise from east. The opposite is three further."""


def _number(drawing: str) -> tuple[int, dict[tuple[int, int], int]]:
    """The stride of a drawn board, and its cells in reading order: {(column, row): bit}."""
    places = [
        (column, row)
        for row, line in enumerate(drawing.strip("\n").split("\n"))
        for column, mark in enumerate(line)
        if mark == "o"
    ]
    stride = 0
    while True:  # the smallest stride that gives every cell a bit of its own
        stride += 1
        bits = [(column - row) // 2 + stride * row for column, row in places]
        if len(set(bits)) == len(bits):
            return stride, {place: bit - min(bits) for place, bit in zip(places, bits, strict=True)}


STRIDES = tuple(_number(drawing)[0] for drawing in DRAWINGS.values())
"""By how much the bits of each board grow from one row to the next."""
PLACES = tuple(_number(drawing)[1] for drawing in DRAWINGS.values())
"""The cells of each board in reading order: {(column, row) in its drawing: bit}."""


@dataclass(frozen=True, eq=False)  # load_board makes one of each, so identity will do
class Board:
    """One of the boards for people. Cells are bits; their names are a row letter and a number from the left."""

    name: dict[int, str]
    """The name of each cell, in reading order."""
    bit: dict[str, int]
    """The cell of each name."""
    rows: tuple[tuple[int, ...], ...]
    """The cells of each row, from the left."""
    place: dict[int, tuple[float, float]]
    """The middle of each cell: x to the right, y downwards, neighbours one apart."""
    rays: tuple[dict[int, tuple[int, ...]], ...]
    """For each direction and cell all the cells ahead, nearest first."""
    directions: dict[tuple[int, int], int]
    """In which direction one cell lies straight ahead of another, for all pairs in a line."""

    def toward(self, start: int, target: int) -> int | None:
        """The direction in which `target` lies straight ahead of `start`, if there is one."""
        return self.directions.get((start, target))

    def distance(self, start: int, target: int) -> int | None:
        """How many steps `target` lies straight ahead of `start`, if it does."""
        direction = self.toward(start, target)
        return None if direction is None else self.rays[direction][start].index(target) + 1


@cache
def load_board(name: str) -> Board:
    """The board of this name."""
    places = PLACES[BOARDS.index(name)]
    rows: dict[int, list[int]] = {}
    for (_, row), bit in places.items():
        rows.setdefault(row, []).append(bit)
    names = {bit: f"{chr(ord('a') + row)}{number}" for row, bits in rows.items() for number, bit in enumerate(bits, 1)}
    rays = [{bit: _ray(places, place, heading) for place, bit in places.items()} for heading in HEADINGS]
    return Board(
        name=names,
        bit={name: bit for bit, name in names.items()},
        rows=tuple(map(tuple, rows.values())),
        place={bit: (column / 2, row * 0.75**0.5) for (column, row), bit in places.items()},
        rays=tuple(rays),
        directions={(bit, end): d for d, ray in enumerate(rays) for bit, ahead in ray.items() for end in ahead},
    )


def _ray(places: dict[tuple[int, int], int], start: tuple[int, int], heading: tuple[int, int]) -> tuple[int, ...]:
    """The cells ahead of `start`, nearest first."""
    ahead = []
    column, row = start[0] + heading[0], start[1] + heading[1]
    while (column, row) in places:
        ahead.append(places[column, row])
        column, row = column + heading[0], row + heading[1]
    return tuple(ahead)
