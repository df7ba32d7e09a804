"""Scenes: what a screen draws, as data. One renderer per kind of screen draws the scene of every game.

Places are cells; a piece stands on a cell, and several on one cell are a stack (level 0 is the lowest). x grows
to the right and y downwards, in units of one cell. Whatever a legal move points at is a cell or a control.

The structs are also the messages of the server: fields that have their default value are left out of what is sent.
core/changes.py says how one scene differs from the one before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cupboard.core.words import Text, Words, phrase

Spot = str
Shape = Literal["square", "hollow", "slot", "card"]
"""square: a flat place for a stack; hollow: a round dent; slot: where something stands; card: where a card lies."""
Kind = Literal["cup", "peg", "dome", "turned", "bucket", "card", "back"]
"""turned: a half-sphere with its round side down, fixed for good; back: a card's back."""
MarkKind = Literal["from", "to", "path", "danger"]
LabelKind = Literal["axis", "name", "count", "note"]
"""axis: a row's letter; name: whose things stand below it; count: how many of something; note: a whole sentence."""
Role = Literal["board", "place", "open", "hand", "supply", "note"]
"""board: the common board; place: what stands before its owner; open: small things that lie open beside the owner's
place; hand: what its owner holds; supply: a common stock; note: whole sentences, which a page shows as text."""
Taking = Literal["in-order", "any-order"]
"""any-order: the pieces of a part may be pointed at in any order and put back, as the cards of a hand."""


class Drawn(Struct, frozen=True, gc=False, omit_defaults=True):
    """What everything drawn has in common: it is never changed, and made and sent quickly."""


class Tint(Drawn, frozen=True):
    """A colour with a letter and a shape, so that it can be told without seeing colour."""

    name: str
    letter: str
    shape: str
    fill: str
    ink: str
    """The colour of a letter printed on it."""
    words: Words
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


class Cell(Drawn, frozen=True):
    """A place one can point at."""

    spot: Spot
    """On a common board, what notation calls the cell."""
    x: float
    y: float
    name: Words
    """For a screen reader: "square 7, second finish square of Red"."""
    label: str = ""
    shape: Shape = "hollow"
    tint: str = ""
    """The name of the tint of the seat whose place it is, if it is anybody's."""
    like: Spot = ""
    """The first cell of this part with an equal thing, if there is one before: pointing at either means the same."""
    coordinate: str = ""
    """What a screen that names places writes on it, where that is not its spot: "b2" of "A:b2"."""


class Piece(Drawn, frozen=True):
    """Something that stands on a cell; level 0 is the lowest of a stack."""

    spot: Spot
    kind: Kind
    tint: str = ""
    """The name of its tint; empty when its colour cannot be seen."""
    text: str = ""
    """What is printed on it: a card's value."""
    level: int = 0
    pose: tuple[int, ...] = ()
    """How it stands askew on its cell, if it does: by how much it is moved to the right, backwards and up, in
    hundredths of a millimetre, and turned about these three axes (a rotation vector), in hundredths of a degree."""


class Control(Drawn, frozen=True):
    """Something to point at that is not on the board: "confirm"."""

    spot: Spot
    text: Words


class Mark(Drawn, frozen=True):
    """A hint on a cell: where the last move came from, passed and went, or danger."""

    kind: MarkKind
    spot: Spot


class Label(Drawn, frozen=True):
    """Words printed beside the cells; a plain string is the same in every language."""

    x: float
    y: float
    text: Text
    kind: LabelKind = "axis"


class PlayerPanel(Drawn, frozen=True):
    """What is shown of one seat beside the board."""

    seat: int
    name: Words
    """What the game calls the seat: "Red"."""
    tint: str
    """The name of the seat's tint."""
    acts: bool = False
    counts: Mapping[str, int | str] = {}
    """Numbers to keep in sight, by the key of the word for each: {"double-dutch.stock": 21}."""
    note: Words | None = None
    """"sits out", "has won" …"""
    attacks: int | None = None
    """The seat that this player's move is aimed at, where a game has such a thing; said of those who are to act."""
    adds: int | None = None
    """What the numbers on the pieces that this player picks are added to, where a move is a sum; None elsewhere."""
    beats: int | None = None
    """What that sum must exceed; None when any will do."""


