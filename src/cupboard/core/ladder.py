"""Ladders: who plays each level of a game, written down as data that `players/levels.py` makes players of.

    Rung("sprout", Skill(nodes=100, doubt=1.5, overlook=0.5)), …, Rung("sequoia", FullSearch(nodes=400_000))

What sits on a rung is one of the kinds of player below, with its settings. `nodes` decides on a machine of today, so
that a level is the same everywhere; on a slow or busy one every level moves after the same time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Baseline", "FullSearch", "Playouts", "Rung", "Seated", "Skill", "Thumb", "Worlds"]


@dataclass(frozen=True)
class Skill:
    """A person with a person's mistakes (players/fallible.py); for games that alpha-beta plays."""

    nodes: int
    """How many positions it looks at; it looks at each of its own moves at least."""
    doubt: float = 0.0
    """By how much it misjudges a move, in units of the evaluation's scale: moves closer than this are mixed up."""
    overlook: float = 0.0
    """The chance that a move escapes its notice, for each landing of a chain beyond the first."""
    blind: float = 0.0
    """The chance that any move escapes its notice."""
    whim: float = 0.0
    """The least doubt in the first moves, so that not every game begins alike."""
    hunch: float = 0.0
    """The chance that it does not even think of a move that seems to lead backwards."""
    counts: bool = False
    """Whether it counts out the end of the game, as far as its nodes reach, where the game can be counted out."""


@dataclass(frozen=True)
class FullSearch:
    """Alpha-beta without faults, which remembers what it has seen (players/alphabeta.py)."""

    nodes: int
    """How many positions it looks at."""


@dataclass(frozen=True)
class Thumb:
    """A follower of the game's rules of thumb, without looking ahead (players/sensible.py)."""

    doubt: float = 0.0
    """How much it doubts them, in hundredths of a nat: moves whose marks are closer than this are mixed up."""
    is_tuned: bool = False
    """Whether it follows the marks tuned by self-play rather than those written by hand."""


@dataclass(frozen=True)
class Worlds:
    """A search in imagined worlds, for games with secrets (players/ismcts.py)."""

    nodes: int
    """How many lines of play it tries in all worlds together."""


@dataclass(frozen=True)
class Playouts:
    """Plain Monte Carlo tree search, which needs no evaluation (players/uct.py)."""

    nodes: int
    """How many random games it plays."""


@dataclass(frozen=True)
class Baseline:
    """A player without settings: any move by lot, or the best by the evaluation right after it."""

    name: Literal["random", "greedy"]


Seated = Skill | FullSearch | Thumb | Worlds | Playouts | Baseline
"""Who may sit on a rung."""


@dataclass(frozen=True)
class Rung:
    """One level of a game: its name, as in `players/levels.py`, and who plays it."""

    level: str
    player: Seated
    elo: int | None = None
    """How much stronger in Elo it is than the lowest rung of its ladder, as measured (bench/results.md), or None."""
    ahead: int | None = None
    """How many moves it looks ahead in the middle of a game, as measured (bench/look_ahead.py), or None."""
