"""A pyramid of hollow buckets and a finger, simulated with MuJoCo.

Everything that was tried and measured about it stands in docs/flick.md. What matters most: buckets are hollow and stand
on their rims, so they tip where a solid body would not; and the contacts are damped enough that nothing creeps.

A bucket is a ring of small balls as its rim, a thin plate as its closed end and ten flat plates as its wall. Its shape
is the same after a tenth of a turn.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cupboard.games.cup_king.flick import Push
from cupboard.games.cup_king.poses import END, HEIGHT, RIM, SIDES, WALL, Pose, place, pose_of, quaternion

Floats = npt.NDArray[np.float64]

RATE = 60
"""How many frames of a motion are kept for each second."""
FINGER = 0.007
"""The radius of the fingertip in metres."""
_MM = 0.001
_STEP = 0.001
_RIM_BALLS = 2 * SIDES
_BALL = WALL * _MM / 2
_DENSITY = 1050.0
_APPROACH, _STROKE, _PATIENCE = 0.006, 0.046, 0.25
"""How far before the bucket the finger begins, how far it goes, and for how many seconds at most it pushes."""
_BACK = 1.0
"""How fast the finger is withdrawn, in metres a second."""
_SLOW, _SLOW_TURN, _CALM = 0.006, 0.25, 0.15
"""A pyramid rests when all that stands has been slower than this, in metres and radians a second, for so long."""
_NEAR, _ROLLS = 0.1, 0.08
"""A fallen bucket so near to one that stands, in metres, and so fast may still knock into it."""
_LOOK_EVERY = 10
_ENGINE = Lock()


class SimulationFailed(Exception):
    """The engine has lost its way: numbers that are none, or bodies that fly apart."""


class Run(NamedTuple):
    """What a simulation came to."""

    poses: dict[int, Pose]
    """How each bucket came to rest, relative to its place, standing or not; a fallen one may be far away."""
    frames: Floats
    """For each frame and bucket, in the order of `poses`: x, y, z in metres and the quaternion w, x, y, z."""
    finger: Floats
    """For each frame the finger's middle, or NaN where there is none."""
    rested: bool
    """Whether everything that stands came to rest in time."""


def run(poses: Mapping[int, Pose], target: int = -1, push: Push | None = None, seconds: float = 3.0) -> Run:
    """Let a pyramid of these buckets go, pushed at `target` if there is a push, until it rests or the time is up."""
    with _ENGINE:  # the model and its data are shared
        return _run(poses, target, push, seconds)


def _run(poses: Mapping[int, Pose], target: int, push: Push | None, seconds: float) -> Run:
    import mujoco

    slots = list(poses)
    model, data = _model(len(slots))
    mujoco.mj_resetData(model, data)
    bodies = data.qpos[1:].reshape(-1, 7)
    for body, slot in zip(bodies, slots, strict=True):
        body[:3] = [(at + by / 100) * _MM for at, by in zip(place(slot), poses[slot][:3], strict=True)]
        body[3:] = quaternion(poses[slot])
    start = bodies[:, :3].copy()
    data.ctrl[0] = 0.0
    _aim(model, bodies[slots.index(target), :3] if push else None, push)
    if push:
        data.ctrl[0] = data.qvel[0] = push.speed
    frames, fingers = [bodies.copy()], [_finger(data, push)]
    pushes, calm, rested, middles = push is not None, 0.0, False, data.xipos[2:].copy()
    for step in range(1, round(seconds / _STEP) + 1):
        mujoco.mj_step(model, data)
        if pushes and (data.qpos[0] > _STROKE or step * _STEP > _PATIENCE):
            pushes = False
            data.ctrl[0] = -_BACK
        if step * _STEP * RATE >= len(frames):
            frames.append(bodies.copy())
            fingers.append(_finger(data, push))
        if step % _LOOK_EVERY or pushes:
            continue
        middles, before = data.xipos[2:].copy(), middles
        travels = np.linalg.norm(middles - before, axis=1) / (_LOOK_EVERY * _STEP)
        is_calm = _is_calm(bodies, data.qvel[1:].reshape(-1, 6), start, travels)
        calm = calm + _LOOK_EVERY * _STEP if is_calm else 0.0
        if calm >= _CALM:
            rested = True
            break
    if not np.isfinite(data.qpos).all() or any(data.warning.number[_warnings()]):
        raise SimulationFailed(f"the simulation of {len(slots)} buckets has broken down")
    resting = {slot: pose_of(slot, body.tolist()) for slot, body in zip(slots, bodies, strict=True)}
    return Run(resting, np.array(frames), np.array(fingers), rested)


