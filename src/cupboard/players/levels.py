"""The levels: one ladder of names for all games, from somebody a child of eight beats to the strongest we have.

A rung is a maker and its settings, so that a game may bring players of its own kind. Each rung should win about two
games of three against the one below it; bench/results.md has what was measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cupboard.core.errors import UnknownPlayer
from cupboard.core.game import Game

if TYPE_CHECKING:
    from cupboard.players import Player

__all__ = ["LADDERS", "LEVELS", "Rung", "make_level", "rung_of"]

LEVELS = ("sprout", "seedling", "sapling", "birch", "oak", "sequoia")
"""The names, weakest first."""

WORDS = MappingProxyType(
    {
        "sprout": "plays what it sees first, and overlooks a lot",
        "seedling": "knows where to go, and misses long jumps",
        "sapling": "thinks of the answer to its move, and misjudges it now and then",
        "birch": "looks a few moves ahead",
        "oak": "looks far ahead and seldom errs",
        "sequoia": "the strongest there is, within a second",
    }
)


@dataclass(frozen=True)
class Rung:
    """Who sits on a rung: `maker(game, seed, **settings)`."""

    maker: str
    settings: Mapping[str, Any]

    def make(self, game: Game[Any], seed: int) -> Player:
        """The player."""
        module, _, name = self.maker.partition(":")
        settings = dict(self.settings)
        if "skill" in settings:
            settings["skill"] = import_module("cupboard.players.fallible").Skill(**settings["skill"])
        player: Player = getattr(import_module(module), name)(game, seed, **settings)
        return player


def _skill(depth: int, doubt: float = 0.0, overlook: float = 0.0, blind: float = 0.0) -> Rung:
    skill = {"depth": depth, "doubt": doubt, "overlook": overlook, "blind": blind}
    return Rung("cupboard.players.fallible:Fallible", {"skill": skill})


_BEST = Rung("cupboard.players.alphabeta:AlphaBeta", {})
_Ladder = Mapping[str, Rung]


def _ladder(*rungs: Rung) -> _Ladder:
    return MappingProxyType(dict(zip(LEVELS, rungs, strict=True)))


_USUAL = _ladder(
    _skill(1, 1.5, 0.4, 0.4),
    _skill(1, 0.8, 0.25, 0.2),
    _skill(2, 0.5, 0.1, 0.08),
    _skill(3, 0.3, 0.03, 0.03),
    _skill(4, 0.1),
    _BEST,
)

LADDERS: dict[tuple[str, int], _Ladder] = {
    ("jumping-cups", 2): _ladder(
        _skill(1, 1.2, 0.2, 0.3),
        _skill(2, 0.9, 0.1, 0.2),
        _skill(3, 0.6, 0.05, 0.1),
        _skill(5, 0.4),
        _skill(8, 0.2),
        _BEST,
    ),
    ("double-dutch", 2): _ladder(
        _skill(1, 1.5, 0.0, 0.4),
        _skill(1, 0.6, 0.0, 0.2),
        _skill(2, 0.4, 0.0, 0.1),
        _skill(4, 0.3),
        _skill(6, 0.1),
        _BEST,
    ),
    ("chinese-checkers", 2): _ladder(
        _skill(1, 1.5, 0.5, 0.2),
        _skill(1, 0.8, 0.25, 0.1),
        _skill(2, 0.5, 0.12, 0.05),
        _skill(3, 0.3, 0.05),
        _skill(4, 0.1),
        _BEST,
    ),
}
"""By game and number of seats; others climb the usual one."""


def rung_of(game: Game[Any], name: str) -> Rung:
    """Who sits on the rung of this name; UnknownPlayer when there is no such rung."""
    if name not in LEVELS:
        raise UnknownPlayer(f"There is no level called {name[:40]!r}: they are {', '.join(LEVELS)}.")
    return LADDERS.get((game.name, game.seats), _USUAL)[name]


def make_level(game: Game[Any], name: str, seed: int) -> Player:
    """The bot of this level for the game and its number of seats."""
    return rung_of(game, name).make(game, seed)
