"""SPRT: is the new one better? A test that stops as soon as the games have decided it.

Two claims are weighed: the first player is `elo0` better than the others, or `elo1`. The log-likelihood ratio moves
up with evidence for elo1 and down for elo0; at ±2.94 one of them is accepted and wrong at most once in twenty times.
Whole sets are weighed, in schedule order, since games of a set share their chance and short games finish first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import log

from cupboard.arena.entrants import BadEntrant
from cupboard.arena.play import Played
from cupboard.arena.ratings import by_set, share_of

__all__ = ["Sprt", "Verdict"]

_FEWEST = 8
"""Sets before anything is decided."""
_IMAGINED = 20
"""With fewer, the test was wrong 8 times in 100 instead of 5."""


class Verdict(Enum):
    """What the games have shown so far."""

    OPEN = "open"
    BETTER = "better"
    """elo1 is accepted."""
    NOT_BETTER = "not better"
    """elo0 is accepted."""


@dataclass(frozen=True)
class Sprt:
    """The two claims and how often the answer may be wrong."""

    elo0: float
    elo1: float
    risk: float = 0.05

    @classmethod
    def read(cls, text: str) -> Sprt:
        """`0,10` as elo0 and elo1."""
        try:
            low, high = map(float, text.split(","))
        except ValueError:
            raise BadEntrant(f"--sprt takes two Elo differences like 0,10, not {text[:30]!r}.") from None
        if not -1000 <= low < high <= 1000:
            raise BadEntrant("The first Elo difference of --sprt is the lower one, and both are within a thousand.")
        return cls(low, high)

    @property
    def bound(self) -> float:
        """Where the log-likelihood ratio decides."""
        return log((1 - self.risk) / self.risk)

    def ratio(self, sets: Sequence[Sequence[float]], seats: int) -> float:
        """The log-likelihood ratio of these sets of scores."""
        *_, last = (0.0, *self._ratios(sets, seats))
        return last

    def _ratios(self, sets: Sequence[Sequence[float]], seats: int) -> Iterator[float]:
        """The ratio after each set, in the normal approximation for the mean score of a set."""
        share0, share1 = share_of(self.elo0, seats), share_of(self.elo1, seats)
        middle = (share0 + share1) / 2
        total = squares = 0.0
        for n, scores in enumerate(sets, start=1):
            one = sum(scores) / len(scores)
            total += one
            squares += one * one
            mean = total / n
            # A few sets say little about their own spread: imagined sets of plain luck speak for it at first.
            luck = middle * (1 - middle) / len(scores)
            variance = (max(0.0, squares - n * mean * mean) + _IMAGINED * luck) / (n + _IMAGINED)
            yield n * (share1 - share0) * (2 * mean - share0 - share1) / (2 * variance)

    def judge(self, label: str, games: Iterable[Played], seats: int, per_set: int) -> tuple[Verdict, float]:
        """The verdict on the player `label`, and the ratio; decided once, it stays decided."""
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