def _is_calm(bodies: Floats, speeds: Floats, start: Floats, travels: Floats) -> bool:
    """Whether nothing that stands moves, and nothing that has fallen can still knock into it.

    A fallen bucket may rock on the spot for long: only how fast its middle travels counts."""
    slow = np.linalg.norm(speeds[:, :3], axis=1)
    upright = 1 - 2 * (bodies[:, 4] ** 2 + bodies[:, 5] ** 2)
    gone = (upright < 0.7) | (np.linalg.norm(bodies[:, :3] - start, axis=1) > 0.06)
    moves = (slow > _SLOW) | (np.linalg.norm(speeds[:, 3:], axis=1) > _SLOW_TURN)
    if np.any(~gone & moves):
        return False
    rolling, standing = bodies[gone & (travels > _ROLLS), :2], bodies[~gone, :2]
    if not len(rolling) or not len(standing):
        return True
    return bool(np.linalg.norm(rolling[:, None] - standing[None], axis=2).min() > _NEAR)


def _aim(model: Any, foot: Floats | None, push: Push | None) -> None:
    """Put the finger before the bucket that stands on `foot`, or out of the way."""
    body = model.body("finger").id
    if push is None or foot is None:
        model.body_pos[body] = (0.0, -1.0, 1.0)
        return
    along = math.cos(push.pitch)
    ahead = np.array([math.sin(push.turn) * along, math.cos(push.turn) * along, math.sin(push.pitch)])
    right = np.array([math.cos(push.turn), -math.sin(push.turn), 0.0])
    radius = (RIM - (RIM - END) * push.height / HEIGHT / _MM) * _MM
    depth = math.sqrt(max(radius**2 - push.aside**2, 1e-6)) + FINGER + _APPROACH
    middle = foot + np.array([0.0, 0.0, max(push.height, FINGER + 0.0005)])
    model.body_pos[body] = middle + right * push.aside - ahead * depth
    half, lift = -push.turn / 2, push.pitch / 2
    # Turned about z after being pitched about x, so that the finger's own y points ahead.
    model.body_quat[body] = (
        math.cos(half) * math.cos(lift),
        math.cos(half) * math.sin(lift),
        math.sin(half) * math.sin(lift),
        math.sin(half) * math.cos(lift),
    )


def _finger(data: Any, push: Push | None) -> Floats:
    if push is None or data.qpos[0] < -0.1:
        return np.full(3, np.nan)
    return np.array(data.body("finger").xpos if data.time else np.full(3, np.nan))


@cache
def _warnings() -> list[int]:
    import mujoco

    kinds = mujoco.mjtWarning
    return [int(kinds.mjWARN_BADQPOS), int(kinds.mjWARN_BADQVEL), int(kinds.mjWARN_BADQACC)]


@cache
def _model(buckets: int) -> tuple[Any, Any]:
    """The compiled model of so many buckets and a finger, and the data of a run."""
    import mujoco

    # `run` looks at the warnings that are counted; without this they would be written to a file in the working folder.
    mujoco.set_mju_user_warning(_ignore)
    model = mujoco.MjModel.from_xml_string(_xml(buckets))
    return model, mujoco.MjData(model)


def _ignore(warning: str) -> None:
    """Take no notice of a warning of the engine."""


