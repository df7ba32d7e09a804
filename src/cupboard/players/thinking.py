"""Thoughts: what every search says about a position, and what it may spend on it.

    thought = thinker.think(view, Limits(seconds=1))
    thought.move, thought.score                   # the best move and how much of the point it should bring
    print(thought.info())                         # info depth 7 score 0.812 nodes 91244 pv 5-6 10-9 …

Scores are one scale for all games and searches: the share of the one point that the seat to move may expect, from
0 (lost) to 1 (won). A half is an even game of two; with six seats an even game is a sixth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from threading import Event
from typing import Any, Protocol, runtime_checkable

from cupboard.core.game import Move, View
from cupboard.core.player import Player

__all__ = ["LEVEL_SECONDS", "SECOND", "Limits", "MoveValue", "Proven", "Report", "Thinker", "Thought"]


class Proven(Enum):
    """Which result is certain with the best play, if one is: OPEN means that a value is only an estimate."""

    OPEN = "open"
    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"

    def __bool__(self) -> bool:
        return self is not Proven.OPEN


@dataclass(frozen=True)
class Limits:
    """What a search may spend; the first limit reached ends it, and None is no limit.

    With `nodes` or `depth` alone the answer is the same each time; with `seconds` it depends on the machine.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None

    @property
    def is_endless(self) -> bool:
        """Whether only a stop ends the search."""
        return self.seconds is None and self.nodes is None and self.depth is None

    def after(self, seconds: float) -> Limits:
        """What is left when so many seconds have been spent; a search always gets a moment."""
        return self if self.seconds is None else replace(self, seconds=max(0.02, self.seconds - seconds))


SECOND = Limits(seconds=0.8)
"""What a move may take when nobody says otherwise: an answer within a second, with some to spare."""

LEVEL_SECONDS = 0.6
"""How long a level thinks at most, so that it answers within a second of wall time. The rest is for a busy machine,
where setting up takes longer and the thread that keeps the time is woken late."""


@dataclass(frozen=True)
class MoveValue:
    """What a search thinks of one legal move of the position."""

    move: Move
    score: float
    """The share of the point that the seat to move may expect if it makes this move."""
    visits: int = 0
    """How many nodes or playouts were spent on it."""
    pv: tuple[Move, ...] = ()
    """The best continuation, this move first."""
    proven: Proven = Proven.OPEN


@dataclass(frozen=True)
class Thought:
    """The answer of a search: the final one, or the best so far."""

    move: Move
    score: float
    """The share of the point the seat to move may expect: 0 lost, 1 won."""
    depth: int
    nodes: int
    pv: tuple[Move, ...]
    """The expected play, `move` first."""
    proven: Proven = Proven.OPEN
    per_move: tuple[MoveValue, ...] = ()
    """Every move looked at, best first. Scores behind the best are upper bounds unless the search was asked for all."""
    seconds: float = 0.0

    def info(self) -> str:
        """The line an engine prints: `info depth 7 score 0.812 nodes 91244 pv 5-6 10-9`."""
        proven = f" proven {self.proven.value}" if self.proven else ""
        pv = "".join(f" {move}" for move in self.pv)
        time = f" time {round(self.seconds * 1000)}" if self.seconds else ""
        return f"info depth {self.depth} score {self.score:.3f}{proven} nodes {self.nodes}{time} pv{pv}"


Report = Callable[[Thought], None]
"""A function that a search calls from its thread with the answer so far, whenever that has improved."""


@runtime_checkable
class Thinker(Player, Protocol):
    """A player that searches, and says what it found. Searches inherit from it; anything with these members is one."""

    limits: Limits
    """What it spends on a move when nobody says otherwise."""
    knows_depth: bool = True
    """Whether `Limits.depth` means something to it: playouts have no depth."""

    def choose(self, view: View[Any]) -> Move:
        """The best move found within its own limits."""
        return self.think(view, self.limits).move

    def think(
        self,
        view: View[Any],
        limits: Limits | None = None,
        stop: Event | None = None,
        report: Report | None = None,
        all_moves: bool = False,
    ) -> Thought:
        """The best move of the seat that has this view, found within `limits` or else within its own.

        Setting `stop` ends the search soon, with the answer so far. With `all_moves` a search that cuts off gives
        exact values of every move, if it can.
        """
        ...
