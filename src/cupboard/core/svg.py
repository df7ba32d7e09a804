"""Scenes as SVG: a quiet wooden table, one light from the upper left. One renderer for every game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from typing import Literal

from cupboard.core.scene import Cell, Mark, Piece, Scene, Tint

UNIT = 56
"""Pixels per unit of a scene."""
_FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
_RISE = {"cup": 0.27}
"""How much higher each level of a stack stands, in units."""


@dataclass(frozen=True)
class Theme:
    """The colours of the room."""

    paper: str
    ink: str
    faint: str
    wood: str
    grain: str
    edge: str
    hollow: str
    shadow: str


THEMES = {
    "light": Theme("#f6f1e7", "#2b2622", "#6f6458", "#d9b98a", "#b98d57", "#a97f4c", "#a87f4e", "#2b2622"),
    "dark": Theme("#1d1b19", "#efe7da", "#a89d8e", "#6b4a2f", "#4f3521", "#3f2a1a", "#3d2817", "#000000"),
}
_ACCENT = "#2f8f83"
_DANGER = "#b4452f"


def svg(scene: Scene, theme: Literal["light", "dark"] = "light") -> str:
    """The whole scene as one SVG document."""
    colours = THEMES[theme]
    places = {cell.spot: cell for cell in scene.cells}
    left, top, right, bottom = _bounds(scene, places)
    width, height = (right - left) * UNIT, (bottom - top) * UNIT
    head = 34 + 30 * len(scene.players)
    total = head + height + 56
    width = max(width, 420.0)
    shift_x = -left * UNIT + (width - (right - left) * UNIT) / 2
    shift_y = head - top * UNIT
    tints = {piece.tint for piece in scene.pieces if piece.tint} | {player.tint for player in scene.players}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {_n(total)}" '
        f'width="{_n(width)}" height="{_n(total)}" role="img" aria-label="{escape(scene.title)}: {escape(scene.status)}">',
        _definitions(colours, sorted(tints, key=lambda tint: tint.name)),
        f'<rect width="{_n(width)}" height="{_n(total)}" fill="{colours.paper}"/>',
        *_players(scene, colours),
        f'<g transform="translate({_n(shift_x)} {_n(shift_y)})">',
        *(_outline(points, colours) for points in scene.outlines),
        *(_cell(cell, colours) for cell in scene.cells),
        *(_mark(mark, places[mark.spot]) for mark in scene.marks if mark.spot in places),
        *_pieces(scene.pieces, places, colours),
        *(_text(label.x * UNIT, label.y * UNIT + 5, label.text, 15, colours.faint, "middle") for label in scene.labels),
        "</g>",
        _text(width / 2, total - 24, scene.status, 18, colours.ink, "middle", _fit(scene.status, 18, width - 24)),
        "</svg>",
    ]
    return "\n".join(parts)


def png(scene: Scene, theme: Literal["light", "dark"] = "light") -> bytes:
    """The same as a PNG picture, twice as large for sharp screens."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg(scene, theme), zoom=2))


# Around the board.


def _bounds(scene: Scene, places: dict[str, Cell]) -> tuple[float, float, float, float]:
    xs = [cell.x for cell in scene.cells] + [label.x for label in scene.labels]
    ys = [cell.y for cell in scene.cells] + [label.y for label in scene.labels]
    points = [point for outline in scene.outlines for point in outline]
    rises = [places[p.spot].y - 0.35 - p.level * _RISE.get(p.kind, 0.0) for p in scene.pieces if p.spot in places]
    left = min([x - 0.75 for x in xs] + [x - 0.35 for x, _ in points])
    right = max([x + 0.75 for x in xs] + [x + 0.35 for x, _ in points])
    top = min([y - 0.75 for y in ys] + [y - 0.35 for _, y in points] + [y - 0.45 for y in rises])
    bottom = max([y + 0.75 for y in ys] + [y + 0.35 for _, y in points])
    return left, top, right, bottom


