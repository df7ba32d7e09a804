"""Players: anything that chooses moves gets a View, never a Position, so that it cannot see what is hidden."""

from __future__ import annotations

from typing import Any, Protocol

from cupboard.core.game import Move, View

__all__ = ["Player"]


class Player(Protocol):
    """Anything that chooses moves for a seat: a bot, a program, or a few lines of a test."""

    def choose(self, view: View[Any]) -> Move:
        """A legal move of the seat that has this view."""
        ...
