"""Chinese Checkers' oracle: once a seat can meet nobody any more, it counts its way home instead of guessing it.

Only there the count is exact: whatever the others do, each move of the plan brings the seat one move nearer. Where
armies can still meet, a plan made as if the others stood still would be made anew every turn and might lead round in
circles, so there the search decides; its evaluation counts moves, too, as well as one can without a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import Any

import numpy as np

from cupboard.core.deadline import deadline
from cupboard.core.game import Game
from cupboard.core.knowledge import Advice
from cupboard.core.row import LIVE, SEATS, TURN, Row
from cupboard.games.chinese_checkers.evaluate import WAY, WEIGHTS
from cupboard.games.chinese_checkers.kernel import arrange
from cupboard.games.chinese_checkers.layout import HOLES, PIECES, SIZE
from cupboard.games.chinese_checkers.race_core import BOLD, CAUTIOUS, LONGEST, LOOKED, STOP, way_home
from cupboard.games.chinese_checkers.star import TARGET

STAGES = ((60, BOLD), (300, BOLD), (1200, BOLD), (3600, CAUTIOUS))
"""Wider and wider beams, each with the weights that guide it. The last crosses an empty star in 27 moves, the
fewest, in half a second."""
PER_NODE = 16
"""How many positions a beam may look at for each node of the limits: a position takes less time than a node."""


@dataclass(frozen=True)
class _Plan:
    """A way home, and whether the widest beam has found it."""

    moves: tuple[int, ...] = ()
    is_best: bool = False


class Race:
    """Plans a seat's way home once no other piece can be met."""

    def __init__(self, game: Game[Any], weights: Sequence[int] = WEIGHTS) -> None:
        self._kernel = game.kernel
        self._weights = np.array(weights, np.int64)
        self._moves = np.zeros(LONGEST, np.int64)
        self._control = np.zeros(2, np.int64)
        self._kept = _Plan()
        self._expected = b""
        """Where the seat's pieces stand if it has made the move advised last; the plan kept goes on from there."""

    def advise(
        self, row: Row, seconds: float | None, nodes: int | None, is_stopped: Callable[[], bool]
    ) -> Advice | None:
        """The first move of a short way home once nobody can be met any more, else None."""
        seat = int(row[TURN])
        if not is_apart(row, seat):
            self._expected = b""
            return None
        mine = alone(row, seat)
        self._control[:] = 0
        kept = self._kept if self._expected == _pieces(mine, seat) else _Plan()
        plan = kept
        if not kept.is_best:
            plan = self._shortest(mine, seat, seconds, nodes, is_stopped)
            # Another plan is better only if it is shorter, so the count falls with every move.
            if kept.moves and (not plan.moves or len(kept.moves) <= len(plan.moves)):
                plan = kept
        if not plan.moves or plan.moves[0] not in self._kernel.codes(row):
            self._expected = b""
            return None
        self._kernel.play(mine, plan.moves[0])
        self._kept, self._expected = _Plan(plan.moves[1:], plan.is_best), _pieces(mine, seat)
        return plan.moves[0], 0, int(self._control[LOOKED]) // PER_NODE

    def moves_home(self, row: Row, seat: int, width: int = STAGES[1][0], longest: int = LONGEST) -> int:
        """How many moves of `seat` alone would finish, the others standing still, or 0 if it finds none so short."""
        self._control[:] = 0
        return self._search(row, seat, width, longest, self._weights)

    def _shortest(
        self, row: Row, seat: int, seconds: float | None, nodes: int | None, is_stopped: Callable[[], bool]
    ) -> _Plan:
        """The shortest way home that wider and wider beams find within the limits."""
        began = perf_counter()
        ends = inf if seconds is None else began + 0.9 * seconds
        plan, took, last = _Plan(), 0.0, 0.0
        with deadline(self._control, STOP, ends, is_stopped):
            for stage, (width, weights) in enumerate(STAGES):
                now, spent = perf_counter(), int(self._control[LOOKED])
                wider = width / STAGES[stage - 1][0]
                if (nodes is not None and wider * last > nodes * PER_NODE) or now + wider * took > ends:
                    break
                count = self._search(row, seat, width, len(plan.moves) - 1 if plan.moves else LONGEST, weights)
                is_best = stage == len(STAGES) - 1 and not self._control[STOP]
                plan = _Plan(tuple(self._moves[:count].tolist()) if count else plan.moves, is_best)
                if len(plan.moves) == 1 or self._control[STOP]:
                    break
                took, last = perf_counter() - now, int(self._control[LOOKED]) - spent
        return plan

    def _search(self, row: Row, seat: int, width: int, longest: int, weights: Row) -> int:
        verbs = self._kernel.moves, self._kernel.play
        return int(way_home(*verbs, row, seat, width, longest, self._moves, weights, self._control))


def alone(row: Row, seat: int) -> Row:
    """The row without its past and without the pieces of the other seats."""
    lone = row[:SIZE].copy()
    lone[LIVE] = SIZE
    arrange(lone, np.where(row[HOLES : HOLES + 121] >> 12 == seat + 1, seat, -1))
    return lone


def is_apart(row: Row, seat: int) -> bool:
    """Whether everybody else's pieces lie behind all of the seat's, so that they can neither hinder nor help it."""
    owners = row[HOLES : HOLES + 121] >> 12
    way = WAY[TARGET[int(row[SEATS]), seat]]
    others = way[(owners > 0) & (owners != seat + 1)]
    return bool(others.size == 0 or way[owners == seat + 1].max() < others.min())


def _pieces(row: Row, seat: int) -> bytes:
    return row[PIECES + 10 * seat : PIECES + 10 * seat + 10].tobytes()