def _players(scene: Scene, colours: Theme) -> Iterable[str]:
    for row, player in enumerate(scene.players):
        y = 34 + 30 * row
        if player.acts:
            yield f'<path d="M10 {y - 7} l9 6 l-9 6 z" fill="{_ACCENT}"/>'
        yield f'<circle cx="36" cy="{y - 1}" r="11" fill="url(#ball-{player.tint.name})"/>'
        yield _text(36, y + 4, player.tint.letter, 13, player.tint.ink, "middle")
        counts = "   ".join(f"{name} {value}" for name, value in player.counts.items())
        rest = "   ".join(text for text in (counts, player.note) if text)
        weight = ' font-weight="600"' if player.acts else ""
        yield (
            f'<text x="56" y="{y + 5}" font-family="{_FONT}" font-size="17" fill="{colours.ink}" xml:space="preserve">'
            f"<tspan{weight}>{escape(player.name)}</tspan>"
            f'<tspan fill="{colours.faint}" font-size="15">   {escape(rest)}</tspan></text>'
        )


def _outline(points: tuple[tuple[float, float], ...], colours: Theme) -> str:
    path = " ".join(f"{_n(x * UNIT)},{_n(y * UNIT)}" for x, y in points)
    join = 'stroke-linejoin="round"'
    return (
        f'<polygon points="{path}" transform="translate(3 6)" fill="{colours.shadow}" fill-opacity="0.22" '
        f'stroke="{colours.shadow}" stroke-opacity="0.22" stroke-width="26" {join}/>'
        f'<polygon points="{path}" fill="{colours.edge}" stroke="{colours.edge}" stroke-width="26" {join}/>'
        f'<polygon points="{path}" fill="url(#wood)" stroke="url(#wood)" stroke-width="22" {join}/>'
        f'<polygon points="{path}" fill="url(#grain)" stroke="url(#grain)" stroke-width="22" {join}/>'
    )


def _cell(cell: Cell, colours: Theme) -> str:
    x, y = cell.x * UNIT, cell.y * UNIT
    tint = cell.tint.fill if cell.tint else colours.edge
    if cell.shape == "square":
        side = 0.9 * UNIT
        return (
            f'<rect x="{_n(x - side / 2)}" y="{_n(y - side / 2)}" width="{_n(side)}" height="{_n(side)}" rx="7" '
            f'fill="{tint}" fill-opacity="{0.34 if cell.tint else 0.28}" stroke="{tint}" stroke-opacity="0.8"/>'
            + _text(x, y + side / 2 + 14, cell.label, 13, colours.ink, "middle")
        )
    if cell.shape == "hollow":
        ring = (
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(0.36 * UNIT)}" fill="{tint}" fill-opacity="0.55"/>'
            if cell.tint
            else ""
        )
        r = 0.27 * UNIT
        return (
            ring + f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}" fill="url(#hollow)"/>'
            f'<path d="M{_n(x - r * 0.7)} {_n(y + r * 0.7)} A{_n(r)} {_n(r)} 0 0 0 {_n(x + r)} {_n(y)}" fill="none" '
            'stroke="#ffffff" stroke-opacity="0.45" stroke-width="1.6"/>'
        )
    if cell.shape == "card":
        w, h = 0.74 * UNIT, 1.04 * UNIT
        return (
            f'<rect x="{_n(x - w / 2)}" y="{_n(y - h / 2)}" width="{_n(w)}" height="{_n(h)}" rx="6" fill="none" '
            f'stroke="{colours.faint}" stroke-opacity="0.4" stroke-dasharray="4 4"/>'
        )
    return f'<ellipse cx="{_n(x)}" cy="{_n(y + 0.36 * UNIT)}" rx="{_n(0.3 * UNIT)}" ry="4" fill="{colours.shadow}" fill-opacity="0.1"/>'


