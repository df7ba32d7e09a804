"""How buckets stand: each in its place, or moved and turned a little, in whole numbers, so that a log keeps it exactly.

A pyramid is planar: x to the right and y to the back as its owner sees it, z up. The place of a bucket is where it
stands when nobody has touched it: a row every HEIGHT, a bucket every SPACING, each row half a bucket further in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

RIM, END, HEIGHT, WALL = 22.0, 16.0, 42.0, 1.3
"""The radius of a bucket's rim and of its closed end, its height and the thickness of its wall, in millimetres."""
SIDES = 10
"""A bucket looks the same after one turn divided by this."""
SPACING = 46
"""From the middle of one bucket of a row to the next, in millimetres."""
SLOT_CELLS = tuple((row, column) for row in range(5) for column in range(5 - row))
"""The row and the column of each of the kernel's slots."""
MOST_MOVED, MOST_TURNED = 20_000, 20_000
_BITS = 20
_MASK = (1 << _BITS) - 1
_HALF = 1 << _BITS - 1


class Pose(NamedTuple):
    """How far a bucket is from its place, in hundredths of a millimetre, and how it is turned there.

    The turn is a rotation vector about the axes x, y and z in hundredths of a degree.
    """

    x: int = 0
    y: int = 0
    z: int = 0
    rx: int = 0
    ry: int = 0
    rz: int = 0

    @property
    def is_possible(self) -> bool:
        """Whether every number is a whole one that a resting bucket could have."""
        return (
            all(type(number) is int for number in self)
            and max(map(abs, self[:3])) <= MOST_MOVED
            and max(map(abs, self[3:])) <= MOST_TURNED
        )

    def packed(self) -> tuple[int, int]:
        """The pose as two numbers for the kernel's row; 0 and 0 for a bucket in its place."""
        if not any(self):
            return 0, 0
        first = second = 0
        for moved, turned in zip(self[:3], self[3:], strict=True):
            first, second = first << _BITS | moved + _HALF, second << _BITS | turned + _HALF
        return first, second

    @classmethod
    def unpacked(cls, first: int, second: int) -> Pose:
        """The pose that `packed` made two numbers of."""
        if not first:
            return PLACED
        shifts = (2 * _BITS, _BITS, 0)
        moved = [(first >> at & _MASK) - _HALF for at in shifts]
        return cls(*moved, *[(second >> at & _MASK) - _HALF for at in shifts])


PLACED = Pose()
"""The pose of a bucket that stands exactly in its place."""


def place(slot: int) -> tuple[float, float, float]:
    """The place of a slot in millimetres: the middle of the rim, on the table for the lowest row."""
    row, column = SLOT_CELLS[slot]
    return (column + row / 2) * SPACING, 0.0, row * HEIGHT


def tilt(pose: Pose) -> float:
    """By how many degrees the axis of a bucket leans."""
    _, x, y, _ = quaternion(pose)
    return math.degrees(math.acos(max(-1.0, min(1.0, 1 - 2 * (x * x + y * y)))))


def quaternion(pose: Pose) -> tuple[float, float, float, float]:
    """The turn of a pose as a unit quaternion w, x, y, z."""
    vector = [math.radians(turn / 100) for turn in pose[3:]]
    angle = math.hypot(*vector)
    if angle == 0:
        return 1.0, 0.0, 0.0, 0.0
    scale = math.sin(angle / 2) / angle
    return math.cos(angle / 2), vector[0] * scale, vector[1] * scale, vector[2] * scale


def pose_of(slot: int, body: Sequence[float]) -> Pose:
    """The pose of a body at x, y, z in metres, turned by the quaternion w, x, y, z, relative to its slot's place.

    All spins about a bucket's own axis that look alike are one: the smallest of them is kept.
    """
    moved = [round((value * 1000 - at) * 100) for value, at in zip(body[:3], place(slot), strict=True)]
    w, x, y, z = body[3:]
    less = -round(2 * math.atan2(z, w) / (math.tau / SIDES)) * math.tau / SIDES / 2
    c, s = math.cos(less), math.sin(less)
    w, x, y, z = w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s
    if w < 0:
        w, x, y, z = -w, -x, -y, -z
    length = math.hypot(x, y, z)
    scale = math.degrees(2 * math.atan2(length, w)) * 100 / length if length > 1e-12 else 0.0
    return Pose(*moved, *(round(part * scale) for part in (x, y, z)))
