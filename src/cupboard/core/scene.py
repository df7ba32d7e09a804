"""Scenes: what a screen draws, as data. One renderer per kind of screen draws the scene of every game.

Places are cells; a piece stands on a cell, and several on one cell are a stack (level 0 is the lowest). x grows
to the right and y downwards, in units of one cell. Whatever a legal move points at is a cell or a control.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from msgspec import Struct

from cupboard.core.words import Text, Words, phrase

Spot = str
Shape = Literal["square", "hollow", "slot", "card"]
"""square: a flat place for a stack; hollow: a round dent; slot: where something stands; card: where a card lies."""
Kind = Literal["cup", "peg", "dome", "turned", "bucket", "card", "back"]
"""turned: a half-sphere with its round side down, fixed for good; back: a card's back."""
MarkKind = Literal["from", "to", "path", "danger"]
LabelKind = Literal["axis", "name", "count", "note"]
"""axis: a row's letter; name: whose things stand below it; count: how many of something; note: a whole sentence."""


@dataclass(frozen=True)
class Tint:
    """A colour that can be told without seeing colour: it has a letter and a shape too."""

    name: str
    letter: str
    shape: str
    fill: str
    ink: str
    """The colour of a letter printed on it."""
    words: Words = field(hash=False)
    """What people call it."""


def _tint(name: str, letter: str, shape: str, fill: str, ink: str) -> Tint:
    return Tint(name, letter, shape, fill, ink, phrase(f"tint.{name}"))


RED = _tint("red", "R", "●", "#c9412f", "#ffffff")
YELLOW = _tint("yellow", "Y", "▲", "#efbe3a", "#2b2622")
GREEN = _tint("green", "G", "■", "#2f8a57", "#ffffff")
BLUE = _tint("blue", "B", "◆", "#2e6fb7", "#ffffff")
PURPLE = _tint("purple", "P", "★", "#8a559f", "#ffffff")
WHITE = _tint("white", "W", "✚", "#f3ece0", "#2b2622")
LIGHT = _tint("light", "L", "●", "#f0e0c0", "#2b2622")
DARK = _tint("dark", "D", "▲", "#5a3a26", "#ffffff")
TINTS = (RED, YELLOW, GREEN, BLUE, PURPLE, WHITE, LIGHT, DARK)


# These are drawn with every move, many at a time: structs are made several times faster than dataclasses.


class Cell(Struct, frozen=True, gc=False):
    """A place one can point at."""

    spot: Spot
    x: float
    y: float
    name: Words
    """For a screen reader: "square 7, second finish square of Red"."""
    label: str = ""
    shape: Shape = "hollow"
    tint: Tint | None = None
    """Whose place it is, if anybody's."""


class Piece(Struct, frozen=True, gc=False):
    """Something that stands on a cell."""

    spot: Spot
    kind: Kind
    tint: Tint | None = None
    text: str = ""
    """What is printed on it: a card's value."""
    level: int = 0


class Control(Struct, frozen=True, gc=False):
    """Something to point at that is not on the board: "confirm"."""

    spot: Spot
    text: Words


class Mark(Struct, frozen=True, gc=False):
    """A hint on a cell: where the last move came from and went, or danger."""

    kind: MarkKind
    spot: Spot


class Label(Struct, frozen=True, gc=False):
    """Words printed beside the cells."""

    x: float
    y: float
    text: Text
    kind: LabelKind = "axis"


class Player(Struct, frozen=True, gc=False):
    """One seat's line beside the board."""

    seat: int
    name: Words
    tint: Tint
    acts: bool
    counts: Mapping[str, int | str] = {}
    """Numbers to keep in sight, by the key of the word for each: {"double-dutch.stock": 21}."""
    note: Words | None = None
    """"sits out", "has won" …"""


class Scene(Struct, frozen=True, gc=False):
    """Everything a screen shows of a position or a view."""

    title: Words
    status: Words
    """Whose turn it is and what is asked, in a sentence."""
    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...]
    players: tuple[Player, ...]
    outlines: tuple[tuple[tuple[float, float], ...], ...] = ()
    """The boards as polygons under the cells."""
    labels: tuple[Label, ...] = ()
    controls: tuple[Control, ...] = ()
    marks: tuple[Mark, ...] = ()

    def spots(self) -> set[Spot]:
        """Everything that can be pointed at."""
        return {cell.spot for cell in self.cells} | {control.spot for control in self.controls}

    def after(self, spots: Iterable[Spot]) -> Scene:
        """The same scene with the move that pointed at `spots` marked as the last one."""
        path = tuple(spots)
        cells = {cell.spot for cell in self.cells if cell.spot in path}
        here = [spot for spot in path if spot in cells]
        kinds: list[MarkKind] = ["path"] * len(here)
        if here:
            kinds[0], kinds[-1] = "from", "to"
        marks = (*self.marks, *map(Mark, kinds, here))
        ground = self.cells, self.pieces, self.players, self.outlines, self.labels, self.controls
        return Scene(self.title, self.status, *ground, marks)
