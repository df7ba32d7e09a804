"""What the server and the process that judges moves say to each other, as JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from cupboard.core.game import Seat
from cupboard.players.thinking import Proven


class JudgeRequest(msgspec.Struct, frozen=True):
    """A position in which a seat is to act; it holds every secret of the game and goes to our own process only.

    The search gets what the seat may know, nothing more."""

    game: str
    seats: int
    options: dict[str, Any]
    position: Any
    """What `Position.to_json` gives."""
    seat: Seat
    seconds: float
    """How long the search may take; loading the game before it takes seconds in a new process."""
    move: str = ""
    """The move that was made, in notation; empty: only the best one is asked for."""


class Judgement(msgspec.Struct, frozen=True):
    """What the search found: the best move, and what the move that was made is worth."""

    best: str = ""
    best_score: float = 0.0
    """The share of the point that the seat may expect after the best move."""
    proven: Proven = Proven.OPEN
    score: float | None = None
    """What the seat could expect after the move that was made; None when the search has no value for it."""
    line: tuple[str, ...] = ()
    """The expected play, the best move first."""
    forced: bool = False
    """Whether there was only one legal move."""
    error: str = ""
    """What went wrong; empty when nothing did."""
