"""How each kind of piece looks: turned wood and matt plastic, the light from the upper left."""

from __future__ import annotations

from collections.abc import Callable

from cupboard.core.scene import Piece, Tint
from cupboard.core.svg_markup import mix, path, sign, stop, tag, text

UNIT = 56
"""Pixels per unit of a scene."""
RISE = {"cup": 0.27}
"""How much higher each level of a stack stands, in units."""
CARD_WIDTH, CARD_HEIGHT = 0.74 * UNIT, 1.04 * UNIT
_SHADOW = {"fill": "#000000", "fill_opacity": 0.25}
_EDGE = {"stroke": "#000000", "stroke_opacity": 0.38}


def draw_piece(x: float, y: float, piece: Piece, tint: Tint | None) -> str:
    """A piece of this tint with its middle at (x, y), in pixels; only a card's back has none."""
    if piece.kind == "back":
        return _back(x, y, piece)
    assert tint
    return _DRAW[piece.kind](x, y, piece, tint)


def gradients(tint: Tint) -> str:
    """The light on things of one colour: round ones (ball-…) and the sides of cups (side-…)."""
    light, dark = mix(tint.fill, "#ffffff", 0.5), mix(tint.fill, "#000000", 0.35)
    ball = (stop(0, light), stop(0.45, tint.fill), stop(1, dark))
    side = (stop(0, mix(tint.fill, "#ffffff", 0.3)), stop(0.35, tint.fill), stop(1, dark))
    return tag("radialGradient", *ball, id=f"ball-{tint.name}", cx=0.35, cy=0.3, r=0.85) + tag(
        "linearGradient", *side, id=f"side-{tint.name}"
    )


def _cone(x: float, base: float, rim: float, end: float, tall: float, tint: Tint) -> str:
    """Upside down: the rim below, the closed end above."""
    top = base - tall
    body = ("M", x - rim, base, "L", x - end, top, "A", end, 5, 0, 0, 1, x + end, top, "L", x + rim, base)
    return (
        path(*body, "A", rim, 8, 0, 0, 1, x - rim, base, "z", fill=f"url(#side-{tint.name})", **_EDGE)
        + path("M", x - rim, base - 5, "A", rim, 8, 0, 0, 0, x + rim, base - 5,
               fill="none", stroke="#ffffff", stroke_opacity=0.5, stroke_width=1.6)
        + tag("ellipse", cx=x, cy=top, rx=end, ry=5, fill=f"url(#ball-{tint.name})", **_EDGE)
    )  # fmt: skip


def _cup(x: float, y: float, piece: Piece, tint: Tint) -> str:
    base, rim = y + 0.22 * UNIT, 0.37 * UNIT
    shadow = tag("ellipse", cx=x + 4, cy=base + 4, rx=rim + 2, ry=7, **_SHADOW) if piece.level == 0 else ""
    body = _cone(x, base, rim, 0.25 * UNIT, 0.62 * UNIT, tint)
    return shadow + body + text(x, base - 8, tint.letter, 14, tint.ink, weight=700)


def _bucket(x: float, y: float, piece: Piece, tint: Tint) -> str:
    body = _cone(x, y + 0.4 * UNIT, 0.42 * UNIT, 0.31 * UNIT, 0.78 * UNIT, tint)
    words = text(x, y + 15, tint.letter, 12, tint.ink, weight=700)
    return body + sign(x, y - 5, tint, 12) + words


def _ball(x: float, y: float, piece: Piece, tint: Tint) -> str:
    """A peg from above, or a half-sphere with its flat side down: a round back looks at us."""
    r = 0.35 * UNIT
    return (
        tag("ellipse", cx=x + 4, cy=y + 6, rx=r, ry=r * 0.95, **_SHADOW)
        + tag("circle", cx=x, cy=y, r=r, fill=f"url(#ball-{tint.name})", **_EDGE)
        + sign(x, y, tint, 14)
    )


def _turned(x: float, y: float, piece: Piece, tint: Tint) -> str:
    """Round side down in its hollow: a flat disc with a ring, fixed for good."""
    r = 0.35 * UNIT
    ring = {"stroke": tint.ink, "stroke_opacity": 0.6, "stroke_width": 1.5, "stroke_dasharray": "3 3"}
    return (
        tag("circle", cx=x, cy=y, r=r, fill=tint.fill, stroke="#000000", stroke_opacity=0.55, stroke_width=2)
        + tag("circle", cx=x, cy=y, r=r * 0.72, fill="none", **ring)
        + text(x, y + 5, tint.letter, 14, tint.ink)
    )


def _rectangle(x: float, y: float, **attributes: object) -> str:
    left, top = x - CARD_WIDTH / 2, y - CARD_HEIGHT / 2
    return tag("rect", x=left, y=top, width=CARD_WIDTH, height=CARD_HEIGHT, rx=6, **attributes)


def _card(x: float, y: float, piece: Piece, tint: Tint) -> str:
    foot = y + CARD_HEIGHT / 2 - 19
    return (
        _rectangle(x + 2, y + 3, **_SHADOW)
        + _rectangle(x, y, fill="#fffdf8", **_EDGE)
        + tag("rect", x=x - CARD_WIDTH / 2 + 3, y=foot, width=CARD_WIDTH - 6, height=16, rx=4, fill=tint.fill)
        + text(x, y + 3, piece.text, 25, "#2b2622", weight=700)
        + sign(x - 8, foot + 8, tint, 10)
        + text(x + 7, foot + 12.5, tint.letter, 13, tint.ink, weight=700)
    )


def _back(x: float, y: float, piece: Piece) -> str:
    inset = {"fill": "none", "stroke": "#f6f1e7", "stroke_opacity": 0.6, "stroke_dasharray": "3 3"}
    inner = tag("rect", x=x - CARD_WIDTH / 2 + 5, y=y - CARD_HEIGHT / 2 + 5, width=CARD_WIDTH - 10,
                height=CARD_HEIGHT - 10, rx=4, **inset)  # fmt: skip
    words = text(x, y + 7, piece.text, 18, "#f6f1e7", weight=700)
    return _rectangle(x + 2, y + 3, **_SHADOW) + _rectangle(x, y, fill="#8a6136", stroke="#5d4022") + inner + words


_DRAW: dict[str, Callable[[float, float, Piece, Tint], str]] = {
    "cup": _cup,
    "peg": _ball,
    "dome": _ball,
    "turned": _turned,
    "bucket": _bucket,
    "card": _card,
}
