"""What searches by sampling share: a budget spent in short slices, whose turn it is, and random numbers."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from threading import Event
from typing import Any

import numpy as np

from cupboard.core.game import CHANCE, View
from cupboard.core.row import Row
from cupboard.players.needs import CannotPlay
from cupboard.players.thinking import Limits

__all__ = ["Budget", "check_turn", "random_state"]

SLICE_SECONDS = 0.02
"""How long compiled code runs before the limits are checked again."""
REPORT_SECONDS = 0.1
_GUESSED_PACE = 3e-4
_MANY = 1 << 60


class Budget:
    """The nodes and seconds that a search has spent, and how many more it may spend before it checks again."""

    def __init__(self, limits: Limits, stop: Event | None) -> None:
        self.done = 0
        """How many nodes have been spent."""
        self._limits = limits
        self._stop = stop
        self._began = time.perf_counter()
        self._reported = 0.0
        self._pace = _GUESSED_PACE  # seconds per node, as measured in the last slice

    @property
    def seconds(self) -> float:
        """How much time has passed since the search began."""
        return time.perf_counter() - self._began

    def affordable(self, cost: int, wanted: int) -> int:
        """How many of the wanted steps, each of `cost` nodes, the node limit allows; the first step is always allowed.

        The clock has no say in it, so that a search limited by nodes can be repeated.
        """
        if self._limits.nodes is not None:
            wanted = min(wanted, (self._limits.nodes - self.done) // cost)
        return max(wanted, int(self.done == 0))

    def next_slice(self, cost: int = 1, wanted: int = _MANY) -> int:
        """How many of the wanted steps, each of `cost` nodes, to run now; 0 when a limit is reached or `stop` is set.

        The first slice has at least one step, so that there is always an answer.
        """
        steps = max(1, round(SLICE_SECONDS / (self._pace * cost)))
        if self._limits.seconds is not None:
            steps = min(steps, int((self._limits.seconds - self.seconds) / (self._pace * cost)))
        if self._stop is not None and self._stop.is_set():
            steps = 0
        return max(min(steps, self.affordable(cost, wanted)), int(self.done == 0))

    def spend(self, search: Callable[..., int], *given: Any) -> int:
        """Run a slice, measure its pace, and return how many nodes it took, which `search` must tell."""
        began = time.perf_counter()
        nodes = int(search(*given))
        self.done += nodes
        self._pace = max(1e-7, (time.perf_counter() - began) / max(1, nodes))
        return nodes

    def is_report_due(self) -> bool:
        """Whether a tenth of a second has passed since this last was true."""
        is_due = self.seconds > self._reported + REPORT_SECONDS
        if is_due:
            self._reported = self.seconds
        return is_due


def check_turn(view: View[Any]) -> None:
    """Raise CannotPlay unless the seat that has this view is the only one to act."""
    if view.to_act != (view.seat,) or view.seat == CHANCE:
        raise CannotPlay("The seat with this view is not to act.")


def random_state(seed: int, view: View[Any]) -> Row:
    """The random generator's state for a search: the seed and the ply decide it, so a thought can be repeated."""
    return np.array([Random(seed * 1_000_003 + view.ply).getrandbits(63)], np.int64)
