"""Oracles: what a game's folder knows better than a search, asked before it. The seam for solvers and end-games.

A game that has one offers `make_oracle(game)` in its `oracle.py`; it may return None for options it cannot serve.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from cupboard.core.game import Game
from cupboard.core.row import Row

__all__ = ["Advice", "Oracle", "make_oracle"]

Advice = tuple[int, int, int]
"""The code of the move (-1 for none in particular), 1 if it is proven to win, -1 to lose, 0 if neither; nodes spent."""


class Oracle(Protocol):
    """Advice for some positions."""

    def advise(
        self, row: Row, seconds: float | None, nodes: int | None, is_stopped: Callable[[], bool]
    ) -> Advice | None:
        """The move to make, or None where it knows nothing; it keeps to a part of the limits."""
        ...


def make_oracle(game: Game[Any]) -> Oracle | None:
    """The game's oracle, if it has one."""
    name = f"{type(game).__module__.rpartition('.')[0]}.oracle"
    if find_spec(name) is None:
        return None
    oracle: Oracle | None = import_module(name).make_oracle(game)
    return oracle
