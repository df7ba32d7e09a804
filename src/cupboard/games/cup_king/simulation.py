"""A flick from the aim to the judgement: the hand trembles, the pyramid falls, hands take away what is out of place.

The referee looks when everything rests. What is not in its right place (A) is taken away, and what it held up may then
come down, too: so the rest is let go once more, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from cupboard.games.cup_king.flick import Aim, trembling
from cupboard.games.cup_king.physics import Run, run
from cupboard.games.cup_king.poses import END, HEIGHT, PLACED, RIM, Pose
from cupboard.games.cup_king.referee import Judgement, judge

UNEVEN = 50.0
"""Nobody builds to the hair: a bucket that nothing has moved yet stands so far from its place, in hundredths of a
millimetre (a standard deviation along each axis)."""
_ROUNDS = 5


class Flicked(NamedTuple):
    """What came of a flick."""

    judgement: Judgement
    rested: bool
    """Whether everything came to rest in time; else its last state was judged."""
    motion: list[tuple[Run, frozenset[int]]]
    """The runs one after the other, each with the slots that hands took away before it."""


def flick(poses: Mapping[int, Pose], target: int, aim: Aim, hand: float, rng: np.random.Generator) -> Flicked:
    """Flick the bucket in slot `target` out of a pyramid; equal arguments give an equal result on one machine."""
    push = trembling(aim, hand, rng, HEIGHT / 1000, (RIM + END) / 2000)
    began = {slot: _uneven(pose, rng) if pose == PLACED else pose for slot, pose in sorted(poses.items())}
    first = run(began, target, push)
    motion = [(first, frozenset[int]())]
    rested = first.rested
    verdict = judge(first.poses, flicked=target)
    taken: frozenset[int] = frozenset()
    resting = dict(first.poses)
    for _ in range(_ROUNDS):
        if not verdict.misplaced - taken or not verdict.kept:
            break
        gone = verdict.misplaced - taken
        taken |= gone
        # What C takes away stands by itself: it may as well be there while the rest comes down.
        stands = {slot: resting[slot] for slot in resting if slot in verdict.kept or slot in verdict.apart}
        again = run(stands, seconds=2.0)
        motion.append((again, gone))
        rested = rested and again.rested
        resting |= again.poses
        verdict = judge(resting, taken, target)
    return Flicked(verdict, rested, motion)


def _uneven(pose: Pose, rng: np.random.Generator) -> Pose:
    x, y = (rng.standard_normal(2) * UNEVEN).round().astype(int).tolist()
    return pose._replace(x=pose.x + x, y=pose.y + y)
