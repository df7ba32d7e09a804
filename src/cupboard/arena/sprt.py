"""The sequential probability ratio test (SPRT): it stops a match as soon as it is clear whether a player is better.

Two hypotheses are compared: the first player is `elo0` better than the others, or `elo1`. The log-likelihood ratio
rises with evidence for elo1 and falls with evidence for elo0; at ±2.94 one of them is accepted, wrongly at most once in
twenty times. Only whole sets count, in the order of the schedule: games of a set share their random numbers, and short
games finish first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import log

from cupboard.arena.entrants import BadEntrant
from cupboard.arena.game_runner import GameResult
from cupboard.arena.ratings import by_set, expected_share

__all__ = ["Sprt", "Verdict"]

_FEWEST = 8
"""The least number of sets before a decision."""
_IMAGINED = 20
"""The weight of the prior for the variance, in sets. With fewer, the test was wrong 8 times in 100 instead of 5."""


class Verdict(Enum):
    """The state of the test: undecided, or one of the hypotheses accepted."""

    OPEN = "open"
    BETTER = "better"
    """The hypothesis elo1 is accepted."""
    NOT_BETTER = "not better"
    """The hypothesis elo0 is accepted."""


@dataclass(frozen=True)
class Sprt:
    """A test of two hypotheses, elo0 and elo1; `risk` is the probability of a wrong decision."""

    elo0: float
    elo1: float
    risk: float = 0.05

    @classmethod
    def read(cls, text: str) -> Sprt:
        """The test written as `elo0,elo1`, like `0,10`. Raises BadEntrant for anything else."""
        try:
            low, high = map(float, text.split(","))
        except ValueError:
            raise BadEntrant(f"--sprt takes two Elo differences like 0,10, not {text[:30]!r}.") from None
        if not -1000 <= low < high <= 1000:
            raise BadEntrant("The first Elo difference of --sprt is the lower one, and both are within a thousand.")
        return cls(low, high)

    @property
    def bound(self) -> float:
        """The absolute log-likelihood ratio at which the test decides."""
        return log((1 - self.risk) / self.risk)

    def ratio(self, sets: Sequence[Sequence[float]], seats: int) -> float:
        """The log-likelihood ratio of these scores, grouped by set."""
        *_, last = (0.0, *self._ratios(sets, seats))
        return last

    def _ratios(self, sets: Sequence[Sequence[float]], seats: int) -> Iterator[float]:
        """The log-likelihood ratio after each set, with the mean score of a set taken as normally distributed."""
        share0, share1 = expected_share(self.elo0, seats), expected_share(self.elo1, seats)
        middle = (share0 + share1) / 2
        total = squares = 0.0
        for n, scores in enumerate(sets, start=1):
            one = sum(scores) / len(scores)
            total += one
            squares += one * one
            mean = total / n
            # A few sets say little about their variance: at first it comes mostly from imagined sets of equal players.
            luck = middle * (1 - middle) / len(scores)
            variance = (max(0.0, squares - n * mean * mean) + _IMAGINED * luck) / (n + _IMAGINED)
            yield n * (share1 - share0) * (2 * mean - share0 - share1) / (2 * variance)

    def judge(self, label: str, games: Iterable[GameResult], seats: int, per_set: int) -> tuple[Verdict, float]:
        """The verdict on the player `label`, and the log-likelihood ratio. Later games never change a decision."""
        prefix: list[list[float]] = []
        for number, (index, scores) in enumerate(by_set(games, label).items()):
            if index != number or len(scores) < per_set:
                break  # a set in the middle is still being played
            prefix.append(scores)
        ratio = 0.0
        for number, ratio in enumerate(self._ratios(prefix, seats), start=1):
            if number >= _FEWEST and abs(ratio) >= self.bound:
                return Verdict.BETTER if ratio > 0 else Verdict.NOT_BETTER, ratio
        return Verdict.OPEN, ratio