Outline = tuple[tuple[float, float], ...]
"""The corners of a polygon."""


class Solid(Drawn, frozen=True):
    """How the pieces of the parts with the role `place` stand in space, for a screen that draws them so.

    They are round and stand on each other: a piece of the lowest row on the table, every other on the row below it.
    A unit to the right on the board is `across` millimetres, and a row `height` millimetres.
    """

    across: int
    """From the middle of a piece to that of its neighbour."""
    height: int
    """The height of a piece."""
    foot: int
    """The radius of a piece where it stands."""
    top: int
    """The radius of its upper end."""


class Part(Drawn, frozen=True):
    """Things that lie together: a board, what stands before a seat, somebody's hand.

    A game that draws what has not changed as the very same part makes it cheap to find out what has."""

    id: str
    """Unique in its scene and the same from scene to scene: "board", "A:place", "A:hand"."""
    cells: tuple[Cell, ...] = ()
    pieces: tuple[Piece, ...] = ()
    labels: tuple[Label, ...] = ()
    outlines: tuple[Outline, ...] = ()
    """The boards under the cells."""
    owner: int | None = None
    """The seat whose part it is."""
    role: Role = "board"
    taking: Taking = "in-order"
    tells: bool = False
    """Whether the names of the cells already say what stands on them."""


class Scene(Drawn, frozen=True):
    """Everything a screen shows of a position or a view."""

    title: Words
    status: Words
    """Whose turn it is and what is asked, in a sentence."""
    parts: tuple[Part, ...]
    players: tuple[PlayerPanel, ...]
    controls: tuple[Control, ...] = ()
    marks: tuple[Mark, ...] = ()
    tints: tuple[Tint, ...] = ()
    """Every tint that a cell, a piece or a player may name."""
    solid: Solid | None = None
    """How pieces stand in space; None: the board is flat."""
    direction: int = 0
    """Which way round the players act now: 1 by rising seats, clockwise at a table; -1 the other way; 0: undecided."""
    turns: tuple[int, ...] = ()
    """By how many degrees, clockwise, a screen turns the board for each seat, so that its own side is nearest."""
    advice: Words | None = None
    """What whoever is asked does now, and what comes of it, for somebody who has never played: "Tap one of your red
    cups. It jumps as far as its stack is high." None where the status says as much."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every place, in the order in which one meets them."""
        return tuple([cell for part in self.parts for cell in part.cells])

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Everything that stands on the cells."""
        return tuple([piece for part in self.parts for piece in part.pieces])

    @property
    def labels(self) -> tuple[Label, ...]:
        """Everything printed beside the cells."""
        return tuple([label for part in self.parts for label in part.labels])

    @property
    def outlines(self) -> tuple[Outline, ...]:
        """The boards as polygons under the cells."""
        return tuple([outline for part in self.parts for outline in part.outlines])

    def tint(self, name: str) -> Tint:
        """The tint of this name."""
        return next(tint for tint in self.tints if tint.name == name)

    def spots(self) -> set[Spot]:
        """Everything that can be pointed at."""
        return {cell.spot for cell in self.cells} | {control.spot for control in self.controls}

    def after(self, spots: Iterable[Spot]) -> Scene:
        """This scene with the move that pointed at `spots` marked as the last one."""
        path = tuple(spots)
        cells = set(path).intersection([cell.spot for part in self.parts for cell in part.cells])
        here = [spot for spot in path if spot in cells]
        if not here:
            return self
        kinds: list[MarkKind] = ["path"] * len(here)
        kinds[0], kinds[-1] = "from", "to"
        return replace(self, marks=(*self.marks, *map(Mark, kinds, here)))
