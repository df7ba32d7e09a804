"""A flick: which bucket the finger taps, where, which way and how hard; and the hand that is never quite steady.

Nothing here needs the compiler or the physics engine. All numbers of a flick are whole, so that a log keeps it exactly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

GENTLE, FIRM, HARD = 20, 60, 100
STRENGTHS: Mapping[str, int] = MappingProxyType({"gentle": GENTLE, "firm": FIRM, "hard": HARD})
"""The three usual strengths, by the names of their classes; bots choose among them, and the odds are known for them."""
CLASSES = tuple(STRENGTHS)
HANDS: Mapping[str, float] = MappingProxyType({"steady": 1.0, "child": 2.5})
"""How much a hand trembles, by the values of the option `hand`: a steady adult's is the measure."""
MIDDLE = 50
MOST_ASIDE, MOST_TURN = 80, 60
_SLOWEST, _FASTEST = 0.3, 3.0


@dataclass(frozen=True, slots=True)
class Aim:
    """Where the finger touches a bucket, which way and how hard it pushes, as the owner sees it from the front."""

    strength: int = FIRM
    """From 1 to 100."""
    height: int = MIDDLE
    """How high, in hundredths of the bucket's height."""
    aside: int = 0
    """How far to the right of the middle, in hundredths of its half width there; negative: to the left."""
    turn: int = 0
    """By how many degrees the push is turned to the right of straight ahead; negative: to the left."""
    is_behind: bool = False
    """Whether the finger comes from behind, towards the owner. Right is the owner's right all the same."""

    @property
    def is_possible(self) -> bool:
        """Whether every number is a whole one and on its scale."""
        numbers = (self.strength, self.height, self.aside, self.turn)
        return (
            all(type(number) is int for number in numbers)
            and type(self.is_behind) is bool
            and 1 <= self.strength <= 100
            and 0 <= self.height <= 100
            and abs(self.aside) <= MOST_ASIDE
            and abs(self.turn) <= MOST_TURN
        )

    @property
    def nearest_class(self) -> int:
        """The number of the usual strength that comes nearest."""
        return min(range(len(CLASSES)), key=lambda n: abs(STRENGTHS[CLASSES[n]] - self.strength))

    def packed(self) -> int:
        """The aim as one number below 2**32, for the kernel's codes."""
        return (
            self.strength
            | self.height << 7
            | self.aside + 128 << 14
            | self.turn + 128 << 22
            | int(self.is_behind) << 30
        )

    @classmethod
    def unpacked(cls, number: int) -> Aim:
        """The aim that `packed` made a number of."""
        strength, height, aside, turn = number & 127, number >> 7 & 127, number >> 14 & 255, number >> 22 & 255
        return cls(strength, height, aside - 128, turn - 128, bool(number >> 30 & 1))


@dataclass(frozen=True, slots=True)
class Push:
    """What the finger really does after the hand has trembled, in metres, radians and metres a second."""

    speed: float
    height: float
    aside: float
    turn: float
    """To the right of straight away from the owner; a push from behind is turned by half a circle."""
    pitch: float
    """By how much the push goes upwards."""


def trembling(aim: Aim, hand: float, rng: np.random.Generator, height: float, half_width: float) -> Push:
    """The push that comes of an aim when a hand trembles so much; the harder one flicks, the less exactly one hits.

    `height` is the bucket's, `half_width` its radius in the middle, both in metres.
    """
    speed, up, aside, turn, pitch = rng.standard_normal(5) * hand * (0.5 + (aim.strength / FIRM) ** 2 / 2)
    side = -1 if aim.is_behind else 1
    meant = math.radians(aim.turn) * side + (math.pi if aim.is_behind else 0.0)
    return Push(
        speed=_SLOWEST * (_FASTEST / _SLOWEST) ** (aim.strength / 100) * math.exp(0.1 * speed),
        height=min(max(height * (aim.height / 100 + 0.06 * up), 0.0), height),
        aside=_within(side * aim.aside / 100 * half_width + 0.003 * aside, 0.9 * half_width),
        turn=meant + math.radians(4) * turn,
        pitch=_within(math.radians(2) * pitch, math.radians(15)),
    )


def _within(value: float, most: float) -> float:
    return min(max(value, -most), most)
