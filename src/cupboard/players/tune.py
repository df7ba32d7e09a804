"""Tuning: weights of an evaluation fitted to the results of self-play, and proved in a match against the old ones.

Two-seat games are played from random openings by a short search. Every position becomes one line of a logistic
regression: what each weight is multiplied with there, against who won. The weights come out in the units of the
evaluation's scale, so they can be pasted into the game's evaluate.py. A game may have a recipe of its own that proposes
weights (`candidates` in its Tuning): games choose among them, and try lower and higher values of those that nothing but
games can tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from cupboard.core.errors import CupboardError
from cupboard.core.game import CHANCE, Game
from cupboard.core.knowledge import Lookahead
from cupboard.core.row import OVER, POINT, TURN, Row
from cupboard.players.deepening import Deepening
from cupboard.players.needs import can_play
from cupboard.players.thinking import Limits

__all__ = ["NoTuning", "Tuned", "climb", "duel", "fit", "play_match", "tune"]

STEPS = (0.7, 1.4)
"""The factors by which a weight that only games can tell is lowered or raised for a trial."""
_OPENING = 6
_LONGEST = 600
Progress = Callable[[str, int, int], None]


class NoTuning(CupboardError):
    """The game has no weights to tune, or more than two seats."""

    code = "no-tuning"


@dataclass(frozen=True)
class Tuned:
    """The result: new weights, and what they scored against the old ones."""

    names: tuple[str, ...]
    old: tuple[int, ...]
    new: tuple[int, ...]
    positions: int
    scores: tuple[float, ...]
    """What the new weights scored in each game of the match; each opening is played twice in a row."""


def tune(game: Game[Any], games: int, nodes: int, seed: int, progress: Progress = lambda *_: None) -> Tuned:
    """Fit new weights to games of self-play, and let them play the old ones: `games` games each time."""
    knows = game.knowledge
    if game.seats != 2 or knows.tuning is None or not can_play("alphabeta", game):
        raise NoTuning(
            f"{game.title} with {game.seats} seats has no weights to tune: choose a game of two with weights."
        )
    assert knows.lookahead is not None
    lookahead, tuning = knows.lookahead(), knows.tuning()
    old = tuple(lookahead.weights)
    if tuning.candidates is not None:
        found, positions = tuning.candidates(game, games, seed, lambda done, total: progress("play", done, total))
        new = climb(
            game, _best(game, found, old, nodes, games, seed, progress), tuning.by_games, nodes, games, seed, progress
        )
    else:
        new, positions = _from_results(game, lookahead, games, nodes, seed, progress)
    scores = play_match(game, new, old, nodes, games, seed + games, progress)
    return Tuned(tuple(tuning.names), old, new, positions, tuple(scores))


def _best(
    game: Game[Any],
    found: Sequence[tuple[int, ...]],
    old: Sequence[int],
    nodes: int,
    games: int,
    seed: int,
    progress: Progress,
) -> tuple[int, ...]:
    """The weights among those found that score most against the old ones, in half the games each."""

    def tell(n: int) -> Progress:
        return lambda _, done, total: progress("choose", n * total + done, len(found) * total)

    scores = [duel(game, weights, old, nodes, games // 2, seed, tell(n)) for n, weights in enumerate(found)]
    return found[scores.index(max(scores))]


def climb(
    game: Game[Any],
    weights: tuple[int, ...],
    which: Sequence[int],
    nodes: int,
    games: int,
    seed: int,
    progress: Progress = lambda *_: None,
) -> tuple[int, ...]:
    """The weights with those at `which` a step lower or higher wherever that clearly wins the match against them."""
    trials = [(at, step) for at in which for step in STEPS]
    clear = 0.5 + 1.96 * 0.5 / math.sqrt(games)
    for n, (at, step) in enumerate(trials):
        trial = (*weights[:at], round(weights[at] * step), *weights[at + 1 :])

        def tell(_: str, done: int, total: int, n: int = n) -> None:
            progress("climb", n * total + done, len(trials) * total)

        if duel(game, trial, weights, nodes, games, seed + n * games, tell) > clear:
            weights = trial
    return weights


def _from_results(
    game: Game[Any], lookahead: Lookahead, games: int, nodes: int, seed: int, progress: Progress
) -> tuple[tuple[int, ...], int]:
    """Weights from the results of self-play, and the number of positions they come from."""
    assert game.knowledge.evaluation is not None
    lines: list[npt.NDArray[np.float64]] = []
    results: list[float] = []
    weigh, units = lookahead.weigh, np.eye(len(lookahead.weights), dtype=np.int64)

    def look(row: Row, seen: list[npt.NDArray[np.float64]]) -> None:
        seen.append(np.array([weigh(row, 0, unit) for unit in units], np.float64))

    for n in range(games):
        seen: list[npt.NDArray[np.float64]] = []
        share = _play(game, [lookahead.weights] * 2, nodes, seed + n, lambda row, seen=seen: look(row, seen))  # type: ignore[misc]
        lines += seen
        results += [share] * len(seen)
        progress("play", n + 1, games)
    fitted = fit(np.array(lines), np.array(results)) * game.knowledge.evaluation().scale
    return tuple(round(float(weight)) for weight in fitted), len(lines)


def fit(lines: npt.NDArray[np.float64], results: npt.NDArray[np.float64], steps: int = 30) -> npt.NDArray[np.float64]:
    """Logistic regression by Newton's method, held a little towards zero so that it always has an answer."""
    size = np.maximum(lines.std(axis=0), 1e-9)
    x = lines / size
    weights = np.zeros(x.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        curve = (x * (p * (1 - p))[:, None]).T @ x + np.eye(x.shape[1])
        weights = weights + np.linalg.solve(curve, x.T @ (results - p) - weights)
    found: npt.NDArray[np.float64] = weights / size
    return found


def play_match(
    game: Game[Any], new: Sequence[int], old: Sequence[int], nodes: int, games: int, seed: int, progress: Progress
) -> list[float]:
    """The scores of `new` in a match against `old`; each opening is played twice in a row, from both sides."""
    scores = []
    for n in range(games):
        seat = n % 2
        scores.append(abs(seat - _play(game, [new, old] if seat == 0 else [old, new], nodes, seed + n // 2)))
        progress("duel", n + 1, games)
    return scores


def duel(
    game: Game[Any], new: Sequence[int], old: Sequence[int], nodes: int, games: int, seed: int, progress: Progress
) -> float:
    """The share of the points that `new` takes in a match against `old`."""
    return sum(play_match(game, new, old, nodes, games, seed, progress)) / games


def _play(
    game: Game[Any],
    weights: Sequence[Sequence[int]],
    nodes: int,
    seed: int,
    watch: Callable[[Row], None] = lambda _: None,
) -> float:
    """One game on kernel rows; the share of the point that goes to seat 0."""
    rng = Random(seed)
    kernel = game.kernel
    searches = [Deepening(game, weights=w, table_bits=12) for w in weights]
    row = game.start()._row.copy()
    for made in range(_LONGEST):
        if row[TURN] == OVER:
            break
        codes = kernel.codes(row)
        if row[TURN] == CHANCE or made < _OPENING:
            code = rng.choice(codes)
        else:
            watch(row)
            rng.shuffle(codes)
            code = searches[int(row[TURN])].search(row, codes, Limits(nodes=nodes)).best
        row = np.append(row, 0)  # room for the past, where the game keeps one
        kernel.play(row, code)
        row = row[: row[0]].copy()
    if row[TURN] != OVER:
        return 0.5
    shares = np.zeros(game.seats, np.int64)
    kernel.scores(row, shares)
    return float(shares[0]) / POINT
