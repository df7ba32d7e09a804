"""The levels: a ladder for every game and number of seats, from somebody a child of eight beats to the strongest.

A rung is a maker and its settings, so that a game may bring players of its own kind. Each rung should win about two
games of three against the one below it, and how many such steps fit between the first and the last differs from table
to table: so some ladders leave names out. bench/results.md has what was measured.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cupboard.core.errors import UnknownPlayer
from cupboard.core.game import Game
from cupboard.players.thinking import LEVEL_SECONDS, Limits

if TYPE_CHECKING:
    from cupboard.players import Player

__all__ = ["LADDERS", "LEVELS", "STRENGTHS", "Rung", "ladder_of", "levels_of", "make_level", "rung", "rung_of"]

LEVELS = (
    "sprout", "seedling", "clover", "sapling", "hazel", "willow", "birch", "rowan", "maple", "ash", "oak", "cedar",
    "redwood", "sequoia",
)  # fmt: skip
"""The names, weakest first. A short ladder leaves some out, but never the first and the last.

What people call them and how they play is in the catalogue, under level.<name>."""

_KEPT = (
    "sprout", "sapling", "birch", "maple", "sequoia", "cedar", "seedling", "oak", "hazel", "redwood", "ash", "willow",
    "rowan", "clover",
)  # fmt: skip
"""Which names a ladder of n rungs has: the first n of these."""


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


def rung(strength: float, most: int = 300_000) -> Rung:
    """Somebody of a strength: from 0 to 1 a person who looks further and errs less, from 1 to 2 one without faults,
    from 2 to 3 one who also counts out the end, above 3 the search itself, which remembers what it has seen.

    To be in doubt one must know how good the other moves are, too, and that costs depth: in some games 1.5 is stronger
    than 0.9. Some whim at first, or the same game would be played again and again. `most` is how many positions the
    best of each kind looks at.
    """
    kind = max(0, math.ceil(strength) - 1)
    faults = max(0.0, 1 - strength)
    nodes = round(_LEAST_NODES * (most / _LEAST_NODES) ** (strength - kind))
    if kind > 2:
        return best(nodes)
    skill = {
        "nodes": nodes,
        "doubt": 1.5 * faults**2,
        "whim": _WHIM if strength < NO_MORE_WHIMS else 0.0,
        "overlook": 0.5 * faults**2,
        "blind": 0.4 * faults**2,
        "hunch": 0.9 * faults,
        "counts": kind == 2,
    }
    return Rung("cupboard.players.fallible:Fallible", {"skill": skill})


def best(nodes: int = 400_000) -> Rung:
    """The search itself.

    Nodes decide on a machine of today, so that the level is the same everywhere; seconds on a slow or busy one.
    """
    return Rung("cupboard.players.alphabeta:AlphaBeta", {"limits": Limits(LEVEL_SECONDS, nodes)})


_LEAST_NODES, _WHIM, NO_MORE_WHIMS = 100, 0.04, 2.7
ENOUGH = {("chinese-checkers", 4): 3000, ("chinese-checkers", 6): 3000}
"""Where looking further does not win more: in a crowd one cannot foresee (bench/results.md)."""
USUAL = (0.0, 0.2, 0.35, 0.5, 0.65, 1.5)
"""For a table that nobody has measured: a new game's, say."""

STRENGTHS: dict[tuple[str, int], tuple[float, ...]] = {
    ("chinese-checkers", 2): (0.34, 0.38, 0.42, 0.455, 0.485, 0.52, 0.555, 0.6, 0.67, 1.295, 1.475, 1.585, 1.725),
    ("chinese-checkers", 3): (0.35, 0.425, 0.465, 0.5, 0.54, 0.61, 0.77, 1.365, 1.42, 1.49),
    ("chinese-checkers", 4): (0.1, 0.17, 0.255, 0.335, 0.395, 0.45, 0.525, 0.605, 0.69),
    ("chinese-checkers", 6): (0.0, 0.1, 0.185, 0.26, 0.315, 0.355, 0.4, 0.455, 0.58, 0.725),
    ("double-dutch", 3): (0.0, 0.2, 0.31, 0.485, 0.75),
    ("double-dutch", 2): (0.0, 0.13, 0.21, 0.285, 0.425, 0.5, 1.315, 1.57, 1.7),
    ("jumping-cups", 2): (0.0, 0.2, 0.3, 0.425, 0.54, 0.655, 0.795, 3.755),
}
"""The strength of each level but the last, by game and number of seats: where bench/ladder.py put them."""

_THUMB, _ISMCTS = "cupboard.players.sensible:Sensible", "cupboard.players.ismcts:Ismcts"
_DOUBTS = {
    2: (2000.0, 190.0, 95.0, 45.0, 8.0, 5.0),
    3: (2000.0, 190.0, 95.0, 45.0, 10.0, 0.0),
    4: (2000.0, 190.0, 95.0, 45.0, 14.0, 8.0),
    5: (2000.0, 130.0, 50.0, 14.0, 6.0),
    6: (2000.0, 130.0, 50.0, 14.0, 6.0),
}
"""How much those who follow rules of thumb doubt them, the last of them tuned ones: steps of about 100 to 200 Elo
(bench/fit_cup_king.py)."""


def _card_players(doubts: tuple[float, ...]) -> tuple[Rung, ...]:
    """Rules of thumb with less and less doubt, then tuned ones, then the search."""
    *plain, tuned = doubts
    return (
        *(Rung(_THUMB, {"doubt": doubt}) for doubt in plain),
        Rung(_THUMB, {"plain": False, "doubt": tuned}),
        Rung(_ISMCTS, {"limits": Limits(LEVEL_SECONDS, nodes=2000)}),
    )


LADDERS: dict[tuple[str, int], tuple[Rung, ...]] = {
    ("cup-king", seats): _card_players(doubts) for seats, doubts in _DOUBTS.items()
}
"""Ladders of another kind, weakest first: for games that alpha-beta cannot play."""


def _climbing(where: tuple[str, int]) -> tuple[Rung, ...]:
    """The measured strengths, then the best."""
    strengths, enough = STRENGTHS.get(where, USUAL), ENOUGH.get(where)
    if enough is None:
        return (*map(rung, strengths), best())
    return (*(rung(strength, enough) for strength in strengths), best(enough))


def ladder_of(game: Game[Any]) -> Mapping[str, Rung]:
    """The rungs of this game with this number of seats by name, weakest first."""
    where = (game.name, game.seats)
    rungs = LADDERS.get(where) or _climbing(where)
    kept = _KEPT[: len(rungs)]
    return dict(zip((name for name in LEVELS if name in kept), rungs, strict=True))


def levels_of(game: Game[Any]) -> tuple[str, ...]:
    """The levels there are for this game with this number of seats, weakest first: at least five."""
    return tuple(ladder_of(game))


def rung_of(game: Game[Any], name: str) -> Rung:
    """Who sits on the rung of this name, or below it where the ladder leaves it out; UnknownPlayer for other names."""
    if name not in LEVELS:
        raise UnknownPlayer(f"There is no level called {name[:40]!r}: they are {', '.join(levels_of(game))}.")
    reach = LEVELS[: LEVELS.index(name) + 1]
    return [rung for level, rung in ladder_of(game).items() if level in reach][-1]


def make_level(game: Game[Any], name: str, seed: int) -> Player:
    """The bot of this level for the game and its number of seats."""
    return rung_of(game, name).make(game, seed)
