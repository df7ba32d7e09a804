"""Monte Carlo tree search for games without secrets, for any number of seats.

    thought = Mcts(game, seed=7).think(view, Limits(nodes=20_000))

Random games may never end, so leaves are judged by the game's evaluation, after a short playout if `length` says so.
What lies below the position reached is kept from move to move. Limited by nodes (iterations) it is deterministic; the
seed decides only between moves that look alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event
from typing import Any

import numpy as np
import numpy.typing as npt

from cupboard.core.game import Game, Move, View
from cupboard.core.row import Row
from cupboard.players import mcts_core as core
from cupboard.players.needs import check_needs
from cupboard.players.sampling import Budget, check_turn, random_state
from cupboard.players.thinking import SECOND, Limits, MoveValue, Proven, Report, Thinker, Thought


@dataclass(frozen=True)
class MctsSettings:
    """The parameters of the search, with the values it plays with."""

    explore: float = 1.0
    """How much credit a move gets for being tried little."""
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
    """The nodes of a search tree, as the arrays that the compiled search works on."""

    def __init__(self, row: Row, room: int, seats: int) -> None:
        """An empty tree with room for so many nodes, whose root is the position of `row`."""
        self.row = row
        self.nodes = np.ones(1, np.int64)
        self.codes = np.zeros(room, np.int64)
        self.tree = np.zeros((room, core.COLUMNS), np.int64)
        self.totals = np.zeros(room)
        self.priors = np.zeros(room)
        self.guess = np.zeros((room, seats), np.float32)
        self.tree[0, core.MASK] = (1 << seats) - 1

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


class Mcts(Thinker):
    """The search as a player, which keeps its tree from move to move."""

    knows_depth = False

    def __init__(
        self,
        game: Game[Any],
        seed: int,
        limits: Limits = SECOND,
        settings: MctsSettings = MctsSettings(),  # noqa: B008 - frozen
    ) -> None:
        check_needs("mcts", game)
        assert game.knowledge.evaluation is not None
        self._game = game
        self._seed = seed
        self.limits = limits
        self._settings = settings
        self._evaluation = game.knowledge.evaluation()
        self._tree: _Tree | None = None

    def think(
        self,
        view: View[Any],
        limits: Limits | None = None,
        stop: Event | None = None,
        report: Report | None = None,
        all_moves: bool = False,
    ) -> Thought:
        """The move with most visits, or a proven win, and the visits of every move; `limits.depth` is ignored."""
        self._game.check_view(view)
        check_turn(view)
        budget = Budget(limits or self.limits, stop)
        kernel, tree = self._game.kernel, self._tree_for(view)
        random, numbers = random_state(self._seed, view), self._numbers()
        while iterations := budget.next_slice():
            done = budget.spend(
                core.search, kernel.moves, kernel.play, kernel.scores, self._evaluation.evaluate, tree.row,
                kernel.max_moves, iterations, random, tree.nodes, numbers, *tree.arrays,
            )  # fmt: skip
            if done < iterations:  # the result is proven
                break
            if report is not None and budget.is_report_due():
                report(self._thought(view, tree, budget))
        return self._thought(view, tree, budget)

    def _tree_for(self, view: View[Any]) -> _Tree:
        """The part of the kept tree below this position, as a tree of its own; an empty one if it was not visited."""
        kernel, seats, old = self._game.kernel, self._game.seats, self._tree
        row = kernel.without_past(view.row)
        fresh = _Tree(row, self._settings.room, seats)
        if old is not None:
            wanted = kernel.key(row)
            node = core.find(kernel.play, kernel.key, old.row, wanted, 2 * seats, old.codes, old.tree)
            if node >= 0:
                fresh.nodes[0] = core.transplant(node, *old.arrays, *fresh.arrays)
        self._tree = fresh
        return fresh

    def _thought(self, view: View[Any], tree: _Tree, budget: Budget) -> Thought:
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
        return Thought(best.move, best.score, len(line), budget.done, line, best.proven, values, budget.seconds)

    def _score(self, tree: _Tree, child: int, seat: int) -> float:
        proven = _proven(tree.mask(child), 1 << seat)
        if proven:
            return 1.0 if proven is Proven.WIN else 0.0
        visits = tree.visits(child)
        return float(tree.totals[child] / visits) if visits else float(tree.guess[child, seat])

    def _line(self, view: View[Any], tree: _Tree, node: int) -> tuple[Move, ...]:
        """The moves along the most visited path that begins with this node."""
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


def _proven(mask: int, mine: int) -> Proven:
    if mask == mine:
        return Proven.WIN
    return Proven.OPEN if mask & mine else Proven.LOSS
