"""The sensible player: follows the game's rules of thumb, without looking ahead."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from cupboard.core.game import Game, Move, View
from cupboard.core.row import Row
from cupboard.players.needs import check_needs


class Sensible:
    """Makes the move with the best mark; ties are broken by lot. For games whose knowledge has marks.

    Plain marks are rules of thumb written by hand; the others were tuned by self-play. With `doubt`, in hundredths of
    a nat, it errs as people do: among moves of nearly the same worth often, among others hardly ever.
    """

    def __init__(self, game: Game[Any], seed: int, plain: bool = True, doubt: float = 0.0) -> None:
        self._rng = Random(seed)
        self._game = game
        self._doubt = doubt
        check_needs("sensible", game)
        assert game.knowledge.marks is not None
        marks = game.knowledge.marks()
        self._judge = (marks.judge_plainly or marks.judge) if plain else marks.judge
        self._planner = None if game.knowledge.planner is None else game.knowledge.planner()

    def choose(self, view: View[Any]) -> Move:
        """The move with the best mark, as far as its doubt lets it see which that is."""
        self._game.check_view(view)
        moves = view.moves()
        if self._planner is not None and len(moves) > self._game.kernel.max_moves:
            # The doubtful build one of many variations of what they should.
            plans = self._planner.plans(view, 1 + int(self._doubt / 4), self._rng)
            return self._planner.move_of_plan(view, self._rng.choice(plans.tolist()))
        codes, marks = marked_codes(view, self._judge)
        felt = [float(mark) + max(self._doubt, 1e-3) * self._whim() for mark in marks.tolist()]
        move: Move = view._decode(int(codes[felt.index(max(felt))]))
        return move

    def _whim(self) -> float:
        """Gumbel noise: with it the best of the felt marks is a draw from their softmax."""
        return -math.log(-math.log(self._rng.random() or 0.5))


def marked_codes(view: View[Any], judge: Callable[[Row, Row, int, Row], None]) -> tuple[Row, Row]:
    """The codes of the moves that the seat with this view has, and the mark that `judge` gives each."""
    row, kernel = view.row.copy(), view.game.kernel
    codes = np.empty(kernel.max_moves, np.int64)
    n = int(kernel.moves(row, codes))
    marks = np.zeros(n, np.int64)
    judge(row, codes, n, marks)
    return codes[:n], marks
