"""Information-set Monte Carlo tree search: for games in which a seat does not see everything.

    thought = Ismcts(game, seed=7).think(view, Limits(nodes=2000))

It gets a View like everybody, and every iteration deals another world that fits it. By nodes it is deterministic:
the same seed, view and number of iterations give the same thought, whatever the hidden cards really are.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from importlib import import_module
from random import Random
from threading import Event
from typing import Any

import numpy as np

from cupboard.core.errors import CupboardError
from cupboard.core.game import Game, Move, View
from cupboard.core.row import PLY, Row
from cupboard.players import ismcts_core as core
from cupboard.players.thinking import Limits, MoveValue, Report, Thought

MAX_NODES = 1 << 19
SLICE_SECONDS = 0.02


class NoWorld(CupboardError):
    """The cards and sizes of a view contradict each other: no deal looks like it."""

    code = "no-world"


@dataclass(frozen=True)
class Settings:
    """What tuning found; the tests and `bench/strength_cup_king.py` change them."""

    explore: float = 1.0
    heat: float = 5.0
    """Temperature of the moves beyond the tree, in hundredths of a nat: 0 is always the best mark."""
    prior_heat: float = 80.0
    """Temperature of the marks that guide the tree."""
    length: int = 8
    """Moves played beyond the tree before the evaluation is asked."""
    trust: float = 0.6
    """How much the marks weigh at the root against what few worlds say."""
    width: int = 12
    """How many moves are compared at the root; the marks choose them."""
    plans: int = 48
    """How many plans are compared where a decision is a long one, such as a pyramid."""


class Ismcts:
    """A tree over what everybody sees, and a new world for every path through it."""

    knows_depth = False

    def __init__(
        self,
        game: Game[Any],
        seed: int,
        limits: Limits = Limits(seconds=0.5),  # noqa: B008 - frozen
        settings: Settings = Settings(),  # noqa: B008 - frozen
    ) -> None:
        self._game = game
        self._seed = seed
        self._limits = limits
        self._settings = settings
        package = type(game).__module__.rpartition(".")[0]
        self._knowledge = import_module(f"{package}.evaluate")
        self._planning = import_module(f"{package}.planning")
        kernel = game.kernel
        self._verbs = (
            kernel.moves, kernel.play, kernel.chance, kernel.scores, kernel.redeal,
            self._knowledge.evaluate, self._knowledge.judge,
        )  # fmt: skip

    def choose(self, view: View[Any]) -> Move:
        """The move most iterations went to."""
        return self.think(view, self._limits).move

    def think(
        self,
        view: View[Any],
        limits: Limits | None = None,
        stop: Event | None = None,
        report: Report | None = None,
    ) -> Thought:
        """The answer with the visits of every move; `limits.depth` means nothing to this search."""
        assert view.seat is not None
        moves = view.moves()
        if not moves:
            raise NoWorld("The seat with this view has no move to think about.")
        if not self._planning.fits(view):
            raise NoWorld("This view cannot be: its cards and the sizes of hands and pile do not add up.")
        run = _Run(limits or self._limits, stop)
        if len(moves) > self._game.kernel.max_moves:
            return self._plan(view, run)
        if len(moves) == 1:
            return Thought(moves[0], 1 / self._game.seats, 0, 0, (moves[0],))
        return self._search(view, run, report)

    def _search(self, view: View[Any], run: _Run, report: Report | None) -> Thought:
        """Sequential halving at the root: every round deals new worlds, and the worse half of the moves goes."""
        assert view.seat is not None
        room = min(run.limits.nodes + 400 if run.limits.nodes is not None else MAX_NODES, MAX_NODES)
        tree = np.zeros((room, core.COLUMNS), np.int64)
        totals = np.zeros(room)
        # A power of two, at least twice the room: the table is never more than half full.
        table = np.zeros(1 << (2 * room).bit_length(), np.int64)
        nodes = np.ones(1, np.int64)
        random = self._random(view.row)
        start = view.row[: self._game.kernel.size].copy()
        alive = self._candidates(view)
        rounds = max(1, math.ceil(math.log2(len(alive))))
        for number in range(rounds):
            run.begin_part((number + 1) / rounds)
            while (worlds := run.worlds(len(alive))) > 0:
                run.timed(
                    core.search, *self._verbs, start, view.seat, self._game.kernel.max_moves, alive, worlds,
                    random, nodes, self._numbers(), tree, totals, table, run.flag,
                )  # fmt: skip
            thought = self._thought(view, tree[: nodes[0]], totals, alive, run)
            if report is not None:
                report(thought)
            if run.is_over:
                break
            best = [value.move for value in thought.per_move[: (len(alive) + 1) // 2]]
            alive = np.array([view._encode(move) for move in best], np.int64)
        return thought

    def _trust(self, view: View[Any], codes: Row) -> list[float]:
        """How likely the marks think each of these moves."""
        row, marks = view.row.copy(), np.zeros(len(codes), np.int64)
        self._knowledge.judge(row, codes, len(codes), marks)
        chances = np.exp((marks - marks.max()) / self._settings.prior_heat)
        shares: list[float] = (chances / chances.sum()).tolist()
        return shares

    def _candidates(self, view: View[Any]) -> Row:
        """The codes of the moves worth a thought, best marks first."""
        row = view.row.copy()
        codes = np.empty(self._game.kernel.max_moves, np.int64)
        n = int(self._game.kernel.moves(row, codes))
        marks = np.zeros(n, np.int64)
        self._knowledge.judge(row, codes, n, marks)
        order = np.argsort(-marks, kind="stable")
        return codes[:n][order][: self._settings.width].copy()

    def _thought(self, view: View[Any], tree: Row, totals: Any, alive: Row, run: _Run) -> Thought:
        children = np.flatnonzero(tree[1:, core.PARENT] == 0) + 1
        if not len(children):  # stopped before the first world
            move = view._decode(int(alive[0]))
            return Thought(move, 1 / self._game.seats, 0, 0, (move,), seconds=run.seconds)

        trust = dict(zip(alive.tolist(), self._trust(view, alive), strict=True))

        def merit(child: int) -> tuple[bool, float, int]:
            """Those still in the running first, by what they brought; the marks count until luck has levelled out."""
            code, visits = int(tree[child, core.CODE]), max(1, int(tree[child, core.VISITS]))
            lead = self._settings.trust * trust.get(code, 0.0) / math.sqrt(visits)
            return code not in trust, -totals[child] / visits - lead, child

        order = sorted(children.tolist(), key=merit)
        values = tuple(
            MoveValue(
                view._decode(int(tree[child, core.CODE])),
                float(totals[child] / max(1, tree[child, core.VISITS])),
                int(tree[child, core.VISITS]),
            )
            for child in order
        )
        # Beyond the first move the line would depend on cards nobody knows, so there is none to show.
        best = values[0]
        return Thought(best.move, best.score, 1, run.done, (best.move,), per_move=values, seconds=run.seconds)

    def _plan(self, view: View[Any], run: _Run) -> Thought:
        """Sequential halving over whole plans: the worse half goes after every round of common worlds."""
        assert view.seat is not None
        planning = self._planning
        random = self._random(view.row)
        # Pyramids differ by a few hundredths of a point, which takes hundreds of games each to see.
        games = run.limits.nodes or (run.limits.seconds or 1) * 15_000
        many = max(1, min(self._settings.plans, int(games / 400)))
        plans = planning.plans(view, many, Random(self._seed))
        start: Row = planning.start_of_plan(view)
        alive = np.arange(len(plans))
        sums, worlds = np.zeros(len(plans)), np.zeros(len(plans), np.int64)
        numbers = self._numbers()
        numbers[core.LENGTH] = 10_000  # to the end: what a pyramid is worth shows late
        rounds = max(1, math.ceil(math.log2(len(plans))))
        means = sums
        for number in range(rounds):
            run.begin_part((number + 1) / rounds)
            while (many := run.worlds(len(alive))) > 0:
                run.timed(
                    core.compare, *self._verbs, start, view.seat, self._game.kernel.max_moves, plans, alive, many,
                    random, numbers, sums, run.flag,
                )  # fmt: skip
                worlds[alive] += many
            means = sums / np.maximum(1, worlds)
            if run.is_over:
                break
            alive = np.sort(alive[np.argsort(-means[alive], kind="stable")][: (len(alive) + 1) // 2])
        order = sorted(range(len(plans)), key=lambda i: (-worlds[i], -means[i], i))
        values = tuple(
            MoveValue(planning.move_of_plan(view, plans[i].tolist()), float(means[i]), int(worlds[i])) for i in order
        )
        best = values[0]
        return Thought(best.move, best.score, 1, run.done, (best.move,), per_move=values, seconds=run.seconds)

    def _numbers(self) -> Any:
        numbers = np.zeros(5)
        chosen = self._settings
        numbers[[core.EXPLORE, core.HEAT, core.PRIOR_HEAT, core.LENGTH]] = (
            chosen.explore,
            chosen.heat,
            chosen.prior_heat,
            chosen.length,
        )
        numbers[core.SCALE] = self._knowledge.SCALE
        return numbers

    def _random(self, row: Row) -> Row:
        """The state of the search's luck: the seed and how far the game is, so a record can be thought over again."""
        bits = Random(self._seed * 1_000_003 + int(row[PLY])).getrandbits(63)
        return np.array([bits], np.int64)


