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


class Part(Struct, frozen=True, gc=False):
    """Things that lie together: a board, a pyramid, somebody's hand.

    A game that draws what has not changed as the very same part saves whoever sends it the work of doing so again."""

    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...] = ()
    labels: tuple[Label, ...] = ()


class Scene(Struct, frozen=True, gc=False):
    """Everything a screen shows of a position or a view."""

    title: Words
    status: Words
    """Whose turn it is and what is asked, in a sentence."""
    parts: tuple[Part, ...]
    players: tuple[Player, ...]
    outlines: tuple[tuple[tuple[float, float], ...], ...] = ()
    """The boards as polygons under the cells."""
    controls: tuple[Control, ...] = ()
    marks: tuple[Mark, ...] = ()

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every place, in the order in which one meets them."""
        return tuple([cell for part in self.parts for cell in part.cells])

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Everything that stands on them."""
        return tuple([piece for part in self.parts for piece in part.pieces])

    @property
    def labels(self) -> tuple[Label, ...]:
        """Everything printed beside them."""
        return tuple([label for part in self.parts for label in part.labels])

    def spots(self) -> set[Spot]:
        """Everything that can be pointed at."""
        return {cell.spot for cell in self.cells} | {control.spot for control in self.controls}

    def after(self, spots: Iterable[Spot]) -> Scene:
        """The same scene with the move that pointed at `spots` marked as the last one."""
        path = tuple(spots)
        cells = set(path).intersection([cell.spot for part in self.parts for cell in part.cells])
        here = [spot for spot in path if spot in cells]
        if not here:
            return self
        kinds: list[MarkKind] = ["path"] * len(here)
        kinds[0], kinds[-1] = "from", "to"
        marks = (*self.marks, *map(Mark, kinds, here))
        return Scene(self.title, self.status, self.parts, self.players, self.outlines, self.controls, marks)
