"""The random player: any legal move is as good as another."""

from __future__ import annotations

from random import Random
from typing import Any

from cupboard.core.game import Game, Move, View


class Uniform:
    """Chooses uniformly. A baseline, and a good partner for finding bugs."""

    def __init__(self, game: Game[Any], seed: int) -> None:
        self._game = game
        self._rng = Random(seed)

    def choose(self, view: View[Any]) -> Move:
        """Any legal move."""
        self._game.check_view(view)
        move: Move = self._rng.choice(view.moves())
        return move
