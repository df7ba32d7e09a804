"""Chinese Checkers' oracle: once the armies have passed or home is near, it counts moves instead of guessing them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cupboard.core.game import Game
from cupboard.core.row import SEATS, TURN, Row
from cupboard.games.chinese_checkers.evaluate import WAY, WEIGHTS
from cupboard.games.chinese_checkers.kernel import PIECES, TARGET
from cupboard.games.chinese_checkers.race import LONGEST, way_home

SHORT = 9
"""So few moves from home nobody gets in the way any more."""
LEAD = 8
"""Who leads by so many moves runs, however far it is: the others cannot stand in the way for so long."""
FAR = 30
"""With more moves to go the opponents will have moved too much for a plan to mean anything."""
WIDTH, NARROW = 300, 60


class Race:
    """Plans the way home."""

    def __init__(self, game: Game[Any], weights: Sequence[int] = WEIGHTS) -> None:
        self._kernel = game.kernel
        self._weights = np.array(weights, np.int64)
        self._plan = np.zeros(LONGEST, np.int64)

    def advise(
        self, row: Row, seconds: float | None, nodes: int | None, is_stopped: Callable[[], bool]
    ) -> tuple[int, int, int] | None:
        """The first move of a shortest way home when nothing else matters, else None."""
        seat = int(row[TURN])
        mine = self.moves_home(row, seat, NARROW, FAR)
        if mine == 0:
            return None
        if mine > SHORT and not has_passed(row, seat):
            others = (self.moves_home(row, s, NARROW, mine + LEAD) for s in range(int(row[SEATS])) if s != seat)
            if any(others):
                return None
        self.moves_home(row, seat, WIDTH, FAR)
        return int(self._plan[0]), 0, 0

    def moves_home(self, row: Row, seat: int, width: int = WIDTH, longest: int = LONGEST) -> int:
        """How many moves of `seat` alone would finish, or 0 if it finds none so short."""
        return int(
            way_home(self._kernel.moves, self._kernel.play, row, seat, width, longest, self._plan, self._weights)
        )


def has_passed(row: Row, seat: int) -> bool:
    """Whether everybody else's pieces lie behind all of the seat's, who can no longer be hindered nor helped."""
    seats = int(row[SEATS])
    way = WAY[TARGET[seats, seat]]
    pieces = way[row[PIECES : PIECES + 10 * seats]].reshape(seats, 10)
    return bool(pieces[seat].max() < np.delete(pieces, seat, 0).min())


def make_oracle(game: Game[Any]) -> Race | None:
    """Every number of seats and every variant races."""
    return Race(game)
