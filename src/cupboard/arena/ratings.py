"""Ratings: how much better one player is than another in Elo, with 95 % intervals.

One model for any number of seats: each seat's chance of the point is its strength divided by the sum of all strengths
(Plackett–Luce). With two seats that is Bradley–Terry, and on a scale of 400 points for ten to one it is Elo.
Shared points count as parts of a win.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, log, log10, sqrt

import numpy as np
import numpy.typing as npt

from cupboard.arena.game_runner import GameResult

__all__ = [
    "Interval",
    "Rating",
    "RunningScore",
    "by_set",
    "elo_interval",
    "elo_of",
    "expected_share",
    "fit_elo",
    "ladder_steps",
    "rate_players",
    "score_interval",
]

Floats = npt.NDArray[np.float64]
Z95 = 1.959964
_SCALE = 400 / log(10)
_PRIOR_ELO = 1_500.0
"""The prior's standard deviation: weak, but it keeps the rating of a player that lost every game finite."""


@dataclass(frozen=True)
class Interval:
    """An estimate with the bounds of its 95 % interval."""

    value: float
    low: float
    high: float


class RunningScore:
    """One player's share of the points so far, updated game by game."""

    def __init__(self, label: str, games: Iterable[GameResult] = ()) -> None:
        self.label = label
        self._points = 0.0
        self._seats = 0
        for game in games:
            self.add(game)

    def add(self, game: GameResult) -> None:
        """Add the result of one more game."""
        for points, label in zip(game.scores, game.labels, strict=True):
            if label == self.label:
                self._points += points
                self._seats += 1

    def __str__(self) -> str:
        return f"{self.label} {self._points / max(1, self._seats):.1%}"


@dataclass(frozen=True)
class Rating:
    """The rating of one player, with its score, its forfeits and its thinking time."""

    label: str
    elo: Interval
    """Relative to the mean of all players of the tournament."""
    score: Interval
    """Its share of the points; an even share is one divided by the number of seats."""
    points: float
    games: int
    """Games, counted once for each seat: a player may have several seats in one game."""
    forfeits: int
    own_moves: float
    """The mean number of its moves in a game."""
    move_seconds: float
    """The mean thinking time of its moves."""


def rate_players(labels: Sequence[str], games: Iterable[GameResult]) -> list[Rating]:
    """The rating of each player, the strongest first."""
    games = list(games)
    strengths, errors = _fit(labels, games)
    ratings = []
    for index, label in enumerate(labels):
        seats = [(game, seat) for game in games for seat, name in enumerate(game.labels) if name == label]
        n = len(seats)
        elo, error = _SCALE * strengths[index], Z95 * _SCALE * errors[index]
        moves = sum(game.counts[seat] for game, seat in seats)
        ratings.append(
            Rating(
                label=label,
                elo=Interval(elo, elo - error, elo + error),
                score=score_interval(list(by_set(games, label).values())),
                points=sum(game.scores[seat] for game, seat in seats),
                games=n,
                forfeits=sum(game.forfeit == seat for game, seat in seats),
                own_moves=moves / n if n else 0.0,
                move_seconds=sum(game.seconds[seat] for game, seat in seats) / moves if moves else 0.0,
            )
        )
    return sorted(ratings, key=lambda rating: -rating.elo.value)


def ladder_steps(labels: Sequence[str], games: Iterable[GameResult]) -> list[Interval]:
    """The Elo difference of each neighbouring pair in `labels`, from the games between these two only."""
    games = list(games)
    found = []
    for below, above in pairwise(labels):
        strengths, errors = _fit((below, above), [game for game in games if set(game.labels) == {below, above}])
        # Two strengths around their mean move against each other: their difference has twice the error of one.
        step, error = _SCALE * float(strengths[1] - strengths[0]), 2 * Z95 * _SCALE * float(errors[1])
        found.append(Interval(step, step - error, step + error))
    return found


