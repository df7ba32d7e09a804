"""Scenes as SVG: a quiet wooden table, one light from the upper left. One renderer for every game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from types import MappingProxyType
from typing import Literal

from cupboard.core.scene import Cell, Label, Mark, Outline, Piece, Scene, Tint
from cupboard.core.scene_text import beside
from cupboard.core.svg_markup import FONT, mix, number, path, stop, tag, text
from cupboard.core.svg_pieces import CARD_HEIGHT, CARD_WIDTH, RISE, UNIT, draw_piece, gradients
from cupboard.core.words import say

ThemeName = Literal["light", "dark"]


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


THEMES = {
    "light": Theme("#f6f1e7", "#2b2622", "#6f6458", "#d9b98a", "#b98d57", "#a97f4c", "#a87f4e"),
    "dark": Theme("#1d1b19", "#efe7da", "#a89d8e", "#6b4a2f", "#4f3521", "#3f2a1a", "#3d2817"),
}
_ACCENT = "#2f8f83"
_DANGER = "#b4452f"
NOBODY: Mapping[int, str] = MappingProxyType({})
_LINE = 30  # pixels for each player above the board


def svg(scene: Scene, theme: ThemeName = "light", language: str = "en", names: Mapping[int, str] = NOBODY) -> str:
    """The whole scene as one SVG document. The `names` of those who sit there go before what the game calls a seat."""
    colours = THEMES[theme]
    places, tints = {cell.spot: cell for cell in scene.cells}, {tint.name: tint for tint in scene.tints}
    left, top, right, bottom = _bounds(scene, places)
    board, head = (right - left) * UNIT, 34 + _LINE * len(scene.players)
    width, total = max(board, 420.0), head + (bottom - top) * UNIT + 56
    shift = f"translate({number((width - board) / 2 - left * UNIT)} {number(head - top * UNIT)})"
    said = say(scene.status, language)
    status = text(width / 2, total - 24, said, _fit(said, 18, width - 24), colours.ink)
    drawn = tag(
        "g",
        *(_outline(points, colours) for points in scene.outlines),
        *(_cell(cell, tints.get(cell.tint), colours) for cell in scene.cells),
        *(_mark(mark, places[mark.spot]) for mark in scene.marks if mark.spot in places),
        *_pieces(scene.pieces, places, tints),
        *(_label(label, colours, language) for label in scene.labels),
        transform=shift,
    )
    return tag(
        "svg",
        _definitions(scene, tints, colours),
        tag("rect", width=width, height=total, fill=colours.paper),
        *_players(scene, tints, colours, language, names),
        drawn,
        status,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(total)}",
        width=width,
        height=total,
        role="img",
        lang=language,
        aria_label=f"{say(scene.title, language)}: {said}",
    )


def png(scene: Scene, theme: ThemeName = "light") -> bytes:
    """The whole scene as a PNG picture, twice as large for sharp screens."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg(scene, theme), zoom=2))


def _bounds(scene: Scene, places: dict[str, Cell]) -> tuple[float, float, float, float]:
    xs = [cell.x for cell in scene.cells] + [label.x for label in scene.labels]
    ys = [cell.y for cell in scene.cells] + [label.y for label in scene.labels]
    points = [point for outline in scene.outlines for point in outline]
    tops = [places[p.spot].y - 0.8 - p.level * RISE.get(p.kind, 0.0) for p in scene.pieces if p.spot in places]
    left = min([x - 0.75 for x in xs] + [x - 0.35 for x, _ in points])
    right = max([x + 0.75 for x in xs] + [x + 0.35 for x, _ in points])
    top = min([y - 0.75 for y in ys] + [y - 0.35 for _, y in points] + tops)
    bottom = max([y + 0.75 for y in ys] + [y + 0.35 for _, y in points])
    return left, top, right, bottom


def _players(
    scene: Scene, tints: dict[str, Tint], colours: Theme, language: str, names: Mapping[int, str]
) -> Iterable[str]:
    for row, player in enumerate(scene.players):
        y, tint = 34 + _LINE * row, tints[player.tint]
        if player.acts:
            yield tag("path", d=f"M10 {y - 7} l9 6 l-9 6 z", fill=_ACCENT)
        yield tag("circle", cx=36, cy=y - 1, r=11, fill=f"url(#ball-{tint.name})")
        yield text(36, y + 4, tint.letter, 13, tint.ink)
        called = say(player.name, language)
        here = names.get(player.seat) or called
        rest = "   ".join([called] * (here != called) + [*beside(player, language)])
        name = tag("tspan", escape(here), font_weight=600 if player.acts else 400)
        more = tag("tspan", f"   {escape(rest)}", fill=colours.faint, font_size=15)
        # xml:space keeps the blanks between name and counts.
        line = tag("text", name, more, x=56, y=y + 5, font_family=FONT, font_size=17, fill=colours.ink)
        yield line.replace("<text ", '<text xml:space="preserve" ', 1)


