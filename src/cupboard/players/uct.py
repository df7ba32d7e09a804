"""Plain Monte Carlo tree search: no evaluation, no proofs, nothing kept between moves. Others are measured by it.

    thought = Uct(game, seed=7).think(view, Limits(nodes=20_000))

Limited by nodes (playouts) it is deterministic.
"""

from __future__ import annotations

from random import Random
from threading import Event
from typing import Any

import numpy as np

from cupboard.core.game import Game, View
from cupboard.players import uct_core as core
from cupboard.players.needs import check_needs
from cupboard.players.sampling import Budget, check_turn
from cupboard.players.thinking import SECOND, Limits, MoveValue, Report, Thinker, Thought

EXPLORE = 0.7
"""UCB1's constant for shares of a point: half of the textbook's √2, as is usual; nobody has tuned it."""


class Uct(Thinker):
    """The search as a player: UCB1 in the tree, random moves below it."""

    knows_depth = False

    def __init__(
        self,
        game: Game[Any],
        seed: int,
        limits: Limits = SECOND,
        explore: float = EXPLORE,
        room: int = 1 << 20,
    ) -> None:
        """`room` is how many nodes its tree may have; once full, playouts go on from its leaves."""
        check_needs("uct", game)
        self._game = game
        self._random = Random(seed)
        self.limits = limits
        self._explore = explore
        self._tree = np.zeros((room, core.COLUMNS), np.int64)
        self._totals = np.zeros(room)

    def think(
        self,
        view: View[Any],
        limits: Limits | None = None,
        stop: Event | None = None,
        report: Report | None = None,
        all_moves: bool = False,
    ) -> Thought:
        """The move with most playouts, and the playouts of every move; `limits.depth` is ignored."""
        self._game.check_view(view)
        check_turn(view)
        budget = Budget(limits or self.limits, stop)
        kernel = self._game.kernel
        row = kernel.without_past(view.row)
        nodes, random = np.ones(1, np.int64), np.array([self._random.getrandbits(63)], np.int64)
        self._tree[0] = 0, 0, 0, core.NOBODY, core.NOBODY, 0
        while iterations := budget.next_slice():
            budget.spend(
                core.search, kernel.moves, kernel.play, kernel.scores, row, kernel.max_moves, iterations,
                self._explore, random, nodes, self._tree, self._totals,
            )  # fmt: skip
            if report is not None and budget.is_report_due():
                report(self._thought(view, budget))
        return self._thought(view, budget)

    def _thought(self, view: View[Any], budget: Budget) -> Thought:
        values = []
        child = int(self._tree[0, core.CHILD])
        while child != core.NOBODY:
            visits = int(self._tree[child, core.VISITS])
            move = view._decode(int(self._tree[child, core.CODE]))
            values.append(MoveValue(move, float(self._totals[child]) / visits, visits, (move,)))
            child = int(self._tree[child, core.SISTER])
        values.sort(key=lambda value: -value.visits)
        best = values[0]
        return Thought(best.move, best.score, 1, budget.done, best.pv, best.proven, tuple(values), budget.seconds)