def score_interval(sets: Sequence[Sequence[float]]) -> Interval:
    """The mean score with its interval, from scores grouped by set.

    Games of one set share their random numbers, so the variance is taken between sets, not between games. It is
    Wilson's interval: it stays within 0 and 1 and does not shrink to a point when every game was won.
    """
    scores = [score for scores in sets for score in scores]
    n = len(scores)
    if n == 0:
        return Interval(0.5, 0.0, 1.0)
    mean = sum(scores) / n
    effective = float(n)
    if len(sets) >= 8 and 0 < mean < 1:
        # Each set's deviation, weighted by its size; the usual estimate for a ratio of sums.
        spread = sum((sum(scores) - len(scores) * mean) ** 2 for scores in sets)
        variance = spread * len(sets) / (len(sets) - 1) / n**2
        if variance > 0:
            # Sets that cancel luck count as more games than they have, but not without bound.
            effective = min(mean * (1 - mean) / variance, 4.0 * n)
    centre = (mean + Z95**2 / (2 * effective)) / (1 + Z95**2 / effective)
    width = Z95 / (1 + Z95**2 / effective) * sqrt(mean * (1 - mean) / effective + Z95**2 / (4 * effective**2))
    return Interval(mean, max(0.0, centre - width), min(1.0, centre + width))


def elo_of(share: float, seats: int = 2) -> float:
    """How far above equal opponents, in Elo, a player with this share of the points is. Infinite for 0 and 1."""
    if not 1e-9 < share < 1 - 1e-9:
        return -inf if share < 0.5 else inf
    return 400 * log10(share * (seats - 1) / (1 - share))


def elo_interval(sets: Sequence[Sequence[float]], seats: int = 2) -> Interval:
    """How far above equal opponents, in Elo, a player with these scores is; the scores are grouped by set."""
    score = score_interval(sets)
    return Interval(elo_of(score.value, seats), elo_of(score.low, seats), elo_of(score.high, seats))


def expected_share(elo: float, seats: int = 2) -> float:
    """The share of the points that a player this far above equally strong opponents gets. The inverse of `elo_of`."""
    strength: float = 10 ** (elo / 400)
    return strength / (strength + seats - 1)


def by_set(games: Iterable[GameResult], label: str) -> dict[int, list[float]]:
    """The scores of one player, by number of the set."""
    sets: defaultdict[int, list[float]] = defaultdict(list)
    for game in games:
        for score, name in zip(game.scores, game.labels, strict=True):
            if name == label:
                sets[game.set].append(score)
    return dict(sorted(sets.items()))


def _fit(labels: Sequence[str], games: Sequence[GameResult]) -> tuple[Floats, Floats]:
    """The log strength of each player, with mean 0, and their standard errors."""
    k = len(labels)
    elo, covariance = fit_elo(labels, games, np.eye(k) * _PRIOR_ELO**2)
    centre = np.eye(k) - 1 / k
    errors = np.sqrt(np.maximum(np.diag(centre @ covariance @ centre), 0))
    return (elo - elo.mean()) / _SCALE, errors / _SCALE


def fit_elo(labels: Sequence[str], games: Sequence[GameResult], before: Floats) -> tuple[Floats, Floats]:
    """The most likely Elo of each label and their covariance, by Newton's method.

    `before` is the covariance of the prior, a normal distribution around 0.
    """
    place = {label: index for index, label in enumerate(labels)}
    # Games between the same players are one row: the players, how many seats each has, then games and points.
    rows: dict[tuple[tuple[int, ...], tuple[int, ...]], Floats] = {}
    for game in games:
        seats = [place[label] for label in game.labels]
        faces = tuple(sorted(set(seats)))
        points = [sum(p for p, s in zip(game.scores, seats, strict=True) if s == face) for face in faces]
        key = faces, tuple(seats.count(face) for face in faces)
        rows[key] = rows.get(key, 0) + np.array([1, *points])
    prior = np.linalg.inv(before / _SCALE**2)
    theta, information = np.zeros(len(labels)), prior
    for _ in range(100):
        slope, information = -prior @ theta, prior.copy()
        for (faces, counts), (played, *points) in rows.items():
            at = list(faces)
            weights = np.array(counts) * np.exp(theta[at] - theta[at].max())
            chance = weights / weights.sum()
            slope[at] += np.array(points) - played * chance
            information[np.ix_(at, at)] += played * (np.diag(chance) - np.outer(chance, chance))
        step = np.linalg.solve(information, slope)
        theta = theta + np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    return _SCALE * theta, np.linalg.inv(information / _SCALE**2).astype(np.float64)
