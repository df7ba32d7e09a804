"""Boards that nobody sits at: a position, the moves tried from it, and what is to be seen there."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from cupboard.core.filling import Filling
from cupboard.core.move import Outcome
from cupboard.core.scene import Scene
from cupboard.core.words import Text, Words
from cupboard.server.wire.base import Notation, Plain, SeatNumber, ShortText
from cupboard.server.wire.games import OptionValue
from cupboard.server.wire.server_messages import Choice

MOST_MOVES = 1000


class BoardTry(Plain, frozen=True):
    """The body of POST /api/games/{name}/board: where the game stands, and the moves that are tried from there."""

    seats: Annotated[int, Meta(ge=0, le=99)] | None = None
    """How many play; without it, as few as can or as the position says."""
    options: Annotated[dict[str, OptionValue], Meta(max_length=40)] = msgspec.field(default_factory=dict)
    position: Annotated[str, Meta(max_length=4000)] = ""
    """The line that a position is written as; empty: the start of a game."""
    moves: Annotated[tuple[Notation, ...], Meta(max_length=MOST_MOVES)] = ()
    """Moves from there, as records write them: with the letter of the seat before each, `A:5-6`, `*:lot-A`."""
    seat: SeatNumber | None = None
    """The seat to look from; without it, the one that is to act."""
    spots: Annotated[tuple[ShortText, ...], Meta(max_length=20)] = ()
    """Places that were pointed at in vain: the answer says why that is no move."""


class TriedMove(Plain, frozen=True):
    """The last of the moves that were tried."""

    seat: int
    text: str
    path: tuple[str, ...] = ()
    """The cells that the moved piece passed, for the animation."""
    words: Words | None = None
    """What happened, as a sentence; {who} is left open for the name of the seat."""
    short: Text | None = None
    """What a list of moves says instead of `text`; empty: it is not shown in lists."""


class BoardState(Plain, frozen=True):
    """The answer to `BoardTry`: what is to be seen after the moves, and what can follow."""

    position: str
    """The position after the moves, as a line that `BoardTry.position` takes."""
    scene: Scene
    seat: int
    """The seat from which the scene is seen, and whose moves are listed."""
    asked: tuple[int, ...] = ()
    """The seats that are to act."""
    moves: tuple[Choice, ...] = ()
    filling: Filling | None = None
    """How to put a move together, where they are too many to list."""
    nature: str = ""
    """Where nature is to move: a move drawn with the right odds, to be sent as the next one."""
    last: TriedMove | None = None
    outcome: Outcome | None = None
    why: Words | None = None
    """Why pointing at `spots` is no move."""
