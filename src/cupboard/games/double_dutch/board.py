"""A board of Double Dutch for people: the names of its cells, and what lies ahead of each.

The boards themselves are drawn in kernel.py, whose compiled code must not depend on another file.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module

BOARDS = ("pinwheel49", "stagger7x7", "rows56", "rhombus7", "hex37plus12")
"""In the order of the kernel's drawings."""


@dataclass(frozen=True, eq=False)  # one of each board; equal means the same
class Board:
    """Cells are bits, as in the kernel; their names are a row letter and a number from the left."""

    name: dict[int, str]
    """In reading order."""
    bit: dict[str, int]
    rows: tuple[tuple[int, ...], ...]
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
    kernel = import_module("cupboard.games.double_dutch.kernel")
    places: dict[tuple[int, int], int] = kernel.PLACES[BOARDS.index(name)]
    rows: dict[int, list[int]] = {}
    for (_, row), bit in places.items():
        rows.setdefault(row, []).append(bit)
    names = {bit: f"{chr(ord('a') + row)}{number}" for row, bits in rows.items() for number, bit in enumerate(bits, 1)}
    rays = [{bit: _ray(places, place, heading) for place, bit in places.items()} for heading in kernel.HEADINGS]
    return Board(
        name=names,
        bit={name: bit for bit, name in names.items()},
        rows=tuple(map(tuple, rows.values())),
        place={bit: (column / 2, row * 0.75**0.5) for (column, row), bit in places.items()},
        rays=tuple(rays),
        directions={(bit, end): d for d, ray in enumerate(rays) for bit, ahead in ray.items() for end in ahead},
    )


def _ray(places: dict[tuple[int, int], int], start: tuple[int, int], heading: tuple[int, int]) -> tuple[int, ...]:
    ahead = []
    column, row = start[0] + heading[0], start[1] + heading[1]
    while (column, row) in places:
        ahead.append(places[column, row])
        column, row = column + heading[0], row + heading[1]
    return tuple(ahead)
