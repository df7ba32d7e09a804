"""The referee: what the rulebook says of buckets that have come to rest after a flick (CK-13, CK-14).

    fallen  it lies about, or dropped from its row
    A       it still leans or sits somewhere, but not in its right place: removed by hand
    B       it is only shifted a little: it stays, and stays shifted
    C       a single bucket so far from the rest that another would fit between: removed
    D       the pyramid is in two parts or more with room for a bucket between them: the owner keeps one

Pure functions over poses; slots are the kernel's numbers, from the base up. The booklet's pictures are lost, so the
limits are ours: a bucket stands in its right place if it leans by at most 15 degrees, is within a quarter of its height
of its row, has both buckets under it that carried it, and stands between them. Another bucket fits into a gap of
41.8 mm between two rims, 95 hundredths of its width; and where a bucket of the base is gone, there is room for one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cupboard.games.cup_king.poses import HEIGHT, RIM, SLOT_CELLS, SPACING, Pose, place, tilt

LEANS = 15.0
"""A bucket that leans by more degrees is not in its right place."""
DROPPED = HEIGHT / 4
"""A bucket that is so many millimetres above or below its row is not in its right place."""
LIES = 45.0
"""A bucket that leans by more degrees has fallen."""
FITS = 0.95 * 2 * RIM
"""A bucket fits into a gap of so many millimetres."""
BESIDE = SPACING / 2
"""A bucket so many millimetres from the middle of the two that carry it no longer stands between them."""
_SLOT = {cell: slot for slot, cell in enumerate(SLOT_CELLS)}


@dataclass(frozen=True)
class Judgement:
    """What becomes of a pyramid: every slot that had a bucket is in exactly one of the first four fields."""

    kept: Mapping[int, Pose]
    """What stays, as it stands (B for those that are shifted)."""
    fallen: frozenset[int] = frozenset()
    misplaced: frozenset[int] = frozenset()
    """A: what is removed because it is not in its right place."""
    apart: frozenset[int] = frozenset()
    """C: what is removed because another bucket would fit between."""
    breaks: frozenset[int] = field(default=frozenset())
    """Buckets of the base that stand, but so far from their right neighbour that another bucket fits between."""


def carriers(slot: int) -> tuple[int, ...]:
    """The slots of the two buckets that carry this one; none for the base."""
    row, column = SLOT_CELLS[slot]
    return () if row == 0 else (_SLOT[row - 1, column], _SLOT[row - 1, column + 1])


def has_fallen(slot: int, pose: Pose) -> bool:
    """Whether a bucket lies about or has left its row."""
    return tilt(pose) > LIES or abs(pose.z) > HEIGHT * 100 / 2 or math.hypot(pose.x, pose.y) > 4 * SPACING * 100


def is_misplaced(slot: int, poses: Mapping[int, Pose]) -> bool:
    """Situation A for one bucket: it leans, sits too high or too low, or is not between the two that carry it."""
    pose = poses[slot]
    if tilt(pose) > LEANS or abs(pose.z) > DROPPED * 100:
        return True
    below = carriers(slot)
    if not below:
        return False
    if not all(carrier in poses for carrier in below):
        return True
    x, y = where(slot, pose)
    (left, front), (right, back) = (where(carrier, poses[carrier]) for carrier in below)
    return math.hypot(x - (left + right) / 2, y - (front + back) / 2) > BESIDE


def in_place(poses: Mapping[int, Pose]) -> dict[int, Pose]:
    """The buckets that situation A leaves: without one, those that it carried are not in their right places either."""
    left = dict(sorted(poses.items()))
    while wrong := [slot for slot in left if is_misplaced(slot, left)]:
        for slot in wrong:
            del left[slot]
    return left


def breaks(kept: Mapping[int, Pose]) -> frozenset[int]:
    """The buckets of the base beside which another bucket fits, although their right neighbour stands."""
    found = set()
    for slot in range(4):
        if slot in kept and slot + 1 in kept and _SLOT[1, slot] not in kept:
            (x, y), (next_x, next_y) = where(slot, kept[slot]), where(slot + 1, kept[slot + 1])
            if math.hypot(next_x - x, next_y - y) - 2 * RIM >= FITS:
                found.add(slot)
    return frozenset(found)


def parts(kept: Iterable[int], broken: Iterable[int] = ()) -> list[frozenset[int]]:
    """The parts of a pyramid from the left: a part ends where a bucket of the base is missing or a break is."""
    standing, broken = set(kept), set(broken)
    runs: list[list[int]] = []
    for slot in range(5):
        if slot in standing:
            if runs and runs[-1][-1] == slot - 1 and slot - 1 not in broken:
                runs[-1].append(slot)
            else:
                runs.append([slot])
    return [_on(run, standing) for run in runs]


def _on(run: list[int], standing: set[int]) -> frozenset[int]:
    """The buckets of a run of the base and all that they carry."""
    group = set(run)
    for slot in sorted(standing):
        if (below := carriers(slot)) and group.issuperset(below):
            group.add(slot)
    return frozenset(group)


def judge(poses: Mapping[int, Pose], removed: Iterable[int] = (), flicked: int = -1) -> Judgement:
    """The judgement over a pyramid at rest; `removed` are those that hands took away before (A).

    The flicked bucket goes in any case: it counts as fallen."""
    taken = frozenset(removed)
    fallen = frozenset(slot for slot, pose in poses.items() if slot == flicked or has_fallen(slot, pose)) - taken
    rest = {slot: pose for slot, pose in poses.items() if slot not in fallen and slot not in taken}
    kept = in_place(rest)
    misplaced = taken | (frozenset(rest) - frozenset(kept))
    broken = breaks(kept)
    groups = parts(kept, broken)
    apart: frozenset[int] = frozenset()
    if any(len(group) > 1 for group in groups):
        apart = frozenset().union(*(group for group in groups if len(group) == 1))
    stays = {slot: pose for slot, pose in kept.items() if slot not in apart}
    return Judgement(stays, fallen, misplaced, apart, broken & breaks(stays))


def where(slot: int, pose: Pose) -> tuple[float, float]:
    """Where the middle of a bucket's rim is, to the right and to the back, in millimetres."""
    x, y, _ = place(slot)
    return x + pose.x / 100, y + pose.y / 100
