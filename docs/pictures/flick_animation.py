"""Draw docs/pictures/flick.webp: a flick out of a pyramid, from the motion that a simulation found (docs/motion.md)."""

from __future__ import annotations

import io
import math
import zlib
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFilter

from cupboard.core.scene import BLUE, GREEN, PURPLE, RED, YELLOW
from cupboard.games.cup_king.flick import Aim
from cupboard.games.cup_king.motion import packed_motion
from cupboard.games.cup_king.poses import END, HEIGHT, PLACED, RIM
from cupboard.games.cup_king.simulation import Flicked, flick

Floats = npt.NDArray[np.float64]
Colour = tuple[int, int, int]

WIDTH, TALL = 560, 360
FINE = 2
"""Everything is drawn so many times larger, then made smaller: that smooths the edges."""
RATE, PAUSE = 30, 60
"""So many frames a second are shown, each for so many milliseconds: at about half the real speed."""
PAPER, BEECH, GRAIN, SKIN = "#f6f1e7", "#d9b98a", "#b98d57", "#e2b394"
TINTS = {tint.letter: tint.fill for tint in (RED, YELLOW, GREEN, BLUE, PURPLE)}
BUILT = "RYGBPGBPYRPRGBY"
"""The colour of each bucket, row by row from the base."""
FLICKED, AIM, SEED = 1, Aim(strength=60), 1
"""Which bucket is flicked, how, and the seed of the hand's tremor."""
SIDES = 28
LIGHT = np.array([-0.45, -0.55, 0.70])
EYE, LOOKS_AT, ZOOM = np.array([20.0, -480.0, 210.0]), np.array([98.0, 0.0, 84.0]), 1.62


@dataclass(frozen=True)
class Motion:
    """What docs/motion.md describes, in millimetres."""

    rate: int
    """Frames a second."""
    gone: list[int]
    """For each piece the frame from which on it is taken away."""
    finger: Floats
    """By frame; NaN where there is none."""
    places: Floats
    """By piece and frame."""
    turns: Floats
    """By piece and frame, quaternions x, y, z, w."""


def read_motion(data: bytes) -> Motion:
    """The motion that these packed bytes hold."""
    plain = zlib.decompress(data)
    _, frames, pieces, rate, _ = np.frombuffer(plain, "<i2", 5).tolist()
    gone = np.frombuffer(plain, "<i2", pieces, 10 + 2 * pieces).tolist()
    low, high = np.frombuffer(plain, np.uint8, offset=10 + 4 * pieces).reshape(2, -1)
    steps = np.stack([low, high], axis=1).copy().view("<i2").reshape(3 + 7 * pieces, frames)
    # Differences are meant modulo 2**16: the first after "nowhere" does not fit otherwise.
    columns = np.cumsum(steps, axis=1, dtype=np.int16).astype(float)
    finger = np.where(columns[:3] == -32768, np.nan, columns[:3] / 10).T
    bodies = columns[3:].reshape(pieces, 7, frames).transpose(0, 2, 1)
    return Motion(rate, gone, finger, bodies[..., :3] / 10, bodies[..., 3:] / 16384)


def simulated() -> Flicked:
    """The flick that is shown."""
    poses = dict.fromkeys(range(15), PLACED)
    return flick(poses, FLICKED, AIM, 1.0, np.random.default_rng(SEED))


