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


MOST_BYTES = 10_000
"""A motion that would be longer is kept with half the frames a second."""


def packed_motion(flicked: Flicked, width: int) -> bytes:
    """The motion of a flick out of a pyramid with such a base: runs one after the other, pieces taken away between."""
    slots = list(flicked.motion[0][0].poses)
    frames = sum(len(run.frames) for run, _ in flicked.motion)
    gone = dict.fromkeys(slots, frames)
    bodies, fingers = [], []
    at = 0
    last = flicked.motion[0][0].frames[0]
    for run, taken in flicked.motion:
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
    places = [n for n, (row, column) in enumerate(SLOT_CELLS) if column < width - row]
    pieces = [places.index(slot) for slot in slots]
    columns = [*_finger(np.concatenate(fingers)), *_bodies(np.concatenate(bodies))]
    packed = b""
    for pace in (1, 2, 4):
        packed = _pack(columns, pieces, [-(-frame // pace) for frame in gone.values()], pace)
        if len(packed) <= MOST_BYTES:
            break
    return packed


def _pack(columns: list[npt.NDArray[np.int64]], pieces: list[int], gone: list[int], pace: int) -> bytes:
    """The motion with every frame, or only every second or fourth one."""
    kept = [column[::pace] for column in columns]
    frames = len(kept[0])
    head = [VERSION, frames, len(pieces), RATE // pace, min(frames, *gone), *pieces, *(min(at, frames) for at in gone)]
    deltas = np.array([np.diff(column, prepend=0) for column in kept]).astype("<i2").ravel()
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
