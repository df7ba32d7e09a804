"""The sensible player: follows the game's rules of thumb, without looking ahead."""

from __future__ import annotations

import math
from importlib import import_module
from random import Random
from typing import Any

import numpy as np

from cupboard.core.errors import CupboardError
from cupboard.core.game import Game, Move, View


class NoMarks(CupboardError):
    """Nobody has written down rules of thumb for this game."""

    code = "no-search"


class Sensible:
    """Takes the best-marked move; ties are broken by lot. For games whose evaluate.py has a `judge`.

    Plain marks are rules of thumb written by hand; the others were tuned by self-play. With `doubt`, in hundredths of
    a nat, it errs as people do: among moves of nearly the same worth often, among others hardly ever.
    """

    def __init__(self, game: Game[Any], seed: int, plain: bool = True, doubt: float = 0.0) -> None:
        self._rng = Random(seed)
        self._game = game
        self._doubt = doubt
        package = type(game).__module__.rpartition(".")[0]
        knowledge = import_module(f"{package}.evaluate")
        if not hasattr(knowledge, "judge"):
            raise NoMarks(f"There are no rules of thumb for {game.title}: let another bot play.")
        self._judge = knowledge.judge_plainly if plain else knowledge.judge
        self._planning = import_module(f"{package}.planning")

    def choose(self, view: View[Any]) -> Move:
        """The move one would explain with "that costs least and hurts most"."""
        self._game.check_view(view)
        moves = view.moves()
        if len(moves) > self._game.kernel.max_moves:
            # The doubtful build one of many variations of what they should.
            plans = self._planning.plans(view, 1 + int(self._doubt / 4), self._rng)
            plan: Move = self._planning.move_of_plan(view, self._rng.choice(plans.tolist()))
            return plan
        row = view.row.copy()
        codes = np.empty(self._game.kernel.max_moves, np.int64)
        n = int(self._game.kernel.moves(row, codes))
        marks = np.empty(n, np.int64)
        self._judge(row, codes, n, marks)
        felt = [float(mark) + max(self._doubt, 1e-3) * self._whim() for mark in marks.tolist()]
        move: Move = view._decode(int(codes[felt.index(max(felt))]))
        return move

    def _whim(self) -> float:
        """Gumbel noise: with it the best of the felt marks is a draw from their softmax."""
        return -math.log(-math.log(self._rng.random() or 0.5))
