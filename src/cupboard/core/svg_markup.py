"""Helpers for writing SVG by hand: tags, text, colours, signs."""

from __future__ import annotations

from html import escape

from cupboard.core.scene import Tint

FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"

# Each sign as a path in a box from -1 to 1: a picture must not depend on the fonts of a machine.
SIGNS = {
    "●": "M-0.8 0 A0.8 0.8 0 1 1 0.8 0 A0.8 0.8 0 1 1 -0.8 0 z",
    "▲": "M0 -0.95 L0.95 0.75 L-0.95 0.75 z",
    "■": "M-0.75 -0.75 H0.75 V0.75 H-0.75 z",
    "◆": "M0 -1 L0.85 0 L0 1 L-0.85 0 z",
    "★": "M0 -1 L0.26 -0.33 L0.97 -0.31 L0.41 0.12 L0.61 0.81 L0 0.42 "
    "L-0.61 0.81 L-0.41 0.12 L-0.97 -0.31 L-0.26 -0.33 z",
    "✚": "M-0.32 -0.95 H0.32 V-0.32 H0.95 V0.32 H0.32 V0.95 H-0.32 V0.32 H-0.95 V-0.32 H-0.32 z",
}


def tag(name: str, *inside: str, **attributes: object) -> str:
    """`tag("circle", cx=1, fill_opacity=0.5)`: underscores become hyphens, numbers are shortened."""
    words = "".join(f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{words}>{''.join(inside)}</{name}>" if inside else f"<{name}{words}/>"


def path(*steps: object, **attributes: object) -> str:
    """An SVG path of letters and numbers: `path("M", 0, 0, "L", 1, 1, fill="none")`."""
    return tag("path", d=" ".join(_value(step) for step in steps), **attributes)


def text(x: float, y: float, words: str, size: float, fill: str, anchor: str = "middle", weight: int = 400) -> str:
    """A text element with these words at a place, or nothing for no words."""
    if not words:
        return ""
    return tag("text", escape(words), x=x, y=y, font_family=FONT, font_size=size, fill=fill, text_anchor=anchor,
               font_weight=weight)  # fmt: skip


def sign(x: float, y: float, tint: Tint, size: float) -> str:
    """The shape of a tint as an SVG path, so that nobody needs to tell colours apart."""
    place = f"translate({number(x)} {number(y)}) scale({number(size / 2)})"
    return tag("path", d=SIGNS[tint.shape], transform=place, fill=tint.ink, fill_opacity=0.9)


def mix(colour: str, other: str, share: float) -> str:
    """The colour between two others, with this share of the second."""
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def number(value: float) -> str:
    """The number as text, with as few digits as a pixel needs."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _value(value: object) -> str:
    return number(value) if isinstance(value, int | float) else escape(str(value))


def stop(offset: float, colour: str) -> str:
    """One colour of a gradient."""
    return tag("stop", offset=offset, stop_color=colour)
