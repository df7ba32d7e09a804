"""Information-set Monte Carlo search: for games in which a seat does not see everything.

    thought = Ismcts(game, seed=7).think(view, Limits(nodes=2000))

It gets a View like everybody. Every round deals worlds that fit it, plays each move still in the running in all of
them, goes on for a while as sensible players would, and drops the moves that are clearly worse. The move the game's
marks like best is left only for one that brought more than luck explains. By nodes (lines played) it is deterministic:
the same seed, view and number give the same thought, whatever the hidden cards really are.

There is no tree below the root: with so much luck it spreads the same games over more moves.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random
from threading import Event
from typing import Any

import numpy as np
import numpy.typing as npt

from cupboard.core.errors import CupboardError
from cupboard.core.game import Game, Move, View
from cupboard.core.knowledge import Planner
from cupboard.core.row import PLY, Row
from cupboard.players import ismcts_core as core
from cupboard.players.needs import check_needs
from cupboard.players.thinking import Limits, MoveValue, Report, Thought

SLICE_SECONDS = 0.02
TO_THE_END = 10_000
"""Moves; what a pyramid is worth shows late."""
Lines = npt.NDArray[np.int64]
"""One line of codes in each row, filled up with -1."""


class NoWorld(CupboardError):
    """The cards and sizes of a view contradict each other: no deal looks like it."""

    code = "no-world"


@dataclass(frozen=True)
class Settings:
    """What tuning found; the tests and `bench/strength_cup_king.py` change them."""

    heat: float = 0.1
    """Temperature of the moves after the first, in hundredths of a nat: 0 is always the best mark."""
    length: int = 8
    """Moves played after the first, and two more for each seat, before the evaluation is asked."""
    width: int = 8
    """How many moves are compared; the marks choose them."""
    plans: int = 48
    """How many plans are compared where a decision is a long one, such as a pyramid."""
    drop: float = 2.0
    """By how many standard errors a move must be behind the best to be dropped."""
    caution: float = 1.0
    """By how many standard errors a move must be ahead of the marks' choice to be made instead."""


class Ismcts:
    """Compares moves in worlds it imagines."""

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
        check_needs("ismcts", game)
        assert game.knowledge.evaluation is not None and game.knowledge.marks is not None
        evaluation = game.knowledge.evaluation()
        self._scale = evaluation.scale
        self._judge = game.knowledge.marks().judge
        self._planner = None if game.knowledge.planner is None else game.knowledge.planner()
        kernel = game.kernel
        self._verbs = (
            kernel.moves, kernel.play, kernel.chance, kernel.scores, kernel.redeal, evaluation.evaluate, self._judge,
        )  # fmt: skip

    def choose(self, view: View[Any]) -> Move:
        """The move that brought most, unless luck explains it."""
        return self.think(view, self._limits).move

    def think(
        self,
        view: View[Any],
        limits: Limits | None = None,
        stop: Event | None = None,
        report: Report | None = None,
        all_moves: bool = False,
    ) -> Thought:
        """The answer with what every move looked at brought; `limits.depth` means nothing to this search.

        With `all_moves` every legal move is looked at, and none is dropped. Pyramids are too many even so: those that
        are not in the answer were not considered.
        """
        self._game.check_view(view)
        assert view.seat is not None
        moves = view.moves()
        if not moves:
            raise NoWorld("The seat with this view has no move to think about.")
        planner = self._planner
        if planner is not None and not planner.fits(view):
            raise NoWorld("This view cannot be: its cards and the sizes of hands and pile do not add up.")
        limits, chosen = limits or self._limits, self._settings
        if len(moves) == 1:
            return Thought(moves[0], 1 / self._game.seats, 0, 0, (moves[0],))
        run = _Run(limits, stop)
        if planner is not None and len(moves) > self._game.kernel.max_moves:
            race = _Race(self._plans(planner, view, limits), chosen.drop, chosen.caution)
            return self._compare(view, planner.start_of_plan(view), race, TO_THE_END, run, report)
        lines = self._moves(view, self._game.kernel.max_moves if all_moves else chosen.width)
        race = _Race(lines, np.inf if all_moves else chosen.drop, chosen.caution)
        length = chosen.length + 2 * self._game.seats
        return self._compare(view, view.row.copy(), race, length, run, report)

    def _compare(
        self, view: View[Any], start: Row, race: _Race, length: int, run: _Run, report: Report | None
    ) -> Thought:
        random = self._random(view.row)
        settings = np.array([self._settings.heat, length, self._scale])
        told = 1
        while not race.is_decided and (left := run.round(len(race.alive), race.batch)):
            while left and (worlds := run.slice(len(race.alive), left)):
                run.timed(
                    core.compare, *self._verbs, start, view.seat, self._game.kernel.max_moves, race.lines, race.alive,
                    worlds, random, settings, race.sums,
                )  # fmt: skip
                race.count(worlds)
                left -= worlds
            if left:
                break
            race.end_round()
            if report is not None and race.rounds == told:
                report(self._thought(view, race, run))
                told *= 2
        return self._thought(view, race, run)

    def _moves(self, view: View[Any], width: int) -> Lines:
        """The moves worth a thought, best marks first."""
        row = view.row.copy()
        codes = np.empty(self._game.kernel.max_moves, np.int64)
        n = int(self._game.kernel.moves(row, codes))
        marks = np.zeros(n, np.int64)
        self._judge(row, codes, n, marks)
        order = np.argsort(-marks, kind="stable")
        return codes[:n][order][:width].reshape(-1, 1).copy()

    def _plans(self, planner: Planner, view: View[Any], limits: Limits) -> Lines:
        """Few, each in hundreds of worlds: most are a fifth of a point worse than the marks' own."""
        games = limits.nodes or (limits.seconds or 1) * 15_000
        many = max(1, min(self._settings.plans, int(games / 400)))
        return planner.plans(view, many, Random(self._seed))

    def _move_of(self, view: View[Any], line: Row) -> Move:
        if len(line) > 1 and self._planner is not None:
            return self._planner.move_of_plan(view, line.tolist())
        move: Move = view._decode(int(line[0]))
        return move

    def _thought(self, view: View[Any], race: _Race, run: _Run) -> Thought:
        if not race.worlds[0]:  # one plan only, or stopped before the first world
            move = self._move_of(view, race.lines[0])
            return Thought(move, 1 / self._game.seats, 0, 0, (move,), seconds=run.seconds)
        values = tuple(
            MoveValue(self._move_of(view, race.lines[i]), float(race.brought[i]), int(race.worlds[i]))
            for i in race.order()
        )
        # Beyond the first move the line would depend on cards nobody knows, so there is none to show.
        best = values[0]
        return Thought(best.move, best.score, 1, run.done, (best.move,), per_move=values, seconds=run.seconds)

    def _random(self, row: Row) -> Row:
        """The state of the search's luck: the seed and how far the game is, so a record can be thought over again."""
        bits = Random(self._seed * 1_000_003 + int(row[PLY])).getrandbits(63)
        return np.array([bits], np.int64)