def _mark(mark: Mark, cell: Cell) -> str:
    x, y = cell.x * UNIT, cell.y * UNIT
    colour = _DANGER if mark.kind == "danger" else _ACCENT
    style = 'stroke-dasharray="5 4"' if mark.kind in ("from", "path") else ""
    common = f'fill="{colour}" fill-opacity="0.18" stroke="{colour}" stroke-width="3" {style}'
    if cell.shape == "square":
        side = 0.9 * UNIT
        return f'<rect x="{_n(x - side / 2)}" y="{_n(y - side / 2)}" width="{_n(side)}" height="{_n(side)}" rx="7" {common}/>'
    return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(0.44 * UNIT)}" {common}/>'


# Pieces.


def _pieces(pieces: Iterable[Piece], places: dict[str, Cell], colours: Theme) -> Iterable[str]:
    standing = [piece for piece in pieces if piece.spot in places]
    for piece in sorted(standing, key=lambda piece: (places[piece.spot].y, piece.level)):
        cell = places[piece.spot]
        y = cell.y - piece.level * _RISE.get(piece.kind, 0.0)
        yield _DRAW[piece.kind](cell.x * UNIT, y * UNIT, piece, colours)


def _cup(x: float, y: float, piece: Piece, colours: Theme) -> str:
    """Upside down, so that one slips over another: the rim below, the closed end above."""
    assert piece.tint
    rim, end, tall = 0.37 * UNIT, 0.25 * UNIT, 0.62 * UNIT
    base, top = y + 0.22 * UNIT, y + 0.22 * UNIT - tall
    shadow = (
        f'<ellipse cx="{_n(x + 4)}" cy="{_n(base + 4)}" rx="{_n(rim + 2)}" ry="7" fill="{colours.shadow}" fill-opacity="0.25"/>'
        if piece.level == 0
        else ""
    )
    return (
        shadow
        + f'<path d="M{_n(x - rim)} {_n(base)} L{_n(x - end)} {_n(top)} A{_n(end)} 5 0 0 1 {_n(x + end)} {_n(top)} '
        f'L{_n(x + rim)} {_n(base)} A{_n(rim)} 8 0 0 1 {_n(x - rim)} {_n(base)} z" fill="url(#side-{piece.tint.name})" '
        'stroke="#000000" stroke-opacity="0.35"/>'
        f'<path d="M{_n(x - rim)} {_n(base - 5)} A{_n(rim)} 8 0 0 0 {_n(x + rim)} {_n(base - 5)}" fill="none" '
        'stroke="#ffffff" stroke-opacity="0.5" stroke-width="1.5"/>'
        f'<ellipse cx="{_n(x)}" cy="{_n(top)}" rx="{_n(end)}" ry="5.5" fill="url(#ball-{piece.tint.name})" '
        'stroke="#000000" stroke-opacity="0.25"/>'
        + _text(x, base - 8, piece.tint.letter, 14, piece.tint.ink, "middle", weight=700)
    )


def _peg(x: float, y: float, piece: Piece, colours: Theme) -> str:
    assert piece.tint
    r = 0.33 * UNIT
    return (
        f'<ellipse cx="{_n(x + 4)}" cy="{_n(y + 6)}" rx="{_n(r)}" ry="{_n(r * 0.9)}" fill="{colours.shadow}" fill-opacity="0.3"/>'
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}" fill="url(#ball-{piece.tint.name})" stroke="#000000" stroke-opacity="0.4"/>'
        + _sign(x, y, piece.tint, 13)
    )


def _dome(x: float, y: float, piece: Piece, colours: Theme) -> str:
    """Flat side down: a round back looks at us."""
    assert piece.tint
    r = 0.36 * UNIT
    return (
        f'<ellipse cx="{_n(x + 4)}" cy="{_n(y + 5)}" rx="{_n(r)}" ry="{_n(r)}" fill="{colours.shadow}" fill-opacity="0.3"/>'
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}" fill="url(#ball-{piece.tint.name})" stroke="#000000" stroke-opacity="0.4"/>'
        + _sign(x, y, piece.tint, 13)
    )