def _xml(buckets: int) -> str:
    bodies = "".join(f'<body pos="{n} 0 0"><freejoint/>{_bucket()}</body>' for n in range(buckets))
    # Friction: plastic on plastic 0.35, on the table 0.4, under a fingertip 0.5; of two the larger counts.
    return f"""<mujoco>
<compiler angle="radian" eulerseq="XYZ"/>
<option timestep="{_STEP}" integrator="implicitfast" solver="Newton" cone="elliptic" impratio="10" iterations="30"/>
<default>
  <geom condim="3" friction="0.35 0.0001 0.00001" solref="0.004 0.7" solimp="0.95 0.99 0.0003"/>
  <joint damping="1e-5"/>
  <default class="rim"><geom type="sphere" size="{_BALL}" contype="1" conaffinity="6"/></default>
  <default class="end"><geom type="cylinder" size="{END * _MM} 0.0006" contype="2" conaffinity="7"/></default>
  <default class="wall"><geom type="box" contype="4" conaffinity="6"/></default>
</default>
<worldbody>
  <geom type="plane" size="2 2 0.1" friction="0.4 0.0001 0.00001" contype="2" conaffinity="15"/>
  <body name="finger"><inertial pos="0 0 0" mass="0.02" diaginertia="1e-6 1e-6 1e-6"/>
    <joint name="push" type="slide" axis="0 1 0" damping="0"/>
    <geom type="sphere" size="{FINGER}" friction="0.5 0.0001 0.00001" contype="8" conaffinity="7"/></body>
  {bodies}
</worldbody>
<actuator><velocity joint="push" kv="20" forcerange="-6 6"/></actuator>
</mujoco>"""


@cache
def _bucket() -> str:
    mass, middle, across, along = _inertia()
    parts = [f'<inertial pos="0 0 {middle}" mass="{mass}" diaginertia="{across} {across} {along}"/>']
    rim, end, height = RIM * _MM, END * _MM, HEIGHT * _MM
    for n in range(_RIM_BALLS):
        angle = math.tau * n / _RIM_BALLS
        x, y = (rim - _BALL) * math.cos(angle), (rim - _BALL) * math.sin(angle)
        parts.append(f'<geom class="rim" pos="{x:.7f} {y:.7f} {_BALL}"/>')
    parts.append(f'<geom class="end" pos="0 0 {height - 0.0006}"/>')
    lean = math.atan2(rim - end, height)
    half_width = (rim + end) / 2 * math.sin(math.pi / SIDES)
    half_height = height / 2 / math.cos(lean) - 0.0016
    out = ((rim + end) / 2 - 0.001) * math.cos(math.pi / SIDES)
    for n in range(SIDES):
        angle = math.tau * (n + 0.5) / SIDES
        x, y = out * math.cos(angle), out * math.sin(angle)
        parts.append(
            f'<geom class="wall" size="0.001 {half_width:.7f} {half_height:.7f}" '
            f'pos="{x:.7f} {y:.7f} {height / 2:.7f}" euler="0 {-lean:.7f} {angle:.7f}"/>'
        )
    return "".join(parts)


@cache
def _inertia() -> tuple[float, float, float, float]:
    """A bucket's mass, the height of its middle, and its inertia across and along its axis, as a thin shell."""
    heights = (np.arange(1000) + 0.5) / 1000 * HEIGHT * _MM
    radii = (RIM + (END - RIM) * heights / (HEIGHT * _MM)) * _MM
    slant = math.hypot(RIM - END, HEIGHT) * _MM
    rings = math.tau * radii * slant / 1000 * WALL * _MM * _DENSITY
    plate = math.pi * (END * _MM) ** 2 * WALL * _MM * _DENSITY
    mass = float(rings.sum()) + plate
    top = HEIGHT * _MM
    middle = (float((rings * heights).sum()) + plate * top) / mass
    along = float((rings * radii**2).sum()) + plate * (END * _MM) ** 2 / 2
    across = float((rings * (radii**2 / 2 + (heights - middle) ** 2)).sum())
    across += plate * ((END * _MM) ** 2 / 4 + (top - middle) ** 2)
    return mass, middle, across, along
