"""Information-set Monte Carlo search: for games in which a seat does not see everything.

    thought = Ismcts(game, seed=7).think(view, Limits(nodes=2000))

Every round deals worlds that fit the view, plays each move still in the running in all of them, goes on for a while
as sensible players would, and drops the moves that are clearly worse. The move that the game's marks like best is left
only for one that brought more than luck explains. Limited by nodes (lines played) it is deterministic: seed, view and
number decide the thought, whatever the hidden cards really are.

There is no tree below the root: with so much luck it would only spread the games over more moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from threading import Event
from typing import Any

import numpy as np
import numpy.typing as npt

from cupboard.core.errors import CupboardError
from cupboard.core.game import Game, Move, View
from cupboard.core.knowledge import Planner
from cupboard.core.row import Row
from cupboard.players import ismcts_core as core
from cupboard.players.needs import check_needs
from cupboard.players.sampling import Budget, random_state
from cupboard.players.sensible import marked_codes
from cupboard.players.thinking import Limits, MoveValue, Report, Thinker, Thought

TO_THE_END = 10_000
"""How many moves follow a plan: what a whole plan is worth shows late."""
Lines = npt.NDArray[np.int64]
"""One line of codes in each row, filled up with -1."""


class NoWorld(CupboardError):
    """The cards and sizes of a view contradict each other: no deal looks like it."""

    code = "no-world"


@dataclass(frozen=True)
class IsmctsSettings:
    """The parameters of the search, as tuning found them best."""

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


class Ismcts(Thinker):
    """The search as a player, which compares moves in imagined worlds."""

    knows_depth = False

    def __init__(
        self,
        game: Game[Any],
        seed: int,
        limits: Limits = Limits(seconds=0.5),  # noqa: B008 - frozen
        settings: IsmctsSettings = IsmctsSettings(),  # noqa: B008 - frozen
    ) -> None:
        self._game = game
        self._seed = seed
        self.limits = limits
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

    def think(
        self,
        view: View[Any],
        limits: Limits | None = None,
        stop: Event | None = None,
        report: Report | None = None,
        all_moves: bool = False,
    ) -> Thought:
        """The move that brought most unless luck explains it, and what each compared move brought.

        With `all_moves` every legal move is compared, and none is dropped; of long plans, such as pyramids, there are
        too many even then. `limits.depth` is ignored.
        """
        self._game.check_view(view)
        assert view.seat is not None
        moves = view.moves()
        if not moves:
            raise NoWorld("The seat with this view has no move to think about.")
        planner = self._planner
        if planner is not None and not planner.fits(view):
            raise NoWorld("This view cannot be: its cards and the sizes of hands and pile do not add up.")
        limits, chosen = limits or self.limits, self._settings
        if len(moves) == 1:
            return Thought(moves[0], 1 / self._game.seats, 0, 0, (moves[0],))
        budget = Budget(limits, stop)
        if planner is not None and len(moves) > self._game.kernel.max_moves:
            race = _Race(self._plans(planner, view, limits), chosen.drop, chosen.caution)
            return self._compare(view, planner.start_of_plan(view), race, TO_THE_END, budget, report)
        lines = self._moves(view, self._game.kernel.max_moves if all_moves else chosen.width)
        race = _Race(lines, np.inf if all_moves else chosen.drop, chosen.caution)
        length = chosen.length + 2 * self._game.seats
        return self._compare(view, view.row.copy(), race, length, budget, report)

    def _compare(
        self, view: View[Any], start: Row, race: _Race, length: int, budget: Budget, report: Report | None
    ) -> Thought:
        random = random_state(self._seed, view)
        settings = np.array([self._settings.heat, length, self._scale])
        told = 1
        while not race.is_decided and (left := budget.affordable(len(race.alive), race.batch)):
            while left and (worlds := budget.next_slice(len(race.alive), left)):
                budget.spend(
                    core.compare, *self._verbs, start, view.seat, self._game.kernel.max_moves, race.lines, race.alive,
                    worlds, random, settings, race.sums,
                )  # fmt: skip
                race.count(worlds)
                left -= worlds
            if left:
                break
            race.end_round()
            if report is not None and race.rounds == told:
                report(self._thought(view, race, budget))
                told *= 2
        return self._thought(view, race, budget)

    def _moves(self, view: View[Any], width: int) -> Lines:
        """The `width` moves with the best marks, the best first, each as a line of one code."""
        codes, marks = marked_codes(view, self._judge)
        order = np.argsort(-marks, kind="stable")
        return codes[order][:width].reshape(-1, 1).copy()

    def _plans(self, planner: Planner, view: View[Any], limits: Limits) -> Lines:
        """The plans to compare: few, so that each is played in hundreds of worlds.

        Most are a fifth of a point worse than the one the marks choose.
        """
        games = limits.nodes or (limits.seconds or 1) * 15_000
        many = max(1, min(self._settings.plans, int(games / 400)))
        return planner.plans(view, many, Random(self._seed))

    def _move_of(self, view: View[Any], line: Row) -> Move:
        if len(line) > 1 and self._planner is not None:
            return self._planner.move_of_plan(view, line.tolist())
        move: Move = view._decode(int(line[0]))
        return move

    def _thought(self, view: View[Any], race: _Race, budget: Budget) -> Thought:
        if not race.worlds[0]:  # one plan only: there is nothing to compare
            move = self._move_of(view, race.lines[0])
            return Thought(move, 1 / self._game.seats, 0, 0, (move,), seconds=budget.seconds)
        values = tuple(
            MoveValue(self._move_of(view, race.lines[i]), float(race.brought[i]), int(race.worlds[i]))
            for i in race.order()
        )
        # Beyond the first move the line would depend on cards nobody knows, so there is none to show.
        best = values[0]
        return Thought(best.move, best.score, 1, budget.done, (best.move,), per_move=values, seconds=budget.seconds)


class _Race:
    """What each line brought, and which are still in the running.

    Line 0, the marks' choice, always is: the others are measured by it.
    """

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
        """Note that each line still in the running was played in so many more worlds."""
        self.worlds[self.alive] += worlds

    def end_round(self) -> None:
        """Drop the lines that are clearly behind the best."""
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