def _outline(points: Outline, colours: Theme) -> str:
    corners = " ".join(f"{number(x * UNIT)},{number(y * UNIT)}" for x, y in points)

    def layer(fill: str, width: int, **more: object) -> str:
        return tag(
            "polygon", points=corners, fill=fill, stroke=fill, stroke_width=width, stroke_linejoin="round", **more
        )

    return (
        layer("#000000", 26, opacity=0.22, transform="translate(3 6)")
        + layer(colours.edge, 26)
        + layer("url(#wood)", 22)
        + layer("url(#grain)", 22)
    )


def _cell(cell: Cell, tint: Tint | None, colours: Theme) -> str:
    x, y = cell.x * UNIT, cell.y * UNIT
    fill = tint.fill if tint else colours.edge
    if cell.shape == "square":
        side = 0.9 * UNIT
        square = tag("rect", x=x - side / 2, y=y - side / 2, width=side, height=side, rx=7, fill=fill,
                     fill_opacity=0.34 if tint else 0.28, stroke=fill, stroke_opacity=0.8)  # fmt: skip
        return square + text(x, y + side / 2 + 14, cell.label, 13, colours.ink)
    if cell.shape == "hollow":
        r = 0.27 * UNIT
        ring = tag("circle", cx=x, cy=y, r=0.37 * UNIT, fill=fill, fill_opacity=0.55) if tint else ""
        shine = path("M", x - r * 0.7, y + r * 0.7, "A", r, r, 0, 0, 0, x + r, y,
                     fill="none", stroke="#ffffff", stroke_opacity=0.45, stroke_width=1.6)  # fmt: skip
        dent = tag("circle", cx=x, cy=y, r=r, fill="url(#hollow)")
        return ring + dent + shine + text(x, y + 4, cell.label, 11, "#fff6e6")
    if cell.shape == "card":
        dashes = {"fill": "none", "stroke": colours.faint, "stroke_opacity": 0.4, "stroke_dasharray": "4 4"}
        return tag(
            "rect", x=x - CARD_WIDTH / 2, y=y - CARD_HEIGHT / 2, width=CARD_WIDTH, height=CARD_HEIGHT, rx=6, **dashes
        )
    base, rim, top, end = y + 0.4 * UNIT, 0.4 * UNIT, y - 0.38 * UNIT, 0.3 * UNIT  # the ghost of what stood there
    ghost = {"fill": "none", "stroke": colours.faint, "stroke_opacity": 0.3, "stroke_dasharray": "3 5"}
    return path("M", x - rim, base, "L", x - end, top, "L", x + end, top, "L", x + rim, base, "z", **ghost)


def _label(label: Label, colours: Theme, language: str) -> str:
    return text(label.x * UNIT, label.y * UNIT + 5, say(label.text, language), 15, colours.faint)


def _mark(mark: Mark, cell: Cell) -> str:
    x, y = cell.x * UNIT, cell.y * UNIT
    colour = _DANGER if mark.kind == "danger" else _ACCENT
    dashes = "5 4" if mark.kind in ("from", "path") else "none"
    look = {"fill": colour, "fill_opacity": 0.18, "stroke": colour, "stroke_width": 3, "stroke_dasharray": dashes}
    if cell.shape == "square":
        side = 0.9 * UNIT
        return tag("rect", x=x - side / 2, y=y - side / 2, width=side, height=side, rx=7, **look)
    return tag("circle", cx=x, cy=y, r=0.44 * UNIT, **look)


def _pieces(pieces: Iterable[Piece], places: dict[str, Cell], tints: dict[str, Tint]) -> Iterable[str]:
    standing = [piece for piece in pieces if piece.spot in places]
    for piece in sorted(standing, key=lambda piece: (places[piece.spot].y, piece.level)):
        cell = places[piece.spot]
        y = cell.y - piece.level * RISE.get(piece.kind, 0.0)
        yield draw_piece(cell.x * UNIT, y * UNIT, piece, tints.get(piece.tint))


def _definitions(scene: Scene, tints: dict[str, Tint], colours: Theme) -> str:
    names = {piece.tint for piece in scene.pieces if piece.tint} | {player.tint for player in scene.players}
    lines = ("M0 9 C70 3 150 16 260 9", "M0 23 C60 29 170 17 260 23", "M0 37 C90 33 160 42 260 37")
    grain = (tag("path", d=d, fill="none", stroke=colours.grain, stroke_opacity=0.28) for d in lines)
    wood = (stop(0, mix(colours.wood, "#ffffff", 0.12)), stop(1, colours.wood))
    deep = (
        stop(0, mix(colours.hollow, "#000000", 0.45)),
        stop(0.75, colours.hollow),
        stop(1, mix(colours.hollow, "#ffffff", 0.2)),
    )
    return tag(
        "defs",
        tag("linearGradient", *wood, id="wood", x1=0, y1=0, x2=1, y2=1),
        tag("pattern", *grain, id="grain", width=260, height=46, patternUnits="userSpaceOnUse"),
        tag("radialGradient", *deep, id="hollow", cx=0.38, cy=0.3, r=0.8),
        *(gradients(tints[name]) for name in sorted(names)),
    )


def _fit(words: str, size: float, width: float) -> float:
    """A font size at which `words` fit `width`; a letter is about half as wide as high."""
    return min(size, width / max(1, len(words)) / 0.52)