class _Run:
    """How much of its limits a search has used, in parts of equal size."""

    def __init__(self, limits: Limits, stop: Event | None) -> None:
        self.limits = limits
        self.flag = np.zeros(1, np.int64)
        self.done = 0
        self._stop = stop
        self._began = time.perf_counter()
        self._share = 1.0
        self._part_began = 0
        self._pace = 1e-4  # seconds a path takes, as measured

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self._began

    @property
    def is_over(self) -> bool:
        limits = self.limits
        return (
            (self._stop is not None and self._stop.is_set())
            or (limits.seconds is not None and self.seconds >= limits.seconds)
            or (limits.nodes is not None and self.done >= limits.nodes)
        )

    def begin_part(self, share: float) -> None:
        """From now on until `share` of everything is spent."""
        self._share = share
        self._part_began = self.done

    def worlds(self, width: int) -> int:
        """How many worlds to try next with so many moves; 0 ends the part. Every part tries at least one."""
        fresh = self.done == self._part_began
        if self.is_over and self.done:
            return 0
        limits = self.limits
        many = max(1, round(SLICE_SECONDS / (self._pace * width)))
        if limits.seconds is not None:
            left = self._share * limits.seconds - self.seconds
            many = min(many, int(left / (self._pace * width)))
        if limits.nodes is not None:
            # By nodes alone the slices must not depend on the clock, and they do not: only their sum matters.
            many = min(many, int((self._share * limits.nodes - self.done) / width))
        return max(many, int(fresh))

    def timed(self, search: Any, *given: Any) -> None:
        """Run a slice and learn the pace."""
        began = time.perf_counter()
        before = self.done
        self.done += int(search(*given))
        if self.done > before:
            self._pace = max(1e-7, (time.perf_counter() - began) / (self.done - before))
