"""What moves are worth: the turning points of a finished game, and the value of a position."""

from __future__ import annotations

from typing import Literal

from cupboard.core.words import Words
from cupboard.server.wire.base import Plain

AnalysisStatus = Literal["none", "waiting", "running", "paused", "failed", "done"]
"""none: nobody has asked for it; paused: nobody looked at it for a while, and asking again goes on with it."""
MoveMark = Literal["", "dubious", "mistake", "blunder"]
"""How much a move gave away: 5 %, 12 % or 25 % of the point at least."""


class BetterMove(Plain, frozen=True):
    """The best move that the search found."""

    text: str
    spots: tuple[str, ...]
    words: Words
    """What happens, as a sentence; {who} is left open for the name of the seat."""
    score: float
    """The share of the point that the seat may expect after it: 0 lost, 1 won."""
    path: tuple[str, ...] = ()
    """The cells that the moved piece would pass."""
    proven: str = ""
    """win, loss or draw where that is certain with the best play; empty: the score is an estimate."""
    line: tuple[str, ...] = ()
    """The expected play in notation, this move first."""


class JudgedEvent(Plain, frozen=True):
    """What a move of a finished game was worth."""

    n: int
    """The number of its event in the table's log."""
    seat: int
    score: float | None
    """The share of the point that its seat could expect after it; null: the search has no value for it."""
    best_score: float
    """The share of the point after the best move instead."""
    cost: float = 0.0
    """The share of the point that the move gave away."""
    mark: MoveMark = ""
    best: BetterMove | None = None
    """The better move, for a move with a mark."""
    forced: bool = False
    """Whether it was the only legal move."""


class TableAnalysis(Plain, frozen=True):
    """The answer to POST and GET /api/tables/{id}/analysis."""

    status: AnalysisStatus
    total: int = 0
    """How many moves are judged in all."""
    done: int = 0
    """How many have been judged so far."""
    moves: tuple[JudgedEvent, ...] = ()
    """Those from number `since` of the request on, in the order in which they were made."""


class Evaluation(Plain, frozen=True):
    """The answer to POST /api/games/{name}/evaluation: the best move of the seat that is to act."""

    seat: int
    best: BetterMove
