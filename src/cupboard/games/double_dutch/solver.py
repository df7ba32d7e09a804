"""Double Dutch's oracle: once few enough cells are empty it knows who makes the last move, and how.

Against the best play a lost game is lost; against others it is not. There the oracle takes the move after which an
opponent who judges by the evaluation is most likely to err.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from cupboard.core.deadline import deadline
from cupboard.core.game import Game
from cupboard.core.knowledge import Advice
from cupboard.core.row import OVER, PLY, SEATS, TURN, Row
from cupboard.games.double_dutch import solver_core as solve
from cupboard.games.double_dutch.board import CELL_COUNT
from cupboard.games.double_dutch.evaluate import SCALE, evaluate
from cupboard.games.double_dutch.kernel import BOARD, EMPTY, FLAT, STOCK

_PART, _MOST = 0.6, 0.9
"""The shares of the time within which it must have proved who wins, and have found the hardest way to lose; the rest is
for the search, where nothing is proved."""
_PER_SECOND = 2_000_000
_UNHURRIED = 5_000_000
"""How many nodes a second are counted on, and how many a thought without limits gets."""
_AT_30, _GROWTH, _LONG_SHOT = 45_000, 2.2, 10
"""Half of the positions with 30 empty cells take so many nodes, with each more cell so many times as many; one in
ten takes ten times less."""
_SURE = 20.0
"""The most by which a move counts as likelier than another, in nats: with such odds nobody misses it."""
_TABLE_BITS = 22


class Solver:
    """The exact solver for two seats, with its table of solved positions."""

    def __init__(self, game: Game[Any], table_bits: int = _TABLE_BITS) -> None:
        self._kernel = game.kernel
        self._table = np.zeros(1 << table_bits, np.uint64)
        self._kids = np.zeros((solve.MAX_PLY, solve.MOST_KIDS, 4), np.int64)

    def advise(
        self, row: Row, seconds: float | None, nodes: int | None, is_stopped: Callable[[], bool]
    ) -> Advice | None:
        """The winning move, or the hardest to refute; None when it is too early or the limits were too tight."""
        budget = _UNHURRIED if nodes is None else nodes
        if seconds is not None:
            budget = min(budget if nodes is not None else 1 << 60, int(_PER_SECOND * _PART * seconds))
        if not is_hopeful(row, budget):
            return None
        control = np.zeros(solve.CONTROLS, np.int64)
        control[solve.NODE_LIMIT] = budget if seconds is None else 1 << 60
        if seconds is None:
            self.forget()  # what was seen before must not change an answer that can be repeated
        began = perf_counter()
        ends = math.inf if seconds is None else began + seconds
        with deadline(control, solve.STOP, began + _PART * (ends - began), is_stopped):
            won = self.solve(row, control)
        if won == solve.UNKNOWN:
            return None
        if won == solve.WON:
            return self._winning(row, control), 1, int(control[solve.NODES])
        left = budget - int(control[solve.NODES])
        if seconds is not None:
            left = int(_PER_SECOND * (_MOST * seconds - (perf_counter() - began)))
        with deadline(control, solve.STOP, began + _MOST * (ends - began), is_stopped):
            return self._stubborn(row, control, left), -1, int(control[solve.NODES])

    def forget(self) -> None:
        """Forget all positions solved before."""
        self._table[:] = 0

    def solve(self, row: Row, control: Row) -> int:
        """WON or LOST for the seat to move, or UNKNOWN when the limits in `control` were too tight."""
        seat = int(row[TURN])
        other = 1 - seat
        return int(
            solve._solve(
                row[BOARD],
                row[EMPTY],
                row[FLAT + seat],
                row[FLAT + other],
                row[STOCK + seat],
                row[STOCK + other],
                0,
                self._table,
                self._kids,
                control,
            )
        )

    def _winning(self, row: Row, control: Row) -> int:
        """The code of the move that the solver has just found to win."""
        seat = int(row[TURN])
        after = self._after(row)
        # Where the opponent is out for good the solver has not looked for one: every move wins.
        for code, child in after:
            if child[EMPTY] == control[solve.LEFT] and child[FLAT + seat] == control[solve.FLAT_LEFT]:
                return code
        return after[0][0]

    def _stubborn(self, row: Row, control: Row, nodes: int) -> int:
        """The code of the move most likely to be answered wrongly, or -1 when none is found in so many nodes."""
        answers = [(code, self._after(child)) for code, child in self._after(row) if child[TURN] != row[TURN]]
        positions = sum(len(after) for _, after in answers)
        ends = control[solve.NODES] + nodes
        best, most = -1, 0.0
        for code, after in answers:
            weights = [math.exp(min(evaluate(then, 1 - row[TURN]) / SCALE, _SURE)) for _, then in after]
            wrong = 0.0
            for weight, (_, then) in zip(weights, after, strict=True):
                left = max(0, int(ends - control[solve.NODES]))
                control[solve.NODE_LIMIT] = control[solve.NODES] + left // max(1, positions)
                positions -= 1
                wins = then[TURN] != OVER and self.solve(then, control) == (then[TURN] == row[TURN])
                wrong += weight * wins
            if wrong / sum(weights) > most:
                best, most = code, wrong / sum(weights)
        return best

    def _after(self, row: Row) -> list[tuple[int, Row]]:
        """Every move's code with the row it leads to; none when the game is over."""
        if row[TURN] == OVER:
            return []
        found = []
        for code in self._kernel.codes(row):
            child = row.copy()
            self._kernel.play(child, code)
            found.append((code, child))
        return found


def is_hopeful(row: Row, nodes: int) -> bool:
    """Whether so many nodes have a chance, be it a small one, to solve the position."""
    if row[PLY] < row[SEATS]:
        return False
    return _AT_30 * _GROWTH ** (CELL_COUNT - int(row[PLY]) - 30) <= _LONG_SHOT * nodes
