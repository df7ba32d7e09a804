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
from cupboard.players.thinking import Limits

if TYPE_CHECKING:
    from cupboard.players import Player

__all__ = ["LADDERS", "LEVELS", "STRENGTHS", "WORDS", "Rung", "make_level", "rung", "rung_of"]

LEVELS = ("sprout", "seedling", "sapling", "hazel", "birch", "maple", "oak", "cedar", "redwood", "sequoia")
"""The names, weakest first."""

WORDS = MappingProxyType(
    {
        "sprout": "plays what it sees first, and overlooks a lot",
        "seedling": "knows where to go, and misses long jumps",
        "sapling": "misses less, and takes a good move for the best",
        "hazel": "thinks of the answer to its move now and then",
        "birch": "looks a little ahead",
        "maple": "looks ahead, and misjudges what it sees",
        "oak": "looks ahead and seldom errs",
        "cedar": "looks far ahead",
        "redwood": "looks far ahead and counts the end",
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


def rung(strength: float, deepest: int) -> Rung:
    """Somebody of a strength from 0 to 2: up to 1 a person who errs less and less, above it a search of more nodes.

    `deepest` is how far the person of strength 1 looks ahead.
    """
    if strength > 1:
        nodes = round(_FIRST_NODES * _MORE_NODES ** (strength - 1))
        return Rung("cupboard.players.alphabeta:AlphaBeta", {"limits": Limits(nodes=nodes), "table_bits": 18})
    left = (1 - strength) ** 2
    skill = {
        "depth": 1 + round(strength * (deepest - 1)),
        "doubt": 1.5 * left,
        "overlook": 0.5 * left,
        "blind": 0.4 * left,
    }
    return Rung("cupboard.players.fallible:Fallible", {"skill": skill})


_FIRST_NODES, _MORE_NODES = 500, 2000
_BEST = Rung("cupboard.players.alphabeta:AlphaBeta", {})
_USUAL = (0.0, 0.12, 0.25, 0.38, 0.5, 0.65, 0.8, 1.0, 1.4)
DEEPEST = {"jumping-cups": 10, "double-dutch": 8, "chinese-checkers": 5}
"""How far ahead a person without faults looks in each game."""

STRENGTHS: dict[tuple[str, int], tuple[float, ...]] = {
    ("jumping-cups", 2): (0.0, 0.28, 0.5, 0.6, 0.675, 0.75, 0.87, 1.0, 1.3),
    ("double-dutch", 2): (0.0, 0.113, 0.226, 0.339, 0.395, 0.508, 0.621, 0.734, 0.847),
}
"""The strength of each level but the last, by game and number of seats; others climb the usual ladder."""

_THUMB, _ISMCTS = "cupboard.players.sensible:Sensible", "cupboard.players.ismcts:Ismcts"
_CARDS = (
    # Rules of thumb with less and less doubt, then tuned ones, then a search with more and more worlds.
    *(Rung(_THUMB, {"doubt": doubt}) for doubt in (2000.0, 400.0, 190.0, 95.0, 45.0, 14.0)),
    Rung(_THUMB, {"plain": False}),
    *(Rung(_ISMCTS, {"limits": Limits(nodes=nodes)}) for nodes in (300, 3000)),
    Rung(_ISMCTS, {"limits": Limits(seconds=0.8)}),
)
LADDERS: dict[tuple[str, int], Mapping[str, Rung]] = {
    ("cup-king", seats): dict(zip(LEVELS, _CARDS, strict=True)) for seats in range(2, 7)
}
"""Ladders of another kind: for games that alpha-beta cannot play."""


def rung_of(game: Game[Any], name: str) -> Rung:
    """Who sits on the rung of this name; UnknownPlayer when there is no such rung."""
    if name not in LEVELS:
        raise UnknownPlayer(f"There is no level called {name[:40]!r}: they are {', '.join(LEVELS)}.")
    where = (game.name, game.seats)
    if where in LADDERS:
        return LADDERS[where][name]
    if name == LEVELS[-1]:
        return _BEST
    strengths = STRENGTHS.get(where) or STRENGTHS.get((game.name, 2), _USUAL)
    return rung(strengths[LEVELS.index(name)], DEEPEST.get(game.name, 4))


def make_level(game: Game[Any], name: str, seed: int) -> Player:
    """The bot of this level for the game and its number of seats."""
    return rung_of(game, name).make(game, seed)
