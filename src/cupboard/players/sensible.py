"""The sensible player: follows the game's rules of thumb, without looking ahead."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

import numpy as np

from cupboard.core.game import Game, Move, View


class Sensible:
    """Takes the best-marked move; ties are broken by lot. For games whose evaluate.py has a `judge`.

    Plain marks are rules of thumb written by hand; the others were tuned by self-play.
    """

    def __init__(self, game: Game[Any], seed: int, plain: bool = True) -> None:
        self._rng = Random(seed)
        self._game = game
        package = type(game).__module__.rpartition(".")[0]
        knowledge = import_module(f"{package}.evaluate")
        self._judge = knowledge.judge_plainly if plain else knowledge.judge
        self._planning = import_module(f"{package}.planning")

    def choose(self, view: View[Any]) -> Move:
        """The move one would explain with "that costs least and hurts most"."""
        moves = view.moves()
        if len(moves) > self._game.kernel.max_moves:
            plan: Move = self._planning.move_of_plan(view, self._planning.plans(view, 1, self._rng)[0].tolist())
            return plan
        row = view.row.copy()
        codes = np.empty(self._game.kernel.max_moves, np.int64)
        n = int(self._game.kernel.moves(row, codes))
        marks = np.empty(n, np.int64)
        self._judge(row, codes, n, marks)
        code = self._rng.choice(np.flatnonzero(marks == marks.max()).tolist())
        move: Move = view._decode(int(codes[code]))
        return move
