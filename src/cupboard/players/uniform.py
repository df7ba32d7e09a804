"""The random player: every legal move is equally likely."""

from __future__ import annotations

from random import Random
from typing import Any

from cupboard.core.game import Game, Move, View


class Uniform:
    """Chooses by lot. A baseline for other players, and a good way to find bugs."""

    def __init__(self, game: Game[Any], seed: int) -> None:
        self._game = game
        self._rng = Random(seed)

    def choose(self, view: View[Any]) -> Move:
        """A legal move, drawn by lot."""
        self._game.check_view(view)
        move: Move = self._rng.choice(view.moves())
        return move
