"""Double Dutch's oracle: once few enough cells are empty it knows who makes the last move, and how."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from time import perf_counter, sleep
from typing import Any

import numpy as np

from cupboard.core.game import Game
from cupboard.core.row import OVER, PLY, SEATS, TURN, Row
from cupboard.games.double_dutch import solve
from cupboard.games.double_dutch.kernel import BOARD, CELL_COUNT, EMPTY, FLAT, STOCK

TRY_FROM = 38
"""With more empty cells than this the solver would only burn time."""
_PART = 0.6
"""The share of the time it may take; the search gets the rest if it fails."""
_TABLE_BITS = 22


class Solver:
    """The exact solver with its table, for two seats."""

    def __init__(self, game: Game[Any], table_bits: int = _TABLE_BITS) -> None:
        self._kernel = game.kernel
        self._table = np.zeros(1 << table_bits, np.uint64)
        self._kids = np.zeros((solve.MAX_PLY, solve.MOST_KIDS, 4), np.int64)

    def advise(
        self, row: Row, seconds: float | None, nodes: int | None, is_stopped: Callable[[], bool]
    ) -> tuple[int, int, int] | None:
        """The winning move, or that there is none; None when it is too early or the limits were too tight."""
        if row[PLY] < row[SEATS] or CELL_COUNT - row[PLY] > TRY_FROM:
            return None
        control = np.zeros(solve.CONTROLS, np.int64)
        control[solve.NODE_LIMIT] = 1 << 60 if nodes is None else nodes
        if seconds is None:
            self._table[:] = 0  # what was seen before must not change an answer that can be repeated
        ends = perf_counter() + (1e9 if seconds is None else _PART * seconds)

        def watch() -> None:
            while not control[solve.STOP]:
                if perf_counter() > ends or is_stopped():
                    control[solve.STOP] = 1
                sleep(0.004)

        watcher = Thread(target=watch, name="clock", daemon=True)
        if seconds is not None or nodes is None:
            watcher.start()
        try:
            won = self.solve(row, control)
            if won == solve.UNKNOWN:
                return None
            code = self._winning(row, control) if won == solve.WON else -1
            return None if won == solve.WON and code < 0 else (code, 1 if won else -1, int(control[solve.NODES]))
        finally:
            control[solve.STOP] = 1

    def solve(self, row: Row, control: Row) -> int:
        """WON or LOST for the seat to move, or UNKNOWN."""
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
        """The code of a move that wins; -1 when the search was stopped on the way. The table knows most answers."""
        out = np.empty(self._kernel.max_moves, np.int64)
        codes: list[int] = out[: self._kernel.moves(row, out)].tolist()
        for code in codes:
            child = row.copy()
            self._kernel.play(child, code)
            if child[TURN] == OVER:
                return code
            found = self.solve(child, control)
            if found == solve.UNKNOWN:
                return -1
            if (found == solve.WON) == (child[TURN] == row[TURN]):
                return code
        return -1


def make_oracle(game: Game[Any]) -> Solver | None:
    """The solver for two seats; with three there is no such thing as a won position."""
    return Solver(game) if game.seats == 2 else None
