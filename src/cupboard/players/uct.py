"""Plain Monte Carlo tree search: no evaluation, no proofs, nothing kept between moves. The yardstick for the others.

    thought = Uct(game, seed=7).think(view, Limits(nodes=20_000))

By nodes (playouts) it is deterministic.
"""

from __future__ import annotations

import time
from random import Random
from threading import Event
from typing import Any

import numpy as np

from cupboard.core.game import CHANCE, Game, Move, View
from cupboard.players import uct_core as core
from cupboard.players.mcts import SLICE_SECONDS
from cupboard.players.needs import CannotPlay, check_needs
from cupboard.players.thinking import Limits, MoveValue, Report, Thought

EXPLORE = 0.7
"""UCB1's constant for shares of a point: half of the textbook's √2, as is usual; nobody has tuned it."""


class Uct:
    """The search as a player."""

    knows_depth = False

    def __init__(
        self,
        game: Game[Any],
        seed: int,
        limits: Limits = Limits(seconds=0.8),  # noqa: B008 - frozen
        explore: float = EXPLORE,
        room: int = 1 << 20,
    ) -> None:
        """`room` is how many nodes its tree may have; once full, playouts go on from its leaves."""
        check_needs("uct", game)
        self._game = game
        self._random = Random(seed)
        self._limits = limits
        self._explore = explore
        self._tree = np.zeros((room, core.COLUMNS), np.int64)
        self._totals = np.zeros(room)

    def choose(self, view: View[Any]) -> Move:
        """The move most playouts went to."""
        return self.think(view, self._limits).move

    def think(
        self,
        view: View[Any],
        limits: Limits | None = None,
        stop: Event | None = None,
        report: Report | None = None,
        all_moves: bool = False,
    ) -> Thought:
        """The answer with the playouts of every move; `limits.depth` means nothing to this search."""
        self._game.check_view(view)
        if view.to_act != (view.seat,) or view.seat == CHANCE:
            raise CannotPlay("The seat with this view is not to act.")
        limits = limits or self._limits
        began = time.perf_counter()
        kernel = self._game.kernel
        row = kernel.without_past(view.row)
        nodes, random = np.ones(1, np.int64), np.array([self._random.getrandbits(63)], np.int64)
        self._tree[0] = 0, 0, 0, core.NOBODY, core.NOBODY, 0
        done, sliced = 0, 64
        while True:
            spent = time.perf_counter() - began
            if done and ((stop and stop.is_set()) or (limits.seconds is not None and spent >= limits.seconds)):
                break
            more = sliced if limits.nodes is None else min(sliced, limits.nodes - done)
            if more <= 0:
                break
            core.search(
                kernel.moves, kernel.play, kernel.scores, row, kernel.max_moves, more, self._explore, random, nodes,
                self._tree, self._totals,
            )  # fmt: skip
            done += more
            took = time.perf_counter() - began - spent
            sliced = min(1 << 16, max(16, int(sliced * SLICE_SECONDS / max(took, 1e-5))))
            if report is not None:
                report(self._thought(view, done, spent))
        return self._thought(view, done, time.perf_counter() - began)

    def _thought(self, view: View[Any], done: int, seconds: float) -> Thought:
        values = []
        child = int(self._tree[0, core.CHILD])
        while child != core.NOBODY:
            visits = int(self._tree[child, core.VISITS])
            move = view._decode(int(self._tree[child, core.CODE]))
            values.append(MoveValue(move, float(self._totals[child]) / visits, visits, (move,)))
            child = int(self._tree[child, core.SISTER])
        values.sort(key=lambda value: -value.visits)
        best = values[0]
        return Thought(best.move, best.score, 1, done, best.pv, best.proven, tuple(values), seconds)
