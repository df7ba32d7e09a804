"""Draw docs/pictures/table.png: games side by side, each a real position of a golden record; and flick.webp.

uv run python docs/pictures/make.py
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import resvg_py
from msgspec.structs import replace

import cupboard
from cupboard.core.record import Record
from cupboard.core.svg import THEMES, svg
from cupboard.core.svg_markup import tag
from cupboard.core.words import phrase

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from docs.pictures.flick_animation import animation, webp

HERE = Path(__file__).parent
GAMES = Path(cupboard.__file__).parent / "games"
SHOWN = (
    ("chinese_checkers/records/three-players.game", 60, 0, 0, 620, 660),
    ("double_dutch/records/two-players.game", 12, 640, 0, 470, 660),
    ("cup_king/records/three.game", 40, 1130, 0, 430, 660),
    ("jumping_cups/records/filled.game", 34, 0, 670, 1560, 250),
)


def board(path: str, ply: int, x: int, y: int, width: int, height: int) -> str:
    """The SVG of one position without its captions, scaled to fit a box."""
    match = Record.read((GAMES / path).read_text(encoding="utf-8")).replay()
    scene = replace(
        match.position_at(min(ply, len(match.log))).seen_by(None).scene(), players=(), status=phrase("plain", text="")
    )
    drawing = svg(scene)
    box = re.search(r'viewBox="(.*?)"', drawing)
    assert box
    return tag("svg", drawing, x=x, y=y, width=width, height=height, viewBox=box[1])


if __name__ == "__main__":
    paper = tag("rect", width=1560, height=930, fill=THEMES["light"].paper)
    boards = (board(*shown) for shown in SHOWN)
    picture = tag(
        "svg", paper, *boards, xmlns="http://www.w3.org/2000/svg", viewBox="0 0 1560 930", width=1560, height=930
    )
    (HERE / "table.png").write_bytes(bytes(resvg_py.svg_to_bytes(svg_string=picture)))
    (HERE / "flick.webp").write_bytes(webp(animation()))
