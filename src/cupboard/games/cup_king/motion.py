"""The motion of a flick, packed for screens as docs/motion.md says: 60 frames a second in whole numbers, deflated."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from cupboard.games.cup_king.physics import RATE
from cupboard.games.cup_king.poses import SLOT_CELLS

if TYPE_CHECKING:
    from cupboard.games.cup_king.simulation import Flicked

VERSION = 1
_NOWHERE = -32768


def packed_motion(flicked: Flicked, width: int) -> bytes:
    """The motion of a flick out of a pyramid with such a base: runs one after the other, pieces taken away between."""
    slots = list(flicked.motion[0][0].poses)
    frames = sum(len(run.frames) for run, _ in flicked.motion)
    gone = dict.fromkeys(slots, frames)
    bodies, fingers = [], []
    at, cut = 0, frames
    last = flicked.motion[0][0].frames[0]
    for run, taken in flicked.motion:
        if at:
            cut = min(cut, at)
        for slot in taken:
            gone[slot] = at
        part = np.repeat(last[None], len(run.frames), axis=0)
        part[:, [slots.index(slot) for slot in run.poses]] = run.frames
        last = part[-1]
        bodies.append(part)
        fingers.append(run.finger)
        at += len(run.frames)
    for slot in flicked.judgement.apart | flicked.judgement.misplaced:
        gone[slot] = min(gone[slot], frames - 1)
    if any(frame < frames for frame in gone.values()):
        cut = min(cut, *gone.values())
    places = [n for n, (row, column) in enumerate(SLOT_CELLS) if column < width - row]
    head = [VERSION, frames, len(slots), RATE, cut, *(places.index(slot) for slot in slots), *gone.values()]
    columns = [*_finger(np.concatenate(fingers)), *_bodies(np.concatenate(bodies))]
    deltas = np.array([np.diff(column, prepend=0) for column in columns]).astype("<i2").ravel()
    split = deltas.view(np.uint8).reshape(-1, 2).T.tobytes()
    return zlib.compress(np.array(head, "<i2").tobytes() + split, 9)


def _finger(places: npt.NDArray[np.float64]) -> list[npt.NDArray[np.int64]]:
    whole = np.where(np.isnan(places), _NOWHERE, np.round(np.nan_to_num(places) * 10_000))
    return list(np.clip(whole, _NOWHERE, 32767).astype(np.int64).T)


def _bodies(frames: npt.NDArray[np.float64]) -> list[npt.NDArray[np.int64]]:
    """For each bucket x, y, z in tenths of a millimetre, then its quaternion x, y, z, w times 16384, all frames."""
    columns = []
    for n in range(frames.shape[1]):
        x, y, z, w, i, j, k = frames[:, n].T
        columns += [np.clip(np.round(value * 10_000), -32767, 32767) for value in (x, y, z)]
        columns += [np.round(value * 16_384) for value in (i, j, k, w)]
    return [column.astype(np.int64) for column in columns]
