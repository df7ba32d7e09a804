"""The star: its holes, their names, neighbours and triangles.

          a1
        b1  b2            seventeen rows a to q from the top, holes numbered from the left in each
      c1  c2  c3
    d1  d2  d3  d4
e1  e2  …      …  e13

Holes are also numbered 0..120 row by row, and have axial coordinates (q, r) from the middle: q grows to the east, r to
the southeast. Directions are numbered 0..5 clockwise from east, triangles 0..5 clockwise from the northern one.
"""

from __future__ import annotations

from itertools import accumulate

AXIAL = [
    (q, r)
    for r in range(-8, 9)
    for q in range(-8, 9)
    if max(q, r, -q - r) <= 4 or min(q, r, -q - r) >= -4  # CC-1: two large triangles, one on the other
]
DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
AT = {hole: number for number, hole in enumerate(AXIAL)}
"""The number of the hole at axial coordinates."""

WIDTHS = tuple(sum(row == r for _, r in AXIAL) for row in range(-8, 9))
"""How many holes each row has."""
ROW_LETTERS = "abcdefghijklmnopq"
FIRST = (0, *accumulate(WIDTHS))
"""FIRST[i] is the number of the leftmost hole of row i."""

NAMES = tuple(f"{row}{place}" for row, width in zip(ROW_LETTERS, WIDTHS, strict=True) for place in range(1, width + 1))
NUMBER = {name: number for number, name in enumerate(NAMES)}
TRIANGLES = ("northern", "northeastern", "southeastern", "southern", "southwestern", "northwestern")
HOMES = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
"""The triangle each seat starts from, clockwise (CC-4, CC-5, CC-7, CA-1)."""


def place(hole: int) -> tuple[float, float]:
    """Where the hole lies: x to the right and y downwards from the middle, neighbours one apart."""
    q, r = AXIAL[hole]
    return q + r / 2, r * 3**0.5 / 2


def triangle(hole: int) -> int | None:
    """The number of the triangle that holds the hole; None for the hexagon in the middle."""
    q, r = AXIAL[hole]
    beyond = (-r, q, q + r, r, -q, -q - r)  # how far towards each tip, in rows
    return next((t for t, rows in enumerate(beyond) if rows > 4), None)


def target(seats: int, seat: int) -> int:
    """The triangle a seat goes to, opposite its start (CC-8)."""
    return (HOMES[seats][seat] + 3) % 6


def reached(hole: int, direction: int, steps: int) -> int | None:
    """The hole so many steps away in a direction, or None beyond the edge."""
    (q, r), (dq, dr) = AXIAL[hole], DIRECTIONS[direction]
    return AT.get((q + steps * dq, r + steps * dr))


STEPS = frozenset((hole, near) for hole in range(121) for d in range(6) if (near := reached(hole, d, 1)) is not None)
"""All pairs of neighbours."""
BETWEEN = {
    (hole, far): over
    for hole in range(121)
    for d in range(6)
    if (over := reached(hole, d, 1)) is not None and (far := reached(hole, d, 2)) is not None
}
"""The hole one jumps over, for every two holes that one jump could join."""
TRIANGLE_OF = tuple(map(triangle, range(121)))
"""The triangle of each hole, None for the hexagon in the middle."""
