"""Games as a client is told of them: their options and the levels of their bots."""

from __future__ import annotations

from cupboard.core.scene import Tint
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


class LevelInfo(Plain, frozen=True):
    """A bot one can play against."""

    level: str
    """What to send as `level` of a seat."""
    title: Words
    words: Words
    """How it plays, in a sentence."""
    seats: tuple[int, ...] = ()
    """The level is offered at tables of so many seats."""


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
