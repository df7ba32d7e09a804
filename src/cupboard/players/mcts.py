"""Monte Carlo tree search for games without secrets, for any number of seats.

    thought = Mcts(game, seed=7).think(view, Limits(nodes=20_000))

Random games may never end, so leaves are judged by the game's evaluation, after a short
playout if `length` says so. What lies below the position reached is kept from move to move. By nodes (iterations)
it is deterministic; the seed decides only between moves that look alike.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random
from threading import Event
from typing import Any

import numpy as np
import numpy.typing as npt

from cupboard.core.game import CHANCE, Game, Move, View
from cupboard.core.row import Row
from cupboard.players import mcts_core as core
from cupboard.players.needs import CannotPlay, check_needs
from cupboard.players.thinking import Limits, MoveValue, Proven, Report, Thought

SLICE_SECONDS = 0.02


@dataclass(frozen=True)
class Settings:
    """The search's few dials."""

    explore: float = 1.0
    blend: float = 0.4
    """How much the backed-up evaluation counts beside the average of what was found below."""
    sharp: float = 0.1
    """A move so much worse in share of the point is tried e times less often."""
    length: int = 0
    """Moves of a playout before the evaluation is asked."""
    sample: int = 4
    """Every playout move is the best of so many."""
    room: int = 1 << 20
    """How many nodes are kept."""


class _Tree:
    """The arrays of a tree."""

    def __init__(self, room: int, seats: int) -> None:
        self.nodes = np.ones(1, np.int64)
        self.codes = np.zeros(room, np.int64)
        self.tree = np.zeros((room, core.COLUMNS), np.int64)
        self.totals = np.zeros(room)
        self.priors = np.zeros(room)
        self.guess = np.zeros((room, seats), np.float32)
        self.tree[0, core.MASK] = (1 << seats) - 1
        self.row: Row | None = None

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        return self.codes, self.tree, self.totals, self.priors, self.guess

    def children(self, node: int) -> range:
        first = int(self.tree[node, core.FIRST])
        return range(first, first + int(self.tree[node, core.COUNT]))

    def visits(self, node: int) -> int:
        return int(self.tree[node, core.VISITS])

    def mask(self, node: int) -> int:
        return int(self.tree[node, core.MASK])