class _Race:
    """Which lines are still in the running; line 0, the marks' choice, always is: the others are measured by it."""

    def __init__(self, lines: Lines, drop: float, caution: float) -> None:
        self.lines = lines
        self._drop = drop
        self._caution = caution
        self.alive = np.arange(len(lines))
        self.sums = np.zeros((len(lines), 3))
        self.worlds = np.zeros(len(lines), np.int64)
        self.rounds = 0

    @property
    def is_decided(self) -> bool:
        return len(self.alive) == 1

    @property
    def batch(self) -> int:
        """How many worlds the next round should have: few at first, when much can be dropped."""
        return max(8, int(self.worlds[0]) // 4)

    @property
    def brought(self) -> npt.NDArray[np.float64]:
        """The share of the point each line brought."""
        return self.sums[:, core.BROUGHT] / np.maximum(1, self.worlds)

    def count(self, worlds: int) -> None:
        """So many worlds were played."""
        self.worlds[self.alive] += worlds

    def end_round(self) -> None:
        """Drop what is clearly behind the best."""
        self.rounds += 1
        more, error = self._more()
        alive = self.alive
        best = alive[np.argmax(more[alive])]
        stays = (more[alive] >= more[best] - self._drop * error[alive]) | (alive == 0) | (alive == best)
        self.alive = alive[stays]

    def order(self) -> list[int]:
        """The choice first, then the others by what they brought, those dropped last."""
        more, error = self._more()
        sure = np.where(np.arange(len(more)) == 0, 0.0, more - self._caution * error)
        choice = int(self.alive[np.argmax(sure[self.alive])])
        rest = sorted(
            (i for i in range(len(more)) if i != choice), key=lambda i: (i not in self.alive, -self.brought[i], i)
        )
        return [choice, *rest]

    def _more(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """What each line brought more than the first in the same worlds, and the standard error of that."""
        worlds = np.maximum(1, self.worlds)
        more = self.sums[:, core.MORE] / worlds
        # As if one more world had shown a difference of a half: a few worlds that agree prove nothing.
        spread = (self.sums[:, core.SQUARED] + 0.25) / (worlds + 1) - (more * worlds / (worlds + 1)) ** 2
        error = np.sqrt(np.maximum(0, spread) / worlds)
        return more, error


class _Run:
    """How much of its limits a search has used."""

    def __init__(self, limits: Limits, stop: Event | None) -> None:
        self.done = 0
        self._limits = limits
        self._stop = stop
        self._began = time.perf_counter()
        self._pace = 1e-4  # seconds a game takes, as measured

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self._began

    def round(self, lines: int, wanted: int) -> int:
        """How many worlds the next round has, from what is wanted and the nodes left: never by the clock."""
        if self._limits.nodes is not None:
            wanted = min(wanted, (self._limits.nodes - self.done) // lines)
        return max(wanted, int(self.done == 0))

    def slice(self, lines: int, wanted: int) -> int:
        """How many of them to play before looking up again; 0 when time or patience are over."""
        if self._stop is not None and self._stop.is_set():
            return 0
        most = max(1, round(SLICE_SECONDS / (self._pace * lines)))
        if self._limits.seconds is not None:
            most = min(most, int((self._limits.seconds - self.seconds) / (self._pace * lines)))
        return min(wanted, max(most, int(self.done == 0)))

    def timed(self, compare: Any, *given: Any) -> None:
        """Play a round and learn the pace."""
        began = time.perf_counter()
        games = int(compare(*given))
        self.done += games
        self._pace = max(1e-7, (time.perf_counter() - began) / games)
