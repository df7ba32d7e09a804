"""Knowledge: what bots may ask of a game beyond its rules, declared in one place.

A game's `knowledge.py` ends with `KNOWLEDGE = Knowledge(…)`, and `game.knowledge` is that; a game without the file has
an empty one, and can be played by the random player and, where nothing is secret or left to chance, by playouts.

    def _evaluation() -> Evaluation:
        from cupboard.games.your_game.evaluate import SCALE, evaluate

        return Evaluation(evaluate, SCALE)

    KNOWLEDGE = Knowledge(evaluation=_evaluation)

What is compiled comes in groups, each behind a function that loads it: asking what a game knows compiles nothing.
Verbs are compiled functions on kernel rows, as in `kernel.py`, and trust their rows in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from cupboard.core.ladder import Rung
from cupboard.core.row import Row
from cupboard.core.words import Words

if TYPE_CHECKING:
    from cupboard.core.game import Game, Move, View

__all__ = [
    "Advice", "Evaluation", "Knowledge", "Lookahead", "Marks", "Oracle", "Planner", "Style", "Tuning", "knowledge_in",
]  # fmt: skip

Style = Literal["paranoid", "reply", "expect"]
"""How a search of several opponents thinks of them: as one, answering one at a time, or doing what seems best."""
Advice = tuple[int, int, int]
"""The code of the move (-1 for none in particular), 1 if it is proven to win, -1 to lose, 0 if neither; nodes spent."""


@dataclass(frozen=True)
class Evaluation:
    """How good a position looks."""

    evaluate: Callable[[Row, int], int]
    """REQUIRED. `evaluate(row, seat)`, compiled for EVALUATE: higher is better for `seat`, who has just moved; a
    finished game is worth far more or far less than any other."""
    scale: float
    """REQUIRED. How much of the value makes winning e times as likely."""
    outlook: Callable[[Row, Row], int] | None = None
    """OPTIONAL. `outlook(row, out)`: how each seat stands, written to `out`; returns by how much of that one must
    stand better to win e times as often. Without it the scores that people see compare each seat with the best of the
    others by `evaluate`, which is coarse for three seats and more."""


@dataclass(frozen=True)
class Lookahead:
    """What alpha-beta needs beside an evaluation."""

    weigh: Callable[[Row, int, Row], int]
    """REQUIRED. `weigh(row, seat, weights)`, compiled for WEIGH: the value for `seat`, whoever is to move, of a game
    that goes on."""
    weights: Sequence[int]
    """REQUIRED. What it weighs with; () where `weigh` has nothing to be tuned."""
    promise: Callable[[Row, int], int] | None = None
    """OPTIONAL. `promise(row, move)`, in the units of weigh: what a move seems to gain before it is tried. Without it
    moves are tried in any order at first, which is slower, and beginners shun no move for leading backwards."""
    futility: int = 0
    """OPTIONAL. More than a move usually changes besides what it promises; moves that cannot make up for that much at
    the last ply are not tried. Without it all are, which is slower."""
    styles: Mapping[int, Style] = field(default_factory=dict)
    """OPTIONAL. By number of seats, how the opponents are thought of. Without it "paranoid", for every number."""


@dataclass(frozen=True)
class Tuning:
    """What `cupboard tune` needs beside a lookahead whose `weigh`, with two seats, is linear in its weights."""

    names: Sequence[str]
    """REQUIRED. A word for each weight."""
    candidates: (
        Callable[[Game[Any], int, int, Callable[[int, int], None]], tuple[Sequence[tuple[int, ...]], int]] | None
    ) = None
    """OPTIONAL. `candidates(game, games, seed, progress)`: weights to be tried in games, and from how many positions
    they come. Without it weights are fitted to the results of self-play."""
    by_games: Sequence[int] = ()
    """OPTIONAL, with candidates. Which weights no recipe can tell, so that games must. Without it none is."""


@dataclass(frozen=True)
class Marks:
    """Rules of thumb: how much a seat should like each of its moves, from what it sees alone."""

    judge: Callable[[Row, Row, int, Row], None]
    """REQUIRED. `judge(row, codes, n, marks)`, compiled for JUDGE: marks in hundredths of a nat for n moves."""
    judge_plainly: Callable[[Row, Row, int, Row], None] | None = None
    """OPTIONAL. The marks that a person would give who has played a few times. Without them weak levels follow `judge`
    too, and differ by their doubt alone."""


@dataclass(frozen=True)
class Planner:
    """For a game in which one decision has more ways than a kernel lists: a few whole plans instead of them."""

    fits: Callable[[View[Any]], bool]
    """REQUIRED. Whether some truth looks like this view."""
    start_of_plan: Callable[[View[Any]], Row]
    """REQUIRED. The row in which the first move of a plan is made."""
    plans: Callable[[View[Any], int, Random], npt.NDArray[np.int64]]
    """REQUIRED. `plans(view, many, rng)`: so many different plans, one line of codes each, the best first."""
    move_of_plan: Callable[[View[Any], list[int]], Move]
    """REQUIRED. The move that the codes of a plan make together."""


class Oracle(Protocol):
    """Knows the move to make in some positions: a solver, or the count of an end-game."""

    def advise(
        self, row: Row, seconds: float | None, nodes: int | None, is_stopped: Callable[[], bool]
    ) -> Advice | None:
        """The move to make, or None where it knows nothing; it keeps to a part of the limits."""
        ...


@dataclass(frozen=True)
class Knowledge:
    """What one game knows. Every field is OPTIONAL; the fields of each group say what is REQUIRED in it."""

    evaluation: Callable[[], Evaluation] | None = None
    """OPTIONAL. Without it there is no greedy player and no mcts, alpha-beta cannot play, and whoever fails to move in
    time has a move made by lot."""
    lookahead: Callable[[], Lookahead] | None = None
    """OPTIONAL, with an evaluation; for games without secrets and chance. Without it alpha-beta cannot play: no usual
    ladder of levels, and neither hints nor analysis beyond what mcts, greedy or playouts see."""
    marks: Callable[[], Marks] | None = None
    """OPTIONAL. Without it there is no sensible player; and no ismcts, so nobody strong where there are secrets."""
    planner: Callable[[], Planner] | None = None
    """OPTIONAL, with marks. Without it sensible and ismcts play only games whose views list no more moves than their
    kernels, and take every view for possible."""
    oracle: Callable[[Game[Any]], Oracle | None] | None = None
    """OPTIONAL. Makes the game's solver or end-game, or None for options it cannot serve. Without it alpha-beta
    searches where the game could have been counted out."""
    tuning: Callable[[], Tuning] | None = None
    """OPTIONAL, with a lookahead; for two seats. Without it `cupboard tune` refuses the game."""
    ladders: Mapping[int, Sequence[Rung]] = field(default_factory=dict)
    """OPTIONAL. Measured levels by number of seats, weakest first. Without one a ladder is made of what else is known:
    its levels play, but nobody has measured the steps between them."""
    long_moves: Words | None = None
    """OPTIONAL. What moves with several landings are called, as people say it ("chains of jumps"): beginners overlook
    them more than others. Without it the description of a level speaks of moves."""
    speed_goals: Mapping[int, float] = field(default_factory=dict)
    """OPTIONAL. By number of seats, how many random moves a second the kernel should make. Without it `cupboard bench`
    measures the game with its first number of seats, and does not judge."""


@cache
def knowledge_in(package: str) -> Knowledge:
    """What the `knowledge.py` of a game's package declares; an empty Knowledge where there is none."""
    if find_spec(f"{package}.knowledge") is None:
        return Knowledge()
    knowledge: Knowledge = import_module(f"{package}.knowledge").KNOWLEDGE
    return knowledge
