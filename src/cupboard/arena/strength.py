"""How strong a person is, from their results against levels of known strength: an estimate with its uncertainty.

    guess = Strength.unknown(ladder)              # nobody has seen this person play
    guess = guess.after(share=1.0, against=[150]) # they have won against a level of 150 Elo
    guess.elo, guess.low, guess.high              # on the ladder's scale, where its lowest level has 0
    ladder[guess.fitting()]                       # the level that they should beat about half the time

What is believed is kept as a distribution over a row of strengths, and every result is weighed in by Bayes' rule with
the model of `ratings.py`: a seat's chance of the point is its strength divided by the sum of all strengths. People
change, so the distribution spreads a little before every game. docs/decisions/0014 says why this is not Glicko-2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import log

import numpy as np
import numpy.typing as npt

__all__ = ["Strength"]

Floats = npt.NDArray[np.float64]
_SCALE = 400 / log(10)
_STEP = 20.0
"""Elo between neighbours in the row of strengths."""
_BEYOND = 500.0
"""The row goes on by so many Elo below the lowest level and above the highest."""
_FADES = 120.0
"""Outside the ladder an unknown person is ever less likely, as in a normal distribution with this deviation."""
_CHANGE = 15.0
"""The standard deviation of how much a person changes from one game to the next, in Elo."""
_RATHER = 0.4
"""The share of what is believed that lies below the strength that is matched: rather too weak a bot than too strong.

Once a person's strength is known that is some 25 Elo less."""
_FIRST = 0.3
"""The share for somebody unknown: it leads to the lower middle of the ladder."""


@dataclass(frozen=True, eq=False)
class Strength:
    """What is believed about one person's strength in one game with one number of seats."""

    ladder: tuple[float, ...]
    """The Elo of each level, lowest first."""
    belief: Floats
    """The probability of each strength in the row."""
    games: int = 0
    """How many results it comes from."""

    @classmethod
    def unknown(cls, ladder: Sequence[float]) -> Strength:
        """The strength of somebody of whom nothing is known: anywhere on the ladder, or not far beside it."""
        top = ladder[-1]
        beside = np.maximum(0, np.maximum(-_row(top), _row(top) - top))
        belief = np.exp(-0.5 * (beside / _FADES) ** 2)
        return cls(tuple(ladder), belief / belief.sum())

    def after(self, share: float, against: Sequence[float]) -> Strength:
        """What is believed after one more game: the person's share of the point, and the Elo of every other seat."""
        row = _row(self.ladder[-1])
        others = np.logaddexp.reduce(np.array(against) / _SCALE)
        # The logarithms of the chances to get the point and not to get it; a shared point is a part of each.
        won, lost = -np.logaddexp(0, others - row / _SCALE), -np.logaddexp(0, row / _SCALE - others)
        spread = np.convolve(np.pad(self.belief, len(_CHANGES) // 2, mode="edge"), _CHANGES, mode="valid")
        belief = spread * np.exp(share * won + (1 - share) * lost)
        return replace(self, belief=belief / belief.sum(), games=self.games + 1)

    @property
    def elo(self) -> float:
        """The mean of what is believed."""
        return float(self.belief @ _row(self.ladder[-1]))

    @property
    def low(self) -> float:
        """With 95 % the person is not weaker and not stronger than `low` to `high`."""
        return self._below(0.025)

    @property
    def high(self) -> float:
        """The upper end of the interval that begins with `low`."""
        return self._below(0.975)

    def fitting(self) -> int:
        """The place on the ladder of the level that plays about as well: it should be beaten about half the time."""
        elo = self._below(_RATHER if self.games else _FIRST)
        return min(range(len(self.ladder)), key=lambda place: abs(self.ladder[place] - elo))

    def _below(self, share: float) -> float:
        """The strength with this share of the belief below it."""
        return float(np.interp(share, np.cumsum(self.belief), _row(self.ladder[-1])))


@cache
def _row(top: float) -> Floats:
    """The strengths that are told apart on a ladder whose highest level has this Elo."""
    return np.arange(-_BEYOND, top + _BEYOND + _STEP, _STEP)


def _change() -> Floats:
    reach = int(3 * _CHANGE / _STEP) + 1
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) * _STEP / _CHANGE) ** 2)
    return np.asarray(weights / weights.sum())


_CHANGES = _change()
"""The distribution of the change between two games, in steps of the row."""
