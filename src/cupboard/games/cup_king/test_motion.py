"""The motion of a flick: packed small, and unpacked to what was simulated."""

from __future__ import annotations

import zlib

import numpy as np
import numpy.typing as npt
import pytest

from cupboard.games.cup_king import motion
from cupboard.games.cup_king.flick import Aim
from cupboard.games.cup_king.layout import FULL_10, FULL_15
from cupboard.games.cup_king.motion import packed_motion
from cupboard.games.cup_king.poses import PLACED
from cupboard.games.cup_king.simulation import Flicked, flick

pytest.importorskip("mujoco", reason="no physics engine for this machine")
Numbers = npt.NDArray[np.int64]


def unpacked(data: bytes) -> tuple[list[int], list[int], list[int], Numbers, Numbers]:
    """Head, places, frames of going away, the finger and the pieces of a motion, read as docs/motion.md says."""
    raw = zlib.decompress(data)
    head = np.frombuffer(raw, "<i2", 5).tolist()
    frames, pieces = head[1], head[2]
    places, gone = np.frombuffer(raw, "<i2", 2 * pieces, 10).reshape(2, -1).tolist()
    body = np.frombuffer(raw, np.uint8, offset=10 + 4 * pieces)
    low, high = body.reshape(2, -1)
    deltas = (low.astype(np.uint16) | high.astype(np.uint16) << 8).astype(np.int16)
    columns = np.cumsum(deltas.reshape(3 + 7 * pieces, frames), axis=1, dtype=np.int16).astype(np.int64)
    return head, places, gone, columns[:3], columns[3:].reshape(pieces, 7, frames)


def made(slot: int, seed: int, mask: int = FULL_15, strength: int = 60) -> Flicked:
    poses = {n: PLACED for n in range(15) if mask >> n & 1}
    return flick(poses, slot, Aim(strength), 1.0, np.random.default_rng(seed))


def test_a_motion_comes_back_as_it_was_simulated() -> None:
    flicked = made(2, 1)
    head, places, gone, finger, pieces = unpacked(packed_motion(flicked, 5))
    first = flicked.motion[0][0]
    frames = sum(len(run.frames) for run, _ in flicked.motion)
    assert head[:4] == [1, frames, 15, 60] and places == list(range(15))
    assert np.abs(pieces[:, :3, : len(first.frames)] - first.frames[:, :, :3].transpose(1, 2, 0) * 10_000).max() <= 0.5
    norms = np.linalg.norm(pieces[:, 3:], axis=1)
    assert np.abs(norms / 16_384 - 1).max() < 0.001
    assert (finger[:, 0] == -32768).all() and (finger[:, 2] != -32768).all(), "there is no finger before the first step"
    assert all(0 < frame <= frames for frame in gone)


def test_what_hands_take_away_is_gone_from_then_on() -> None:
    flicked = next(one for one in (made(2, seed) for seed in range(30)) if len(one.motion) > 1)
    head, places, gone, _, _ = unpacked(packed_motion(flicked, 5))
    first_taken = flicked.motion[1][1]
    began = len(flicked.motion[0][0].frames)
    assert head[4] == began and all(gone[places.index(slot)] == began for slot in first_taken)


def test_places_are_counted_in_the_pyramid_of_the_game() -> None:
    _, places, _, _, _ = unpacked(packed_motion(made(12, 1, FULL_10), 4))
    assert places == list(range(10))


def test_a_long_motion_keeps_every_second_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    flicked = made(2, 1)
    whole = unpacked(packed_motion(flicked, 5))
    monkeypatch.setattr(motion, "MOST_BYTES", len(packed_motion(flicked, 5)) - 1)
    head, _, gone, _, pieces = unpacked(packed_motion(flicked, 5))
    assert head[3] == 30 and head[1] == (whole[0][1] + 1) // 2
    assert (pieces == whole[4][:, :, ::2]).all() and all(0 < frame <= head[1] for frame in gone)


def test_a_motion_has_at_most_ten_kilobytes() -> None:
    sizes = [len(packed_motion(made(slot, seed, strength=100), 5)) for seed in range(4) for slot in (0, 2, 6, 10, 14)]
    assert max(sizes) <= 10_000 and np.median(sizes) < 5_000, sorted(sizes)
