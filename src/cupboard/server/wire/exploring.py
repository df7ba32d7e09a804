"""What somebody explores: positions set up by hand, and records and trees of variations that are opened."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from cupboard.core.scene import Kind
from cupboard.core.words import Text
from cupboard.server.wire.base import Plain, SeatNumber, ShortText
from cupboard.server.wire.games import OptionValue

MOST_TREE_MOVES = 3000


class PlacedPiece(Plain, frozen=True):
    """A piece that somebody has put on a place; of a stack the lower ones come first."""

    spot: ShortText
    kind: Kind
    tint: ShortText


class Arrangement(Plain, frozen=True):
    """The body of POST /api/games/{name}/arrangement: which pieces stand where, and who is to act."""

    pieces: Annotated[tuple[PlacedPiece, ...], Meta(max_length=200)]
    turn: SeatNumber
    seats: Annotated[int, Meta(ge=0, le=99)] | None = None
    options: Annotated[dict[str, OptionValue], Meta(max_length=40)] = msgspec.field(default_factory=dict)


class Arranged(Plain, frozen=True):
    """The answer: the position as a line, as `BoardTry` takes it."""

    position: str


class OpenRecord(Plain, frozen=True):
    """The body of POST /api/records: a record as text or JSON, or a tree of variations as JSON (docs/record.md)."""

    text: Annotated[str, Meta(min_length=1, max_length=60_000)]


class TreeMove(Plain, frozen=True):
    """A move of a tree of variations."""

    text: str
    """With the letter of its seat: `A:5-6`."""
    parent: int = -1
    """The index of the move before it, -1 for none."""
    comment: str = ""
    short: Text | None = None
    """What a list of moves shows instead of the notation; empty: it is not shown in lists."""


class OpenedRecord(Plain, frozen=True):
    """What was opened: a game and a tree of moves, all of them legal. A record is a tree without branches."""

    game: str
    seats: int
    options: dict[str, OptionValue]
    moves: tuple[TreeMove, ...]
    position: str = ""
    """The line of the position that the moves begin from; empty: the start of the game."""
    names: dict[str, str] = msgspec.field(default_factory=dict)
    """The players by the letters of their seats, as far as they are known."""
