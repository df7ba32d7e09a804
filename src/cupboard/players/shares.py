"""Values as shares of the point, for any number of seats.

A search's value compares its own seat with the best of the others. With two seats that says everything. With more, the
point is shared out among all seats by how each of them stands, and the search only says how much worse one move is than
another.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from cupboard.core.game import Game, Position
from cupboard.core.row import Row
from cupboard.players.search_core import PROVEN, WIN

__all__ = ["Shares"]

HOPE = 2.0
"""What a win or loss that others could still prevent is worth, in units of the scale."""


class Shares:
    """Turns the values of a game's evaluation into shares of the point."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        assert game.knowledge.evaluation is not None, "only searches that have one ask for shares"
        self._evaluation = game.knowledge.evaluation()

    def of_seats(self, row: Row) -> tuple[float, ...]:
        """The share that each seat may expect in a position that is not over; together they are one point."""
        return self._weighed(row)[0]

    def of_moves(
        self, position: Position[Any], leaf: Position[Any], values: Mapping[int, int], is_sure: bool
    ) -> dict[int, float]:
        """The share that the seat to act may expect after each move, given the values that a search has found for them.

        `leaf` is where the best line ends. With two seats the game is judged there; with more it is not, because the
        line expects too much of the others. `is_sure` says that a win found holds against any play.
        """
        if self._game.seats == 2 and self._evaluation.outlook is None:
            scale = float(self._evaluation.scale)
            return {code: _settled(value, math.exp(_bounded(value / scale))) for code, value in values.items()}
        seat = position.to_act[0]
        shares, scale = self._weighed(position._row)
        best = max((value for value in values.values() if abs(value) < PROVEN), default=0)
        if self._game.seats == 2:
            outcome = leaf.outcome()
            mine = outcome.score(seat) if outcome else self.of_seats(leaf._row)[seat]
        else:
            mine = shares[seat]
            values = _doubted(values, scale, is_sure)
        mine = min(max(mine, 1e-9), 1 - 1e-9)
        return {
            code: _settled(value, mine / (1 - mine) * math.exp(_bounded((value - best) / scale)))
            for code, value in values.items()
        }

    def _weighed(self, row: Row) -> tuple[tuple[float, ...], float]:
        """The shares of all seats, and by how much of the value a seat must be ahead to win e times as often."""
        seats = self._game.seats
        if self._evaluation.outlook is not None:
            out = np.zeros(seats, np.int64)
            scale = float(self._evaluation.outlook(row, out))
            values = [value / scale for value in out.tolist()]
        else:
            # Evaluations compare a seat with the best other, so a lead shows twice: in the leader and in the others.
            scale = float(self._evaluation.scale)
            values = [int(self._evaluation.evaluate(row, seat)) / (2 * scale) for seat in range(seats)]
        likely = [math.exp(_bounded(value - max(values))) for value in values]
        return tuple(one / sum(likely) for one in likely), scale


def _doubted(values: Mapping[int, int], scale: float, is_sure: bool) -> dict[int, int]:
    """The values with more than two seats, where most proofs hold only if the others do what is expected of them.

    Such a win or loss counts as a good or bad prospect. One by the very next move stays what it is, and so does a win
    that is sure.
    """
    opinions = [value for value in values.values() if abs(value) < PROVEN]
    best, worst = max(opinions, default=0), min(opinions, default=0)
    won, lost = best + round(HOPE * scale), min(best - round(HOPE * scale), worst)
    doubted = {}
    for code, value in values.items():
        is_now = abs(value) == WIN - 1 or (is_sure and value > 0)
        doubted[code] = value if abs(value) < PROVEN or is_now else won if value > 0 else lost
    return doubted


def _bounded(exponent: float) -> float:
    return max(-500.0, min(500.0, exponent))


def _settled(value: int, odds: float) -> float:
    """The share that belongs to these odds; 1 or 0 where the value is proven."""
    if abs(value) >= PROVEN:
        return 1.0 if value > 0 else 0.0
    return odds / (1 + odds)
