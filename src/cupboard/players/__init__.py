"""Players that are programs. Each gets a View, never a Position, and returns a move."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, Protocol

from cupboard.core.errors import UnknownPlayer
from cupboard.core.game import Game, Move, View
from cupboard.players.greedy import Greedy
from cupboard.players.uniform import Uniform

__all__ = ["PLAYERS", "Player", "make_player"]


class Player(Protocol):
    """Somebody who chooses moves."""

    def choose(self, view: View[Any]) -> Move:
        """A legal move of the seat that has this view."""
        ...


_MAKERS: dict[str, Callable[[Game[Any], int], Player]] = {"random": Uniform, "greedy": Greedy}
PLAYERS = tuple(_MAKERS)
"""The names of the bots there are, weakest first."""


def make_player(name: str, game: Game[Any], seed: int) -> Player:
    """The bot of this name; the same seed makes it play the same."""
    if name not in _MAKERS:
        close = get_close_matches(name, PLAYERS, 1)
        hint = f"Did you mean {close[0]}?" if close else f"There are {', '.join(PLAYERS)}."
        raise UnknownPlayer(f"There is no player called {name[:40]!r}. {hint}")
    return _MAKERS[name](game, seed)
