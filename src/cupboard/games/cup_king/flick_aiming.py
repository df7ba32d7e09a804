"""How a screen lets a player aim a flick: at which buckets, on which scales, and how the move is written."""

from __future__ import annotations

from functools import lru_cache

from cupboard.core.aiming import Aiming, Scale
from cupboard.core.game import Seat, letter
from cupboard.core.words import phrase
from cupboard.games.cup_king.aim_notation import SCALES, SIDES, STRAIGHT


@lru_cache(1 << 10)
def aiming(seat: Seat, buckets: tuple[str, ...]) -> Aiming:
    """How a seat may aim at one of these buckets."""
    usual = (STRAIGHT.strength, STRAIGHT.height, STRAIGHT.aside, STRAIGHT.turn)
    strength, height, aside, turn = (
        Scale(least, most, number, phrase(f"cup-king.aim.{name}"))
        for (name, least, most), number in zip(SCALES, usual, strict=True)
    )
    return Aiming(
        tuple(f"{letter(seat)}:{bucket}" for bucket in buckets),
        buckets,
        "-{at}:{strength},{height},{aside},{turn},{side}",
        strength,
        height,
        aside,
        turn,
        from_front=SIDES[0],
        from_behind=SIDES[1],
        how=phrase("cup-king.aim.how"),
    )
