"""Iterative deepening on kernel rows: searches depth after depth until a limit, and keeps the last answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Event
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from cupboard.core.deadline import deadline
from cupboard.core.game import Game
from cupboard.core.knowledge import Style
from cupboard.core.row import TURN, Row
from cupboard.players import search_core as core
from cupboard.players.needs import check_needs
from cupboard.players.thinking import Limits

_DEEPEST = 100
_ENOUGH = 0.6
"""The share of the time after which no new depth is begun, because it would seldom be finished."""
STYLES: tuple[Style, ...] = ("paranoid", "reply", "expect")
"""How several opponents are expected to play, in the order of search_core's numbers."""
Grid = npt.NDArray[np.int64]


@dataclass(frozen=True)
class SearchResult:
    """What a search down to some depth found: all codes, best first, with their values and the nodes they took."""

    depth: int
    codes: tuple[int, ...]
    values: dict[int, int]
    visits: dict[int, int]
    nodes: int

    @property
    def best(self) -> int:
        """The code of the best move."""
        return self.codes[0]

    @property
    def value(self) -> int:
        """The value of the best move."""
        return self.values[self.codes[0]]


@dataclass
class _Memory:
    """The arrays that a search writes on; the table is kept from move to move."""

    rows: Grid
    outs: Grid
    orders: Grid
    table: Grid
    history: Grid
    killers: Grid

    @classmethod
    def of(cls, game: Game[Any], table_bits: int) -> _Memory:
        kernel = game.kernel
        return cls(
            rows=np.zeros((core.MAX_PLY, kernel.size), np.int64),
            outs=np.zeros((core.MAX_PLY, kernel.max_moves), np.int64),
            orders=np.zeros((core.MAX_PLY, kernel.max_moves), np.int64),
            table=np.zeros((1 << table_bits, 2), np.int64),
            history=np.zeros((game.seats, core.HISTORY), np.int64),
            killers=np.zeros((core.MAX_PLY, 2), np.int64),
        )


class Deepening:
    """The compiled search with its memory, for one game."""

    def __init__(
        self,
        game: Game[Any],
        style: Style | None = None,
        weights: Sequence[int] = (),
        table_bits: int = 18,
        remembers: bool = True,
    ) -> None:
        """Without a `style`, it is the one that suits the game and the number of seats.

        With `remembers`, a search limited by time uses what the last one found.
        """
        check_needs("alphabeta", game)
        assert game.knowledge.evaluation is not None and game.knowledge.lookahead is not None
        known = game.knowledge.lookahead()
        self.game = game
        self.style = style or known.styles.get(game.seats, "paranoid")
        self.scale = float(game.knowledge.evaluation().scale)
        self.weights = np.array(weights or known.weights, np.int64)
        self._futility = known.futility
        self._table_bits = table_bits
        self._remembers = remembers
        self._memory: _Memory | None = None
        self._age = 0
        kernel = game.kernel
        self.promise: Callable[[Row, int], int] = known.promise or core.no_promise
        self._verbs = (kernel.moves, kernel.play, kernel.scores, kernel.key, known.weigh, self.promise)

    def search(
        self,
        row: Row,
        codes: Sequence[int],
        limits: Limits,
        stop: Event | None = None,
        report: Callable[[SearchResult], None] | None = None,
        margin: int = 0,
    ) -> SearchResult:
        """Look at the moves `codes` of `row`, deeper and deeper; exact values for those within `margin` of the best."""
        began = perf_counter()
        control = self._control(int(row[TURN]), limits)
        ends = math.inf if limits.seconds is None else began + limits.seconds
        with deadline(control, core.STOP, ends, None if stop is None else stop.is_set):
            return self._deepen(row, list(codes), control, limits, report, margin, began)

    def remembered(self, row: Row) -> int:
        """The code of the best move that the table knows for a row, or -1."""
        assert self._memory is not None
        return int(core.remembered(self._memory.table, self.game.kernel.key(row)))

    def _control(self, seat: int, limits: Limits) -> Row:
        control = np.zeros(core.CONTROLS, np.int64)
        control[core.NODE_LIMIT] = limits.nodes if limits.nodes is not None else 1 << 60
        control[core.ROOT_SEAT] = seat
        control[core.BEST_REPLY] = STYLES.index(self.style) if self.game.seats > 2 else core.PARANOID
        control[core.FUTILITY] = self._futility
        if self._memory is None:
            self._memory = _Memory.of(self.game, self._table_bits)
        elif limits.seconds is None or self.game.seats > 2 or not self._remembers:
            self._memory.table[:] = 0  # what was seen before must not change an answer that can be repeated
        self._memory.history[:] = 0
        self._age = (self._age + 1) % 64
        control[core.AGE] = self._age
        return control

    def _deepen(
        self,
        row: Row,
        codes: list[int],
        control: Row,
        limits: Limits,
        report: Callable[[SearchResult], None] | None,
        margin: int,
        began: float,
    ) -> SearchResult:
        memory = self._memory
        assert memory is not None
        visits = dict.fromkeys(codes, 0)
        values = dict.fromkeys(codes, 0)  # unseen is unknown, and not lost
        look = SearchResult(0, tuple(codes), values, visits, 0)
        for depth in range(1, min(limits.depth or _DEEPEST, _DEEPEST) + 1):
            found, spent = np.full(len(codes), -core.INFINITE, np.int64), np.zeros(len(codes), np.int64)
            memory.killers[:] = 0
            done = core._root(
                *self._verbs, self.weights, row, np.array(codes, np.int64), found, spent, memory.rows, memory.outs,
                memory.orders, memory.table, memory.history, memory.killers, control, depth, margin,
            )  # fmt: skip
            visits = {code: visits[code] + n for code, n in zip(codes, spent.tolist(), strict=True)}
            fresh = dict(zip(codes[:done], found[:done].tolist(), strict=True))
            if done == len(codes) or depth == 1:
                values = values | fresh
                codes = sorted(codes, key=lambda code: -values[code])
            elif done:
                # Cut short: the old best came first, so whatever beats it at this depth is better.
                best = max(fresh, key=lambda code: fresh[code])
                values = values | {best: fresh[best]}
                codes = [best, *(code for code in codes if code != best)]
            else:
                break
            reached = depth if depth > 1 or done == len(codes) else 0
            look = SearchResult(reached, tuple(codes), values, visits, int(control[core.NODES]))
            if report is not None:
                report(look)
            only = len(codes) == 1 and depth >= 4 and limits.seconds is not None  # nothing to decide
            late = limits.seconds is not None and perf_counter() - began > _ENOUGH * limits.seconds
            if control[core.ABORTED] or abs(look.value) >= core.PROVEN or only or late:
                break
        return SearchResult(look.depth, look.codes, look.values, visits, int(control[core.NODES]))
