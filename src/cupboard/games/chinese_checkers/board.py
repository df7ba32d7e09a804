"""The star in words: seventeen rows a to q from the top, holes numbered from the left in each.

          a1
        b1  b2
      c1  c2  c3
    d1  d2  d3  d4
e1  e2  …      …  e13
"""

from __future__ import annotations

from itertools import accumulate

WIDTHS = (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)
ROW_LETTERS = "abcdefghijklmnopq"
FIRST = (0, *accumulate(WIDTHS))
"""FIRST[i] is the number of the leftmost hole of row i; holes are numbered 0..120 row by row, as in the kernel."""

NAMES = tuple(f"{row}{place}" for row, width in zip(ROW_LETTERS, WIDTHS, strict=True) for place in range(1, width + 1))
NUMBER = {name: number for number, name in enumerate(NAMES)}
TRIANGLES = ("northern", "northeastern", "southeastern", "southern", "southwestern", "northwestern")
HOMES = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
"""The triangle each seat starts from, clockwise (CC-4, CC-5, CC-7, CA-1)."""


def place(hole: int) -> tuple[float, float]:
    """Where the hole lies: x to the right and y downwards from the middle, neighbours one apart."""
    row = next(i for i in range(17) if hole < FIRST[i + 1])
    return hole - FIRST[row] - (WIDTHS[row] - 1) / 2, (row - 8) * 3**0.5 / 2


def triangle(hole: int) -> int | None:
    """Which of the TRIANGLES holds it; None for the hexagon in the middle."""
    x, y = place(hole)
    row = round(y * 2 / 3**0.5)
    # How far beyond the edge of the hexagon towards each tip, in rows: the three axes of the star.
    east, west = x - row / 2, -x - row / 2
    beyond = (-row, east, -west, row, -east, west)
    return next((t for t, rows in enumerate(beyond) if rows > 4), None)


def target(seats: int, seat: int) -> int:
    """The triangle opposite the start (CC-8)."""
    return (HOMES[seats][seat] + 3) % 6


_AT = {(round(2 * x), round(y * 2 / 3**0.5)): hole for hole, (x, y) in enumerate(map(place, range(121)))}
_WAYS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))

STEPS = frozenset(
    (hole, _AT[x + dx, y + dy]) for (x, y), hole in _AT.items() for dx, dy in _WAYS if (x + dx, y + dy) in _AT
)
"""All pairs of neighbours."""
BETWEEN = {
    (hole, _AT[x + 2 * dx, y + 2 * dy]): _AT[x + dx, y + dy]
    for (x, y), hole in _AT.items()
    for dx, dy in _WAYS
    if (x + 2 * dx, y + 2 * dy) in _AT
}
"""The hole one jumps over, for every two holes that one jump could join."""
TRIANGLE_OF = tuple(map(triangle, range(121)))
