"""One picture with everything that can be drawn, kept in tests/core/pictures: how things look changes only on purpose.

After a change that is meant, look at the new picture and keep it:

    python -m tests.core.test_pictures
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from cupboard.core.scene import (
    BLUE,
    RED,
    YELLOW,
    Cell,
    Kind,
    Label,
    Mark,
    MarkKind,
    Part,
    Piece,
    PlayerPanel,
    Scene,
    Shape,
)
from cupboard.core.scene_text import draw
from cupboard.core.svg import ThemeName, svg
from cupboard.core.words import phrase

FOLDER = Path(__file__).parent / "pictures"
SHAPES: tuple[Shape, ...] = get_args(Shape)
KINDS: tuple[Kind, ...] = get_args(Kind)
MARKS: tuple[MarkKind, ...] = get_args(MarkKind)


def everything() -> Scene:
    """Every shape of a place with and without a colour and marked in every way, and every kind of piece."""
    said = phrase("plain", text="Everything there is, in one long sentence that must be made smaller to fit.")
    cells = [
        Cell(f"{shape}{column}", column, row * 1.5, said, f"{row}{column}", shape, tint)
        for row, shape in enumerate(SHAPES)
        for column, tint in enumerate(("", "red"))
    ]
    marked = [
        Cell(f"{shape}-{mark}", 2.0 + column, row * 1.5, said, "", shape)
        for row, shape in enumerate(SHAPES)
        for column, mark in enumerate(MARKS)
    ]
    under = [Cell(f"under{n}", n, 7.0, said, shape="slot") for n in range(len(KINDS))]
    pieces = [Piece(f"under{n}", kind, "blue", "7") for n, kind in enumerate(KINDS)]
    pieces += [Piece("square0", "cup", "red", level=0), Piece("square0", "cup", "yellow", level=1)]
    pieces += [Piece("nowhere", "cup", "red"), Piece("hollow0", "back")]
    labels = (Label(-1.0, 2.0, "c"), Label(3.0, 8.0, phrase("plain", text="a note"), "note"))
    players = (
        PlayerPanel(0, phrase("plain", text="Ada"), "red", acts=True, counts={"cup-king.buckets": 15}),
        PlayerPanel(1, phrase("plain", text="Bo"), "yellow", acts=False, note=phrase("plain", text="thinks")),
    )
    marks = tuple(Mark(mark, f"{shape}-{mark}") for shape in SHAPES for mark in MARKS)
    outline = ((-1.5, -1.2), (7.0, -1.2), (7.0, 8.5))
    part = Part("board", (*cells, *marked, *under), tuple(pieces), labels, (outline,))
    return Scene(phrase("plain", text="Everything"), said, (part,), players, (), marks, (RED, YELLOW, BLUE))


def lines(theme: ThemeName) -> str:
    """The picture, one element a line."""
    return re.sub("(?<=>)(?=<)", "\n", svg(everything(), theme)) + "\n"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everything_is_drawn_as_it_was(theme: ThemeName) -> None:
    assert lines(theme) == (FOLDER / f"everything-{theme}.svg").read_text(encoding="utf-8")


def test_everything_is_printed_as_it_was() -> None:
    assert draw(everything()) + "\n" == (FOLDER / "everything.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in ("light", "dark"):
        (FOLDER / f"everything-{name}.svg").write_text(lines(name), encoding="utf-8")
    (FOLDER / "everything.txt").write_text(draw(everything()) + "\n", encoding="utf-8")