def _turned(x: float, y: float, piece: Piece, colours: Theme) -> str:
    """Round side down in its hollow: a flat disc with a ring, fixed for good."""
    assert piece.tint
    r = 0.36 * UNIT
    return (
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}" fill="{piece.tint.fill}" stroke="#000000" stroke-opacity="0.55" '
        f'stroke-width="2"/><circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r * 0.72)}" fill="none" stroke="{piece.tint.ink}" '
        'stroke-opacity="0.55" stroke-width="1.5" stroke-dasharray="3 3"/>'
        + _text(x, y + 5, piece.tint.letter, 14, piece.tint.ink, "middle")
    )


def _bucket(x: float, y: float, piece: Piece, colours: Theme) -> str:
    assert piece.tint
    rim, end, tall = 0.42 * UNIT, 0.31 * UNIT, 0.8 * UNIT
    base, top = y + tall / 2, y - tall / 2
    return (
        f'<path d="M{_n(x - rim)} {_n(base)} L{_n(x - end)} {_n(top)} A{_n(end)} 4 0 0 1 {_n(x + end)} {_n(top)} '
        f'L{_n(x + rim)} {_n(base)} A{_n(rim)} 6 0 0 1 {_n(x - rim)} {_n(base)} z" fill="url(#side-{piece.tint.name})" '
        'stroke="#000000" stroke-opacity="0.4"/>'
        f'<path d="M{_n(x - rim)} {_n(base - 4)} A{_n(rim)} 6 0 0 0 {_n(x + rim)} {_n(base - 4)}" fill="none" '
        'stroke="#ffffff" stroke-opacity="0.55" stroke-width="2"/>'
        + _sign(x, y - 4, piece.tint, 11)
        + _text(x, y + 15, piece.tint.letter, 11, piece.tint.ink, "middle", weight=700)
    )


def _card(x: float, y: float, piece: Piece, colours: Theme) -> str:
    assert piece.tint
    w, h = 0.74 * UNIT, 1.04 * UNIT
    return (
        f'<rect x="{_n(x - w / 2 + 2)}" y="{_n(y - h / 2 + 3)}" width="{_n(w)}" height="{_n(h)}" rx="6" '
        f'fill="{colours.shadow}" fill-opacity="0.25"/>'
        f'<rect x="{_n(x - w / 2)}" y="{_n(y - h / 2)}" width="{_n(w)}" height="{_n(h)}" rx="6" fill="#fffdf8" '
        'stroke="#000000" stroke-opacity="0.35"/>'
        f'<rect x="{_n(x - w / 2 + 3)}" y="{_n(y + h / 2 - 19)}" width="{_n(w - 6)}" height="16" rx="4" fill="{piece.tint.fill}"/>'
        + _text(x, y + 3, piece.text, 25, "#2b2622", "middle", weight=700)
        + _sign(x - 8, y + h / 2 - 11, piece.tint, 9)
        + _text(x + 7, y + h / 2 - 6, piece.tint.letter, 13, piece.tint.ink, "middle", weight=700)
    )


def _back(x: float, y: float, piece: Piece, colours: Theme) -> str:
    w, h = 0.74 * UNIT, 1.04 * UNIT
    return (
        f'<rect x="{_n(x - w / 2)}" y="{_n(y - h / 2)}" width="{_n(w)}" height="{_n(h)}" rx="6" fill="{colours.grain}" '
        f'stroke="{colours.edge}"/><rect x="{_n(x - w / 2 + 5)}" y="{_n(y - h / 2 + 5)}" width="{_n(w - 10)}" '
        f'height="{_n(h - 10)}" rx="4" fill="none" stroke="{colours.paper}" stroke-opacity="0.6" stroke-dasharray="3 3"/>'
        + _text(x, y + 7, piece.text, 18, colours.paper, "middle", weight=700)
    )


_DRAW: dict[str, Callable[[float, float, Piece, Theme], str]] = {
    "cup": _cup,
    "peg": _peg,
    "dome": _dome,
    "turned": _turned,
    "bucket": _bucket,
    "card": _card,
    "back": _back,
}


# Small things.