def animation() -> list[Image.Image]:
    """The frames of the picture: the pyramid at rest, the flick, what the referee leaves."""
    flicked = simulated()
    motion = read_motion(packed_motion(flicked, 5))
    frames = len(motion.finger)
    table = _table()
    first = int(np.flatnonzero(~np.isnan(motion.finger[:, 0]))[0])
    motion.finger[:first] = motion.finger[first]
    shown = [*[0] * 8, *range(0, frames, max(1, motion.rate // RATE)), *[frames - 1] * 6]
    pictures = [_frame(table, motion, frame, _left(motion, frame)) for frame in shown]
    # All that is lost fades out at the end.
    for seen in (0.75, 0.5, 0.25, 0.0):
        left = [1.0 if slot in flicked.judgement.kept else seen for slot in range(len(motion.gone))]
        pictures.append(_frame(table, motion, frames - 1, left))
    return pictures


def _left(motion: Motion, frame: int) -> list[float]:
    """How much of each piece is still to be seen: it fades out in a quarter of a second."""
    return [1.0 if frame < gone else max(0.0, 1 - (frame - gone) / motion.rate * 4) for gone in motion.gone]


def _camera() -> tuple[Floats, Floats, Floats]:
    ahead = (LOOKS_AT - EYE) / np.linalg.norm(LOOKS_AT - EYE)
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    return right, np.cross(right, ahead), ahead


def _seen(points: Floats) -> tuple[Floats, Floats]:
    """Where points of the room are on the picture, and how far away."""
    right, up, ahead = _camera()
    rel = points - EYE
    far = rel @ ahead
    scale = ZOOM * TALL * FINE / np.maximum(far, 1.0)
    across = WIDTH * FINE / 2 + (rel @ right) * scale
    return np.stack([across, TALL * FINE / 2 - (rel @ up) * scale], axis=-1), far


def _table() -> Image.Image:
    picture = Image.new("RGB", (WIDTH * FINE, TALL * FINE), PAPER)
    draw = ImageDraw.Draw(picture, "RGBA")
    left, right, front, back = -1500.0, 1700.0, -400.0, 1300.0
    corners = np.array([[left, front, 0], [right, front, 0], [right, back, 0], [left, back, 0]], float)
    edge = corners[[3, 2, 2, 3]] - np.array([[0, 0, 0], [0, 0, 0], [0, 0, 6], [0, 0, 6]], float)
    draw.polygon(_points(edge), fill=GRAIN)
    draw.polygon(_points(corners), fill=BEECH)
    rng = np.random.default_rng(3)
    for y in front + (back - front) * np.linspace(0, 1, 110) ** 1.6:
        xs = np.linspace(left, right, 60)
        wave = y + 5 * np.sin(xs / 190 + rng.uniform(0, 6)) + rng.uniform(-3, 3)
        line = np.stack([xs, np.minimum(wave, back), np.zeros_like(xs)], axis=1)
        ink = (*_rgb(GRAIN), int(rng.uniform(25, 75)))
        draw.line(_points(line), fill=ink, width=FINE)
    return picture


def _frame(table: Image.Image, motion: Motion, frame: int, left: list[float]) -> Image.Image:
    picture = table.copy()
    shapes = [_bucket(motion.places[n, frame], motion.turns[n, frame]) for n in range(len(left))]
    shade = Image.new("L", picture.size, 0)
    for rings, seen in zip(shapes, left, strict=True):
        if seen:
            _cast(shade, np.concatenate(rings), seen)
    picture.paste("#3a2a18", mask=shade.filter(ImageFilter.GaussianBlur(3 * FINE)))
    facets: list[tuple[float, list[tuple[float, float]], Colour, float]] = []
    for rings, letter, seen in zip(shapes, BUILT, left, strict=True):
        if seen:
            facets += [(*facet, seen) for facet in _facets(rings, _rgb(TINTS[letter]))]
    facets += [(*facet, 1.0) for facet in _finger(motion.finger[frame])]
    draw = ImageDraw.Draw(picture, "RGBA")
    for _, points, colour, seen in sorted(facets, key=lambda facet: -facet[0]):
        draw.polygon(points, fill=(*colour, round(255 * seen)))
    return picture.resize((WIDTH, TALL), Image.Resampling.LANCZOS)


def _bucket(place: Floats, turn: Floats) -> list[Floats]:
    """The rings of a bucket from its rim to its closed end, which is up: rim, lip, above the lip, end, inner end."""
    angles = np.linspace(0, math.tau, SIDES, endpoint=False)
    rings = []
    for radius, height in ((RIM + 1, 0), (RIM + 1, 4), (RIM - 0.6, 4), (END, HEIGHT), (END - 2.5, HEIGHT)):
        ring = np.stack([radius * np.cos(angles), radius * np.sin(angles), np.full(SIDES, float(height))], axis=1)
        rings.append(ring @ _matrix(turn).T + place)
    return rings


def _matrix(turn: Floats) -> Floats:
    x, y, z, w = turn / np.linalg.norm(turn)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def _facets(rings: list[Floats], colour: Colour) -> list[tuple[float, list[tuple[float, float]], Colour]]:
    """What is drawn of a bucket: the strips between its rings, inside and outside, and its closed end."""
    found = []
    middle = np.concatenate(rings).mean(axis=0)
    for low, high in pairwise(rings):
        corners = np.stack([low, np.roll(low, -1, 0), np.roll(high, -1, 0), high], axis=1)
        found += [_facet(facet, middle, colour) for facet in corners]
    found.append(_facet(rings[-1], middle, colour))
    return found


def _facet(corners: Floats, middle: Floats, colour: Colour) -> tuple[float, list[tuple[float, float]], Colour]:
    normal = np.cross(corners[1] - corners[0], corners[-1] - corners[0])
    normal /= np.linalg.norm(normal) + 1e-9
    at = corners.mean(axis=0)
    if normal @ (at - middle) < 0:
        normal = -normal
    inside = normal @ (EYE - at) < 0
    points, far = _seen(corners)
    bright = 0.62 + 0.42 * max(0.0, float((-normal if inside else normal) @ LIGHT))
    shine = max(0.0, float(normal @ LIGHT)) ** 14 * (0 if inside else 60)
    shaded = [min(255, round(part * bright * (0.55 if inside else 1.0) + shine)) for part in colour]
    # What is seen from inside lies behind the outside at nearly the same place.
    return float(far.mean()) + (3 if inside else 0), [(x, y) for x, y in points], (shaded[0], shaded[1], shaded[2])


def _finger(tip: Floats) -> list[tuple[float, list[tuple[float, float]], Colour]]:
    """A finger that reaches in from the front and the right: one shape in three tones, the lightest on top."""
    if np.isnan(tip).any():
        return []
    ends, far = _seen(np.stack([tip, tip + np.array([26.0, -92.0, -4.0])]))
    radii = np.array([7.0, 9.5]) * ZOOM * TALL * FINE / far
    angles = np.linspace(0, math.tau, 32, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    found = []
    for n, (part, bright) in enumerate(((1.0, 0.84), (0.78, 0.94), (0.45, 1.03))):
        both = [
            ring * radius * part + end - (1 - part) * radius * np.array([0.5, 0.6])
            for end, radius in zip(ends, radii, strict=True)
        ]
        r, g, b = (min(255, round(value * bright)) for value in _rgb(SKIN))
        outline = [(x, y) for x, y in _hull(np.concatenate(both).tolist())]
        found.append((float(far.mean()) - n / 10, outline, (r, g, b)))
    return found


def _cast(shade: Image.Image, points: Floats, seen: float) -> None:
    """The shadow on the table: where the light through a bucket's points ends."""
    fallen = points - LIGHT * (points[:, 2:] / LIGHT[2])
    fallen[:, 2] = 0
    flat, _ = _seen(fallen)
    ImageDraw.Draw(shade).polygon([(x, y) for x, y in _hull(flat.tolist())], fill=round(95 * seen))


def _hull(points: list[list[float]]) -> list[list[float]]:
    """The corners around all points (Andrew's monotone chain)."""
    ordered = sorted(points)

    def half(row: list[list[float]]) -> list[list[float]]:
        kept: list[list[float]] = []
        for x, y in row:
            while len(kept) > 1 and (kept[-1][0] - kept[-2][0]) * (y - kept[-2][1]) <= (kept[-1][1] - kept[-2][1]) * (
                x - kept[-2][0]
            ):
                kept.pop()
            kept.append([x, y])
        return kept[:-1]

    return half(ordered) + half(ordered[::-1])


def _points(corners: Floats) -> list[tuple[float, float]]:
    return [(x, y) for x, y in _seen(corners)[0]]


def _rgb(colour: str) -> Colour:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def webp(pictures: list[Image.Image]) -> bytes:
    """The frames as an animated picture that pauses at its end and begins anew."""
    out = io.BytesIO()
    times = [*[PAUSE] * (len(pictures) - 1), 1800]
    pictures[0].save(
        out, "WEBP", save_all=True, append_images=pictures[1:], duration=times, loop=0, quality=60, method=4
    )
    return out.getvalue()
