"""Scenes as text and pictures."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import cupboard
from cupboard.core.scene import RED, Cell, Mark, Part, Piece, PlayerPanel, Scene, Tint
from cupboard.core.scene_text import draw, lines
from cupboard.core.svg import png, svg
from cupboard.core.svg_markup import SIGNS
from cupboard.core.words import phrase


def test_a_position_prints_itself() -> None:
    game = cupboard.load("jumping-cups", starter="red")
    assert repr(game.read("R/R/R/./RY/././././Y/Y/Y/YR/. A 9")) == (
        "> ● Red  home 1/5\n"
        "  ▲ Yellow  home 1/5\n"
        "\n"
        "                  ▲Y                              ●R\n"
        "  ●R  ●R  ●R      ●R                  ▲Y  ▲Y  ▲Y  ▲Y\n"
        "  1   2   3   4   5   6   7   8   9   10  11  12  13  14\n"
        "\n"
        "Red to move."
    )


def test_notebooks_get_a_picture() -> None:
    picture = cupboard.load("jumping-cups").start()._repr_svg_()
    root = ElementTree.fromstring(picture)
    assert root.tag.endswith("svg") and root.attrib["role"] == "img"


def test_words_from_people_cannot_break_a_picture() -> None:
    said = [phrase("plain", text=text) for text in ('<Anna & "Bo">', "A <game>", "Is 1 < 2 & 3?")]
    player = PlayerPanel(0, said[0], "red", acts=True)
    part = Part("board", (Cell("a", 0, 0, said[0]),), (Piece("a", "peg", "red"),))
    scene = Scene(said[1], said[2], (part,), (player,), tints=(RED,))
    for theme in ("light", "dark"):
        ElementTree.fromstring(svg(scene, theme))


def test_png_pictures_are_png() -> None:
    assert png(cupboard.load("jumping-cups").start().scene()).startswith(b"\x89PNG\r\n")


def test_the_last_move_is_marked_from_and_to() -> None:
    scene = cupboard.load("jumping-cups", starter="red").start().scene().after(("5", "6"))
    assert scene.marks == (Mark("from", "5"), Mark("to", "6"))
    marked = [span for line in lines(scene) for span in line if span.mark]
    assert {span.mark for span in marked} == {"from", "to"}


def test_a_mark_on_what_is_no_cell_is_left_out() -> None:
    assert cupboard.load("jumping-cups").start().scene().after(("off",)).marks == ()


def test_every_tint_has_its_own_sign() -> None:
    from cupboard.core import scene

    tints = {tint for tint in vars(scene).values() if isinstance(tint, Tint)}
    assert {tint.shape for tint in tints} <= set(SIGNS)
    for tint in tints:
        assert tint.letter == tint.name[0].upper() and tint.words == phrase(f"tint.{tint.name}")
        assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in (tint.fill, tint.ink)) and tint.fill != tint.ink
    for name in cupboard.names():
        used = type(cupboard.load(name)).TINTS
        assert len({tint.shape for tint in used}) == len({tint.letter for tint in used}) == len(used)


def test_a_piece_that_is_visibly_out_of_its_place_has_a_wave() -> None:
    cells = tuple(Cell(f"a{n}", n, 0, phrase("plain", text="x"), shape="slot") for n in (1, 2, 3))
    poses = ((), (299, 0, 0, 0, 0, 900), (120, -300, 0, 0, 0, 0))
    pieces = tuple(Piece(cell.spot, "bucket", "red", pose=pose) for cell, pose in zip(cells, poses, strict=True))
    said = phrase("plain", text="")
    assert draw(Scene(said, said, (Part("A:place", cells, pieces),), (), tints=(RED,))).strip() == "●R  ●R  ●R~"


def test_text_never_ends_in_blanks() -> None:
    for line in draw(cupboard.load("jumping-cups").start().scene()).splitlines():
        assert line == line.rstrip()