def _definitions(colours: Theme, tints: Iterable[Tint]) -> str:
    parts = [
        f'<linearGradient id="wood" x1="0" y1="0" x2="1" y2="1" gradientUnits="objectBoundingBox"><stop offset="0" '
        f'stop-color="{_mix(colours.wood, "#ffffff", 0.12)}"/><stop offset="1" stop-color="{colours.wood}"/></linearGradient>',
        '<pattern id="grain" width="260" height="46" patternUnits="userSpaceOnUse">'
        f'<g fill="none" stroke="{colours.grain}" stroke-opacity="0.28" stroke-width="1.1"><path d="M0 9 C70 3 150 16 260 9"/>'
        '<path d="M0 23 C60 29 170 17 260 23"/><path d="M0 37 C90 33 160 42 260 37"/></g></pattern>',
        f'<radialGradient id="hollow" cx="0.38" cy="0.3" r="0.8"><stop offset="0" stop-color="{_mix(colours.hollow, "#000000", 0.45)}"/>'
        f'<stop offset="0.75" stop-color="{colours.hollow}"/><stop offset="1" stop-color="{_mix(colours.hollow, "#ffffff", 0.2)}"/>'
        "</radialGradient>",
    ]
    for tint in tints:
        light, dark = _mix(tint.fill, "#ffffff", 0.5), _mix(tint.fill, "#000000", 0.35)
        parts.append(
            f'<radialGradient id="ball-{tint.name}" cx="0.35" cy="0.3" r="0.85"><stop offset="0" stop-color="{light}"/>'
            f'<stop offset="0.45" stop-color="{tint.fill}"/><stop offset="1" stop-color="{dark}"/></radialGradient>'
            f'<linearGradient id="side-{tint.name}"><stop offset="0" stop-color="{_mix(tint.fill, "#ffffff", 0.3)}"/>'
            f'<stop offset="0.35" stop-color="{tint.fill}"/><stop offset="1" stop-color="{dark}"/></linearGradient>'
        )
    return f"<defs>{''.join(parts)}</defs>"


def _text(
    x: float,
    y: float,
    text: str,
    size: float,
    fill: str,
    anchor: str,
    fit: float | None = None,
    weight: int = 400,
) -> str:
    if not text:
        return ""
    bold = f' font-weight="{weight}"' if weight != 400 else ""
    return (
        f'<text x="{_n(x)}" y="{_n(y)}" font-family="{_FONT}" font-size="{_n(fit or size)}" fill="{fill}" '
        f'text-anchor="{anchor}"{bold}>{escape(text)}</text>'
    )


# Each sign as a path in a box from -1 to 1: a picture must not depend on the fonts of a machine.
_SIGNS = {
    "●": "M-0.8 0 A0.8 0.8 0 1 1 0.8 0 A0.8 0.8 0 1 1 -0.8 0 z",
    "▲": "M0 -0.95 L0.95 0.75 L-0.95 0.75 z",
    "■": "M-0.75 -0.75 H0.75 V0.75 H-0.75 z",
    "◆": "M0 -1 L0.85 0 L0 1 L-0.85 0 z",
    "★": "M0 -1 L0.26 -0.33 L0.97 -0.31 L0.41 0.12 L0.61 0.81 L0 0.42 L-0.61 0.81 L-0.41 0.12 L-0.97 -0.31 L-0.26 -0.33 z",
    "✚": "M-0.32 -0.95 H0.32 V-0.32 H0.95 V0.32 H0.32 V0.95 H-0.32 V0.32 H-0.95 V-0.32 H-0.32 z",
}


def _sign(x: float, y: float, tint: Tint, size: float) -> str:
    return (
        f'<path d="{_SIGNS[tint.shape]}" transform="translate({_n(x)} {_n(y)}) scale({_n(size / 2)})" '
        f'fill="{tint.ink}" fill-opacity="0.9"/>'
    )


def _fit(text: str, size: float, width: float) -> float:
    """A font size at which `text` fits `width`; a letter is about half as wide as high."""
    return min(size, width / max(1, len(text)) / 0.52)


def _mix(colour: str, other: str, share: float) -> str:
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
