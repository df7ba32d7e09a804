"""Ratings: how much better somebody is, and how sure that is.

One model for any number of seats: each seat's chance of the point is its strength divided by the strengths at the
table (Luce's choice). With two seats that is Bradley–Terry, and on a scale of 400 points for ten to one it is Elo.
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

from cupboard.arena.play import Played

__all__ = ["Interval", "Rating", "RunningScore", "elo_of", "fit", "rate", "score_interval", "share_of", "steps"]

Floats = npt.NDArray[np.float64]
Z95 = 1.959964
_SCALE = 400 / log(10)
_PRIOR_ELO = 1_500.0
"""A player who has lost every game is this far away rather than infinitely far; real results drown it."""


@dataclass(frozen=True)
class Interval:
    """A value with the bounds that hold it 95 times of 100."""

    value: float
    low: float
    high: float


class RunningScore:
    """The share of the points one player has so far, kept up to date game by game."""

    def __init__(self, label: str, games: Iterable[Played] = ()) -> None:
        self.label = label
        self._points = 0.0
        self._seats = 0
        for game in games:
            self.add(game)

    def add(self, game: Played) -> None:
        """Count one more game."""
        for points, label in zip(game.scores, game.labels, strict=True):
            if label == self.label:
                self._points += points
                self._seats += 1

    def __str__(self) -> str:
        return f"{self.label} {self._points / max(1, self._seats):.1%}"


@dataclass(frozen=True)
class Rating:
    """What the games say about one player."""

    label: str
    elo: Interval
    """Relative to the mean of all players here."""
    score: Interval
    """Share of the points it played for; a fair share is one seat's."""
    points: float
    games: int
    """Seats it sat on: a player may sit twice at a table."""
    forfeits: int
    own_moves: float
    """Its moves per game."""
    move_seconds: float
    """Its thinking time per move."""


def rate(labels: Sequence[str], games: Iterable[Played]) -> list[Rating]:
    """The players rated, the strongest first."""
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
                score=score_interval(_by_set(games, label)),
                points=sum(game.scores[seat] for game, seat in seats),
                games=n,
                forfeits=sum(game.forfeit == seat for game, seat in seats),
                own_moves=moves / n if n else 0.0,
                move_seconds=sum(game.seconds[seat] for game, seat in seats) / moves if moves else 0.0,
            )
        )
    return sorted(ratings, key=lambda rating: -rating.elo.value)


def steps(labels: Sequence[str], games: Iterable[Played]) -> list[Interval]:
    """How many Elo each of `labels` but the first is above the one before it, from the games between the two."""
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

    Games of one set share their chance, so the spread between sets counts, not between games. The form is Wilson's:
    it stays within 0 and 1 and does not shrink to a point when every game was won.
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
            # Pairs that cancel luck may earn more than one game each, but not without bound.
            effective = min(mean * (1 - mean) / variance, 4.0 * n)
    centre = (mean + Z95**2 / (2 * effective)) / (1 + Z95**2 / effective)
    width = Z95 / (1 + Z95**2 / effective) * sqrt(mean * (1 - mean) / effective + Z95**2 / (4 * effective**2))
    return Interval(mean, max(0.0, centre - width), min(1.0, centre + width))


def elo_of(share: float, seats: int = 2) -> float:
    """The Elo difference to equal opponents that brings this share of the points."""
    if not 1e-9 < share < 1 - 1e-9:
        return -inf if share < 0.5 else inf
    return 400 * log10(share * (seats - 1) / (1 - share))


def share_of(elo: float, seats: int = 2) -> float:
    """The share of the points that somebody this much better than the others gets."""
    strength: float = 10 ** (elo / 400)
    return strength / (strength + seats - 1)


def by_set(games: Iterable[Played], label: str) -> dict[int, list[float]]:
    """The scores of one player, set by set."""
    sets: defaultdict[int, list[float]] = defaultdict(list)
    for game in games:
        for score, name in zip(game.scores, game.labels, strict=True):
            if name == label:
                sets[game.set].append(score)
    return dict(sorted(sets.items()))


def _by_set(games: Iterable[Played], label: str) -> list[list[float]]:
    return list(by_set(games, label).values())


def _fit(labels: Sequence[str], games: Sequence[Played]) -> tuple[Floats, Floats]:
    """Log strengths around their mean and their standard errors."""
    k = len(labels)
    elo, covariance = fit(labels, games, np.eye(k) * _PRIOR_ELO**2)
    centre = np.eye(k) - 1 / k
    errors = np.sqrt(np.maximum(np.diag(centre @ covariance @ centre), 0))
    return (elo - elo.mean()) / _SCALE, errors / _SCALE


def fit(labels: Sequence[str], games: Sequence[Played], before: Floats) -> tuple[Floats, Floats]:
    """The likeliest Elo of each label and their covariance, by Newton's method.

    `before` is the covariance, around 0, before any game."""
    place = {label: index for index, label in enumerate(labels)}
    # Games with the same faces at the table are one row: who, how many of each, then games and points.
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
