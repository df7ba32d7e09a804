"""A flick before people: simulated from how the buckets really stand, judged, and packed with its motion."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from cupboard.core.position import Simulated
from cupboard.core.random_source import Luck, random_bits
from cupboard.games.cup_king.flick import HANDS
from cupboard.games.cup_king.moves import SLOT_INDEX, SLOTS, CupMove, Settle

if TYPE_CHECKING:
    from cupboard.games.cup_king.rules import CupKingPosition
    from cupboard.games.cup_king.simulation import Flicked


def is_available() -> bool:
    """Whether there is a physics engine on this machine; MuJoCo has no wheels for some."""
    return find_spec("mujoco") is not None


def enact(position: CupKingPosition, rng: Luck) -> Simulated[CupMove]:
    """What comes of the flick under way. Equal random bits give an equal result on one machine."""
    from cupboard.games.cup_king.motion import packed_motion
    from cupboard.games.cup_king.simulation import flick

    shot, seat = position.shot, position.served
    assert shot is not None
    stood = {n: position.pose(seat, n) for n in range(len(SLOTS)) if position.standing(seat) >> n & 1}
    hand = HANDS[str(position.game.options["hand"])]
    flicked = flick(stood, SLOT_INDEX[shot.bucket], shot.aim, hand, np.random.default_rng(int(random_bits(rng))))
    return Simulated(_settle(position, flicked), packed_motion(flicked, position.width))


def _settle(position: CupKingPosition, flicked: Flicked) -> Settle:
    verdict = flicked.judgement
    return Settle(
        position.served,
        _names(verdict.kept),
        tuple((SLOTS[n], pose) for n, pose in verdict.kept.items() if pose != position.pose(position.served, n)),
        _names(verdict.breaks),
        _names(verdict.fallen),
        _names(verdict.misplaced),
        _names(verdict.apart),
        "engine" if flicked.rested else "late",
    )


def _names(slots: Iterable[int]) -> tuple[str, ...]:
    return tuple(SLOTS[n] for n in sorted(slots))