class Mcts:
    """The search as a player; it remembers its tree."""

    knows_depth = False

    def __init__(
        self,
        game: Game[Any],
        seed: int,
        limits: Limits = Limits(seconds=0.8),  # noqa: B008 - frozen
        settings: Settings = Settings(),  # noqa: B008 - frozen
    ) -> None:
        check_needs("mcts", game)
        assert game.knowledge.evaluation is not None
        self._game = game
        self._seed = seed
        self._limits = limits
        self._settings = settings
        self._evaluation = game.knowledge.evaluation()
        self._tree: _Tree | None = None

    def choose(self, view: View[Any]) -> Move:
        """The move most iterations went to, or a proven win."""
        return self.think(view, self._limits).move

    def think(
        self,
        view: View[Any],
        limits: Limits | None = None,
        stop: Event | None = None,
        report: Report | None = None,
        all_moves: bool = False,
    ) -> Thought:
        """The answer with the visits of every move; `limits.depth` means nothing to this search."""
        self._game.check_view(view)
        if view.to_act != (view.seat,) or view.seat == CHANCE:
            raise CannotPlay("The seat with this view is not to act.")
        limits = limits or self._limits
        began = time.perf_counter()
        kernel, tree = self._game.kernel, self._tree_for(view)
        assert tree.row is not None
        flag, random = np.zeros(1, np.int64), self._random(view)
        numbers = self._numbers()
        done, sliced, said = 0, 64, 0.0
        while True:
            spent = time.perf_counter() - began
            if done and (
                (stop is not None and stop.is_set()) or (limits.seconds is not None and spent >= limits.seconds)
            ):
                break
            more = sliced if limits.nodes is None else min(sliced, limits.nodes - done)
            ran = 0
            if more > 0:
                ran = core.search(
                    kernel.moves, kernel.play, kernel.scores, self._evaluation.evaluate, tree.row, kernel.max_moves,
                    more, random, tree.nodes, numbers, *tree.arrays, flag,
                )  # fmt: skip
            done += ran
            if ran < more or more <= 0:  # proven, or all nodes used
                break
            took = time.perf_counter() - began - spent
            sliced = min(1 << 16, max(16, int(sliced * SLICE_SECONDS / max(took, 1e-5))))
            if report is not None and spent > said + 0.1:
                said = spent
                report(self._thought(view, tree, done, spent))
        return self._thought(view, tree, done, time.perf_counter() - began)

    def _tree_for(self, view: View[Any]) -> _Tree:
        """What is already known below this position, or an empty tree."""
        kernel, seats = self._game.kernel, self._game.seats
        row = kernel.without_past(view.row)
        fresh = _Tree(self._settings.room, seats)
        old = self._tree
        if old is not None and old.row is not None:
            wanted = kernel.key(row)
            node = core.find(kernel.play, kernel.key, old.row, wanted, 2 * seats, old.codes, old.tree)
            if node >= 0:
                fresh.nodes[0] = core.transplant(node, *old.arrays, *fresh.arrays)
        fresh.row = row
        self._tree = fresh
        return fresh

    def _thought(self, view: View[Any], tree: _Tree, done: int, seconds: float) -> Thought:
        seat = view.seat
        assert seat is not None
        mine = 1 << seat

        def merit(child: int) -> tuple[int, int, float]:
            mask = tree.mask(child)
            return (mask == mine) - (not mask & mine), tree.visits(child), float(tree.guess[child, seat])

        order = sorted(tree.children(0), key=merit, reverse=True)
        values = tuple(
            MoveValue(
                view._decode(int(tree.codes[child])),
                self._score(tree, child, seat),
                tree.visits(child),
                proven=_proven(tree.mask(child), mine),
            )
            for child in order
        )
        line = self._line(view, tree, order[0])
        best = values[0]
        return Thought(best.move, best.score, len(line), done, line, best.proven, values, seconds)

    def _score(self, tree: _Tree, child: int, seat: int) -> float:
        proven = _proven(tree.mask(child), 1 << seat)
        if proven:
            return 1.0 if proven is Proven.WIN else 0.0
        visits = tree.visits(child)
        return float(tree.totals[child] / visits) if visits else float(tree.guess[child, seat])

    def _line(self, view: View[Any], tree: _Tree, node: int) -> tuple[Move, ...]:
        """The most visited way down, as moves."""
        line: list[Move] = []
        position = self._game.position_class(self._game, view._row)
        while True:
            move = position._decode(int(tree.codes[node]))
            line.append(move)
            position = position.play(move)
            if position.is_over or not tree.children(node) or len(line) > 30:
                return tuple(line)
            node = max(tree.children(node), key=tree.visits)
            if not tree.visits(node):
                return tuple(line)

    def _numbers(self) -> npt.NDArray[np.float64]:
        numbers = np.zeros(6)
        chosen = self._settings
        numbers[core.EXPLORE] = chosen.explore
        numbers[core.BLEND] = chosen.blend
        numbers[core.SHARP] = chosen.sharp
        numbers[core.LENGTH] = chosen.length
        numbers[core.SAMPLE] = chosen.sample
        numbers[core.SCALE] = self._evaluation.scale
        return numbers

    def _random(self, view: View[Any]) -> Row:
        return np.array([Random(self._seed * 1_000_003 + view.ply).getrandbits(63)], np.int64)


def _proven(mask: int, mine: int) -> Proven:
    if mask == mine:
        return Proven.WIN
    return Proven.OPEN if mask & mine else Proven.LOSS
