"""Games as a client is told of them: their options and the levels of their bots."""

from __future__ import annotations

from typing import Literal

from cupboard.core.scene import Kind, Tint
from cupboard.core.words import Words
from cupboard.server.wire.base import Plain

OptionValue = bool | int | str


class OptionInfo(Plain, frozen=True):
    """One thing people may agree on before a game begins; the kind of `default` decides the kind of value."""

    name: str
    words: Words
    default: OptionValue
    choices: tuple[str, ...] = ()
    """The word for a choice has the key of `words` with a dot and the choice behind it."""
    least: int = 0
    most: int = 0
    of_seats: bool = False
    """Whether the value names seats by their letters in order, like "AC", or is "none"."""


class RungInfo(Plain, frozen=True):
    """How a level plays a game with one number of seats."""

    seats: int
    elo: int
    """How much stronger it is than the weakest level there; where nobody has measured it, 120 for each step."""
    words: Words
    """How it plays: a clause without a subject, made of what it sees and overlooks."""


class LevelInfo(Plain, frozen=True):
    """A bot one can play against."""

    level: str
    """What to send as `level` of a seat."""
    title: Words
    words: Words
    """How it plays with the smallest number of seats."""
    seats: tuple[int, ...] = ()
    """The level is offered at tables of so many seats."""
    rungs: tuple[RungInfo, ...] = ()
    """What it is like at each of these tables."""


class LoosePiece(Plain, frozen=True):
    """A kind of piece with which a position can be set up by hand."""

    kind: Kind
    tint: str


class GameInfo(Plain, frozen=True):
    """A game in the cupboard."""

    name: str
    title: Words
    blurb: Words
    minutes: int
    seats: tuple[int, ...]
    """How many can play; the first is the default."""
    options: tuple[OptionInfo, ...]
    levels: tuple[LevelInfo, ...]
    """The bots of this game, weakest first."""
    tints: tuple[Tint, ...]
    """The tints of seat 0, seat 1 …"""
    secrets: bool = False
    """Whether seats see different things, so that several seats on one screen need a curtain."""
    draws: bool = True
    """Whether people may agree on a draw."""
    lessons: int = 0
    """How many steps teach the game: GET /api/games/{name}/lessons."""
    loose: tuple[LoosePiece, ...] = ()
    """The pieces with which positions can be set up by hand; none where they cannot."""


class GameReadiness(Plain, frozen=True):
    """How far a game is: the first time on a machine it is compiled while the server runs."""

    game: str
    state: Literal["rules", "bots", "ready"]
    """What is compiled yet: the `rules`, and a new table waits; some `bots`, who think as soon as they can; nothing."""
    seconds: int = 0
    """About how long a new table would wait."""
    levels: tuple[str, ...] = ()
    """While `bots` are compiled: the levels that can move already."""
